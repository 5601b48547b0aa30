"""The doors agree: the same stack gets the same verdicts from a file, from the live engine, and from `policy analyze`.

What cannot agree, because one of the sources does not show what another does, is named here and in docs/limits.md.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s
import pytest

from crossgate.config.engine import configure, read_engine_config
from crossgate.crossguard import journal
from crossgate.judge import Outcome
from crossgate.packs.baseline import PACK
from crossgate.redact import Redactor
from crossgate.sources import load
from crossgate.testing.driver import PROJECT, STACK, Engine, Run, Tools
from crossgate.testing.echo_provider import EchoProvider
from crossgate.testing.packs import stage_pack

PROGRAMS = Path(__file__).parents[1] / "programs"
CONFIG = json.dumps({"version": 2, "policies": {"missing-required-tag": {"tags": ["Owner"]}}})
CONFIGURED = configure(PACK, read_engine_config(CONFIG).policies)

PLAIN = "AKIA" + "Q3EGRNT7" + "XWLM4KPZ"
HUSH = "example" + "-hush-" + "6Yq2vPz81LmT"

Program = Callable[[], object]
Found = tuple[str, str, str]
"""Rule, URN and outcome of a verdict that is no pass."""


@dataclass(frozen=True)
class Judged:
    """What one door says about a stack."""

    found: frozenset[Found]
    words: frozenset[tuple[str, str, str, str]]
    """Rule, URN, path and message of each violation."""
    checks: int
    """Verdicts, passes among them."""


def by_file(content: Path | str, state: Path | None = None) -> Judged:
    """Judge a preview's digest or a stack export as `crossgate check` does."""
    stack = load(content, state=state).stack
    verdicts = [verdict for _, verdict in CONFIGURED.judge(stack)]
    redact = Redactor(stack, verdicts)
    return Judged(
        frozenset(
            (each.rule.id, each.resource.urn, each.outcome.value)
            for each in verdicts
            if each.outcome is not Outcome.PASS
        ),
        frozenset(
            (each.rule.id, each.resource.urn, redact(found.path), redact(found.message))
            for each in verdicts
            for found in each.violations
        ),
        len(verdicts),
    )


class Lab:
    """An engine, the baseline pack, and its configuration."""

    def __init__(self, tools: Tools, folder: Path, cloud: EchoProvider) -> None:
        self.engine = Engine(tools, folder, cloud)
        self.folder = folder
        self.pack = stage_pack("baseline", folder / "packs")
        self.config = folder / "policies.json"
        self.config.write_text(CONFIG)
        self._runs = 0

    def live(self, program: Program) -> Judged:
        """Judge as the pack does beside a preview."""
        return self._by_pack(
            lambda env: self.engine.preview(
                program, policy_packs=[self.pack], policy_pack_configs=[self.config], env=env
            )
        )

    def analyzed(self, state: Path, passphrase: str) -> Judged:
        """Judge as the pack does beside `pulumi policy analyze --file`."""
        return self._by_pack(
            lambda env: self.engine.analyze(
                state, [self.pack], [self.config], env=env | {"PULUMI_CONFIG_PASSPHRASE": passphrase}
            )
        )

    def export(self, program: Program, name: str, *, show_secrets: bool = False) -> Path:
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(self.engine.export(program, show_secrets=show_secrets)))
        return file

    def _by_pack(self, call: Callable[[dict[str, str]], Run]) -> Judged:
        """Return what the pack wrote down, which is what it told the engine."""
        self._runs += 1
        folder = self.folder / f"verdicts-{self._runs}"
        folder.mkdir()
        run = call({journal.FOLDER: str(folder)})
        [written] = journal.read(folder)
        assert written.whole, run.errors
        verdicts = [each for each in written.verdicts if each.outcome is not Outcome.PASS]
        assert {(event.policy, event.urn, event.level) for event in run.policy_events} == {
            (each.policy, each.urn, each.reported_level) for each in verdicts
        }
        return Judged(
            frozenset((each.policy, each.urn, each.outcome.value) for each in verdicts),
            frozenset((each.policy, each.urn, *remark) for each in verdicts for remark in each.violations),
            sum(kind.resources * kind.policies for kind in written.kinds.values()),
        )


@pytest.fixture
def lab(engine_tools: Tools, tmp_path: Path) -> Iterator[Lab]:
    with EchoProvider() as cloud:
        yield Lab(engine_tools, tmp_path, cloud)


