"""What the engine does to a policy pack, and that the harness shows it.

The live server is designed on these facts. Each was found with the recording pack and in the engine's source
(github.com/pulumi/pulumi/pkg/v3: resource/deploy/step_generator.go, analyze_snapshot.go, deployment_executor.go); a new
engine that behaves differently fails here first.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_random as random
import pytest
from pulumi import automation
from pulumi.runtime.proto import analyzer_pb2

from crossgate.supervise import TIMED_OUT, descendants, supervised
from crossgate.testing.driver import PROJECT, STACK, Engine, PolicyEvent, Run, Tools
from crossgate.testing.echo_provider import UNKNOWN, EchoProvider, secret
from crossgate.testing.engine import ENGINE_VERSION, engine_version
from crossgate.testing.recorder import (
    Answer,
    Call,
    Diagnostic,
    Policy,
    Remediation,
    Script,
    recording,
    recording_pack,
)

ESTABLISHED_WITH = tuple(int(part) for part in ENGINE_VERSION.split("."))
BUCKET = "aws:s3/bucket:Bucket"
STACK_TYPE = "pulumi:pulumi:Stack"
POLICIES = (Policy("of-resource", severity="HIGH"), Policy("of-stack", kind="STACK"))
QUIET = Script(policies=POLICIES)
VIOLATED = Script(policies=POLICIES, answers=(Answer("Analyze", BUCKET, diagnostics=(Diagnostic("of-resource"),)),))


@pytest.fixture(scope="module", autouse=True)
def new_enough(engine_tools: Tools) -> None:
    """An older engine, if that is the one on PATH, lacks some of this; what it does is not what we build on."""
    version = engine_version(engine_tools.bin / "pulumi")
    if version < ESTABLISHED_WITH:
        pytest.skip(f"these facts are about Pulumi {ENGINE_VERSION} and newer, not {version}")


def urn(type_: str, name: str) -> str:
    return f"urn:pulumi:{STACK}::{PROJECT}::{type_}::{name}"


ROOT = urn(STACK_TYPE, f"{PROJECT}-{STACK}")
FIRST, SECOND = urn(BUCKET, "first"), urn(BUCKET, "second")


def buckets() -> None:
    first = aws.s3.Bucket("first", acl="private")
    aws.s3.Bucket("second", acl="public-read", tags={"of": first.arn})
    pulumi.export("first", first.arn)


def failing_program() -> None:
    buckets()
    raise ValueError("the program is wrong")


def rpcs(pack: Path) -> list[str]:
    return [call.rpc for call in recording(pack)]


def analyzed(calls: list[Call], rpc: str = "Analyze") -> dict[str, dict[str, Any]]:
    """The requests about single resources, by the resource's name."""
    return {call.request["name"]: call.request for call in calls if call.rpc == rpc}


def in_stack(calls: list[Call]) -> dict[str, dict[str, Any]]:
    """The resources of the one AnalyzeStack request, by name."""
    (request,) = [call.request for call in calls if call.rpc == "AnalyzeStack"]
    return {resource["name"]: resource for resource in request["resources"]}


def found(events: tuple[PolicyEvent, ...]) -> set[tuple[str, str, str]]:
    return {(event.policy, event.urn, event.level) for event in events}


def made(run: Run) -> list[str]:
    """Names of the resources that the run created."""
    metadata = [event["metadata"] for event in run.of("resOutputsEvent")]
    return [each["urn"].rpartition("::")[2] for each in metadata if each["op"] == "create"]


def config_file(folder: Path, content: object) -> Path:
    file = folder / "policy-config.json"
    file.write_text(json.dumps(content))
    return file


# One program in all its states, recorded once: what the messages hold.


@dataclass(frozen=True)
class Recorded:
    preview: list[Call]
    update: list[Call]
    unchanged: list[Call]
    replaced: list[Call]
    analyzed: list[Call]
    redacted: list[Call]


class Shelf(pulumi.ComponentResource):
    def __init__(self, name: str) -> None:
        super().__init__("acme:index:Shelf", name, {"size": 3})
        self.child = aws.s3.Bucket(f"{name}-bucket", opts=pulumi.ResourceOptions(parent=self))
        self.register_outputs({"child": self.child.id})


