"""Which tags a resource will have, told from everything that gives it some, and what is said when one is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part, Resource, Stack, secret
from crossgate.config.engine import ConfigError, PolicySetting, configure
from crossgate.judge import Outcome, Verdict, judge
from crossgate.pack import Level, Pack
from crossgate.packs.required_tags import PACK as WHOLE
from crossgate.rules.tagging._taggable import TagProperty, tag_property
from crossgate.rules.tagging._tags import Tags
from crossgate.rules.tagging.missing_required_tag import missing_required_tag
from crossgate.sources import load
from crossgate.words import verdict_texts

PACK = Pack("alone", "The rule alone", [(missing_required_tag, Level.MANDATORY)])
QUEUE = "aws:sqs/queue:Queue"
GROUP = "aws:autoscaling/group:Group"
NATIVE = "aws-native:sqs:Queue"
STORAGE = "azure-native:storage:StorageAccount"
BUCKET = "gcp:storage/bucket:Bucket"
ASKED = {"tags": ["Owner", "CostCenter"]}
BOTH = {"Owner": "team-a", "CostCenter": "4711"}
HUSH = "hunter" + "2-hunter2"


def pairs(**tags: Any) -> list[dict[str, Any]]:
    return [{"key": key, "value": value} for key, value in tags.items()]


def verdict(
    inputs: dict[str, Any], provider: dict[str, Any] | None = None, type_: str = QUEUE, **parameters: Any
) -> Verdict:
    """Return the verdict about one resource, whose provider has the settings ``provider``; None: it names none."""
    package = type_.partition(":")[0]
    parts = [Part(type_, "jobs", inputs, provider="" if provider is None else "eu")]
    if provider is not None:
        parts.append(Part(f"pulumi:providers:{package}", "eu", provider))
    return judge(missing_required_tag, Example(parts).stack().resources[0], {**ASKED, **parameters})


def texts(*args: Any, **kwargs: Any) -> list[str]:
    return [f"{found.path}: {found.message}" for found in verdict(*args, **kwargs).violations]


# -- presence --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "provider", "expected"),
    [
        # In any known map it is there, whatever else is unknown.
        ({"tags": BOTH}, None, Outcome.PASS),
        ({"tags": BOTH, "tagsAll": UNKNOWN}, {"defaultTags": UNKNOWN}, Outcome.PASS),
        ({"tags": UNKNOWN}, {"defaultTags": json.dumps({"tags": BOTH})}, Outcome.PASS),
        ({"tags": UNKNOWN, "tagsAll": BOTH}, {"defaultTags": UNKNOWN}, Outcome.PASS),
        ({"tags": {"Owner": "a"}}, {"defaultTags": {"tags": {"CostCenter": UNKNOWN}}}, Outcome.PASS),
        # In none, and all are known.
        ({}, None, Outcome.FAIL),
        ({"tags": None}, {}, Outcome.FAIL),
        ({"tags": {"Owner": None, "CostCenter": "1"}}, {}, Outcome.FAIL),
        ({"tags": {"__defaults": []}}, {"defaultTags": '{"tags": {}}'}, Outcome.FAIL),
        ({"tags": {"Owner": "a"}}, {"defaultTags": '{"tags": {"Team": "a"}}'}, Outcome.FAIL),
        ({"tags": {"Owner": "a"}}, {"defaultTags": "[]"}, Outcome.FAIL),
        ({"tags": "Owner"}, {}, Outcome.FAIL),
        # A whole map is not known.
        ({"tags": UNKNOWN}, None, Outcome.UNDETERMINED),
        ({"tags": "[secret]"}, None, Outcome.UNDETERMINED),
        ({"tags": {"Owner": "a"}}, {"defaultTags": UNKNOWN}, Outcome.UNDETERMINED),
        ({"tags": {"Owner": "a"}}, {"defaultTags": "[secret]"}, Outcome.UNDETERMINED),
        ({"tags": {"Owner": "a"}}, {"defaultTags": {"tags": UNKNOWN}}, Outcome.UNDETERMINED),
        ({"tags": {"Owner": "a"}}, {"defaultTags": "{not json"}, Outcome.UNDETERMINED),
        # The provider's merge: of no account while it is unknown, the last word on the defaults when it is not.
        ({"tags": {"Owner": "a"}, "tagsAll": UNKNOWN}, {}, Outcome.FAIL),
        ({"tags": {"Owner": "a"}, "tagsAll": {"Owner": "a"}}, {"defaultTags": UNKNOWN}, Outcome.FAIL),
        ({"tags": {"Owner": "a"}, "tagsAll": BOTH}, {}, Outcome.PASS),
    ],
)
def test_presence(inputs: dict[str, Any], provider: Any, expected: Outcome) -> None:
    assert verdict(inputs, provider).outcome is expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (pairs(**BOTH), Outcome.PASS),
        (pairs(Owner=UNKNOWN, CostCenter="1"), Outcome.PASS),
        (pairs(Owner="a"), Outcome.FAIL),
        ([], Outcome.FAIL),
        ([None, "Owner", 7, {"value": "a"}], Outcome.FAIL),
        ([{"key": UNKNOWN, "value": "a"}, *pairs(Owner="a")], Outcome.UNDETERMINED),
        ([UNKNOWN, *pairs(**BOTH)], Outcome.PASS),
        ([UNKNOWN, *pairs(Owner="a")], Outcome.UNDETERMINED),
        (UNKNOWN, Outcome.UNDETERMINED),
    ],
)
@pytest.mark.parametrize("type_", [GROUP, NATIVE])
def test_presence_in_a_list_of_keys_and_values(type_: str, tags: Any, expected: Outcome) -> None:
    assert verdict({"tags": tags}, {}, type_).outcome is expected


def test_default_tags_do_not_reach_an_auto_scaling_group_and_the_message_says_so() -> None:
    provider = {"defaultTags": json.dumps({"tags": {"Owner": "team-a"}})}
    assert verdict({"tags": pairs(**BOTH)}, {"defaultTags": UNKNOWN}, GROUP).outcome is Outcome.PASS
    assert texts({"tags": pairs(CostCenter="1")}, provider, GROUP) == [
        "tags: tag Owner is missing; the provider's default for Owner does not reach this type"
    ]


def test_defaults_out_of_reach_are_told_together() -> None:
    [text] = texts({}, {"defaultTags": {"tags": BOTH}}, GROUP)
    assert text.endswith("are missing; the provider's defaults for Owner and CostCenter do not reach this type")


def test_default_tags_reach_the_lists_of_aws_native() -> None:
    assert verdict({}, {"defaultTags": json.dumps({"tags": BOTH})}, NATIVE).outcome is Outcome.PASS


def test_azure_has_no_default_tags_and_needs_no_provider() -> None:
    assert verdict({"tags": {"Owner": "a"}}, {"defaultTags": json.dumps({"tags": BOTH})}, STORAGE).outcome is (
        Outcome.FAIL
    )
    unseen = Resource(f"urn:pulumi:dev::p::{STORAGE}::x", STORAGE, "x", {}, provider="urn:pulumi:dev::p::a::b::id")
    Stack([unseen], unseen=3)
    assert judge(missing_required_tag, unseen, ASKED).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("type_", "inputs", "path"),
    [
        ("gcp:container/cluster:Cluster", {"resourceLabels": {"costcenter": "1"}}, "resourceLabels"),
        (
            "gcp:sql/databaseInstance:DatabaseInstance",
            {"settings": {"userLabels": {"costcenter": "1"}}},
            "settings.userLabels",
        ),
        (BUCKET, {"labels": {"costcenter": "1"}}, "labels"),
    ],
)
def test_labels_are_where_the_type_has_them(type_: str, inputs: dict[str, Any], path: str) -> None:
    assert texts(inputs, {}, type_) == [f"{path}: label owner is missing"]


@pytest.mark.parametrize(("labels", "expected"), [('{"owner": "a"}', Outcome.PASS), (UNKNOWN, Outcome.UNDETERMINED)])
def test_default_labels(labels: str, expected: Outcome) -> None:
    assert verdict({"labels": {"costcenter": "1"}}, {"defaultLabels": labels}, BUCKET).outcome is expected


@pytest.mark.parametrize(
    ("inputs", "provider", "expected"),
    [
        ({"tags": {"a": UNKNOWN}}, None, Outcome.PASS),
        ({}, {"defaultTags": '{"tags": {"a": "b"}}'}, Outcome.PASS),
        ({"tagsAll": {"a": "b"}}, {"defaultTags": UNKNOWN}, Outcome.PASS),
        ({"tags": {"__defaults": []}}, {}, Outcome.FAIL),
        ({"tags": {}, "tagsAll": {}}, {"defaultTags": UNKNOWN}, Outcome.FAIL),
        ({"tags": {"k8s/a": "b"}}, {"ignoreTags": '{"keyPrefixes": ["k8s/"]}'}, Outcome.FAIL),
        ({}, {"defaultTags": UNKNOWN}, Outcome.UNDETERMINED),
        ({"tags": UNKNOWN}, None, Outcome.UNDETERMINED),
    ],
)
def test_any_tag_at_all(inputs: dict[str, Any], provider: Any, expected: Outcome) -> None:
    assert verdict(inputs, provider, tags=["*"]).outcome is expected


# -- the provider ----------------------------------------------------------------------------------------------------


def under_hidden_provider(inputs: dict[str, Any], unseen: int) -> Verdict:
    provider = "urn:pulumi:dev::p::pulumi:providers:aws::eu"
    queue = Resource(f"urn:pulumi:dev::p::{QUEUE}::jobs", QUEUE, "jobs", inputs, provider=f"{provider}::id")
    Stack([queue], unseen=unseen)
    return judge(missing_required_tag, queue, ASKED)


def test_a_provider_that_is_not_shown_may_set_any_tag() -> None:
    found = under_hidden_provider({"tags": {"Owner": "a"}}, unseen=0)
    [text] = verdict_texts(found)
    assert text.endswith("pulumi:providers:aws::eu is not shown, nor are the default tags that it may set")
    found = under_hidden_provider({"tags": {"Owner": "a"}}, unseen=2)
    assert verdict_texts(found) == [
        "undetermined, so not a pass: 2 unchanged resources are not in this file: add --show-sames or --state"
    ]


@pytest.mark.parametrize("unseen", [0, 2])
def test_what_the_resource_shows_needs_no_provider(unseen: int) -> None:
    assert under_hidden_provider({"tags": BOTH}, unseen).outcome is Outcome.PASS
    assert under_hidden_provider({"tags": {"Owner": "a"}, "tagsAll": BOTH}, unseen).outcome is Outcome.PASS
    assert under_hidden_provider({"tags": {}, "tagsAll": {"Owner": "a"}}, unseen).outcome is Outcome.FAIL


def preview(config: dict[str, str]) -> bytes:
    state = {
        "urn": f"urn:pulumi:dev::p::{QUEUE}::jobs",
        "type": QUEUE,
        "custom": True,
        "inputs": {"tags": {"Owner": "team-a"}},
        "provider": f"urn:pulumi:dev::p::pulumi:providers:aws::default_7_51_1::{UNKNOWN}",
    }
    steps = [{"op": "create", "urn": state["urn"], "newState": state}]
    return json.dumps({"config": config, "steps": steps, "changeSummary": {"create": 1}}).encode()


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"aws:defaultTags": '{"tags":{"CostCenter":"4711"}}'}, Outcome.PASS),
        ({"aws:defaultTags": "[secret]"}, Outcome.UNDETERMINED),
        ({"aws:region": "eu-west-1", "aws-native:defaultTags": '{"tags":{"CostCenter":"4711"}}'}, Outcome.FAIL),
    ],
)
def test_the_default_provider_of_a_preview_has_the_stacks_configuration(
    config: dict[str, str], expected: Outcome
) -> None:
    stack = load(preview(config)).stack
    [(_, found)] = configure(PACK, {"missing-required-tag": PolicySetting(None, ASKED)}).judge(stack)
    assert found.outcome is expected


@pytest.mark.parametrize(
    "ignored",
    [
        {"keys": ["Owner"]},
        json.dumps({"keys": ["Team", "Owner"]}),
        {"keyPrefixes": ["Own"]},
        {"keyPrefixes": ["Own"], "keys": UNKNOWN},
    ],
)
def test_a_key_that_the_provider_ignores_does_not_count(ignored: Any) -> None:
    assert texts({"tags": BOTH}, {"ignoreTags": ignored}) == ["tags: tag Owner is ignored by the provider (ignoreTags)"]


@pytest.mark.parametrize(
    ("ignored", "expected"),
    [
        ({"keys": ["owner", None, 7], "keyPrefixes": ["kubernetes.io/", None]}, Outcome.PASS),
        (UNKNOWN, Outcome.UNDETERMINED),
        ({"keys": ["Team", UNKNOWN]}, Outcome.UNDETERMINED),
        ({"keyPrefixes": UNKNOWN}, Outcome.UNDETERMINED),
    ],
)
def test_a_key_that_the_provider_may_ignore(ignored: Any, expected: Outcome) -> None:
    assert verdict({"tags": BOTH}, {"ignoreTags": ignored}).outcome is expected


def test_variables_of_the_engines_environment_may_set_what_is_missing_when_the_parameter_says_so() -> None:
    found = verdict({"tags": {"Owner": "a"}}, {}, environmentTags=True)
    assert verdict_texts(found) == [
        "undetermined, so not a pass: TF_AWS_DEFAULT_TAGS_CostCenter, where the engine runs, may set it"
    ]
    assert verdict({"tags": BOTH}, {}, environmentTags=True).outcome is Outcome.PASS
    assert verdict({"tags": pairs(Owner="a")}, {}, GROUP, environmentTags=True).outcome is Outcome.FAIL
    assert verdict({"tags": pairs(Owner="a")}, {}, NATIVE, environmentTags=True).outcome is Outcome.FAIL


def test_settings_are_read_anew_when_the_stack_grows() -> None:
    provider = "urn:pulumi:dev::p::pulumi:providers:aws::eu"
    queue = Resource(f"urn:pulumi:dev::p::{QUEUE}::jobs", QUEUE, "jobs", {}, provider=f"{provider}::id")
    stack = Stack([queue])
    assert judge(missing_required_tag, queue, ASKED).outcome is Outcome.UNDETERMINED
    stack.add(Resource(provider, "pulumi:providers:aws", "eu", {"defaultTags": json.dumps({"tags": BOTH})}))
    assert judge(missing_required_tag, queue, ASKED).outcome is Outcome.PASS


# -- values ----------------------------------------------------------------------------------------------------------

ENVIRONMENT = {"key": "Env", "values": ["prod", "test"]}


@pytest.mark.parametrize(
    ("inputs", "provider", "expected"),
    [
        ({"tags": {"Env": "prod"}}, None, []),
        ({"tags": {"Env": "Prod"}}, None, ["tags.Env: tag Env is none of prod, test"]),
        ({"tags": {"Env": ""}}, None, ["tags.Env: tag Env is blank"]),
        ({"tags": {"Env": " \t"}}, None, ["tags.Env: tag Env is blank"]),
        ({"tags": {"Env": "prod"}}, {"defaultTags": {"tags": {"Env": "dev"}}}, []),
        (
            {"tags": {"Env": "dev"}},
            {"defaultTags": {"tags": {"Env": "prod"}}},
            ["tags.Env: tag Env is none of prod, test"],
        ),
        ({}, {"defaultTags": {"tags": {"Env": "prod"}}}, []),
        (
            {},
            {"defaultTags": {"tags": {"Env": "dev"}}},
            ["tags: tag Env, which the provider adds, is none of prod, test"],
        ),
        ({"tagsAll": {"Env": ""}}, {"defaultTags": UNKNOWN}, ["tags: tag Env, which the provider adds, is blank"]),
    ],
)
def test_the_resources_own_value_counts_before_the_providers(
    inputs: dict[str, Any], provider: Any, expected: list[str]
) -> None:
    found = verdict(inputs, provider, tags=[ENVIRONMENT])
    assert found.outcome is (Outcome.FAIL if expected else Outcome.PASS)
    assert texts(inputs, provider, tags=[ENVIRONMENT]) == expected


@pytest.mark.parametrize(
    ("inputs", "provider", "type_"),
    [
        ({"tags": {"Env": UNKNOWN}}, None, QUEUE),
        ({"tags": {"Env": secret(UNKNOWN)}}, None, QUEUE),
        ({"tags": {"Env": "[secret]"}}, None, QUEUE),
        ({"tags": UNKNOWN}, {"defaultTags": {"tags": {"Env": "prod"}}}, QUEUE),
        ({"tags": UNKNOWN}, {"defaultTags": {"tags": {"Env": "dev"}}}, QUEUE),
        ({"tags": [UNKNOWN]}, {"defaultTags": {"tags": {"Env": "dev"}}}, NATIVE),
    ],
)
def test_a_value_that_may_still_be_another_is_undetermined(inputs: dict[str, Any], provider: Any, type_: str) -> None:
    assert verdict(inputs, provider, type_, tags=[ENVIRONMENT]).outcome is Outcome.UNDETERMINED


def test_an_unknown_value_is_taken_not_to_be_blank_where_any_will_do() -> None:
    assert verdict({"tags": {"Env": UNKNOWN}}, tags=["Env"]).outcome is Outcome.PASS
    assert verdict({"tags": {"Env": "[secret]"}}, tags=["Env"]).outcome is Outcome.PASS


def test_an_element_without_a_value_is_blank() -> None:
    assert texts({"tags": [{"key": "Env"}]}, {}, GROUP, tags=["Env"]) == ["tags[0].value: tag Env is blank"]


def test_long_lists_of_values_are_cut_and_patterns_are_shown() -> None:
    tags = [{"key": "Env", "values": [f"env{n}" for n in range(9)]}, {"key": "Cost", "pattern": "[0-9]{4}"}]
    assert texts({"tags": {"Env": "x", "Cost": "47"}}, tags=tags) == [
        "tags.Env: tag Env is none of env0, env1, env2, env3, env4, env5 and 3 more",
        "tags.Cost: tag Cost does not match [0-9]{4}",
    ]


# -- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "inputs", "expected"),
    [
        (QUEUE, {}, "tags: tags Owner and CostCenter are missing"),
        (
            QUEUE,
            {"tags": {"owner": "a", "CostCenter": "1"}},
            "tags: tag Owner is missing; owner is another key, since case counts",
        ),
        (QUEUE, {"tags": {"Onwer": "a", "CostCenter": "1"}}, "tags: tag Owner is missing; Onwer is another key"),
        (
            BUCKET,
            {"labels": {"owner": "a", "cost_center": "1"}},
            "labels: label costcenter is missing; cost_center is another key",
        ),
        (STORAGE, {"tags": {"OWNER": "a", "Cost-Center": "1"}}, (
            "tags: tag CostCenter is missing; Cost-Center is another key"
        )),
    ],
)  # fmt: skip
def test_what_is_missing_and_what_was_meant(type_: str, inputs: dict[str, Any], expected: str) -> None:
    assert texts(inputs, {}, type_) == [expected]


def test_three_keys_are_named_in_one_finding() -> None:
    assert texts({}, tags=["A", "B", "C"]) == ["tags: tags A, B and C are missing"]


def test_what_is_known_to_be_missing_is_told_beside_what_may_be() -> None:
    found = verdict({"tags": {"__defaults": [], "Owner": "a"}}, {"ignoreTags": {"keys": [UNKNOWN]}})
    assert [violation.message for violation in found.violations] == ["tag CostCenter is missing"]
    assert [gap.path for gap in found.gaps] == ["ignoreTags.keys[0]"]


@pytest.mark.parametrize(
    "inputs",
    [
        {"tags": secret({"ownr": HUSH, HUSH: "x"})},
        {"tags": {"Owner": secret(HUSH), "Env": HUSH, HUSH: "x"}},
        {"tags": {"Owner": "", "Env": HUSH}, "tagsAll": {HUSH: HUSH}},
    ],
)
def test_neither_values_nor_the_keys_of_a_secret_map_are_told(inputs: dict[str, Any]) -> None:
    tags = ["Owner", "ownr2", {"key": "Env", "values": ["prod"]}, "CostCenter"]
    found = verdict(inputs, {}, tags=tags)
    assert found.violations
    assert HUSH not in repr(found)
    assert "ownr is another" not in repr(found.violations)


# -- what is asked ---------------------------------------------------------------------------------------------------


def asked(type_: str, **parameters: Any) -> bool:
    return missing_required_tag.judges(type_, {**ASKED, **parameters})


@pytest.mark.parametrize(
    "type_",
    [
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        "aws:ec2/tag:Tag",
        "pulumi:providers:aws",
        "pulumi:pulumi:Stack",
        "kubernetes:core/v1:Namespace",
        "random:index/randomPet:RandomPet",
        "acme:web:Site",
        "aws:made/up:Up",
        "",
    ],
)
def test_what_carries_no_tags_is_not_asked(type_: str) -> None:
    assert not asked(type_)
    stack = Stack([Resource(f"urn:pulumi:dev::p::{type_}::x", type_, "x", {})])
    assert list(configure(PACK, {"missing-required-tag": PolicySetting(None, ASKED)}).judge(stack)) == []


def test_exempt_types_are_not_asked() -> None:
    assert asked(QUEUE)
    assert asked("azure-native:storage/v20230101:StorageAccount")
    assert not asked(QUEUE, exemptTypes=[QUEUE])
    assert not asked(QUEUE, exemptTypes=["gcp:*", "aws:sqs/*"])
    assert asked(QUEUE, exemptTypes=["aws:sqs", "sqs", "AWS:*"])


def test_without_its_parameter_it_is_not_judged_and_costs_nothing() -> None:
    assert "missing-required-tag" in [entry.rule.id for entry in WHOLE.not_configured]
    program = (
        "import sys; from crossgate.packs.baseline import PACK; PACK.entries_for('aws:sqs/queue:Queue'); "
        "sys.exit('crossgate.rules.tagging._taggable' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(
    "parameters",
    [
        {"tags": ["Owner"]},
        {"tags": []},
        {"tags": [{"key": "Owner"}, "Team"], "exemptTypes": ["aws:iam/*"], "environmentTags": True},
        {"tags": [{"key": "Env", "values": ["prod"], "pattern": "p.*", "aws": "a", "azure": "b", "gcp": "c"}]},
    ],
)
def test_parameters_that_are_taken(parameters: dict[str, Any]) -> None:
    configured = configure(PACK, {"missing-required-tag": PolicySetting(None, parameters)})
    assert bool(configured.active) is bool(parameters["tags"])


@pytest.mark.parametrize(
    ("parameters", "place"),
    [
        ({"tags": "Owner"}, "tags"),
        ({"tags": [""]}, "tags.0"),
        ({"tags": ["Owner", 7]}, "tags.1"),
        ({"tags": [{"values": ["prod"]}]}, "tags.0: must contain ['key'] properties"),
        ({"tags": [{"key": "Env", "values": []}]}, "tags.0.values"),
        ({"tags": [{"key": "Env", "value": "prod"}]}, "tags.0: must not contain {'value'} properties"),
        ({"tags": [{"key": "Env", "pattern": "(["}]}, "tags.0.pattern: must be a valid regex"),
        ({"tags": ["Owner"], "exemptTypes": "aws:*"}, "exemptTypes"),
        ({"tags": ["Owner"], "keys": ["Owner"]}, "keys"),
    ],
)
def test_parameters_that_are_refused_and_where(parameters: dict[str, Any], place: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(f"missing-required-tag.{place}")):
        configure(PACK, {"missing-required-tag": PolicySetting(None, parameters)})


# -- cost ------------------------------------------------------------------------------------------------------------


def measured(function: Any, *arguments: Any) -> float:
    """Return the best of several runs, in seconds."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        function(*arguments)
        best = min(best, time.perf_counter() - start)
    return best


