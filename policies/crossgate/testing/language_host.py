"""A stand-in for ``pulumi-language-python``, for tests on machines without a Pulumi installation.

The engine starts the executable of that name and asks it to run a policy pack's folder or a Python program's. Towards a
pack the real host is not a mere launcher but a *proxy*, and a pack meets its habits, not the engine's; this one has the
same:

- Handshake is answered here; the pack never sees one.
- The pack is started only after ConfigureStack, or, when the engine calls something else first (``pulumi policy
  analyze``, ``publish``), without one. ConfigureStack is then forwarded to the pack.
- The pack runs in its own folder, with PULUMI_PROJECT, PULUMI_STACK, PULUMI_DRY_RUN, PULUMI_ORGANIZATION and
  PULUMI_CONFIG (JSON) set from ConfigureStack, as ``python -u -m pulumi.policy ENGINE_ADDRESS FOLDER``.
- The first line that the pack prints must be its port; everything after it reaches the user.
- ``runtime.options`` of PulumiPolicy.yaml choose the interpreter: ``toolchain`` (pip, uv, poetry; when absent the
  nearest lock file upwards decides, and pip is the fallback) and ``virtualenv``. With pip and no virtualenv it is
  PULUMI_PYTHON_CMD or the first ``python3`` or ``python`` on PATH.

Sources: the proxy, https://github.com/pulumi/pulumi/blob/v3.274.1/sdk/policy_proxy.go; the interpreter,
https://github.com/pulumi/pulumi/tree/v3.274.1/sdk/python/toolchain. Poetry is refused: nothing here uses it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import analyzer_pb2, language_pb2, language_pb2_grpc, plugin_pb2

from crossgate.supervise import end_descendants

UNLIMITED = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))
"""Channel options: a stack analysis of a large stack is bigger than gRPC's 4 MiB."""

_ANALYZER = "pulumirpc.Analyzer"
_PARENT_CHECK_SECONDS = 0.5
_LAST_ANSWERS_SECONDS = 2.0


class HostError(Exception):
    """A program or pack cannot be started; the text is the one line that the user sees."""


def interpreter(
    root: Path, program: Path, options: Mapping[str, Any], env: Mapping[str, str]
) -> tuple[Path, dict[str, str]]:
    """The Python of a project at ``root`` and the environment to start it with.

    ``options`` are the ``runtime.options`` of its project file.

    Raises:
        HostError: there is no such interpreter.
    """
    toolchain = options.get("toolchain") or _detected_toolchain(program)
    virtualenv = str(options.get("virtualenv") or "")
    if toolchain == "pip":
        return _with_virtualenv(root / virtualenv, env) if virtualenv else (_ambient_python(env), dict(env))
    if toolchain == "uv":
        return _with_uv(root / virtualenv if virtualenv else None, program, env)
    raise HostError(f"the stand-in for pulumi-language-python does not know the toolchain {toolchain!r}")


def _detected_toolchain(program: Path) -> str:
    for lock, toolchain in (("uv.lock", "uv"), ("poetry.lock", "poetry")):
        if _upwards(program, lock):
            return toolchain
    return "pip"


def _upwards(folder: Path, name: str) -> Path | None:
    return next((each for each in (folder, *folder.parents) if (each / name).exists()), None)


def _ambient_python(env: Mapping[str, str]) -> Path:
    names = [env["PULUMI_PYTHON_CMD"]] if env.get("PULUMI_PYTHON_CMD") else ["python3", "python"]
    for name in names:
        if found := shutil.which(name, path=env.get("PATH")):
            return Path(found)
    raise HostError(f"none of {', '.join(names)} is on PATH")


def _with_virtualenv(folder: Path, env: Mapping[str, str]) -> tuple[Path, dict[str, str]]:
    python = folder / "bin" / "python"
    if not python.is_file():
        problem = "is not a virtual environment" if folder.exists() else "does not exist"
        raise HostError(
            f"the virtualenv {folder} {problem}: make it with `python3 -m venv` and install requirements.txt into it"
        )
    activated = {name: value for name, value in env.items() if name != "PYTHONHOME"}
    activated |= {"VIRTUAL_ENV": str(folder), "PATH": os.pathsep.join([str(python.parent), env.get("PATH", "")])}
    return python, activated


def _with_uv(virtualenv: Path | None, program: Path, env: Mapping[str, str]) -> tuple[Path, dict[str, str]]:
    if not (uv := shutil.which("uv", path=env.get("PATH"))):
        raise HostError("the toolchain is uv, and there is no `uv` on PATH")
    project = _upwards(program, "uv.lock") or _upwards(program, "pyproject.toml") or program
    folder = virtualenv or project / env.get("UV_PROJECT_ENVIRONMENT", ".venv")
    if _upwards(program, "pyproject.toml"):
        settings = dict(env) | {"UV_PROJECT_ENVIRONMENT": str(folder)}
        sync = subprocess.run(
            [uv, "sync", "--inexact"], cwd=program, env=settings, capture_output=True, text=True, check=False
        )
        if sync.returncode:
            raise HostError(f"uv sync failed: {sync.stderr.strip()}")
    return _with_virtualenv(folder, env)


