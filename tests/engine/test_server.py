"""The pack's server, spoken to over gRPC as the engine speaks to it, without an engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc

from crossgate import UNKNOWN, Finding, Resource, Rule, Severity, any_of, rule, stack_rule
from crossgate.crossguard.server import start
from crossgate.pack import Level, Pack
from crossgate.value import SECRET, SIGNATURE_KEY

SECONDS = 10
BUCKET = "aws:s3/bucket:Bucket"
GUARD = "aws:s3/bucketOwnershipControls:BucketOwnershipControls"


@rule(types=(BUCKET,), severity=Severity.HIGH)
def open_bucket(bucket: Resource) -> Iterator[Finding]:
    """Nothing can excuse an open bucket."""
    yield Finding("open", at=bucket["open"], when=bucket["open"].is_true())


@rule(types=(BUCKET,), severity=Severity.HIGH, neighbours=(GUARD,))
def unguarded_bucket(bucket: Resource) -> Iterator[Finding]:
    """A guard excuses it."""
    yield Finding("unguarded", when=~any_of(link.linked for link in bucket.related((GUARD,), "bucket")))


@rule(types=(BUCKET,), severity=Severity.HIGH)
def crashing(bucket: Resource) -> Iterator[Finding]:
    """Crash with the secret in the exception's text."""
    raise KeyError(bucket["password"].text())
    yield


@stack_rule(types=(BUCKET,), severity=Severity.LOW)
def lonely_bucket(bucket: Resource) -> Iterator[Finding]:
    """Advise when no guard exists at all."""
    if not bucket.stack.of_type(GUARD):
        yield Finding("no guard anywhere")


@rule(
    types=(BUCKET,),
    severity=Severity.MEDIUM,
    required=("names",),
    parameters={"names": {"type": "array", "items": {"type": "string"}, "description": "allowed names"}},
)
def odd_name(bucket: Resource, parameters: Any) -> Iterator[Finding]:
    """Only the configured names are allowed."""
    yield Finding("odd name", at=bucket["label"], when=~bucket["label"].is_in(parameters["names"]))


def pack(*rules: Rule, level: Level = Level.MANDATORY) -> Pack:
    return Pack("test", "A pack for tests", [(each, level) for each in rules])


class Client:
    """A client of one served pack."""

    def __init__(self, served: Pack) -> None:
        self._server, port = start(served, "1.2.3")
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.stub = analyzer_pb2_grpc.AnalyzerStub(self._channel)

    def close(self) -> None:
        self._channel.close()
        self._server.stop(grace=None)

    def configure_stack(self, *, preview: bool, **secrets: str) -> None:
        request = analyzer_pb2.AnalyzerStackConfigureRequest(
            stack="dev", project="p", dry_run=preview, config=secrets, config_secret_keys=list(secrets)
        )
        self.stub.ConfigureStack(request, timeout=SECONDS)

    def analyze(self, name: str, type_: str = BUCKET, **inputs: Any) -> list[Any]:
        request = analyzer_pb2.AnalyzeRequest(urn=urn(name, type_), type=type_, name=name, properties=struct(inputs))
        return list(self.stub.Analyze(request, timeout=SECONDS).diagnostics)

    def analyze_stack(self, *resources: analyzer_pb2.AnalyzerResource) -> list[Any]:
        request = analyzer_pb2.AnalyzeStackRequest(resources=resources)
        return list(self.stub.AnalyzeStack(request, timeout=SECONDS).diagnostics)


def urn(name: str, type_: str = BUCKET) -> str:
    return f"urn:pulumi:dev::p::{type_}::{name}"


def struct(values: dict[str, Any]) -> struct_pb2.Struct:
    return json_format.ParseDict(values, struct_pb2.Struct())


def stacked(name: str, type_: str = BUCKET, edges: dict[str, str] | None = None) -> analyzer_pb2.AnalyzerResource:
    message = analyzer_pb2.AnalyzerResource(urn=urn(name, type_), type=type_, name=name)
    for key, target in (edges or {}).items():
        message.propertyDependencies[key].urns.append(target)
    return message


def lines(diagnostics: list[Any]) -> list[tuple[str, str, str]]:
    return [(each.policyName, each.message.splitlines()[0], level_name(each)) for each in diagnostics]


def level_name(diagnostic: Any) -> str:
    name: str = analyzer_pb2.EnforcementLevel.Name(diagnostic.enforcementLevel).lower()
    return name


@pytest.fixture
def serve() -> Iterator[Any]:
    clients: list[Client] = []

    def start_client(served: Pack) -> Client:
        clients.append(Client(served))
        return clients[-1]

    yield start_client
    for client in clients:
        client.close()


def test_a_violation_that_nothing_can_excuse_is_reported_at_once_and_only_once(serve: Any) -> None:
    client = serve(pack(open_bucket))
    client.configure_stack(preview=True)
    assert [("open-bucket", "open: open", "mandatory")] == lines(client.analyze("b", open=True))
    assert [] == client.analyze_stack(stacked("b"))