# Everyday programs, in stacks of several: everything in them can be read at every door.

ALONE = {"cache_in_vpc", "http_api", "kubernetes_app", "security_group_rules"}
"""Those whose resources have names that others use too."""
NAMES = (
    "auto_scaling_group bucket_with_known_policy bucket_with_policy cilium_namespace ecs_service eks_with_namespace "
    "explicit_provider_with_default_tags lambda_with_secret log_bucket queue_fan_out rds_with_generated_password "
    "static_site vpc_with_security_group web_server"
).split()
"""Those that go into one stack: the names of their resources differ."""
TOGETHER = [
    pytest.param(NAMES, id="most"),
    pytest.param(sorted(ALONE - {"cache_in_vpc"}), id="others"),
    pytest.param(["cache_in_vpc"], id="cache_in_vpc"),
]


def program_of(name: str) -> Program:
    spec = importlib.util.spec_from_file_location(f"parity_{name}", PROGRAMS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    program: Program = module.program
    return program


@pytest.mark.parametrize("names", TOGETHER)
def test_everyday_programs_get_the_same_verdicts_at_every_door(lab: Lab, names: list[str]) -> None:
    programs = [program_of(name) for name in names]

    def program() -> None:
        for each in programs:
            each()

    before = by_file(lab.engine.digest(program))
    assert before.checks
    assert before == lab.live(program)
    assert lab.engine.up(program).success
    state = lab.export(program, "state")
    after = by_file(state)
    assert before.checks == after.checks
    assert after == lab.analyzed(state, "harness")


# A bad program: many rules, secrets, unknowns, what is only read, a component, a provider with settings of its own.


def urn(type_: str, name: str) -> str:
    return f"urn:pulumi:{STACK}::{PROJECT}::{type_}::{name}"


class Shelf(pulumi.ComponentResource):
    def __init__(self, name: str) -> None:
        super().__init__("acme:index:Shelf", name, {"size": 3})
        below = pulumi.ResourceOptions(parent=self)
        self.child = aws.s3.Bucket(f"{name}-bucket", acl="public-read", opts=below)
        self.register_outputs({"child": self.child.id})


def public(arn: str) -> str:
    statement = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"{arn}/*"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def bad() -> None:
    setting = aws.ssm.Parameter("setting", type="String", value="private")
    _buckets(setting)
    _networks(setting)
    _tags(setting)
    _secrets(setting)
    _cluster()
    Shelf("shelf")
    pulumi.export("password", HUSH)


# No secret here stands in the words of another resource's verdict: where it can be read, the redactor would mask them.


def _buckets(setting: aws.ssm.Parameter) -> None:
    aws.s3.Bucket("open", acl="public-read")
    aws.s3.Bucket("hidden-open", acl=pulumi.Output.secret("public-read-write"))
    aws.s3.Bucket("hidden-closed", acl=pulumi.Output.secret("log-delivery-write"))
    aws.s3.Bucket("unknown", acl=setting.arn)
    bucket = aws.s3.Bucket("granting")
    aws.s3.BucketPolicy("unknown", bucket=bucket.id, policy=bucket.arn.apply(public))
    aws.s3.Bucket("named", bucket="named")
    aws.s3.BucketPolicy("known", bucket="named", policy=public("arn:aws:s3:::named"))
    hidden = pulumi.Output.secret(public("arn:aws:s3:::named"))
    aws.s3.BucketPolicy("hidden", bucket="named", policy=hidden)
    existing = aws.s3.Bucket.get("existing", "shop-existing")
    aws.s3.BucketAcl("existing", bucket=existing.id, acl="public-read")
    aws.s3.BucketPublicAccessBlock("existing", bucket=existing.id, block_public_acls=True)


def _networks(setting: aws.ssm.Parameter) -> None:
    vpc = aws.ec2.Vpc("network", cidr_block="10.0.0.0/16")
    sources: dict[str, dict[str, Any]] = {
        "world": {"cidr_blocks": ["0.0.0.0/0"]},
        "network": {"cidr_blocks": [vpc.cidr_block]},
        "setting": {"cidr_blocks": [setting.value]},
        "hidden-world": {"ipv6_cidr_blocks": [pulumi.Output.secret("::/0")]},
    }
    for name, source in sources.items():
        ingress = {"protocol": "tcp", "from_port": 22, "to_port": 22, **source}
        aws.ec2.SecurityGroup(name, vpc_id=vpc.id, ingress=[ingress])


def _tags(setting: aws.ssm.Parameter) -> None:
    home = aws.Provider("home", region="eu-west-1", default_tags={"tags": {"Owner": "home"}})
    aws.sqs.Queue("tagged-by-provider", opts=pulumi.ResourceOptions(provider=home))
    aws.sqs.Queue("untagged")
    aws.sqs.Queue("tagged", tags={"Owner": "team"})
    aws.sqs.Queue("unknown-tag", tags={"Owner": setting.arn})
    aws.sqs.Queue("hidden-tag", tags={"Owner": pulumi.Output.secret("team")})
    aws.sqs.Queue("hidden-tags", tags=pulumi.Output.secret({"Owner": "team"}))


def _secrets(setting: aws.ssm.Parameter) -> None:
    function = {"runtime": "python3.13", "handler": "app.handler", "role": "arn:aws:iam::123456789012:role/app"}
    variables = {"ACCESS_KEY": PLAIN, "PASSWORD": pulumi.Output.secret(HUSH), "SETTING": setting.arn}
    aws.lambda_.Function("leaky", environment={"variables": variables}, **function)
    hidden = pulumi.Output.secret({"variables": {"ACCESS_KEY": PLAIN}})
    aws.lambda_.Function("discreet", environment=hidden, **function)
    aws.rds.Instance(
        "orders",
        allocated_storage=20,
        engine="postgres",
        instance_class="db.t4g.micro",
        username="shop",
        password=HUSH,
        skip_final_snapshot=True,
    )


def _cluster() -> None:
    k8s.core.v1.Namespace("bare", metadata={"name": "bare"})
    covered = k8s.core.v1.Namespace("covered")
    inside = {"namespace": covered.metadata.name}
    deny = {"pod_selector": {}, "policy_types": ["Ingress", "Egress"]}
    k8s.networking.v1.NetworkPolicy("deny", metadata=inside, spec=deny)
    k8s.core.v1.ConfigMap("settings", metadata=inside, data={"password": HUSH, "key": PLAIN})
    k8s.core.v1.Secret("secret", metadata=inside, string_data={"password": HUSH})
    for name, namespace in {"here": "bare", "elsewhere": "elsewhere"}.items():
        pod = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "web"}]}}
        spec = {"selector": {"match_labels": {"app": "web"}}, "template": pod}
        k8s.apps.v1.Deployment(name, metadata={"namespace": namespace}, spec=spec)


