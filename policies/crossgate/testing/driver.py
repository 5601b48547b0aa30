"""Drive the real engine in a test: preview, update and destroy a program, and look at all it said.

An :class:`Engine` has a backend, a home and a cloud (:mod:`~crossgate.testing.echo_provider`) of its own, in one folder
that the test throws away. A program is a Python function, run in the test's process the way the Automation API does it,
or a project's folder, run by the language host. Every call has a time limit, and no process survives it or the test
(:mod:`~crossgate.supervise`).
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import grpc
import yaml
from pulumi.automation import PulumiFn
from pulumi.automation._server import LanguageServer
from pulumi.runtime.proto import language_pb2, language_pb2_grpc

from crossgate.supervise import TIME_LIMIT, supervised
from crossgate.testing.echo_provider import EchoProvider
from crossgate.testing.language_host import UNLIMITED
from crossgate.testing.yaml_schema import schemas

Program = Callable[[], object] | Path
"""What to run: a function, or the folder of a project."""

STACK = "dev"
PROJECT = "project"
_SECONDS = 120.0
_PROGRAM_END_SECONDS = 10.0
_POLICIES = Path(__file__).parents[2]


@dataclass(frozen=True)
class PolicyEvent:
    """A violation as the engine reports it. ``level`` is advisory or mandatory; ``exceptions`` are ids that matched."""

    policy: str
    urn: str
    level: str
    message: str
    pack: str
    version: str
    severity: str
    exceptions: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Run:
    """What one engine call did.

    ``events`` are the engine's events as it writes them (JSON objects), in order; none for commands without any.
    """

    status: int
    stdout: str
    stderr: str
    events: tuple[dict[str, Any], ...] = ()

    def __repr__(self) -> str:
        """Enough to understand a failed test; the events alone would be pages."""
        return f"Run(status={self.status}, errors={self.errors!r}, policy_events={self.policy_events!r})"

    @property
    def success(self) -> bool:
        """Whether the engine exited with status 0."""
        return self.status == 0

    @property
    def errors(self) -> str:
        """Everything that was reported as an error, one message after the other."""
        shown = [each["message"].strip() for each in self.of("diagnosticEvent") if each["severity"] == "error"]
        return "\n".join([*shown, self.stderr.strip()]).strip()

    @property
    def policy_events(self) -> tuple[PolicyEvent, ...]:
        """The violations, in the order of the events."""
        return tuple(
            PolicyEvent(
                policy=each["policyName"],
                urn=each.get("resourceUrn", ""),
                level=each["enforcementLevel"],
                message=each["message"],
                pack=each["policyPackName"],
                version=each.get("policyPackVersion", ""),
                severity=each.get("severity", ""),
                exceptions=tuple(exception["id"] for exception in each.get("exceptions") or ()),
            )
            for each in self.of("policyEvent")
        )

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The payloads of the events of one kind, such as ``resourcePreEvent``."""
        return [each[kind] for each in self.events if each.get(kind) is not None]


@dataclass(frozen=True)
class Tools:
    """An installation of Pulumi in ``root``, laid out for ``pulumi.automation.PulumiCommand(root)``.

    ``bin/pulumi`` is the engine under supervision; the engine itself and its language hosts lie side by side in
    ``libexec``, as in a real installation, where the engine finds them without a warning.
    """

    root: Path

    @classmethod
    def make(cls, root: Path, engine: Path, yaml_host: Path | None = None) -> Tools:
        """Install ``engine``, the stand-in for Python, and the host for YAML if there is one."""
        tools = cls(root)
        libexec = root / "libexec"
        tools.bin.mkdir(parents=True)
        libexec.mkdir()
        _link_or_copy(engine.resolve(), libexec / "pulumi")
        _launcher(tools.bin / "pulumi", supervised([str(libexec / "pulumi")]))
        host = [sys.executable, "-m", "crossgate.testing.language_host"]
        _launcher(libexec / "pulumi-language-python", ["env", f"PYTHONPATH={_POLICIES}", *host])
        if yaml_host:
            (libexec / "pulumi-language-yaml").symlink_to(yaml_host)
        return tools

    @property
    def bin(self) -> Path:
        """The folder for PATH."""
        return self.root / "bin"


@dataclass(frozen=True)
class _Workspace:
    """A project's folder and the folder of its backend."""

    folder: Path
    backend: Path