class _Proxy(grpc.GenericRpcHandler):
    """An Analyzer service that passes everything but Handshake on to the pack, once there is one.

    Messages pass as bytes, so that nothing is lost on the way.
    """

    def __init__(self) -> None:
        self._configuration: futures.Future[bytes | None] = futures.Future()
        self._pack: futures.Future[grpc.Channel] = futures.Future()
        self._lock = threading.Lock()
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=16), options=UNLIMITED)
        self._server.add_generic_rpc_handlers((self,))
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        service, _, method = handler_call_details.method.lstrip("/").partition("/")
        if service != _ANALYZER:
            return None
        own = {"Handshake": self._handshake, "ConfigureStack": self._configure_stack}.get(method)
        return grpc.unary_unary_rpc_method_handler(own or self._forward(method))

    def configuration(self) -> bytes | None:
        """Wait for the engine; the ConfigureStack request, or None when it called something else first."""
        return self._configuration.result()

    def attach(self, port: int) -> None:
        """Connect to the pack, tell it the stack's configuration, and let the waiting calls through."""
        channel = grpc.insecure_channel(f"127.0.0.1:{port}", options=UNLIMITED)
        if configuration := self.configuration():
            try:
                channel.unary_unary(f"/{_ANALYZER}/ConfigureStack")(configuration)
            except grpc.RpcError as error:
                if _status(error).code() is not grpc.StatusCode.UNIMPLEMENTED:
                    self.abandon(f"policy pack configuration failed: {_status(error).details()}")
                    return
        self._pack.set_result(channel)

    def abandon(self, reason: str) -> None:
        """Fail the waiting calls and all later ones: there will be no pack."""
        with suppress(futures.InvalidStateError):
            self._pack.set_exception(HostError(reason))

    def close(self) -> None:
        self._server.stop(_LAST_ANSWERS_SECONDS)  # calls that learn just now that there is no pack still say so

    def _start_pack(self, configuration: bytes | None) -> None:
        with self._lock:
            if not self._configuration.done():
                self._configuration.set_result(configuration)

    def _handshake(self, _request: bytes, _context: grpc.ServicerContext) -> bytes:
        return analyzer_pb2.AnalyzerHandshakeResponse().SerializeToString()

    def _configure_stack(self, request: bytes, _context: grpc.ServicerContext) -> bytes:
        self._start_pack(request)
        return analyzer_pb2.AnalyzerStackConfigureResponse().SerializeToString()

    def _forward(self, method: str) -> Callable[[bytes, grpc.ServicerContext], bytes]:
        def forward(request: bytes, context: grpc.ServicerContext) -> bytes:
            self._start_pack(None)
            try:
                channel = self._pack.result()
                response: bytes = channel.unary_unary(f"/{_ANALYZER}/{method}")(request)
                return response
            except HostError as error:
                raise _aborted(context, grpc.StatusCode.UNKNOWN, f"policy pack not started: {error}") from error
            except grpc.RpcError as error:
                status = _status(error)
                context.set_trailing_metadata(
                    [pair for pair in status.trailing_metadata() if pair[0].startswith("grpc-")]
                )
                raise _aborted(context, status.code(), status.details()) from error

        return forward


def _aborted(context: grpc.ServicerContext, code: grpc.StatusCode, details: str) -> Exception:
    """End the call with this status; ``raise`` before it says to a reader, and to mypy, that nothing follows."""
    context.abort(code, details)
    return AssertionError("abort() raises")


