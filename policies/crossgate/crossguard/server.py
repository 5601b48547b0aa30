"""The pack as the engine knows it: a gRPC server that speaks Pulumi's Analyzer protocol.

``serve`` prints its port as the first line of standard output, which the engine reads, and then only writes to
standard error. It works with and without the calls Handshake and ConfigureStack, and in either order with Configure:
a language host that stands between engine and pack may answer some of them itself.

Sources:
    https://github.com/pulumi/pulumi/blob/master/proto/pulumi/analyzer.proto
    https://github.com/pulumi/pulumi/blob/master/pkg/resource/plugin/analyzer_plugin.go
"""

from __future__ import annotations

import gc
import logging
import os
import re
import sys
import threading
from concurrent import futures
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import grpc
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc, plugin_pb2

from crossgate.config.engine import ConfigError, PolicySetting, configure
from crossgate.crossguard import journal, wire
from crossgate.crossguard.session import Report, Session
from crossgate.model import Stack
from crossgate.pack import Level
from crossgate.rule import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crossgate.pack import Entry, Pack
    from crossgate.rule import Rule

_LOG: Final = logging.getLogger(__name__)

_LEVELS: Final = {
    Level.ADVISORY: analyzer_pb2.ADVISORY,
    Level.MANDATORY: analyzer_pb2.MANDATORY,
    Level.DISABLED: analyzer_pb2.DISABLED,
    Level.REMEDIATE: analyzer_pb2.REMEDIATE,
}
_SEVERITIES: Final = {
    Severity.LOW: analyzer_pb2.POLICY_SEVERITY_LOW,
    Severity.MEDIUM: analyzer_pb2.POLICY_SEVERITY_MEDIUM,
    Severity.HIGH: analyzer_pb2.POLICY_SEVERITY_HIGH,
    Severity.CRITICAL: analyzer_pb2.POLICY_SEVERITY_CRITICAL,
}
_ORPHAN_CHECK_SECONDS: Final = 2.0


