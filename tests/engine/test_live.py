"""The real engine with the baseline pack: what is wrong is blocked, on the right resource, at the right level."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s
import pytest

from crossgate.testing.driver import PROJECT, STACK, Engine, Run
from crossgate.testing.packs import stage_pack, stage_test_pack

Program = Callable[[], object]

PLAIN = "kT9" + "-wfR27q" + "-bZx81LmP"
HUSH = "example" + "-hush-" + "6Yq2vPz81LmT"


def urn(type_: str, name: str) -> str:
    return f"urn:pulumi:{STACK}::{PROJECT}::{type_}::{name}"


BUCKET = urn("aws:s3/bucket:Bucket", "open")
GROUP = urn("aws:ec2/securityGroup:SecurityGroup", "open")
FUNCTION = urn("aws:lambda/function:Function", "leaky")
NAMESPACE = urn("kubernetes:core/v1:Namespace", "bare")
QUEUE = urn("aws:sqs/queue:Queue", "untagged")

TAGS_REQUIRED = {
    "version": 2,
    "policies": {"missing-required-tag": {"enforcementLevel": "mandatory", "tags": ["Owner"]}},
}
OWNED = {"Owner": "platform"}


def bad() -> None:
    aws.s3.Bucket("open", acl="public-read", tags=OWNED)
    _group("0.0.0.0/0")
    _function(PLAIN)
    k8s.core.v1.Namespace("bare", metadata={"name": "bare"})
    aws.sqs.Queue("untagged")


def repaired() -> None:
    aws.s3.Bucket("open", tags=OWNED)
    _group("203.0.113.0/24")
    _function(pulumi.Output.secret(PLAIN))
    k8s.core.v1.Namespace("bare", metadata={"name": "bare"})
    k8s.networking.v1.NetworkPolicy(
        "deny",
        metadata={"name": "deny", "namespace": "bare"},
        spec={"pod_selector": {}, "policy_types": ["Ingress", "Egress"]},
    )
    aws.sqs.Queue("untagged", tags=OWNED)


def _group(source: str) -> None:
    rule = {"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": [source]}
    aws.ec2.SecurityGroup("open", ingress=[rule], tags=OWNED)


def _function(value: Any) -> None:
    aws.lambda_.Function(
        "leaky",
        runtime="python3.13",
        handler="app.handler",
        role="arn:aws:iam::123456789012:role/app",
        code=pulumi.AssetArchive({"app.py": pulumi.StringAsset("handler = None\n")}),
        environment={"variables": {"DATABASE_PASSWORD": value}},
        tags=OWNED,
    )


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    return stage_pack("baseline", tmp_path / "packs")


def config(tmp_path: Path, document: Any) -> Path:
    file = tmp_path / "policy-config.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return file


def blocked(run: Run) -> set[tuple[str, str]]:
    return {(each.policy, each.urn) for each in run.policy_events if each.level == "mandatory" and not each.exceptions}


def in_state(engine: Engine, program: Program) -> set[str]:
    resources = engine.export(program)["deployment"].get("resources", [])
    return {resource["urn"] for resource in resources}


EXPECTED = {
    ("aws-s3-public-acl", BUCKET),
    ("aws-ec2-open-ingress", GROUP),
    ("secret-in-environment", FUNCTION),
    ("kubernetes-namespace-without-default-deny", NAMESPACE),
    ("missing-required-tag", QUEUE),
}


def test_a_bad_preview_is_blocked_with_each_finding_on_its_resource(
    engine: Engine, baseline: Path, tmp_path: Path
) -> None:
    run = engine.preview(bad, policy_packs=[baseline], policy_pack_configs=[config(tmp_path, TAGS_REQUIRED)])
    assert not run.success
    assert blocked(run) == EXPECTED
    severities = {each.policy: each.severity for each in run.policy_events}
    assert severities["aws-s3-public-acl"] == "critical"
    assert {each.version for each in run.policy_events} == {"1.0.0"}
    assert PLAIN not in run.stdout + run.stderr + json.dumps([each.message for each in run.policy_events])


def test_the_repaired_program_passes(engine: Engine, baseline: Path, tmp_path: Path) -> None:
    run = engine.preview(repaired, policy_packs=[baseline], policy_pack_configs=[config(tmp_path, TAGS_REQUIRED)])
    assert blocked(run) == set()
    assert run.success, run.errors


def open_bucket_after(first: str) -> Program:
    def program() -> None:
        queue = aws.sqs.Queue(first)
        aws.s3.Bucket("open", acl="public-read", opts=pulumi.ResourceOptions(depends_on=[queue]))

    return program


@pytest.mark.parametrize("preview", [True, False], ids=["after a preview", "skip-preview"])
def test_what_a_resource_rule_blocks_is_never_created(engine: Engine, baseline: Path, *, preview: bool) -> None:
    program = open_bucket_after("first")
    run = engine.up(program, policy_packs=[baseline], preview=preview)
    assert not run.success
    assert ("aws-s3-public-acl", BUCKET) in blocked(run)
    assert BUCKET not in in_state(engine, program)


def bare_namespace() -> None:
    k8s.core.v1.Namespace("bare", metadata={"name": "bare"})


def test_what_a_stack_rule_blocks_is_not_created_when_a_preview_ran_first(engine: Engine, baseline: Path) -> None:
    run = engine.up(bare_namespace, policy_packs=[baseline], preview=True)
    assert not run.success
    assert ("kubernetes-namespace-without-default-deny", NAMESPACE) in blocked(run)
    assert NAMESPACE not in in_state(engine, bare_namespace)


def test_what_a_stack_rule_blocks_exists_when_the_preview_was_skipped(engine: Engine, baseline: Path) -> None:
    """A limit of the engine, written down in docs/limits.md."""
    run = engine.up(bare_namespace, policy_packs=[baseline], preview=False)
    assert not run.success
    assert ("kubernetes-namespace-without-default-deny", NAMESPACE) in blocked(run)
    assert NAMESPACE in in_state(engine, bare_namespace)


def acl_from_elsewhere() -> None:
    parameter = aws.ssm.Parameter("acl", type="String", value="private")
    aws.s3.Bucket("open", acl=parameter.arn)


def test_an_acl_from_another_resource_is_blocked_as_undetermined_in_words(engine: Engine, baseline: Path) -> None:
    run = engine.preview(acl_from_elsewhere, policy_packs=[baseline])
    assert not run.success
    [event] = [each for each in run.policy_events if each.policy == "aws-s3-public-acl"]
    assert (event.urn, event.level) == (BUCKET, "mandatory")
    assert "undetermined" in event.message
    assert "acl is not known until the update" in event.message


POLICY = urn("aws:s3/bucketPolicy:BucketPolicy", "open")


def public_policy() -> None:
    bucket = aws.s3.Bucket("private")
    statement = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"}
    aws.s3.BucketPolicy(
        "open",
        bucket=bucket.id,
        policy=bucket.arn.apply(
            lambda arn: json.dumps({"Version": "2012-10-17", "Statement": [{**statement, "Resource": f"{arn}/*"}]})
        ),
    )


def test_a_policy_unknown_at_preview_that_turns_out_public_is_blocked_before_it_exists(
    engine: Engine, baseline: Path
) -> None:
    preview = engine.preview(public_policy, policy_packs=[baseline])
    assert preview.success, preview.errors
    [event] = [each for each in preview.policy_events if each.policy == "aws-s3-public-policy"]
    assert (event.urn, event.level) == (POLICY, "advisory")
    assert "undetermined" in event.message
    update = engine.up(public_policy, policy_packs=[baseline])
    assert not update.success
    assert ("aws-s3-public-policy", POLICY) in blocked(update)
    assert POLICY not in in_state(engine, public_policy)


def with_secret() -> None:
    aws.rds.Instance(
        "shop",
        allocated_storage=20,
        engine="postgres",
        instance_class="db.t4g.micro",
        username="shop",
        password=pulumi.Output.secret(HUSH),
        skip_final_snapshot=True,
    )
    aws.lambda_.Function(
        "quiet",
        runtime="python3.13",
        handler="app.handler",
        role="arn:aws:iam::123456789012:role/app",
        code=pulumi.AssetArchive({"app.py": pulumi.StringAsset("handler = None\n")}),
        environment={"variables": {"DATABASE_PASSWORD": pulumi.Output.secret(HUSH)}},
    )


@pytest.mark.parametrize("command", ["preview", "up"])
def test_a_secret_passes_and_is_nowhere_in_any_output(engine: Engine, baseline: Path, command: str) -> None:
    run: Run = getattr(engine, command)(with_secret, policy_packs=[baseline])
    assert run.success, "the run failed"
    assert blocked(run) == set()
    said = run.stdout + run.stderr + json.dumps([each.message for each in run.policy_events])
    assert HUSH not in said


CRASHING = '''
from collections.abc import Iterator
from crossgate import Finding, Resource, Severity, rule
from crossgate.crossguard.server import serve
from crossgate.pack import Level, Pack
from crossgate.packs.baseline import PACK

@rule(types=("aws:s3/bucket:Bucket",), severity=Severity.HIGH)
def crashes_always(bucket: Resource) -> Iterator[Finding]:
    """A rule with a mistake."""
    raise ValueError(str(bucket.raw_inputs))
    yield

serve(Pack("test-pack", "A pack with a mistake", [*PACK.entries, (crashes_always, Level.MANDATORY)]))
'''


def test_a_crash_of_one_rule_is_reported_and_all_other_findings_still_arrive(engine: Engine, tmp_path: Path) -> None:
    run = engine.preview(bad, policy_packs=[stage_test_pack(tmp_path, CRASHING)])
    assert not run.success
    expected = {found for found in EXPECTED if found[0] != "missing-required-tag"}
    assert blocked(run) == {*expected, ("crashes-always", BUCKET)}
    [crash] = [each for each in run.policy_events if each.policy == "crashes-always"]
    assert "the rule crashed (ValueError" in crash.message
    assert "public-read" not in crash.message


def test_the_variable_enforces_the_same_without_a_flag(engine: Engine, baseline: Path) -> None:
    run = engine.preview(bad, env={"PULUMI_OPTION_POLICY_PACK": str(baseline)})
    assert not run.success
    assert ("aws-s3-public-acl", BUCKET) in blocked(run)


def test_the_configuration_lowers_and_raises_levels(engine: Engine, baseline: Path, tmp_path: Path) -> None:
    lowered = {"version": 2, "policies": {"aws-s3-public-acl": "advisory"}}
    run = engine.preview(
        open_bucket_after("q"), policy_packs=[baseline], policy_pack_configs=[config(tmp_path, lowered)]
    )
    assert run.success, run.errors
    assert {("aws-s3-public-acl", "advisory")} <= {(each.policy, each.level) for each in run.policy_events}
    raised = {"version": 2, "policies": {"all": "disabled", "aws-s3-public-access-block-missing": "mandatory"}}
    run = engine.preview(
        open_bucket_after("q"), policy_packs=[baseline], policy_pack_configs=[config(tmp_path, raised)]
    )
    assert blocked(run) == {("aws-s3-public-access-block-missing", BUCKET)}


def test_the_configurations_exceptions_exempt(engine: Engine, baseline: Path, tmp_path: Path) -> None:
    match = [{"policies": ["aws-s3-public-acl"], "targets": [BUCKET]}]
    excepted = {"version": 2, "exceptions": {"SITE-1": {"reason": "a public site until March", "match": match}}}
    run = engine.preview(
        open_bucket_after("q"), policy_packs=[baseline], policy_pack_configs=[config(tmp_path, excepted)]
    )
    assert run.success, run.errors
    [event] = [each for each in run.policy_events if each.policy == "aws-s3-public-acl"]
    assert event.exceptions == ("SITE-1",)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (
            {"version": 2, "policies": {"no-such-policy": "mandatory"}},
            "no-such-policy: pack baseline has no such policy",
        ),
        ({"version": 2, "policies": {"missing-required-tag": {"tags": "Owner"}}}, "missing-required-tag"),
        ({"version": 2, "policies": {"missing-required-tag": {"tgas": ["Owner"]}}}, "tgas: unknown parameter"),
    ],
)
def test_a_bad_configuration_is_refused_with_a_clear_line(
    engine: Engine, baseline: Path, tmp_path: Path, document: Any, words: str
) -> None:
    run = engine.preview(bad, policy_packs=[baseline], policy_pack_configs=[config(tmp_path, document)])
    assert not run.success
    assert words in run.stderr + run.errors
    assert "Traceback" not in run.stderr + run.stdout


def test_a_missing_virtual_environment_is_one_clear_line(engine: Engine, baseline: Path) -> None:
    (baseline / "venv").unlink()
    run = engine.preview(repaired, policy_packs=[baseline])
    assert not run.success
    assert "venv" in run.stderr + run.errors
    assert "Traceback" not in run.stderr + run.stdout


def closed_by_a_later_block() -> None:
    bucket = aws.s3.Bucket("open", acl="public-read")
    aws.s3.BucketPublicAccessBlock(
        "open",
        bucket=bucket.id,
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
    )


def test_policy_analyze_waits_for_the_neighbour_that_excuses(engine: Engine, baseline: Path, tmp_path: Path) -> None:
    assert engine.up(closed_by_a_later_block).success
    state = tmp_path / "state.json"
    state.write_text(json.dumps(engine.export(closed_by_a_later_block)))
    run = engine.analyze(state, [baseline])
    assert run.success, run.errors
    assert blocked(run) == set()