@dataclass
class Engine:
    """An engine with a state of its own in ``folder``; ``provider`` must be started."""

    tools: Tools
    folder: Path
    provider: EchoProvider
    time_limit: float = _SECONDS
    _workspaces: dict[Path | None, _Workspace] = field(default_factory=dict)

    def preview(self, program: Program, **options: Any) -> Run:
        """Preview ``program``; the options are those of :meth:`run`."""
        return self.run("preview", program, **options)

    def up(self, program: Program, *, preview: bool = False, **options: Any) -> Run:
        """Update to ``program``, as the Automation API does it: without a preview, unless ``preview`` asks for one."""
        arguments = ["--yes", *([] if preview else ["--skip-preview"]), *options.pop("arguments", ())]
        return self.run("up", program, arguments=arguments, **options)

    def refresh(self, program: Program, **options: Any) -> Run:
        """Read the state anew from the cloud."""
        arguments = ["--yes", "--skip-preview", *options.pop("arguments", ())]
        return self.run("refresh", program, arguments=arguments, **options)

    def destroy(self, program: Program, **options: Any) -> Run:
        """Delete all resources of the stack."""
        arguments = ["--yes", "--skip-preview", *options.pop("arguments", ())]
        return self.run("destroy", program, arguments=arguments, **options)

    def digest(self, program: Program, *, show_sames: bool = False, **options: Any) -> str:
        """The text of ``pulumi preview --json``, also of a preview that failed."""
        arguments = ["--json", *(["--show-sames"] if show_sames else []), *options.pop("arguments", ())]
        return self.run("preview", program, arguments=arguments, **options).stdout

    def run(
        self,
        command: str,
        program: Program,
        *,
        policy_packs: Sequence[Path] = (),
        policy_pack_configs: Sequence[Path] = (),
        config: Mapping[str, str] | None = None,
        secret_config: Mapping[str, str] | None = None,
        targets: Sequence[str] = (),
        arguments: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """Run a CLI ``command`` that runs the program.

        ``config`` and ``secret_config`` are set in the stack first and stay there; ``targets`` are URNs; ``arguments``
        are more flags; ``env`` is added to the environment.
        """
        workspace = self._workspace(program)
        self._configure(workspace, config or {}, secret_config or {}, env or {})
        flags = [
            *(f"--policy-pack={pack}" for pack in policy_packs),
            *(f"--policy-pack-config={file}" for file in policy_pack_configs),
            *(f"--target={urn}" for urn in targets),
            *arguments,
        ]
        with _served(program) as client, tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            log = Path(scratch) / "events.jsonl"
            done = self._pulumi(
                workspace, [command, f"--stack={STACK}", f"--event-log={log}", *client, *flags], env or {}
            )
            events = _events(log.read_text()) if log.exists() else ()
        return Run(done.status, done.stdout, done.stderr, events)

    def export(self, program: Program, *, show_secrets: bool = False) -> dict[str, Any]:
        """The state of the stack of ``program``, as ``pulumi stack export`` gives it."""
        flags = ["--show-secrets"] if show_secrets else []
        done = self._pulumi(self._workspace(program), ["stack", "export", f"--stack={STACK}", *flags], {})
        state: dict[str, Any] = json.loads(done.stdout)
        return state

    def analyze(
        self,
        state: Path,
        policy_packs: Sequence[Path],
        policy_pack_configs: Sequence[Path] = (),
        *,
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """``pulumi policy analyze --file``: judge a stack export, without a program."""
        flags = [
            *(f"--policy-pack={pack}" for pack in policy_packs),
            *(f"--policy-pack-config={file}" for file in policy_pack_configs),
        ]
        workspace = _Workspace(self.folder, self.folder / "no-backend")
        done = self._pulumi(workspace, ["policy", "analyze", f"--file={state}", "--json", *flags], env or {})
        return Run(done.status, done.stdout, done.stderr, _events(done.stdout))

    def pulumi(self, program: Program, *arguments: str, env: Mapping[str, str] | None = None) -> Run:
        """Run any CLI command in the workspace of ``program``."""
        return self._pulumi(self._workspace(program), list(arguments), env or {})

    def environment(self, program: Program) -> dict[str, str]:
        """The environment in which any command works on the stack of ``program``, ``pulumi`` itself on PATH.

        The working directory for it is :meth:`workdir`.
        """
        return self._environment(self._workspace(program))

    def workdir(self, program: Program) -> Path:
        """The folder of the project: for a folder program, this engine's copy of it."""
        return self._workspace(program).folder

    def _workspace(self, program: Program) -> _Workspace:
        key = program if isinstance(program, Path) else None
        if key not in self._workspaces:
            number = len(self._workspaces)
            workspace = _Workspace(self.folder / f"project-{number}", self.folder / f"backend-{number}")
            workspace.backend.mkdir(parents=True)
            if key is None:
                workspace.folder.mkdir()
                (workspace.folder / "Pulumi.yaml").write_text(f"name: {PROJECT}\nruntime: python\n")
            else:
                shutil.copytree(key, workspace.folder, symlinks=True)
            self._learn_schemas(workspace.folder / "Pulumi.yaml")
            self._workspaces[key] = workspace
            made = self._pulumi(workspace, ["stack", "init", STACK], {})
            assert made.success, made.stderr
        return self._workspaces[key]

    def _learn_schemas(self, project: Path) -> None:
        text = project.read_text()
        runtime = yaml.safe_load(text)["runtime"]
        if runtime == "yaml" or (isinstance(runtime, dict) and runtime["name"] == "yaml"):
            self.provider.schemas.update(schemas(text))

    def _configure(
        self, workspace: _Workspace, config: Mapping[str, str], secret: Mapping[str, str], env: Mapping[str, str]
    ) -> None:
        if not config and not secret:
            return
        pairs = [
            *(flag for key, value in config.items() for flag in ("--plaintext", f"{key}={value}")),
            *(flag for key, value in secret.items() for flag in ("--secret", f"{key}={value}")),
        ]
        done = self._pulumi(workspace, ["config", "set-all", f"--stack={STACK}", *pairs], env)
        assert done.success, done.stderr

    def _pulumi(self, workspace: _Workspace, arguments: Sequence[str], env: Mapping[str, str]) -> Run:
        command = [str(self.tools.bin / "pulumi"), *arguments, "--non-interactive", "--color=never"]
        # Files, not pipes: a pipe stays open, and the reader waits, for as long as any process of the tree lives.
        with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
            status = subprocess.call(
                command,
                cwd=workspace.folder,
                env=self._environment(workspace) | dict(env),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
            )
            return Run(status, _text(stdout), _text(stderr))

    def _environment(self, workspace: _Workspace) -> dict[str, str]:
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("PULUMI_", "PYTHONPATH"))
        }
        path = [str(self.tools.bin), str(Path(sys.executable).parent), inherited.get("PATH", os.defpath)]
        return inherited | {
            "PATH": os.pathsep.join(path),
            "PULUMI_BACKEND_URL": f"file://{workspace.backend}",
            "PULUMI_CONFIG_PASSPHRASE": "harness",
            "PULUMI_DEBUG_COMMANDS": "true",  # for --event-log
            "PULUMI_DEBUG_PROVIDERS": self.provider.debug_providers,
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_HOME": str(self.folder / "home"),
            "PULUMI_IGNORE_AMBIENT_PLUGINS": "true",  # the language hosts of these tools, not of the machine
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            TIME_LIMIT: str(self.time_limit),
        }