def _status(error: grpc.RpcError) -> grpc.Call:
    # Every error of a blocking call is a Call too; the annotations of grpc do not say so.
    assert isinstance(error, grpc.Call)
    return error


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """The LanguageRuntime service, as far as running Python programs and policy packs needs it."""

    def __init__(self, engine_address: str) -> None:
        self._engine_address = engine_address

    def Handshake(
        self, request: language_pb2.LanguageHandshakeRequest, context: grpc.ServicerContext
    ) -> language_pb2.LanguageHandshakeResponse:
        self._engine_address = request.engine_address
        return language_pb2.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> plugin_pb2.PluginInfo:
        return plugin_pb2.PluginInfo(version="0.0.0-stand-in")

    def GetRequiredPackages(
        self, request: language_pb2.GetRequiredPackagesRequest, context: grpc.ServicerContext
    ) -> language_pb2.GetRequiredPackagesResponse:
        return language_pb2.GetRequiredPackagesResponse()

    def InstallDependencies(
        self, request: language_pb2.InstallDependenciesRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.InstallDependenciesResponse]:
        yield language_pb2.InstallDependenciesResponse(stdout=b"the stand-in installs nothing\n")

    def Run(self, request: language_pb2.RunRequest, context: grpc.ServicerContext) -> language_pb2.RunResponse:
        """Run a Python program to its end. Its output is this process's, which the engine shows."""
        try:
            python, env = _interpreter_of(request.info, os.environ)
        except HostError as error:
            return language_pb2.RunResponse(error=str(error))
        request.args[:] = [self._engine_address]
        command = [str(python), "-u", "-m", "crossgate.testing.run_program"]
        program = subprocess.Popen(command, env=env, cwd=request.pwd, stdin=subprocess.PIPE)
        context.add_callback(lambda: _kill(program))
        program.communicate(request.SerializeToString())
        return language_pb2.RunResponse(bail=bool(program.returncode))

    def RunPlugin(
        self, request: language_pb2.RunPluginRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.RunPluginResponse]:
        """Run a policy pack; stream what it prints, then its exit status."""
        if request.kind != "analyzer":
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"the stand-in does not run plugins of kind {request.kind}")
        try:
            python, env = _interpreter_of(request.info, dict(each.partition("=")[::2] for each in request.env))
        except HostError as error:
            context.abort(grpc.StatusCode.UNKNOWN, str(error))
        proxy = _Proxy()
        try:
            yield language_pb2.RunPluginResponse(stdout=f"{proxy.port}\n".encode())
            configuration = _await_configuration(proxy, context)
            command = [str(python), "-u", "-m", "pulumi.policy", *request.args, request.info.program_directory]
            pack = subprocess.Popen(
                command,
                cwd=request.info.program_directory,
                env=env | _stack_variables(configuration),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            context.add_callback(lambda: _kill(pack))
            yield from _output(pack, proxy)
            yield language_pb2.RunPluginResponse(exitcode=pack.wait())
        finally:
            proxy.close()


def _interpreter_of(info: language_pb2.ProgramInfo, env: Mapping[str, str]) -> tuple[Path, dict[str, str]]:
    return interpreter(Path(info.root_directory), Path(info.program_directory), dict(info.options), env)


def _await_configuration(proxy: _Proxy, context: grpc.ServicerContext) -> bytes | None:
    # The engine may give up before it configures anything; without this the thread would wait for ever.
    context.add_callback(lambda: proxy._start_pack(None))  # noqa: SLF001 - one class in two places
    return proxy.configuration()


def _stack_variables(configuration: bytes | None) -> dict[str, str]:
    if configuration is None:
        return {}
    stack = analyzer_pb2.AnalyzerStackConfigureRequest.FromString(configuration)
    variables = {
        "PULUMI_ORGANIZATION": stack.organization,
        "PULUMI_PROJECT": stack.project,
        "PULUMI_STACK": stack.stack,
        "PULUMI_DRY_RUN": "true" if stack.dry_run else "false",
        "PULUMI_CONFIG": json.dumps(dict(stack.config)) if stack.config else "",
    }
    return {name: value for name, value in variables.items() if value}


def _output(pack: subprocess.Popen[bytes], proxy: _Proxy) -> Iterator[language_pb2.RunPluginResponse]:
    """What the pack prints, except for its first line, the port, with which the proxy is attached."""
    lines: SimpleQueue[language_pb2.RunPluginResponse | None] = SimpleQueue()
    assert pack.stdout is not None
    assert pack.stderr is not None

    def attach_then_copy(stdout: IO[bytes]) -> None:
        first = stdout.readline()
        if first.strip().isdigit():
            proxy.attach(int(first))
        else:
            shown = first.decode(errors="replace").strip()
            proxy.abandon(
                f"could not read policy pack port: {shown!r}" if first else "could not read policy pack port: EOF"
            )
        copy(stdout, lambda line: language_pb2.RunPluginResponse(stdout=line))

    def copy(stream: IO[bytes], response: Callable[[bytes], language_pb2.RunPluginResponse]) -> None:
        for line in stream:
            lines.put(response(line))
        lines.put(None)

    threading.Thread(target=attach_then_copy, args=(pack.stdout,), daemon=True).start()
    shown = (pack.stderr, lambda line: language_pb2.RunPluginResponse(stderr=line))
    threading.Thread(target=copy, args=shown, daemon=True).start()
    for _stream in range(2):
        yield from iter(lines.get, None)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()


def _exit_with_parent() -> None:
    """End this process when the engine that started it is gone.

    Polling, not PR_SET_PDEATHSIG: that one is about the parent's *thread*, and the engine's may end early.
    """
    parent = os.getppid()
    pause = threading.Event()
    while os.getppid() == parent:
        pause.wait(_PARENT_CHECK_SECONDS)
    _exit(0)


def _exit(status: int) -> None:
    end_descendants(os.getpid())
    os._exit(status)


def main(arguments: list[str]) -> None:
    """Serve until the engine ends this process; print the port as the first line."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _exit(0))
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    engine_address = next((each for each in arguments if not each.startswith("-")), "")
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=16), options=UNLIMITED)
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(LanguageHost(engine_address), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    server.wait_for_termination()


if __name__ == "__main__":
    main(sys.argv[1:])
