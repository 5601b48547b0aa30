"""A policy pack that writes down every call of the engine and answers from a script.

What the engine sends, in which order and with which content, is the contract of every analyzer. :func:`recording_pack`
makes a pack folder that records it; :func:`recording` reads the calls back. Fixtures for the wire tests are made with
it, and the questions of "what does the engine do when the pack says X, dies, or hangs" are asked with it.

The protocol: https://github.com/pulumi/pulumi/blob/master/proto/pulumi/analyzer.proto
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent import futures
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import grpc
from google.protobuf import empty_pb2, json_format
from google.protobuf.message import Message
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc, plugin_pb2

from crossgate.testing.language_host import UNLIMITED

SCRIPT = "script.json"
RECORDING = "recording.jsonl"

Level = Literal["ADVISORY", "MANDATORY", "REMEDIATE", "DISABLED"]
Severity = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL", "UNSPECIFIED"]

_MAIN = """\
import sys

sys.path.insert(0, {policies!r})  # the package that made this folder, installed or not
from crossgate.testing.recorder import main

main(__file__)
"""


@dataclass(frozen=True)
class Policy:
    """A policy as ``GetAnalyzerInfo`` declares it; ``properties`` is its JSON Schema for configuration."""

    name: str
    kind: Literal["RESOURCE", "STACK"] = "RESOURCE"
    level: Level = "MANDATORY"
    severity: Severity = "UNSPECIFIED"
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Diagnostic:
    """A violation to report; an empty ``urn`` leaves the place to the engine."""

    policy: str
    level: Level = "MANDATORY"
    message: str = "found"
    urn: str = ""
    severity: Severity = "UNSPECIFIED"


@dataclass(frozen=True)
class Remediation:
    """New inputs for a resource, or with ``diagnostic`` only a note that it could not be remediated."""

    policy: str
    properties: dict[str, Any] = field(default_factory=dict)
    diagnostic: str = ""


@dataclass(frozen=True)
class Answer:
    """What to do on a call of ``rpc`` that is about ``type`` (empty: any); the first answer that fits is given.

    ``error`` is a gRPC status code's name; ``exit`` ends the process with that status; ``hang`` never answers. Answers
    to AnalyzeStack fit when a resource of the type is in the stack.
    """

    rpc: str
    type: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    remediations: tuple[Remediation, ...] = ()
    error: str = ""
    exit: int | None = None
    hang: bool = False


@dataclass(frozen=True)
class Script:
    """All that a recording pack says. ``unimplemented`` names the calls it answers with UNIMPLEMENTED."""

    name: str = "recorder"
    policies: tuple[Policy, ...] = ()
    answers: tuple[Answer, ...] = ()
    supports_config: bool = True
    unimplemented: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    """One recorded call: its name, the process that served it, and the request as protobuf's JSON."""

    rpc: str
    pid: int
    request: dict[str, Any]

    def message(self) -> Message:
        """The request as the protobuf message it was."""
        return json_format.ParseDict(self.request, _REQUESTS[self.rpc]())


_REQUESTS: dict[str, Callable[[], Message]] = {
    "Handshake": analyzer_pb2.AnalyzerHandshakeRequest,
    "ConfigureStack": analyzer_pb2.AnalyzerStackConfigureRequest,
    "GetAnalyzerInfo": empty_pb2.Empty,
    "GetPluginInfo": empty_pb2.Empty,
    "Configure": analyzer_pb2.ConfigureAnalyzerRequest,
    "Analyze": analyzer_pb2.AnalyzeRequest,
    "AnalyzeStack": analyzer_pb2.AnalyzeStackRequest,
    "Remediate": analyzer_pb2.AnalyzeRequest,
    "Cancel": empty_pb2.Empty,
}