class _Inline(LanguageServer):
    """The Automation API's server for inline programs, which in addition tells how the program has ended."""

    def __init__(self, program: Callable[[], object]) -> None:
        super().__init__(cast("PulumiFn", program))
        self.aborted = False
        self.ended = threading.Event()
        self.ended.set()

    def Run(self, request: language_pb2.RunRequest, context: grpc.ServicerContext) -> language_pb2.RunResponse:
        self.ended.clear()
        try:
            with warnings.catch_warnings():
                # What an SDK warns of (deprecated modules, mostly) concerns its users, not the test that runs it.
                warnings.simplefilter("ignore")
                response: language_pb2.RunResponse = super().Run(request, context)  # type: ignore[no-untyped-call]  # theirs
            self.aborted = bool(response.error)
            return response
        except grpc.RpcError as error:  # the engine went away while the program told it something
            self.aborted = True
            return language_pb2.RunResponse(error=str(error))
        finally:
            self.ended.set()


@contextmanager
def _served(program: Program) -> Iterator[list[str]]:
    """Serve the program if it is an inline one; the flags with which the engine finds it."""
    if isinstance(program, Path):
        yield []
        return
    inline = _Inline(program)
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4), options=UNLIMITED)
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(inline, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield [f"--client=127.0.0.1:{port}", "--exec-kind=auto.inline"]
    finally:
        server.stop(None).wait()
        inline.ended.wait(_PROGRAM_END_SECONDS)
        if inline.aborted:
            _collect_remains()


def _collect_remains() -> None:
    """Throw away what an aborted program left behind, here and quietly.

    When the engine ends a run early (a violation in an update), the SDK stops its event loop, leaves it open and drops
    the program's coroutine. Left to chance, the complaints about that would land in some later test.
    """
    hook = sys.unraisablehook

    def quiet(raised: sys.UnraisableHookArgs) -> None:
        if not inspect.iscoroutine(raised.object) and not isinstance(raised.exc_value, ResourceWarning):
            hook(raised)

    sys.unraisablehook = quiet
    try:
        gc.collect()
    finally:
        sys.unraisablehook = hook


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError:  # another file system, or a file of another user
        shutil.copy2(source, target)


def _launcher(path: Path, command: Sequence[str]) -> None:
    path.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    path.chmod(0o755)


def _events(lines: str) -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in lines.splitlines() if line.startswith("{"))


def _text(file: Any) -> str:
    file.seek(0)
    text: str = file.read().decode(errors="replace")
    return text