def test_in_a_preview_an_undetermined_verdict_waits_for_the_whole_stack_and_blocks_there(serve: Any) -> None:
    client = serve(pack(open_bucket))
    client.configure_stack(preview=True)
    assert [] == client.analyze("b", open=UNKNOWN)
    [(policy, text, level)] = lines(client.analyze_stack(stacked("b")))
    assert (policy, level) == ("open-bucket", "mandatory")
    assert "undetermined" in text
    assert "not known until the update" in text


def test_in_an_update_an_undetermined_verdict_blocks_before_the_resource_exists(serve: Any) -> None:
    client = serve(pack(open_bucket))
    client.configure_stack(preview=False)
    [(_, text, level)] = lines(client.analyze("b", open=UNKNOWN))
    assert level == "mandatory"
    assert "undetermined" in text


def test_a_later_neighbour_excuses_in_a_preview_by_the_edge_of_the_stack_call(serve: Any) -> None:
    client = serve(pack(unguarded_bucket))
    client.configure_stack(preview=True)
    assert [] == client.analyze("b")
    assert [] == client.analyze("g", GUARD, bucket=UNKNOWN)
    assert [] == client.analyze_stack(stacked("b"), stacked("g", GUARD, {"bucket": urn("b")}))


def test_without_the_neighbour_the_stack_call_reports_it(serve: Any) -> None:
    client = serve(pack(unguarded_bucket))
    client.configure_stack(preview=True)
    assert [] == client.analyze("b")
    assert [("unguarded-bucket", "unguarded", "mandatory")] == lines(client.analyze_stack(stacked("b")))


def test_in_an_update_it_is_reported_at_once_and_names_dependson(serve: Any) -> None:
    client = serve(pack(unguarded_bucket))
    client.configure_stack(preview=False)
    [(_, text, level)] = lines(client.analyze("b"))
    assert level == "mandatory"
    assert "BucketOwnershipControls" in text
    assert "dependsOn" in text


def test_where_no_stack_is_named_a_state_is_analysed_and_a_later_neighbour_excuses(serve: Any) -> None:
    client = serve(pack(unguarded_bucket))
    client.stub.ConfigureStack(analyzer_pb2.AnalyzerStackConfigureRequest(), timeout=SECONDS)
    assert [] == client.analyze("b")
    assert [] == client.analyze("g", GUARD, bucket=urn("b"))
    assert [] == client.analyze_stack(stacked("b"), stacked("g", GUARD, {"bucket": urn("b")}))


def test_a_crash_blocks_is_named_without_its_text_and_leaves_the_other_findings(serve: Any) -> None:
    hush = "hunter" + "2-hunter2"
    client = serve(pack(crashing, open_bucket))
    client.configure_stack(preview=True)
    first = client.analyze("b", open=True, password={SIGNATURE_KEY: SECRET, "value": hush})
    second = client.analyze_stack(stacked("b"))
    found = lines([*first, *second])
    assert ("open-bucket", "open: open", "mandatory") in found
    [(_, text, level)] = [line for line in found if line[0] == "crashing"]
    assert level == "mandatory"
    assert "crashed (KeyError at test_server.py" in text
    assert not any(hush in each.SerializeToString().decode("utf-8", "replace") for each in [*first, *second])


def test_an_advisory_rule_that_crashes_advises(serve: Any) -> None:
    client = serve(pack(crashing, level=Level.ADVISORY))
    client.configure_stack(preview=False)
    [(_, _, level)] = lines(client.analyze("b", password="x"))
    assert level == "advisory"


def test_a_stack_rule_speaks_only_when_the_stack_is_whole(serve: Any) -> None:
    client = serve(pack(lonely_bucket))
    client.configure_stack(preview=False)
    assert [] == client.analyze("b")
    assert [("lonely-bucket", "no guard anywhere", "mandatory")] == lines(client.analyze_stack(stacked("b")))


def test_a_resource_that_was_never_analyzed_is_a_neighbour_and_not_judged(serve: Any) -> None:
    client = serve(pack(lonely_bucket))
    client.configure_stack(preview=False)
    assert [] == client.analyze_stack(stacked("read-elsewhere"))


def test_a_resource_outside_the_targets_is_not_judged_by_the_emptiness_it_is_shown_with(serve: Any) -> None:
    client = serve(pack(unguarded_bucket))
    client.configure_stack(preview=True)
    shown = analyzer_pb2.AnalyzeRequest(urn=urn("b"), type=BUCKET, name="b")
    shown.provider.urn = "urn:pulumi:dev::p::pulumi:providers:aws::default"
    client.stub.Remediate(shown, timeout=SECONDS)
    assert not client.stub.Analyze(shown, timeout=SECONDS).diagnostics
    assert [] == client.analyze_stack(stacked("b"))