def recording_pack(folder: Path, script: Script = Script(), *, options: str = "") -> Path:
    """Make ``folder`` a policy pack that follows ``script``; return the folder.

    ``options`` is text for ``runtime.options`` in PulumiPolicy.yaml, such as ``virtualenv: venv``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    runtime = f"runtime:\n  name: python\n  options:\n    {options}\n" if options else "runtime: python\n"
    (folder / "PulumiPolicy.yaml").write_text(f"{runtime}version: 1.2.3\ndescription: records the engine's calls\n")
    (folder / "__main__.py").write_text(_MAIN.format(policies=str(Path(__file__).parents[2])))
    (folder / SCRIPT).write_text(json.dumps(asdict(script)))
    return folder


def recording(folder: Path) -> list[Call]:
    """The calls that the pack in ``folder`` has received so far, oldest first, of all its processes."""
    file = folder / RECORDING
    if not file.exists():
        return []
    return [Call(**json.loads(line)) for line in file.read_text().splitlines()]


def main(module: str) -> None:
    """Serve the pack whose ``__main__`` is ``module``, for as long as the engine wants it."""
    serve(Path(module).resolve().parent)


def serve(folder: Path) -> None:
    """Serve the script of ``folder`` on a free loopback port, printed as the first line; never returns."""
    script = _script(json.loads((folder / SCRIPT).read_text()))
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), options=UNLIMITED)
    analyzer_pb2_grpc.add_AnalyzerServicer_to_server(_Recorder(script, folder / RECORDING), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    server.wait_for_termination()


def _script(data: dict[str, Any]) -> Script:
    answers = tuple(
        Answer(
            **answer
            | {
                "diagnostics": tuple(Diagnostic(**each) for each in answer["diagnostics"]),
                "remediations": tuple(Remediation(**each) for each in answer["remediations"]),
            }
        )
        for answer in data["answers"]
    )
    return Script(**data | {"policies": tuple(Policy(**each) for each in data["policies"]), "answers": answers})


class _Recorder(analyzer_pb2_grpc.AnalyzerServicer):
    def __init__(self, script: Script, file: Path) -> None:
        self._script = script
        self._file = file
        self._lock = threading.Lock()

    def _record(self, rpc: str, request: Message, context: grpc.ServicerContext) -> Answer:
        line = json.dumps({"rpc": rpc, "pid": os.getpid(), "request": json_format.MessageToDict(request)})
        with self._lock, self._file.open("a") as file:
            file.write(line + "\n")
        if rpc in self._script.unimplemented:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"{rpc} is not implemented")
        answer = self._answer(rpc, _types(request))
        if answer.exit is not None:
            os._exit(answer.exit)
        if answer.hang:
            time.sleep(3600)
        if answer.error:
            context.abort(grpc.StatusCode[answer.error], f"scripted error in {rpc}")
        return answer

    def _answer(self, rpc: str, types: Sequence[str]) -> Answer:
        for answer in self._script.answers:
            if answer.rpc == rpc and (not answer.type or answer.type in types):
                return answer
        return Answer(rpc)

    def _response(self, answer: Answer) -> analyzer_pb2.AnalyzeResponse:
        return analyzer_pb2.AnalyzeResponse(
            diagnostics=[
                analyzer_pb2.AnalyzeDiagnostic(
                    policyName=each.policy,
                    policyPackName=self._script.name,
                    policyPackVersion="0.0.1",
                    description=f"description of {each.policy}",
                    message=each.message,
                    enforcementLevel=analyzer_pb2.EnforcementLevel.Value(each.level),
                    severity=analyzer_pb2.PolicySeverity.Value(f"POLICY_SEVERITY_{each.severity}"),
                    urn=each.urn,
                )
                for each in answer.diagnostics
            ]
        )

    def Handshake(
        self, request: analyzer_pb2.AnalyzerHandshakeRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzerHandshakeResponse:
        self._record("Handshake", request, context)
        return analyzer_pb2.AnalyzerHandshakeResponse()

    def ConfigureStack(
        self, request: analyzer_pb2.AnalyzerStackConfigureRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzerStackConfigureResponse:
        self._record("ConfigureStack", request, context)
        return analyzer_pb2.AnalyzerStackConfigureResponse()

    def GetPluginInfo(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> plugin_pb2.PluginInfo:
        self._record("GetPluginInfo", request, context)
        return plugin_pb2.PluginInfo(version="0.0.1")

    def GetAnalyzerInfo(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> analyzer_pb2.AnalyzerInfo:
        self._record("GetAnalyzerInfo", request, context)
        return analyzer_pb2.AnalyzerInfo(
            name=self._script.name,
            displayName=f"display {self._script.name}",
            version="0.0.1",
            supportsConfig=self._script.supports_config,
            policies=[_policy_info(each) for each in self._script.policies],
        )

    def Configure(
        self, request: analyzer_pb2.ConfigureAnalyzerRequest, context: grpc.ServicerContext
    ) -> empty_pb2.Empty:
        self._record("Configure", request, context)
        return empty_pb2.Empty()

    def Analyze(
        self, request: analyzer_pb2.AnalyzeRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzeResponse:
        return self._response(self._record("Analyze", request, context))

    def AnalyzeStack(
        self, request: analyzer_pb2.AnalyzeStackRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzeResponse:
        return self._response(self._record("AnalyzeStack", request, context))

    def Remediate(
        self, request: analyzer_pb2.AnalyzeRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.RemediateResponse:
        answer = self._record("Remediate", request, context)
        return analyzer_pb2.RemediateResponse(remediations=[self._remediation(each) for each in answer.remediations])

    def _remediation(self, remediation: Remediation) -> analyzer_pb2.Remediation:
        message = analyzer_pb2.Remediation(
            policyName=remediation.policy,
            policyPackName=self._script.name,
            policyPackVersion="0.0.1",
            description=f"description of {remediation.policy}",
            diagnostic=remediation.diagnostic,
        )
        message.properties.update(remediation.properties)
        return message

    def Cancel(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> empty_pb2.Empty:
        self._record("Cancel", request, context)
        return empty_pb2.Empty()


def _types(request: Message) -> list[str]:
    if isinstance(request, analyzer_pb2.AnalyzeRequest):
        return [request.type]
    if isinstance(request, analyzer_pb2.AnalyzeStackRequest):
        return [resource.type for resource in request.resources]
    return []


def _policy_info(policy: Policy) -> analyzer_pb2.PolicyInfo:
    info = analyzer_pb2.PolicyInfo(
        name=policy.name,
        displayName=f"display {policy.name}",
        description=f"description of {policy.name}",
        enforcementLevel=analyzer_pb2.EnforcementLevel.Value(policy.level),
        severity=analyzer_pb2.PolicySeverity.Value(f"POLICY_SEVERITY_{policy.severity}"),
        policy_type=analyzer_pb2.PolicyType.Value(f"POLICY_TYPE_{policy.kind}"),
    )
    if policy.properties:
        info.configSchema.properties.update(policy.properties)
    return info