def everything() -> None:
    home = aws.Provider("home", region="eu-west-1", default_tags={"tags": {"a": "b"}})
    first = aws.s3.Bucket("first", acl="private", opts=pulumi.ResourceOptions(provider=home, protect=True))
    password = random.RandomPassword("password", length=12)
    vpc = aws.ec2.Vpc.get("existing", "vpc-123")
    aws.ec2.Subnet("subnet", vpc_id=vpc.id, cidr_block="10.0.1.0/24")
    aws.rds.Instance(
        "database",
        instance_class="db.t3.micro",
        password=password.result,
        tags={"bucket": first.arn, "word": pulumi.Output.secret("hidden")},
        enabled_cloudwatch_logs_exports=["plain", pulumi.Output.secret("hidden")],
        opts=pulumi.ResourceOptions(ignore_changes=["instanceClass"]),
    )
    aws.s3.BucketPolicy("grant", bucket="known", policy={"Statement": [{"Resource": first.arn}]})
    aws.s3.BucketPolicy("known", bucket="known", policy={"Statement": [{"Resource": "arn:aws:s3:::known/*"}]})
    Shelf("shelf")
    pulumi.export("password", password.result)


def renamed() -> None:
    aws.s3.Bucket("first", acl="private", bucket="renamed")


@pytest.fixture(scope="module")
def recorded(engine_tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    folder = tmp_path_factory.mktemp("recorded")
    with EchoProvider() as provider:
        engine = Engine(engine_tools, folder, provider)

        def calls(name: str, judge: Callable[[Path], Run]) -> list[Call]:
            pack = recording_pack(folder / name, QUIET)
            run = judge(pack)
            assert run.success, run.errors
            return recording(pack)

        def settings() -> dict[str, Any]:
            return {"config": {"project:plain": "shown"}, "secret_config": {"project:hidden": "word"}}

        preview = calls("preview", lambda pack: engine.preview(everything, policy_packs=[pack], **settings()))
        update = calls("update", lambda pack: engine.up(everything, policy_packs=[pack]))
        unchanged = calls("unchanged", lambda pack: engine.up(everything, policy_packs=[pack]))
        state = folder / "state.json"
        state.write_text(json.dumps(engine.export(everything)))
        yield Recorded(
            preview,
            update,
            unchanged,
            calls("replaced", lambda pack: engine.preview(renamed, policy_packs=[pack])),
            calls("analyzed", lambda pack: engine.analyze(state, [pack], env={"PULUMI_CONFIG_PASSPHRASE": "harness"})),
            calls("redacted", lambda pack: engine.analyze(state, [pack], env={"PULUMI_CONFIG_PASSPHRASE": "other"})),
        )


def test_calls_come_in_this_order(recorded: Recorded) -> None:
    names = [call.rpc for call in recorded.preview]
    assert names[:4] == ["ConfigureStack", "GetPluginInfo", "GetAnalyzerInfo", "Configure"]
    assert names[-2:] == ["AnalyzeStack", "Cancel"]
    assert names[4:-2] == ["Remediate", "Analyze"] * ((len(names) - 6) // 2)


def test_configure_stack_tells_the_stack_and_which_configuration_is_secret(recorded: Recorded) -> None:
    expected = {
        "stack": STACK,
        "project": PROJECT,
        "organization": "organization",
        "config": {"project:plain": "shown", "project:hidden": "word"},
        "configSecretKeys": ["project:hidden"],
    }
    assert recorded.preview[0].request == expected | {"dryRun": True}
    message = recorded.preview[0].message()
    assert isinstance(message, analyzer_pb2.AnalyzerStackConfigureRequest)
    assert dict(message.config) == expected["config"]
    assert recorded.update[0].request == expected


def test_configure_comes_without_a_file_too_and_names_every_policy(recorded: Recorded) -> None:
    policies = recorded.preview[3].request["policyConfig"]
    assert {name: config["enforcementLevel"] for name, config in policies.items()} == {
        "of-resource": "MANDATORY",
        "of-stack": "MANDATORY",
    }


def test_analyze_shows_checked_inputs_and_no_edges(recorded: Recorded) -> None:
    request = analyzed(recorded.preview)["database"]
    assert request["properties"]["tags"] == {"bucket": UNKNOWN, "word": secret("hidden")}
    assert request["properties"]["password"] == secret(UNKNOWN)
    assert request["options"]["parent"] == ROOT
    assert request["options"]["ignoreChanges"] == ["instanceClass"]
    assert request["provider"]["type"] == "pulumi:providers:aws"
    assert not request.keys() & {"dependencies", "propertyDependencies", "parent"}


def test_a_list_with_a_secret_in_it_becomes_a_secret_list_on_its_way_through_a_bridged_provider(
    recorded: Recorded,
) -> None:
    names = analyzed(recorded.preview)["database"]["properties"]["enabledCloudwatchLogsExports"]
    assert names == secret(["plain", "hidden"])


def test_a_policy_object_becomes_text_and_one_unknown_part_makes_all_of_it_unknown(recorded: Recorded) -> None:
    preview, update = analyzed(recorded.preview), analyzed(recorded.update)
    assert preview["grant"]["properties"]["policy"] == UNKNOWN
    assert json.loads(preview["known"]["properties"]["policy"]) == {"Statement": [{"Resource": "arn:aws:s3:::known/*"}]}
    assert json.loads(update["grant"]["properties"]["policy"])["Statement"][0]["Resource"].startswith(
        "arn:aws:s3:::first-"
    )


def test_only_remediate_shows_internal_keys(recorded: Recorded) -> None:
    assert analyzed(recorded.preview, "Remediate")["first"]["properties"]["__defaults"] == ["bucket"]
    assert "__defaults" not in analyzed(recorded.preview)["first"]["properties"]
    assert "__defaults" not in in_stack(recorded.preview)["first"]["properties"]


def test_analyze_stack_shows_outputs_and_edges_in_preview_and_update(recorded: Recorded) -> None:
    for calls in (recorded.preview, recorded.update):
        database = in_stack(calls)["database"]
        password = urn("random:index/randomPassword:RandomPassword", "password")
        assert database["propertyDependencies"]["password"]["urns"] == [password]
        assert database["propertyDependencies"]["tags"]["urns"] == [FIRST]
        assert set(database["dependencies"]) == {FIRST, password}
        assert database["parent"] == ROOT
        assert database["properties"]["tags"]["word"] == secret("hidden")
    assert in_stack(recorded.preview)["first"]["properties"]["arn"] == UNKNOWN
    assert in_stack(recorded.update)["first"]["properties"]["arn"].startswith("arn:aws:s3:::first-")


def test_what_only_the_cloud_knows_is_unknown_until_the_update(recorded: Recorded) -> None:
    before, after = in_stack(recorded.preview)["password"], in_stack(recorded.update)["password"]
    assert before["properties"]["result"] == secret(UNKNOWN)
    assert after["properties"]["result"]["value"].startswith("generated-")
    assert analyzed(recorded.update)["database"]["properties"]["password"] == after["properties"]["result"]


def test_stack_analysis_knows_stack_outputs_but_not_the_arguments_of_components(recorded: Recorded) -> None:
    assert analyzed(recorded.preview)["shelf"]["properties"] == {"size": 3.0}
    assert in_stack(recorded.preview)["shelf"]["properties"] == {"child": UNKNOWN}
    assert analyzed(recorded.preview)[f"{PROJECT}-{STACK}"]["properties"] == {}
    assert in_stack(recorded.update)[f"{PROJECT}-{STACK}"]["properties"].keys() == {"password"}


def test_everything_registered_is_analyzed_also_when_unchanged_and_nothing_read(recorded: Recorded) -> None:
    names = {
        "first",
        "password",
        "subnet",
        "database",
        "grant",
        "known",
        "shelf",
        "shelf-bucket",
        "home",
        "project-dev",
    }
    for calls in (recorded.preview, recorded.update, recorded.unchanged):
        shown = {name for name in analyzed(calls) if not name.startswith("default_")}
        assert shown == names
        assert {name for name in in_stack(calls) if not name.startswith("default_")} == names
    vpc = urn("aws:ec2/vpc:Vpc", "existing")
    assert in_stack(recorded.update)["subnet"]["dependencies"] == [vpc]


def test_a_provider_resource_shows_its_settings_as_text(recorded: Recorded) -> None:
    settings = analyzed(recorded.preview)["home"]["properties"]
    assert json.loads(settings["defaultTags"]) == {"tags": {"a": "b"}}
    assert analyzed(recorded.preview)["first"]["provider"]["properties"]["region"] == "eu-west-1"


def test_a_replacement_is_shown_as_it_will_be_and_a_deletion_not_at_all(recorded: Recorded) -> None:
    assert analyzed(recorded.replaced)["first"]["properties"]["bucket"] == "renamed"
    shown = {name for name in in_stack(recorded.replaced) if not name.startswith("default_")}
    assert shown == {"first", f"{PROJECT}-{STACK}"}
    assert in_stack(recorded.replaced)["first"]["properties"]["arn"] == UNKNOWN


def test_policy_analyze_configures_no_stack_and_judges_inputs_then_outputs(recorded: Recorded) -> None:
    names = [call.rpc for call in recorded.analyzed]
    assert names[:3] == ["GetPluginInfo", "GetAnalyzerInfo", "Configure"]
    assert analyzed(recorded.analyzed)["shelf"]["properties"] == {"size": 3.0}
    assert "arn" not in analyzed(recorded.analyzed)["first"]["properties"]
    assert "arn" in in_stack(recorded.analyzed)["first"]["properties"]
    assert set(in_stack(recorded.analyzed)["database"]["dependencies"]) >= {FIRST}


def test_policy_analyze_shows_read_resources_with_empty_inputs(recorded: Recorded) -> None:
    request = analyzed(recorded.analyzed)["existing"]
    assert request["properties"] == {}
    assert "provider" in request
    assert in_stack(recorded.analyzed)["existing"]["properties"]["cidrBlock"] == "10.0.0.0/16"


def test_policy_analyze_shows_secrets_it_cannot_read_as_a_marked_text(recorded: Recorded) -> None:
    assert analyzed(recorded.analyzed)["database"]["properties"]["tags"]["word"] == secret("hidden")
    assert analyzed(recorded.redacted)["database"]["properties"]["tags"]["word"] == secret("[secret]")


# What a violation does.


def test_a_preview_goes_on_after_a_mandatory_violation(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", VIOLATED)
    run = engine.preview(buckets, policy_packs=[pack])
    assert not run.success
    assert run.errors == "preview failed"
    assert found(run.policy_events) == {("of-resource", FIRST, "mandatory"), ("of-resource", SECOND, "mandatory")}
    assert "AnalyzeStack" in rpcs(pack)


def test_an_event_names_pack_version_and_severity(engine: Engine, tmp_path: Path) -> None:
    advisory = Diagnostic("of-resource", "ADVISORY", urn=SECOND)  # the urn is ignored: an Analyze is about its resource
    answer = Answer("Analyze", STACK_TYPE, diagnostics=(advisory,))
    run = engine.preview(
        buckets, policy_packs=[recording_pack(tmp_path / "pack", Script(policies=POLICIES, answers=(answer,)))]
    )
    assert run.success, run.errors
    assert run.policy_events == (
        PolicyEvent("of-resource", ROOT, "advisory", "found\n", "recorder", "1.2.3", "high", exceptions=()),
    )


def test_an_update_stops_at_the_first_mandatory_violation_and_says_so_only_in_events(
    engine: Engine, provider: EchoProvider, tmp_path: Path
) -> None:
    pack = recording_pack(tmp_path / "pack", VIOLATED)
    for arguments in ([], ["--continue-on-error"]):
        run = engine.up(buckets, policy_packs=[pack], arguments=arguments)
        assert not run.success
        assert found(run.policy_events) == {("of-resource", FIRST, "mandatory")}
        assert [event["result"] for event in run.of("summaryEvent")] == ["failed"]
        assert "first" not in made(run)
        with pytest.raises(KeyError):
            provider.held(FIRST)
    assert "AnalyzeStack" not in rpcs(pack)


def test_no_stack_analysis_when_the_program_fails(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", QUIET)
    run = engine.preview(failing_program, policy_packs=[pack])
    assert not run.success
    assert "the program is wrong" in run.errors
    assert "second" in analyzed(recording(pack))
    assert "AnalyzeStack" not in rpcs(pack)


def test_no_stack_analysis_when_a_resource_cannot_be_created(engine_tools: Tools, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", QUIET)
    with EchoProvider(failing=frozenset({BUCKET})) as provider:
        run = Engine(engine_tools, tmp_path, provider).up(
            buckets, policy_packs=[pack], arguments=["--continue-on-error"]
        )
    assert not run.success
    assert "told not to create" in run.errors
    assert "second" not in analyzed(recording(pack)), "what depends on a failed resource is not judged"
    assert "AnalyzeStack" not in rpcs(pack)


def test_stack_analysis_may_report_any_policy_on_any_resource(engine: Engine, tmp_path: Path) -> None:
    diagnostics = (
        Diagnostic("of-resource", "MANDATORY", urn=FIRST),
        Diagnostic("of-stack", "ADVISORY", urn=urn(BUCKET, "unheard-of")),
        Diagnostic("undeclared", "REMEDIATE"),
    )
    script = Script(policies=POLICIES, answers=(Answer("AnalyzeStack", diagnostics=diagnostics),))
    run = engine.preview(buckets, policy_packs=[recording_pack(tmp_path / "pack", script)])
    assert not run.success
    assert found(run.policy_events) == {
        ("of-resource", FIRST, "mandatory"),
        ("of-stack", ROOT, "advisory"),
        ("undeclared", ROOT, "mandatory"),
    }


def test_a_stack_violation_comes_after_everything_is_created(
    engine: Engine, provider: EchoProvider, tmp_path: Path
) -> None:
    script = Script(policies=POLICIES, answers=(Answer("AnalyzeStack", diagnostics=(Diagnostic("of-stack"),)),))
    run = engine.up(buckets, policy_packs=[recording_pack(tmp_path / "pack", script)])
    assert not run.success
    assert provider.held(FIRST).outputs["acl"] == "private"
    assert provider.held(SECOND).outputs["acl"] == "public-read"


def test_a_diagnostic_of_level_disabled_makes_the_engine_panic(engine: Engine, tmp_path: Path) -> None:
    answer = Answer("Analyze", BUCKET, diagnostics=(Diagnostic("of-resource", "DISABLED"),))
    run = engine.preview(
        buckets, policy_packs=[recording_pack(tmp_path / "pack", Script(policies=POLICIES, answers=(answer,)))]
    )
    assert run.status == 2
    assert "panic" in run.stderr


def test_remediations_replace_the_inputs_and_levels_of_remediate_are_mandatory(
    engine: Engine, provider: EchoProvider, tmp_path: Path
) -> None:
    fixes = (Remediation("fix", {"acl": "private", "bucket": "fixed"}), Remediation("fix", diagnostic="could do more"))
    script = Script(
        policies=(Policy("fix", level="REMEDIATE"),),
        answers=(
            Answer("Remediate", BUCKET, remediations=fixes),
            Answer("Analyze", STACK_TYPE, diagnostics=(Diagnostic("fix", "REMEDIATE"),)),
        ),
    )
    pack = recording_pack(tmp_path / "pack", script)
    run = engine.preview(buckets, policy_packs=[pack])
    assert not run.success
    assert analyzed(recording(pack))["second"]["properties"] == {"acl": "private", "bucket": "fixed"}
    assert [event["after"] for event in run.of("policyRemediationEvent")] == [{"acl": "private", "bucket": "fixed"}] * 2
    assert found(run.policy_events) == {
        ("fix", FIRST, "advisory"),
        ("fix", SECOND, "advisory"),
        ("fix", ROOT, "mandatory"),
    }


def test_exceptions_stay_with_the_engine_which_marks_the_event(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", VIOLATED)
    match = [{"policies": ["of-resource"], "targets": [FIRST, SECOND]}]
    file = config_file(tmp_path, {"version": 2, "exceptions": {"EX-1": {"reason": "agreed", "match": match}}})
    run = engine.preview(buckets, policy_packs=[pack], policy_pack_configs=[file])
    assert run.success, run.errors
    assert {(event.level, event.exceptions) for event in run.policy_events} == {("mandatory", ("EX-1",))}
    assert "EX-1" not in json.dumps([call.request for call in recording(pack)])


def test_configure_passes_on_levels_defaults_all_and_unknown_names(engine: Engine, tmp_path: Path) -> None:
    policies = (Policy("sized", properties={"size": {"type": "integer", "default": 3}}),)
    pack = recording_pack(tmp_path / "pack", Script(policies=policies))
    file = config_file(tmp_path, {"all": "disabled", "sized": "mandatory", "unheard-of": "mandatory"})
    run = engine.preview(buckets, policy_packs=[pack], policy_pack_configs=[file])
    assert run.success, run.errors
    (configured,) = [call.request["policyConfig"] for call in recording(pack) if call.rpc == "Configure"]
    assert configured == {
        "all": {"enforcementLevel": "DISABLED", "properties": {}},
        "sized": {"enforcementLevel": "MANDATORY", "properties": {"size": 3.0}},
        "unheard-of": {"enforcementLevel": "MANDATORY", "properties": {}},
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [({"sized": {"size": "big"}}, "Invalid type"), ({"unheard-of": {"size": 3}}, "invalid enforcement level")],
)
def test_the_engine_itself_refuses_configuration(engine: Engine, tmp_path: Path, content: object, reason: str) -> None:
    pack = recording_pack(
        tmp_path / "pack", Script(policies=(Policy("sized", properties={"size": {"type": "integer"}}),))
    )
    run = engine.preview(buckets, policy_packs=[pack], policy_pack_configs=[config_file(tmp_path, content)])
    assert not run.success
    assert reason in run.errors
    assert "Configure" not in rpcs(pack)


def test_targets_do_not_narrow_analysis_but_empty_what_is_not_targeted(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", QUIET)
    run = engine.preview(buckets, policy_packs=[pack], targets=[FIRST])
    assert run.success, run.errors
    calls = recording(pack)
    assert analyzed(calls)["first"]["properties"]["acl"] == "private"
    assert analyzed(calls)["second"]["properties"] == {}
    assert analyzed(calls, "Remediate")["second"]["properties"] == {}, "a checked resource has __defaults here"
    assert analyzed(calls, "Remediate")["first"]["properties"]["__defaults"] == ["bucket"]
    assert in_stack(calls)["second"]["properties"] == {}
    assert in_stack(calls)["second"]["propertyDependencies"]["tags"]["urns"] == [FIRST]


def test_an_existing_resource_that_is_not_targeted_is_shown_as_it_was(engine: Engine, tmp_path: Path) -> None:
    def opened() -> None:
        first = aws.s3.Bucket("first", acl="public-read")
        aws.s3.Bucket("second", acl="public-read-write", tags={"of": first.arn})

    assert engine.up(buckets).success
    pack = recording_pack(tmp_path / "pack", QUIET)
    run = engine.preview(opened, policy_packs=[pack], targets=[FIRST])
    assert run.success, run.errors
    assert analyzed(recording(pack))["first"]["properties"]["acl"] == "public-read"
    assert analyzed(recording(pack))["second"]["properties"]["acl"] == "public-read"


def test_an_update_with_its_preview_starts_the_pack_twice(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", QUIET)
    run = engine.up(buckets, policy_packs=[pack], preview=True)
    assert run.success, run.errors
    configured = [call for call in recording(pack) if call.rpc == "ConfigureStack"]
    assert [call.request.get("dryRun", False) for call in configured] == [True, False]
    assert len({call.pid for call in recording(pack)}) == 2


def test_the_option_variable_enforces_a_pack_on_the_automation_api_but_not_on_refresh_and_destroy(
    engine: Engine, tmp_path: Path
) -> None:
    pack = recording_pack(tmp_path / "pack", VIOLATED)
    env = {"PULUMI_OPTION_POLICY_PACK": str(pack)}
    options = automation.LocalWorkspaceOptions(
        pulumi_command=automation.PulumiCommand(str(engine.tools.root)),
        env_vars=engine.environment(buckets) | env,
        work_dir=str(engine.workdir(buckets)),
    )
    stack = automation.create_or_select_stack(STACK, PROJECT, buckets, opts=options)
    with pytest.raises(automation.CommandError, match="of-resource"):
        stack.preview()
    assert "AnalyzeStack" in rpcs(pack)
    judged = len(rpcs(pack))
    assert engine.refresh(buckets, env=env).success
    assert engine.destroy(buckets, env=env).success
    assert len(rpcs(pack)) == judged


# What a broken pack does.


@pytest.mark.parametrize(
    ("answer", "error", "stack_analysis"),
    [
        pytest.param(Answer("Analyze", BUCKET, exit=3), "failed to run policy", False, id="dies in Analyze"),
        pytest.param(
            Answer("Analyze", BUCKET, error="INTERNAL"), "scripted error in Analyze", False, id="fails in Analyze"
        ),
        pytest.param(Answer("Analyze", error="UNIMPLEMENTED"), "scripted error in Analyze", False, id="has no Analyze"),
        pytest.param(
            Answer("Remediate", BUCKET, error="INTERNAL"), "failed to run remediation", False, id="fails in Remediate"
        ),
    ],
)
def test_an_update_does_not_create_what_a_broken_pack_could_not_judge(
    engine: Engine, provider: EchoProvider, tmp_path: Path, answer: Answer, error: str, stack_analysis: bool
) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES, answers=(answer,)))
    run = engine.up(buckets, policy_packs=[pack])
    assert run.status == 1
    assert error in run.errors
    assert run.policy_events == ()
    assert stack_analysis == ("AnalyzeStack" in rpcs(pack))
    with pytest.raises(KeyError):
        provider.held(FIRST)


@pytest.mark.parametrize("answer", [Answer("AnalyzeStack", exit=3), Answer("AnalyzeStack", error="INTERNAL")])
def test_a_pack_that_breaks_in_stack_analysis_fails_an_update_that_is_done(
    engine: Engine, provider: EchoProvider, tmp_path: Path, answer: Answer
) -> None:
    run = engine.up(buckets, policy_packs=[recording_pack(tmp_path / "pack", Script(answers=(answer,)))])
    assert run.status == 1
    assert run.errors
    assert provider.held(SECOND).id


def test_these_calls_need_not_be_implemented(engine: Engine, tmp_path: Path) -> None:
    script = Script(policies=POLICIES, unimplemented=("AnalyzeStack", "Cancel", "ConfigureStack", "Remediate"))
    run = engine.preview(buckets, policy_packs=[recording_pack(tmp_path / "pack", script)])
    assert run.success, run.errors


@pytest.mark.parametrize("rpc", ["ConfigureStack", "Configure", "GetAnalyzerInfo", "GetPluginInfo"])
def test_a_pack_that_fails_to_load_is_an_error_on_standard_error(engine: Engine, tmp_path: Path, rpc: str) -> None:
    script = Script(policies=POLICIES, answers=(Answer(rpc, error="INTERNAL"),))
    run = engine.preview(buckets, policy_packs=[recording_pack(tmp_path / "pack", script)])
    assert run.status == 1
    assert f"scripted error in {rpc}" in run.stderr
    assert run.of("summaryEvent") == []
    assert run.of("resourcePreEvent") == []


def test_the_engine_waits_for_ever_for_a_pack_that_hangs_until_the_time_limit_ends_all_of_it(
    engine: Engine, tmp_path: Path
) -> None:
    pack = recording_pack(tmp_path / "pack", QUIET)
    before, started = set(descendants(os.getpid())), time.monotonic()
    assert engine.preview(buckets, policy_packs=[pack]).success
    engine.time_limit = round(3 * (time.monotonic() - started))
    recording_pack(pack, Script(policies=POLICIES, answers=(Answer("Analyze", BUCKET, hang=True),)))
    run = engine.preview(buckets, policy_packs=[pack])
    assert run.status == TIMED_OUT
    assert f"no end after {engine.time_limit} s" in run.errors
    assert rpcs(pack)[-1] == "Analyze"
    assert set(descendants(os.getpid())) <= before


def test_an_executable_file_is_a_pack_that_is_greeted_itself(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", QUIET)
    file = pack / "run"
    file.write_text(f"#!{sys.executable}\n{(pack / '__main__.py').read_text()}")
    file.chmod(0o755)
    run = engine.preview(buckets, policy_packs=[file])
    assert run.success, run.errors
    first, second, *_ = recording(pack)
    assert first.rpc == "Handshake"
    assert first.request["rootDirectory"] == str(pack)
    assert second.rpc == "ConfigureStack"


# The harness itself.


def test_nothing_of_the_tree_is_left_when_the_test_run_is_killed(engine_tools: Tools, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES, answers=(Answer("Analyze", BUCKET, hang=True),)))
    tree = hanging_preview(engine_tools, tmp_path, pack)
    tree.run.kill()
    tree.run.wait()
    assert left_of(tree.below) == []


def test_nothing_of_the_tree_is_left_when_its_supervisor_is_killed(engine_tools: Tools, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES, answers=(Answer("Analyze", BUCKET, hang=True),)))
    tree = hanging_preview(engine_tools, tmp_path, pack)
    supervisor, *rest = tree.below
    os.kill(supervisor, signal.SIGKILL)
    assert left_of(rest) == []
    assert tree.run.wait(timeout=30) == 0, "the driver reports the end of its engine call"


def test_supervision_ends_what_a_command_leaves_behind() -> None:
    script = "sleep 60 & echo $!"
    done = subprocess.run(supervised(["sh", "-c", script]), stdout=subprocess.PIPE, text=True, check=True, timeout=10)
    assert left_of([int(done.stdout)]) == []


HANGING = """\
import sys
from pathlib import Path

import pulumi_aws as aws

from crossgate.testing.driver import Engine, Tools
from crossgate.testing.echo_provider import EchoProvider

root, folder, pack = map(Path, sys.argv[1:])
with EchoProvider() as provider:
    Engine(Tools(root), folder, provider).preview(lambda: aws.s3.Bucket("first"), policy_packs=[pack])
"""


@dataclass(frozen=True)
class Tree:
    """A process that runs the harness, as pytest does, and the ids of those below it, top down."""

    run: subprocess.Popen[bytes]
    below: list[int]


def hanging_preview(tools: Tools, folder: Path, pack: Path) -> Tree:
    """Start a preview that hangs in the pack, in a process of its own."""
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "policies")}
    run = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", HANGING, str(tools.root), str(folder), str(pack)], env=env
    )
    until = time.monotonic() + 60
    while not any(call.rpc == "Analyze" and call.request["type"] == BUCKET for call in recording(pack)):
        assert run.poll() is None, "the preview ended before it reached the pack"
        assert time.monotonic() < until, "the preview never reached the pack"
        time.sleep(0.05)
    tree = descendants(run.pid)
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes().decode() for pid in tree]
    for part in ("supervise.py", "libexec/pulumi\0preview", "crossgate.testing.language_host", "pulumi.policy"):
        assert any(part in command for command in commands), f"{part} is not running: {commands}"
    return Tree(run, tree)


def left_of(pids: list[int], seconds: float = 10.0) -> list[int]:
    """The processes among ``pids`` that are still alive when they have had some time to end."""
    until = time.monotonic() + seconds
    while (alive := [pid for pid in pids if is_alive(pid)]) and time.monotonic() < until:
        time.sleep(0.05)
    for pid in alive:  # the test fails, and leaves nothing behind either
        os.kill(pid, signal.SIGKILL)
    return alive


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def test_a_digest_shows_unchanged_resources_when_asked_and_exists_for_failed_previews(engine: Engine) -> None:
    digest = json.loads(engine.digest(buckets))
    assert [step["urn"] for step in digest["steps"] if step["urn"] in {FIRST, SECOND}] == [FIRST, SECOND]
    assert engine.up(buckets).success
    shown = {step["urn"] for step in json.loads(engine.digest(buckets, show_sames=True))["steps"]}
    assert {FIRST, SECOND} <= shown
    assert FIRST not in {step["urn"] for step in json.loads(engine.digest(buckets))["steps"]}
    assert "the program is wrong" in engine.digest(failing_program)


def test_a_refresh_finds_what_was_changed_behind_the_engine(engine: Engine, provider: EchoProvider) -> None:
    assert engine.up(buckets).success
    provider.change(FIRST, acl="public-read")
    provider.remove(SECOND)
    assert engine.refresh(buckets).success
    resources = {each["urn"]: each for each in engine.export(buckets)["deployment"]["resources"]}
    assert resources[FIRST]["inputs"]["acl"] == "public-read"
    assert SECOND not in resources
    (again,) = [step for step in json.loads(engine.digest(buckets))["steps"] if step["urn"] == FIRST]
    assert again["op"] == "update"


def test_a_changed_name_replaces_and_a_changed_tag_updates(engine: Engine) -> None:
    def changed() -> None:
        aws.s3.Bucket("first", acl="private", bucket="other")
        aws.s3.Bucket("second", acl="public-read", tags={"of": "none"})

    assert engine.up(buckets).success
    steps = {step["urn"]: step["op"] for step in json.loads(engine.digest(changed))["steps"]}
    assert steps[FIRST] == "replace"
    assert steps[SECOND] == "update"


def test_data_sources_answer(engine: Engine) -> None:
    def program() -> None:
        statement = {
            "actions": ["s3:GetObject"],
            "resources": ["*"],
            "principals": [{"type": "*", "identifiers": ["*"]}],
        }
        document = aws.iam.get_policy_document_output(statements=[statement])
        pulumi.export("document", document.json)
        pulumi.export("account", aws.get_caller_identity_output().account_id)

    assert engine.up(program).success
    (stack,) = engine.export(program)["deployment"]["resources"][:1]
    assert stack["outputs"]["account"] == "123456789012"
    (parsed,) = json.loads(stack["outputs"]["document"])["Statement"]
    assert parsed == {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}


YAML = """\
name: written
runtime: yaml
resources:
  first:
    type: aws:s3:Bucket
    properties:
      acl: private
  second:
    type: aws:s3/bucket:Bucket
    properties:
      acl: public-read
      tags:
        of: ${first.arn}
variables:
  account:
    fn::invoke:
      function: aws:index/getCallerIdentity:getCallerIdentity
      return: accountId
outputs:
  account: ${account}
"""


def test_a_yaml_project_runs_in_a_copy_of_its_folder(engine: Engine, tmp_path: Path) -> None:
    project = tmp_path / "written"
    project.mkdir()
    (project / "Pulumi.yaml").write_text(YAML)
    pack = recording_pack(tmp_path / "pack", QUIET)
    run = engine.up(project, policy_packs=[pack], secret_config={"written:word": "hidden"})
    assert run.success, run.errors
    first = analyzed(recording(pack))["first"]["properties"]
    assert analyzed(recording(pack))["second"]["properties"]["tags"]["of"] == f"arn:aws:s3:::{first['bucket']}"
    assert engine.export(project)["deployment"]["resources"][0]["outputs"] == {"account": "123456789012"}
    assert [file.name for file in project.iterdir()] == ["Pulumi.yaml"]
    assert (engine.workdir(project) / f"Pulumi.{STACK}.yaml").exists()


def test_a_python_project_runs_from_its_folder(engine: Engine, tmp_path: Path) -> None:
    project = tmp_path / "written"
    project.mkdir()
    (project / "Pulumi.yaml").write_text("name: written\nruntime: python\n")
    (project / "names.py").write_text('NAME = "first"\n')
    (project / "__main__.py").write_text("import pulumi_aws as aws\nimport names\naws.s3.Bucket(names.NAME)\n")
    run = engine.preview(project)
    assert run.success, run.errors
    assert "first" in made(run)
    (project / "__main__.py").write_text("raise ValueError('the program is wrong')\n")
    again = Engine(engine.tools, tmp_path / "again", engine.provider)
    again.folder.mkdir()
    run = again.preview(project)
    assert run.status == 1
    assert "the program is wrong" in run.errors