def test_without_any_handshake_or_configuration_it_judges_at_once(serve: Any) -> None:
    client = serve(pack(open_bucket, unguarded_bucket))
    assert {"open-bucket", "unguarded-bucket"} == {line[0] for line in lines(client.analyze("b", open=True))}


def test_handshake_and_plugin_info_are_answered(serve: Any) -> None:
    client = serve(pack(open_bucket))
    client.stub.Handshake(analyzer_pb2.AnalyzerHandshakeRequest(engine_address="127.0.0.1:1"), timeout=SECONDS)
    assert client.stub.GetPluginInfo(empty_pb2.Empty(), timeout=SECONDS).version == "1.2.3"
    assert not client.stub.Remediate(analyzer_pb2.AnalyzeRequest(), timeout=SECONDS).remediations
    client.stub.Cancel(empty_pb2.Empty(), timeout=SECONDS)


def configured(client: Client, policy: str, level: int, **parameters: Any) -> None:
    request = analyzer_pb2.ConfigureAnalyzerRequest()
    request.policyConfig[policy].enforcementLevel = level  # type: ignore[assignment]  # the stubs know no plain int
    request.policyConfig[policy].properties.CopyFrom(struct(parameters))
    client.stub.Configure(request, timeout=SECONDS)


@pytest.mark.parametrize("stack_first", [True, False])
def test_levels_and_parameters_come_from_the_engine_in_either_order(serve: Any, *, stack_first: bool) -> None:
    client = serve(pack(odd_name))
    if stack_first:
        client.configure_stack(preview=False)
    configured(client, "odd-name", analyzer_pb2.ADVISORY, names=["good"])
    if not stack_first:
        client.configure_stack(preview=False)
    assert [("odd-name", "label: odd name", "advisory")] == lines(client.analyze("b", label="bad"))
    assert [] == client.analyze("c", label="good")


def test_a_disabled_rule_is_silent(serve: Any) -> None:
    client = serve(pack(open_bucket))
    configured(client, "open-bucket", analyzer_pb2.DISABLED)
    assert [] == client.analyze("b", open=True)


def test_a_rule_that_is_not_configured_is_named_and_not_passed(serve: Any) -> None:
    client = serve(pack(odd_name))
    request = analyzer_pb2.AnalyzeRequest(urn=urn("b"), type=BUCKET, name="b")
    [missing] = client.stub.Analyze(request, timeout=SECONDS).not_applicable
    assert ("odd-name", "not configured: set names") == (missing.policy_name, missing.reason)


@pytest.mark.parametrize(
    ("policy", "parameters", "words"),
    [
        ("odd-name", {"names": "text"}, "odd-name.names: must be array"),
        ("odd-name", {"nmes": []}, "odd-name.nmes: unknown parameter; odd-name takes: names"),
        ("no-such-rule", {}, "no-such-rule: pack test has no such policy"),
    ],
)
def test_a_bad_configuration_is_one_clear_line(serve: Any, policy: str, parameters: Any, words: str) -> None:
    client = serve(pack(odd_name))
    with pytest.raises(grpc.RpcError) as refused:
        configured(client, policy, analyzer_pb2.MANDATORY, **parameters)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.value.details() == f"policy configuration: {words}"


def test_the_analyzer_info_tells_everything_about_a_rule(serve: Any) -> None:
    from crossgate.packs.baseline import PACK

    info = serve(PACK).stub.GetAnalyzerInfo(empty_pb2.Empty(), timeout=SECONDS)
    assert (info.name, info.version, info.supportsConfig) == ("baseline", "1.2.3", True)
    by_name = {policy.name: policy for policy in info.policies}
    assert set(by_name) == {entry.rule.id for entry in PACK.entries}
    for entry in PACK.entries:
        policy = by_name[entry.rule.id]
        assert policy.displayName == entry.rule.title
        assert entry.rule.why in policy.description
        assert policy.remediation_steps == entry.rule.fix
        assert policy.url == entry.rule.url
        assert analyzer_pb2.EnforcementLevel.Name(policy.enforcementLevel).lower() == entry.level.value
        assert analyzer_pb2.PolicySeverity.Name(policy.severity).endswith(entry.rule.severity.value.upper())
        assert policy.policy_type == (2 if entry.rule.over_stack else 1)
        assert json_format.MessageToDict(policy.configSchema.properties).keys() == entry.rule.parameters.keys()
    acl = by_name["aws-s3-public-acl"]
    assert (acl.framework.name, acl.framework.version, acl.framework.reference) == ("AWS FSBP", "1.0", "S3.2")


def test_a_large_stack_passes_the_wire(serve: Any) -> None:
    client = serve(pack(open_bucket))
    resources = [stacked(f"b{number}") for number in range(4000)]
    for message in resources:
        message.properties.CopyFrom(struct({"padding": "x" * 2000}))
    assert [] == client.analyze_stack(*resources)