HIDDEN: dict[tuple[str, str], str] = {
    ("aws-s3-public-acl", urn("aws:s3/bucket:Bucket", "hidden-open")): "fail",
    ("aws-s3-public-acl", urn("aws:s3/bucket:Bucket", "hidden-closed")): "pass",
    ("aws-s3-public-policy", urn("aws:s3/bucketPolicy:BucketPolicy", "hidden")): "fail",
    ("aws-s3-cloudfront-unbound", urn("aws:s3/bucketPolicy:BucketPolicy", "hidden")): "pass",
    ("aws-ec2-open-ingress", urn("aws:ec2/securityGroup:SecurityGroup", "hidden-world")): "fail",
    ("missing-required-tag", urn("aws:sqs/queue:Queue", "hidden-tags")): "pass",
}
"""Verdicts that need a secret's content, each with its outcome where that can be read."""


@dataclass(frozen=True)
class Bad:
    """The bad program at every door."""

    digest: Judged
    live: Judged
    export: Judged
    shown: Judged
    analyzed: Judged
    analyzed_without_passphrase: Judged


@pytest.fixture(scope="module")
def doors(engine_tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bad]:
    with EchoProvider() as cloud:
        lab = Lab(engine_tools, tmp_path_factory.mktemp("bad"), cloud)
        digest, live = by_file(lab.engine.digest(bad)), lab.live(bad)
        assert lab.engine.up(bad).success
        state = lab.export(bad, "state")
        yield Bad(
            digest,
            live,
            by_file(state),
            by_file(lab.export(bad, "shown", show_secrets=True)),
            lab.analyzed(state, "harness"),
            lab.analyzed(state, "another"),
        )


def hidden(judged: Judged) -> set[Found]:
    """What a door says about the verdicts that need a secret's content."""
    return {found for found in judged.found if found[:2] in HIDDEN}


def readable(judged: Judged) -> set[Found]:
    return {found for found in judged.found if found[:2] not in HIDDEN}