class Analyzer(analyzer_pb2_grpc.AnalyzerServicer):
    """The Analyzer service of one pack for one engine run."""

    def __init__(
        self, pack: Pack, version: str, *, preview: bool = False, writer: journal.Writer | None = None
    ) -> None:
        """Serve ``pack``; ``version`` is the one that its PulumiPolicy.yaml states; ``writer`` keeps the verdicts."""
        self._shipped = pack
        self._version = version
        self._session = Session(pack)
        self._session.preview = preview
        self._journal = writer
        self._lock = threading.Lock()

    # The method names below are those of the protocol.

    def Handshake(
        self, request: analyzer_pb2.AnalyzerHandshakeRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzerHandshakeResponse:
        """Answer the engine's greeting; nothing in it is needed."""
        del request, context
        return analyzer_pb2.AnalyzerHandshakeResponse()

    def ConfigureStack(
        self, request: analyzer_pb2.AnalyzerStackConfigureRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzerStackConfigureResponse:
        """Learn whether this is a preview, and which texts are secret configuration."""
        del context
        with self._lock:
            self._session.preview = _waits(stack=request.stack, dry_run=request.dry_run)
            self._session.keep_secret(
                request.config[key] for key in request.config_secret_keys if key in request.config
            )
        return analyzer_pb2.AnalyzerStackConfigureResponse()

    def Configure(
        self, request: analyzer_pb2.ConfigureAnalyzerRequest, context: grpc.ServicerContext
    ) -> empty_pb2.Empty:
        """Take over levels and parameters; a wrong one ends the run with one clear line."""
        settings = {
            name: PolicySetting(_level(config.enforcementLevel), wire.properties(config.properties))
            for name, config in request.policyConfig.items()
        }
        try:
            pack = configure(self._shipped, settings, where="")
        except ConfigError as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"policy configuration: {error}")
        with self._lock:
            self._session.configure(pack)
        return empty_pb2.Empty()

    def GetAnalyzerInfo(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> analyzer_pb2.AnalyzerInfo:
        """Tell everything about the pack and its rules."""
        del request, context
        pack = self._shipped
        return analyzer_pb2.AnalyzerInfo(
            name=pack.name,
            displayName=pack.name,
            description=pack.title,
            version=self._version,
            supportsConfig=True,
            policies=[_policy_info(entry) for entry in pack.entries],
            initialConfig={entry.rule.id: _initial_config(entry) for entry in pack.entries},
        )

    def GetPluginInfo(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> plugin_pb2.PluginInfo:
        """Tell the pack's version."""
        del request, context
        return plugin_pb2.PluginInfo(version=self._version)

    def Analyze(
        self, request: analyzer_pb2.AnalyzeRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzeResponse:
        """Judge one resource before it is created."""
        del context
        resource = wire.analyzed_resource(request)
        provider = wire.provider_resource(request)
        with self._lock:
            return self._response(self._session.analyze(resource, provider, marked=wire.holds_marks(request)))

    def AnalyzeStack(
        self, request: analyzer_pb2.AnalyzeStackRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.AnalyzeResponse:
        """Judge the whole stack."""
        del context
        with self._lock:
            messages = sorted(request.resources, key=lambda message: message.urn)  # the engine's order is random
            stack = Stack(wire.stack_resource(message, self._session.analyzed(message.urn)) for message in messages)
            for message in messages:
                provider = wire.provider_resource(message)
                if provider is not None and stack.get(provider.urn) is None:
                    stack.add(provider)
            self._session.hide_left_out(stack)
            response = self._response(self._session.analyze_stack(stack))
            self._end_journal(stack)
            return response

    def Remediate(
        self, request: analyzer_pb2.AnalyzeRequest, context: grpc.ServicerContext
    ) -> analyzer_pb2.RemediateResponse:
        """Change nothing: no rule of these packs remediates.

        This call, which precedes Analyze, is the only one that tells a resource which the run leaves out: outside the
        targets of ``--target`` the engine shows a new resource without any property at all, not even those that a
        provider's check always adds.
        """
        del context
        if request.provider.urn and not request.properties.fields:
            with self._lock:
                self._session.leave_out(request.urn)
        return analyzer_pb2.RemediateResponse()

    def Cancel(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> empty_pb2.Empty:
        """Accept the engine's wish to stop; every call here is short."""
        del request, context
        return empty_pb2.Empty()

    def _response(self, reports: Iterable[Report]) -> analyzer_pb2.AnalyzeResponse:
        found = list(reports)
        redact = self._session.redactor(found)
        if self._journal is not None:
            self._journal.begin(self._session.pack)
            for report in {id(report.verdict): report for report in found}.values():
                self._journal.verdict(report.entry, report.verdict, redact)
        if not found:
            return _not_applicable(self._session.pack)
        response = analyzer_pb2.AnalyzeResponse(
            diagnostics=[
                analyzer_pb2.AnalyzeDiagnostic(
                    policyName=report.entry.rule.id,
                    policyPackName=self._shipped.name,
                    policyPackVersion=self._version,
                    description=report.entry.rule.title,
                    message=redact(_message(report)),
                    enforcementLevel=analyzer_pb2.MANDATORY if report.blocks else analyzer_pb2.ADVISORY,
                    urn=report.verdict.resource.urn,
                    severity=_SEVERITIES[report.entry.rule.severity],
                )
                for report in found
            ]
        )
        response.MergeFrom(_not_applicable(self._session.pack))
        return response

    def _end_journal(self, stack: Stack) -> None:
        if self._journal is not None:
            redact = self._session.redactor(self._session.noted)
            for report in self._session.noted:
                self._journal.verdict(report.entry, report.verdict, redact)
            self._journal.end(self._session.kinds(stack), self._session.left_out)


@lru_cache(maxsize=1)
def _not_applicable(pack: Pack) -> analyzer_pb2.AnalyzeResponse:
    """Return what is said about every resource, and all that is said about nearly every one: what is not configured."""
    return analyzer_pb2.AnalyzeResponse(
        not_applicable=[
            analyzer_pb2.PolicyNotApplicable(
                policy_name=entry.rule.id, reason=f"not configured: set {', '.join(entry.rule.required)}"
            )
            for entry in pack.not_configured
        ]
    )


def _message(report: Report) -> str:
    rule = report.entry.rule
    return f"{report.text}\n  fix: {rule.fix.split(chr(10), 1)[0]}\n  docs: {rule.url}"


def _level(number: int) -> Level:
    return next(level for level, wire_level in _LEVELS.items() if wire_level == number)


def _policy_info(entry: Entry) -> analyzer_pb2.PolicyInfo:
    rule = entry.rule
    info = analyzer_pb2.PolicyInfo(
        name=rule.id,
        displayName=rule.title,
        description=f"{rule.title}. {rule.why}",
        enforcementLevel=_LEVELS[entry.level],
        policy_type=analyzer_pb2.POLICY_TYPE_STACK if rule.over_stack else analyzer_pb2.POLICY_TYPE_RESOURCE,
        severity=_SEVERITIES[rule.severity],
        remediation_steps=rule.fix,
        url=rule.url,
        tags=list(rule.frameworks),
    )
    if rule.frameworks:
        info.framework.CopyFrom(_framework(rule))
    if rule.parameters:
        info.configSchema.CopyFrom(
            analyzer_pb2.PolicyConfigSchema(properties=json_format.ParseDict(rule.parameters, struct_pb2.Struct()))
        )
    return info


_FRAMEWORK: Final = re.compile(r"^(?P<name>.+?) v?(?P<version>\d[\w.]*) (?P<reference>\S+)$")


def _framework(rule: Rule) -> analyzer_pb2.PolicyComplianceFramework:
    """Return the first framework; the protocol has room for one, the tags carry them all."""
    match = _FRAMEWORK.match(rule.frameworks[0])
    if match is None:
        return analyzer_pb2.PolicyComplianceFramework(name=rule.frameworks[0])
    return analyzer_pb2.PolicyComplianceFramework(**match.groupdict())


def _initial_config(entry: Entry) -> analyzer_pb2.PolicyConfig:
    settings: dict[str, Any] = {**entry.rule.defaults, **entry.parameters}
    return analyzer_pb2.PolicyConfig(
        enforcementLevel=_LEVELS[entry.level], properties=json_format.ParseDict(settings, struct_pb2.Struct())
    )


def pack_version(program: Path) -> str:
    """Return the version that the PulumiPolicy.yaml of a pack states; empty when it states none.

    ``program`` is the pack's folder, or a file in it: what Python was told to run.
    """
    folder = program if program.is_dir() else program.parent
    try:
        text = (folder / "PulumiPolicy.yaml").read_text(encoding="utf-8")
    except OSError:
        return ""
    match = re.search(r"^version:\s*[\"']?([^\s\"'#]+)", text, re.MULTILINE)
    return match[1] if match else ""


def start(
    pack: Pack, version: str, *, preview: bool = False, writer: journal.Writer | None = None
) -> tuple[grpc.Server, int]:
    """Start the server on a free port of 127.0.0.1; return it and the port.

    ``preview`` holds until ConfigureStack says otherwise; ``writer`` keeps the verdicts.
    """
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=4),
        options=[("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)],
    )
    analyzer_pb2_grpc.add_AnalyzerServicer_to_server(Analyzer(pack, version, preview=preview, writer=writer), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def _waits(*, stack: str | None, dry_run: bool) -> bool:
    """Return whether the run creates nothing: a preview, or ``pulumi policy analyze``, which alone names no stack."""
    return dry_run or not stack


def serve(pack: Pack) -> NoReturn:
    """Serve ``pack`` until the engine ends this process, or dies."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    preview = _waits(stack=os.environ.get("PULUMI_STACK"), dry_run=os.environ.get("PULUMI_DRY_RUN") == "true")
    gc.collect()
    gc.freeze()  # what is loaded by now stays: no collection needs to walk through it
    server, port = start(pack, pack_version(Path(sys.argv[0])), preview=preview, writer=journal.writer(os.environ))
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    _end_with_parent(server)
    sys.exit(0)


def _end_with_parent(server: grpc.Server) -> None:
    """Wait; end when the process that started this one is gone, so that no pack is left behind."""
    parent = os.getppid()
    while os.getppid() == parent:
        if not server.wait_for_termination(timeout=_ORPHAN_CHECK_SECONDS):
            return
    _LOG.warning("the engine is gone; the pack ends")
    server.stop(grace=None)