def test_the_view_of_ten_thousand_resources_is_cheap() -> None:
    """At most some 15 µs each: as many times as a small JSON document, which takes 1.5 µs on an idle machine."""
    provider = "urn:pulumi:dev::p::pulumi:providers:aws::eu"
    settings = {"defaultTags": json.dumps({"tags": {"CostCenter": "1"}}), "ignoreTags": '{"keyPrefixes": ["k8s.io/"]}'}
    inputs = {"tags": {"Owner": "a", "App": "x", "Env": "prod"}, "tagsAll": {"Owner": "a", "App": "x", "Env": "prod"}}
    queues = [
        Resource(f"urn:pulumi:dev::p::{QUEUE}::q{n}", QUEUE, f"q{n}", inputs, provider=f"{provider}::id")
        for n in range(10_000)
    ]
    Stack([Resource(provider, "pulumi:providers:aws", "eu", settings), *queues])
    where = tag_property(QUEUE)
    assert where is not None

    def view(where: TagProperty) -> None:
        for queue in queues:
            tags = Tags(queue, where)
            assert tags.find("Owner").present.is_true
            assert tags.find("CostCenter").present.is_true

    def parse() -> None:
        for _ in queues:
            json.loads('{"a": {"b": "c", "d": [1, 2, 3, 4]}, "e": "f"}')

    assert measured(view, where) < 10 * measured(parse)


def test_a_pack_finds_its_rule_once_per_type() -> None:
    pack = Pack("p", "", [(missing_required_tag, Level.MANDATORY, ASKED)])
    assert pack.entries_for(QUEUE) is pack.entries_for(QUEUE)