def words(judged: Judged) -> set[tuple[str, str, str, str]]:
    return {found for found in judged.words if found[:2] not in HIDDEN}


def test_the_bad_program_asks_much_of_the_pack(doors: Bad) -> None:
    assert len({rule for rule, _, _ in doors.live.found}) >= 10
    assert {"fail", "undetermined"} == {outcome for _, _, outcome in doors.live.found}


def test_a_digest_and_the_live_engine_differ_only_where_a_secret_is_hidden(doors: Bad) -> None:
    assert readable(doors.digest) == readable(doors.live)
    assert words(doors.digest) == words(doors.live)
    assert doors.digest.checks == doors.live.checks
    assert hidden(doors.digest) == {(*key, "undetermined") for key in HIDDEN}
    assert hidden(doors.live) == {(*key, outcome) for key, outcome in HIDDEN.items() if outcome != "pass"}


def test_an_export_with_its_secrets_and_policy_analyze_do_not_differ_at_all(doors: Bad) -> None:
    assert doors.shown == doors.analyzed
    assert hidden(doors.shown) == {(*key, outcome) for key, outcome in HIDDEN.items() if outcome != "pass"}


def test_an_export_without_its_secrets_and_policy_analyze_without_the_passphrase_do_not_differ_at_all(
    doors: Bad,
) -> None:
    assert doors.export == doors.analyzed_without_passphrase
    assert readable(doors.export) == readable(doors.shown)
    assert hidden(doors.export) == {(*key, "undetermined") for key in HIDDEN}


def test_what_is_decided_before_the_update_stays_so_after_it(doors: Bad) -> None:
    """Unknown values become known; nothing else changes between the preview and the state."""
    after = {found[:2]: found[2] for found in doors.analyzed.found}
    for rule, resource, outcome in doors.live.found:
        if outcome == "fail":
            assert after.get((rule, resource)) == "fail", (rule, resource)
    decided = {found[:2] for found in doors.live.found if found[2] == "undetermined"}
    new = {key for key, outcome in after.items() if outcome == "fail" and key not in {f[:2] for f in doors.live.found}}
    assert new <= decided
    assert doors.live.checks == doors.analyzed.checks


# A stack that exists, and changes.


def covered() -> None:
    _shop(policy=True, acl="private")


def uncovered() -> None:
    _shop(policy=False, acl="public-read")


def _shop(*, policy: bool, acl: str) -> None:
    k8s.core.v1.Namespace("shop", metadata={"name": "shop"})
    aws.s3.Bucket("files", acl=acl)
    aws.s3.Bucket("other")
    if policy:
        spec = {"pod_selector": {}, "policy_types": ["Ingress", "Egress"]}
        k8s.networking.v1.NetworkPolicy("deny", metadata={"name": "deny", "namespace": "shop"}, spec=spec)


@dataclass(frozen=True)
class Change:
    """A change of an existing stack, at the doors that show changes."""

    live: Judged
    digest: Judged
    with_sames: Judged
    with_state: Judged


@pytest.fixture(scope="module")
def change(engine_tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Change]:
    with EchoProvider() as cloud:
        lab = Lab(engine_tools, tmp_path_factory.mktemp("change"), cloud)
        assert lab.engine.up(covered).success
        state = lab.export(covered, "state")
        digest = lab.engine.digest(uncovered)
        yield Change(
            lab.live(uncovered),
            by_file(digest),
            by_file(lab.engine.digest(uncovered, show_sames=True)),
            by_file(digest, state),
        )


def test_a_change_is_judged_the_same_when_the_file_shows_what_does_not_change(change: Change) -> None:
    namespace = urn("kubernetes:core/v1:Namespace", "shop")
    assert ("kubernetes-namespace-without-default-deny", namespace, "fail") in change.live.found
    assert change.live == change.with_sames
    assert change.live == change.with_state


def test_a_file_that_leaves_out_what_does_not_change_judges_less_and_never_otherwise(change: Change) -> None:
    files = urn("aws:s3/bucket:Bucket", "files")
    assert {files} == {resource for _, resource, _ in change.digest.found}
    assert change.digest.checks < change.live.checks
    outcomes = {found[:2]: found[2] for found in change.live.found}
    for rule, resource, outcome in change.digest.found:
        assert outcome in {outcomes.get((rule, resource)), "undetermined"}
    assert ("aws-s3-public-access-block-missing", files, "undetermined") in change.digest.found
    assert ("aws-s3-public-access-block-missing", files, "fail") in change.live.found
