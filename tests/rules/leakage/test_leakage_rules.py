"""What the rules about secrets have in common: marked values never count, and no text ever carries a secret."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossgate import UNKNOWN, Example, Part, Resource, Rule, Stack, secret
from crossgate.judge import Outcome, Verdict, judge
from crossgate.packs.secret_leakage import PACK
from crossgate.redact import Redactor
from crossgate.rules._paths import values_at
from crossgate.rules.leakage._places import leaves
from crossgate.rules.leakage.aws_ssm_parameter_secret_as_text import aws_ssm_parameter_secret_as_text
from crossgate.rules.leakage.kubernetes_secret_in_clear import kubernetes_secret_in_clear
from crossgate.rules.leakage.secret_in_environment import secret_in_environment
from crossgate.rules.leakage.secret_in_property import secret_in_property
from crossgate.rules.leakage.secret_in_stack_output import secret_in_stack_output
from crossgate.rules.leakage.secret_in_user_data import secret_in_user_data
from crossgate.rules.leakage.secret_input_unmarked import secret_input_unmarked
from crossgate.value import Value
from crossgate.words import verdict_texts

WORD = "hunter" + "2-Tr0ub4dor"
RANDOM = "kq7Zp" + "0VbX3mWc9LtR" + "2yHs8Nd"
RULES = [entry.rule for entry in PACK.entries if entry.rule.literals]
BAD = [
    pytest.param(rule, example, id=f"{rule.id}-{number}") for rule in RULES for number, example in enumerate(rule.bad)
]


def verdicts(rule: Rule, stack: Stack) -> list[Verdict]:
    return [judge(rule, subject) for subject in rule.subjects(stack)]


def verdict(rule: Rule, type_: str, inputs: dict[str, Any]) -> Verdict:
    (found,) = verdicts(rule, Example([Part(type_, "one", inputs)]).stack())
    return found


def outcome(rule: Rule, type_: str, inputs: dict[str, Any]) -> Outcome:
    return verdict(rule, type_, inputs).outcome


def changed(value: Any, change: Any) -> Any:
    """Return ``value`` with every text in it changed."""
    if isinstance(value, dict):
        return {key: changed(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [changed(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


def stack_with(example: Example, change: Any) -> Stack:
    return Stack(
        Resource(each.urn, each.type, each.name, change(each.raw_inputs)) for each in example.stack().resources
    )


# -- what never counts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "example"), BAD)
def test_a_marked_value_never_counts_wherever_the_mark_stands(rule: Rule, example: Example) -> None:
    for change in (
        lambda inputs: changed(inputs, secret),
        lambda inputs: {key: secret(value) for key, value in inputs.items()},
        lambda inputs: {key: secret(UNKNOWN) for key in inputs},
        lambda inputs: dict.fromkeys(inputs, "[secret]"),
        lambda inputs: changed(inputs, lambda _: "[secret]"),
    ):
        found = verdicts(rule, stack_with(example, change))
        assert {each.outcome for each in found} == {Outcome.PASS}
        assert not any(each.leaks for each in found)


@pytest.mark.parametrize(("rule", "example"), BAD)
def test_a_value_that_is_computed_is_no_literal(rule: Rule, example: Example) -> None:
    """Whether one stands in a map, a list or a document that is computed as a whole is another matter."""
    stack = stack_with(example, lambda inputs: changed(inputs, lambda _: UNKNOWN))
    assert Outcome.FAIL not in {each.outcome for each in verdicts(rule, stack)}


# -- what is said, and what is not -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "example"), BAD)
def test_what_a_violation_is_about_is_known_to_the_redactor_and_not_in_its_words(rule: Rule, example: Example) -> None:
    failed = [each for each in verdicts(rule, example.stack()) if each.outcome is Outcome.FAIL]
    assert failed
    redact = Redactor(verdicts=failed)
    for each in failed:
        assert each.leaks
        assert each.violations[0].message[0].islower()
        for leak in each.leaks:
            text = leak.reveal()
            assert text not in " ".join(verdict_texts(each))
            assert text not in f"{each.violations} {each.leaks} {each.notes} {each.gaps}"
            if len(text.strip()) >= 6:
                assert text.strip() not in redact(f"oops: {text}")
        assert [redact(text) for text in verdict_texts(each)] == verdict_texts(each)


SECRETS = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=8, max_size=40).map(
    lambda text: f"Zq{text}7x"
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_verdict_contains_the_secret_that_was_put_in(rule: Rule) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.sampled_from(rule.bad + rule.good + rule.unsure), SECRETS, st.booleans())
    def put(example: Example, text: str, marked: bool) -> None:
        value = secret(text) if marked else text
        for found in verdicts(rule, stack_with(example, lambda inputs: changed(inputs, lambda _: value))):
            assert not found.crash
            said = [*verdict_texts(found), *(note.message for note in found.notes), repr(found.leaks)]
            assert not any(text in line for line in said)
            assert not any(text in f"{gap}" for gap in found.gaps)

    put()


# -- environment variables -------------------------------------------------------------------------------------------

LAMBDA = "aws:lambda/function:Function"
VARIABLE = {"name": "DB_PASSWORD", "value": WORD}


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        ("aws-native:lambda:Function", {"environment": {"variables": {"DB_PASSWORD": WORD}}}),
        ("aws-native:ecs:TaskDefinition", {"containerDefinitions": [{"environment": [VARIABLE]}]}),
        ("aws:ecs/taskDefinition:TaskDefinition", {"containerDefinitions": [{"environment": [VARIABLE]}]}),
        ("aws:batch/jobDefinition:JobDefinition", {"containerProperties": json.dumps({"environment": [VARIABLE]})}),
        ("aws:sagemaker/model:Model", {"primaryContainer": {"environment": {"DB_PASSWORD": WORD}}}),
        ("gcp:cloudrun/service:Service", {"template": {"spec": {"containers": [{"envs": [VARIABLE]}]}}}),
        ("gcp:cloudrunv2/job:Job", {"template": {"template": {"containers": [{"envs": [VARIABLE]}]}}}),
        ("gcp:cloudfunctionsv2/function:Function", {"serviceConfig": {"environmentVariables": {"DB_PASSWORD": WORD}}}),
        ("azure:containerservice/group:Group", {"containers": [{"environmentVariables": {"DB_PASSWORD": WORD}}]}),
        ("azure-native:app:ContainerApp", {"template": {"containers": [{"env": [VARIABLE]}]}}),
        ("azure-native:app/v20240301:ContainerApp", {"template": {"containers": [{"env": [VARIABLE]}]}}),
        ("azure-native:web:WebApp", {"siteConfig": {"appSettings": [VARIABLE]}}),
        ("azure-native:web:WebAppApplicationSettings", {"properties": {"DB_PASSWORD": WORD}}),
        ("kubernetes:core/v1:PodTemplate", {"template": {"spec": {"containers": [{"env": [VARIABLE]}]}}}),
        ("kubernetes:apps/v1:DeploymentPatch", {"spec": {"template": {"spec": {"containers": [{"env": [VARIABLE]}]}}}}),
        ("kubernetes:core/v1:PodList", {"items": [{"spec": {"containers": [{"env": [VARIABLE]}]}}]}),
        ("kubernetes:core/v1:Pod", {"spec": {"ephemeralContainers": [{"env": [VARIABLE]}]}}),
    ],
)
def test_every_way_to_set_a_variable_is_read(type_: str, inputs: dict[str, Any]) -> None:
    assert outcome(secret_in_environment, type_, inputs) is Outcome.FAIL


def test_a_value_whose_name_is_not_known_may_be_a_secret_and_one_with_a_providers_format_is() -> None:
    pod = "kubernetes:core/v1:Pod"

    def inputs(value: Any) -> dict[str, Any]:
        return {"spec": {"containers": [{"env": [{"name": UNKNOWN, "value": value}]}]}}

    assert outcome(secret_in_environment, pod, inputs(WORD)) is Outcome.UNDETERMINED
    assert outcome(secret_in_environment, pod, inputs("ghp_" + RANDOM + RANDOM)) is Outcome.FAIL
    assert outcome(secret_in_environment, pod, inputs(secret(WORD))) is Outcome.PASS


def test_a_build_variable_of_unknown_kind_may_be_a_reference() -> None:
    variable = {**VARIABLE, "type": UNKNOWN}
    inputs = {"environment": {"environmentVariables": [variable]}}
    assert outcome(secret_in_environment, "aws:codebuild/project:Project", inputs) is Outcome.UNDETERMINED


def test_what_is_no_json_is_searched_as_it_is() -> None:
    task = "aws:ecs/taskDefinition:TaskDefinition"
    broken = '[{"environment": [{"name": "DB_PASSWORD", "value": "' + WORD + '"}'
    found = verdict(secret_in_environment, task, {"containerDefinitions": broken})
    assert found.outcome is Outcome.FAIL
    assert [gap.why for gap in found.gaps] == ["not valid JSON"]
    assert outcome(secret_in_environment, task, {"containerDefinitions": secret(broken)}) is Outcome.PASS


def test_a_generated_text_is_remarked_on_and_no_violation() -> None:
    found = verdict(secret_in_environment, LAMBDA, {"environment": {"variables": {"SEED": RANDOM}}})
    assert found.outcome is Outcome.PASS
    assert [note.path for note in found.notes] == ["environment.variables.SEED"]
    assert [leak.reveal() for leak in found.leaks] == [RANDOM]


def test_all_kinds_are_named_once() -> None:
    value = f"password={WORD}\nother_password={WORD}x\nurl=https://a:{WORD}@b.example\n"
    found = verdict(secret_in_environment, LAMBDA, {"environment": {"variables": {"CONFIG": value}}})
    assert found.violations[0].message.startswith("holds a password in a URL and a password in clear; ")


# -- user data -------------------------------------------------------------------------------------------------------


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


SCRIPT = f"#!/bin/sh\nexport DB_PASSWORD={WORD}\n"


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        ("aws:ec2/launchTemplate:LaunchTemplate", {"userData": encoded(gzip.compress(SCRIPT.encode()))}),
        ("aws-native:ec2:LaunchTemplate", {"launchTemplateData": {"userData": encoded(SCRIPT.encode())}}),
        ("aws:ec2/spotFleetRequest:SpotFleetRequest", {"launchSpecifications": [{"userData": SCRIPT}]}),
        ("azure:compute/linuxVirtualMachine:LinuxVirtualMachine", {"customData": encoded(SCRIPT.encode())}),
        ("azure-native:compute:VirtualMachine", {"osProfile": {"customData": encoded(SCRIPT.encode())}}),
        ("gcp:compute/instanceTemplate:InstanceTemplate", {"metadata": {"startup-script": SCRIPT}}),
        ("gcp:compute/instanceTemplate:InstanceTemplate", {"metadata": {"db-password": WORD}}),
    ],
)
def test_every_way_to_hand_over_a_script_is_read(type_: str, inputs: dict[str, Any]) -> None:
    found = verdict(secret_in_user_data, type_, inputs)
    assert found.outcome is Outcome.FAIL
    assert WORD in [leak.reveal() for leak in found.leaks]


def test_a_script_is_decoded_once() -> None:
    twice = encoded(encoded(SCRIPT.encode()).encode())
    assert outcome(secret_in_user_data, "aws:ec2/instance:Instance", {"userDataBase64": twice}) is Outcome.PASS


# -- Kubernetes Secrets ----------------------------------------------------------------------------------------------

SECRET_TYPE = "kubernetes:core/v1:Secret"
EXTERNAL = "kubernetes:external-secrets.io/v1:ExternalSecret"


@pytest.mark.parametrize("value", ["", "  ", encoded(b""), encoded(b"${DB_PASSWORD}"), encoded(b"{{ .password }}")])
def test_an_entry_that_holds_nothing_passes(value: str) -> None:
    assert outcome(kubernetes_secret_in_clear, SECRET_TYPE, {"data": {"password": value}}) is Outcome.PASS


@pytest.mark.parametrize("sops", [{}, {"sops": {}}, {"sops": {"mac": None}}])
def test_what_sops_does_not_vouch_for_is_not_encrypted(sops: dict[str, Any]) -> None:
    inputs = {"stringData": {"a": "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]"}, **sops}
    assert outcome(kubernetes_secret_in_clear, SECRET_TYPE, inputs) is Outcome.FAIL


@pytest.mark.parametrize(
    ("type_", "template", "expected"),
    [
        (EXTERNAL, {"templateFrom": [{"literal": "password: " + WORD}]}, Outcome.FAIL),
        (EXTERNAL, {"templateFrom": [{"literal": "password: {{ .password }}"}]}, Outcome.PASS),
        (EXTERNAL, {"data": {"password": "{{ .a }}", "other": "b{{ .b }}"}}, Outcome.PASS),
        (EXTERNAL, {"data": {"password": WORD + "{{ .b }}"}}, Outcome.FAIL),
        (EXTERNAL, {"data": {"username": "app", "host": "db.internal"}}, Outcome.PASS),
        (EXTERNAL.replace("/v1", "/v1beta1"), {"data": {"password": WORD}}, Outcome.FAIL),
    ],
)
def test_of_a_template_the_literal_parts_count(type_: str, template: dict[str, Any], expected: Outcome) -> None:
    inputs = {"spec": {"target": {"template": template}}}
    assert outcome(kubernetes_secret_in_clear, type_, inputs) is expected


def test_a_cluster_wide_external_secret_has_its_template_deeper() -> None:
    inputs = {"spec": {"externalSecretSpec": {"target": {"template": {"data": {"password": WORD}}}}}}
    assert outcome(kubernetes_secret_in_clear, EXTERNAL.replace("Ext", "ClusterExt"), inputs) is Outcome.FAIL


def test_the_redactor_knows_a_secrets_value_encoded_and_decoded() -> None:
    found = verdict(kubernetes_secret_in_clear, SECRET_TYPE, {"data": {"api-key": encoded(WORD.encode())}})
    redact = Redactor(verdicts=[found])
    assert redact(f"{WORD} {encoded(WORD.encode())}") == "[secret] [secret]"


# -- inputs that a provider knows as secret --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "inputs", "expected"),
    [
        ("aws:rds/instance:Instance", {"password": "x"}, Outcome.FAIL),
        ("aws:rds/instance:Instance", {"password": ""}, Outcome.PASS),
        ("aws:rds/instance:Instance", {"password": None}, Outcome.PASS),
        ("aws:rds/instance:Instance", {"username": WORD, "dbName": "app"}, Outcome.PASS),
        ("aws:elasticache/user:User", {"passwords": [secret(WORD), WORD]}, Outcome.FAIL),
        ("aws:elasticache/user:User", {"passwords": [secret(WORD)]}, Outcome.PASS),
        ("azure:apimanagement/namedValue:NamedValue", {"value": WORD, "secret": True}, Outcome.FAIL),
        ("azure:apimanagement/namedValue:NamedValue", {"value": WORD, "secret": False}, Outcome.PASS),
        ("azure-native:app:ContainerApp", {"configuration": {"secrets": [{"value": WORD}]}}, Outcome.FAIL),
        ("azure-native:sql/v20230801:Server", {"administratorLoginPassword": WORD}, Outcome.FAIL),
        ("azure-native_sql_v20230801:sql:Server", {"administratorLoginPassword": WORD}, Outcome.FAIL),
        ("gcp:sql/user:User", {"passwordWo": WORD}, Outcome.PASS),
    ],
)
def test_a_secret_input_must_be_marked(type_: str, inputs: dict[str, Any], expected: Outcome) -> None:
    assert outcome(secret_input_unmarked, type_, inputs) is expected


@pytest.mark.parametrize("token", ["aws:s3/bucket:Bucket", "kubernetes:core/v1:Secret", "my:own:Thing", "odd"])
def test_a_type_without_secret_inputs_is_not_asked(token: str) -> None:
    assert not secret_input_unmarked.judges(token)


# -- walking ---------------------------------------------------------------------------------------------------------


def test_a_path_reaches_into_lists_maps_and_json() -> None:
    tree = Value({"a": [{"b": 1}, {"b": 2}, {}], "m": {"x": {"b": 3}}, "j": '{"b": [4, 5]}', "n": None})

    def at(*path: str) -> list[Any]:
        return [found.plain() for found in values_at(tree, path)]

    assert at("a", "*", "b") == [1, 2]
    assert at("m", "*", "b") == [3]
    assert at("j()", "b", "*") == [4, 5]
    assert at("n") == at("missing", "*", "b") == at("a", "b") == []


def test_leaves_are_named_by_what_they_stand_under() -> None:
    tree = Value({"env": [{"name": "A", "value": "1"}], "list": ["2", ["3"]], "map": {"key": "4", "value": "5"}})
    assert [(name, leaf.text()) for name, leaf in leaves(tree)] == [
        ("name", "A"),
        ("A", "1"),
        ("list", "2"),
        ("list", "3"),
        ("key", "4"),
        ("value", "5"),
    ]


def test_a_tree_without_end_is_left_at_some_depth() -> None:
    tree: Any = "text"
    for _ in range(500):
        tree = [tree]
    assert list(leaves(Value(tree))) == []


# -- parameters, properties, providers and outputs -------------------------------------------------------------------


def test_a_parameter_kept_as_text_is_judged_by_its_value_too() -> None:
    url = f"postgres://app:{WORD}@db.internal/shop"
    inputs = {"name": "/shop/db/url", "type": "String", "value": secret(url)}
    found = verdict(aws_ssm_parameter_secret_as_text, "aws:ssm/parameter:Parameter", inputs)
    assert found.outcome is Outcome.FAIL
    assert WORD not in repr(found)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule is not secret_in_property], ids=lambda rule: rule.id)
def test_the_rule_about_every_property_leaves_to_others_what_they_judge(rule: Rule) -> None:
    for example in rule.bad:
        for subject in secret_in_property.subjects(example.stack()):
            assert judge(secret_in_property, subject).outcome is Outcome.PASS


def test_what_stands_beside_the_variables_of_a_container_is_judged_as_a_property() -> None:
    container = {
        "name": "web",
        "command": ["web", f"--db-password={WORD}"],
        "environment": [{"name": "DB_PASSWORD", "value": WORD}],
    }
    inputs = {"containerDefinitions": json.dumps([container])}
    found = verdict(secret_in_property, "aws:ecs/taskDefinition:TaskDefinition", inputs)
    assert [violation.path for violation in found.violations] == ["containerDefinitions[0].command[1]"]


def test_a_program_in_a_property_is_searched_for_forms_alone() -> None:
    lines = [
        "const password = 'asked later'",
        "var token = `Bearer ${read()}`",
        "let secret = event.request.secret.value",
    ]
    inputs = {"code": "\n".join(lines)}
    assert outcome(secret_in_property, "aws:cloudfront/function:Function", inputs) is Outcome.PASS


def test_a_component_hands_its_inputs_to_its_children_which_are_judged() -> None:
    component = Resource("urn:pulumi:dev::p::acme:web:Site::a", "acme:web:Site", "a", {"password": WORD}, custom=False)
    assert judge(secret_in_property, component).outcome is Outcome.PASS


def test_the_outputs_of_a_stack_are_judged() -> None:
    token = "pulumi:pulumi:Stack"
    urn = f"urn:pulumi:dev::p::{token}::p-dev"
    stack = Resource(urn, token, "p-dev", {}, outputs={"url": "https://a", "dbPassword": WORD, "token": secret(RANDOM)})
    assert [violation.path for violation in judge(secret_in_stack_output, stack).violations] == ["dbPassword"]


def test_the_settings_of_a_provider_are_judged_and_shown_by_the_pack() -> None:
    provider = Resource(
        "urn:pulumi:dev::p::pulumi:providers:github::org", "pulumi:providers:github", "org", {"token": RANDOM}
    )
    judged = [(entry.rule.id, each.outcome) for entry, each in PACK.judge(Stack([provider]))]
    assert judged == [("provider-credential-in-clear", Outcome.FAIL)]
