"""What holds for every rule: its examples, and what a gap, a neighbour or an odd shape may never do to a verdict.

Each rule is tested as it ships, through its own examples; a new rule needs no line here.
"""

from __future__ import annotations

import copy
import itertools
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossgate import UNKNOWN, Example, Part, Resource, Rule, Stack
from crossgate.judge import Outcome, Verdict, judge, worst
from crossgate.packs.baseline import PACK
from crossgate.value import ASSET, OUTPUT_VALUE, SECRET, SIGNATURE_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = [entry.rule for entry in PACK.entries]

KNOWN_OR_NOT = {Outcome.PASS, Outcome.FAIL}

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
"""One test for all examples of a rule: thousands of tests of a millisecond each would cost more than what they do."""


def examples(kind: str) -> list[Any]:
    return [
        pytest.param(rule, example, id=f"{rule.id}-{kind}-{number}")
        for rule in RULES
        for number, example in enumerate(getattr(rule, kind))
    ]


def outcome(rule: Rule, stack: Stack, parameters: Any) -> Outcome:
    return worst(verdict.outcome for verdict in verdicts(rule, stack, parameters))


def verdicts(rule: Rule, stack: Stack, parameters: Any) -> list[Verdict]:
    found = [judge(rule, subject, parameters) for subject in rule.subjects(stack, parameters)]
    assert found, "the example has no resource of the rule's types"
    return found


def of_example(rule: Rule, example: Example) -> Outcome:
    return outcome(rule, example.stack(), example.parameters)


@every_rule
def test_a_rule_states_all_its_facts(rule: Rule) -> None:
    assert rule.title
    assert rule.why
    assert rule.fix
    assert rule.sources, "a rule cites the vendor's documentation"
    assert rule.bad
    assert rule.good
    assert sys.modules[rule.check.__module__].__name__.rsplit(".", 1)[-1] == rule.id.replace("-", "_")
    assert not rule.id.startswith(("no-", "ensure-", "disallow-", "check-"))
    assert set(rule.required) <= set(rule.parameters)
    for example in (*rule.bad, *rule.good, *rule.unsure):
        assert set(example.parameters) <= set(rule.parameters)


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_a_bad_example_fails(rule: Rule, example: Example) -> None:
    assert of_example(rule, example) is Outcome.FAIL


@pytest.mark.parametrize(("rule", "example"), examples("good"))
def test_a_good_example_passes(rule: Rule, example: Example) -> None:
    assert of_example(rule, example) is Outcome.PASS


@pytest.mark.parametrize(("rule", "example"), examples("unsure"))
def test_an_unsure_example_is_undetermined_and_says_where(rule: Rule, example: Example) -> None:
    found = [v for v in verdicts(rule, example.stack(), example.parameters) if v.outcome is not Outcome.PASS]
    assert {v.outcome for v in found} == {Outcome.UNDETERMINED}
    assert all(gap.why for v in found for gap in v.gaps)


# -- holes -----------------------------------------------------------------------------------------------------------


def with_replacement(value: Any, replacement: Any) -> Iterator[Any]:
    """Yield ``value`` over and over, each time with one part of it replaced, at every depth."""
    parts: Any = ()
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    for key, part in parts:
        for hole in itertools.chain([replacement], with_replacement(part, replacement)):
            changed = value.copy()
            changed[key] = hole
            yield changed


def rebuilt(stack: Stack, changed: Resource, inputs: Any, *, reverse: bool = False) -> Stack:
    """Return a copy of ``stack`` in which ``changed`` has other inputs."""
    resources = [_copy(each, inputs if each is changed else each.raw_inputs) for each in stack.resources]
    return Stack(reversed(resources) if reverse else resources)


def _copy(resource: Resource, inputs: Any) -> Resource:
    return Resource(
        resource.urn,
        resource.type,
        resource.name,
        inputs,
        provider=resource.provider_reference,
        parent=resource.parent,
        dependencies=resource.dependencies,
        property_dependencies=resource.property_dependencies,
    )


def punched(example: Example, replacement: Any = UNKNOWN) -> Iterator[tuple[Stack, Resource]]:
    """Yield the example's stack with one hole, at every place of every resource."""
    whole = example.stack()
    for resource in whole.resources:
        for inputs in with_replacement(resource.raw_inputs, replacement):
            yield rebuilt(whole, resource, inputs), resource


@every_rule
def test_a_hole_never_turns_a_violation_into_a_pass(rule: Rule) -> None:
    """But for rules about literals: what is computed is none."""
    for example in rule.bad:
        allowed = {Outcome.FAIL, Outcome.UNDETERMINED} | ({Outcome.PASS} if rule.literals else set())
        for stack, _ in punched(example):
            assert outcome(rule, stack, example.parameters) in allowed, describe(stack)


@every_rule
def test_a_hole_never_turns_a_pass_into_a_violation(rule: Rule) -> None:
    for example in rule.good:
        for stack, _ in punched(example):
            assert outcome(rule, stack, example.parameters) in {Outcome.PASS, Outcome.UNDETERMINED}, describe(stack)


@every_rule
def test_a_hidden_secret_never_turns_a_violation_into_an_error(rule: Rule) -> None:
    for example in rule.bad:
        for stack, _ in punched(example, "[secret]"):
            assert outcome(rule, stack, example.parameters) is not Outcome.ERROR, describe(stack)


@every_rule
def test_an_unknown_beside_a_violation_changes_nothing(rule: Rule) -> None:
    """Every list gets one more element that is unknown, every map one more key, and every property of the type too."""
    for example in rule.bad:
        whole = example.stack()
        for resource in whole.resources:
            for inputs in with_neighbouring_unknown(resource.raw_inputs):
                stack = rebuilt(whole, resource, inputs)
                assert outcome(rule, stack, example.parameters) is Outcome.FAIL, describe(stack)


def with_neighbouring_unknown(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        if SIGNATURE_KEY not in value:
            yield {"somethingElse": UNKNOWN, **value}
        for key, part in value.items():
            for changed in with_neighbouring_unknown(part):
                yield {**value, key: changed}
    elif isinstance(value, list):
        yield [UNKNOWN, *value]
        yield [*value, UNKNOWN]
        for index, part in enumerate(value):
            for changed in with_neighbouring_unknown(part):
                yield [*value[:index], changed, *value[index + 1 :]]


@every_rule
def test_the_order_of_resources_and_elements_changes_nothing(rule: Rule) -> None:
    for example in (*rule.bad, *rule.good, *rule.unsure):
        whole = example.stack()
        expected = {v.resource.urn: v.outcome for v in verdicts(rule, whole, example.parameters)}
        turned = rebuilt(whole, whole.resources[0], whole.resources[0].raw_inputs, reverse=True)
        assert {v.resource.urn: v.outcome for v in verdicts(rule, turned, example.parameters)} == expected, describe(
            whole
        )
        for resource in whole.resources:
            keys = dict(reversed(list(resource.raw_inputs.items())))
            stack = rebuilt(whole, resource, keys)
            assert {v.resource.urn: v.outcome for v in verdicts(rule, stack, example.parameters)} == expected, describe(
                stack
            )


FILLINGS: tuple[Any, ...] = (
    "x",
    "public-read",
    "private",
    "0.0.0.0/0",
    "10.0.0.0/8",
    "*",
    "true",
    0,
    22,
    True,
    False,
    [],
    {},
    ["*"],
    ["0.0.0.0/0"],
    [{}],
    {"key": "value"},
    '{"Statement": []}',
)


@every_rule
def test_a_verdict_given_beside_a_hole_holds_for_whatever_fills_it(rule: Rule) -> None:
    """A property with an edge is left alone: what fills it is the neighbour's output, not anything."""
    for example in (*rule.bad, *rule.good):
        whole = example.stack()
        for resource in whole.resources:
            free = {key: part for key, part in resource.raw_inputs.items() if key not in resource.property_dependencies}
            bound = {key: part for key, part in resource.raw_inputs.items() if key not in free}
            for place, inputs in enumerate(list(with_replacement(free, UNKNOWN))):
                before = outcome(rule, rebuilt(whole, resource, {**bound, **inputs}), example.parameters)
                if before not in KNOWN_OR_NOT or (rule.literals and before is Outcome.PASS):
                    continue
                for filling in FILLINGS:
                    filled = next(itertools.islice(with_replacement(free, filling), place, None))
                    stack = rebuilt(whole, resource, {**bound, **filled})
                    assert outcome(rule, stack, example.parameters) in {before, Outcome.UNDETERMINED}, describe(stack)


# -- odd shapes ------------------------------------------------------------------------------------------------------

SPECIAL = st.sampled_from(
    [
        UNKNOWN,
        "[secret]",
        {SIGNATURE_KEY: SECRET, "value": UNKNOWN},
        {SIGNATURE_KEY: SECRET, "ciphertext": "AAAA"},
        {SIGNATURE_KEY: SECRET, "plaintext": '"text"'},
        {SIGNATURE_KEY: SECRET, "plaintext": "{not json"},
        {SIGNATURE_KEY: ASSET, "hash": "00"},
        {SIGNATURE_KEY: OUTPUT_VALUE},
        {SIGNATURE_KEY: OUTPUT_VALUE, "value": [], "secret": True},
        {SIGNATURE_KEY: 7},
        {"__defaults": []},
        "{}",
        '{"Statement": {"Effect": "Allow"}}',
        "[[[]]]",
        float("nan"),
        float("inf"),
        1e308,
        -1,
        "",
        "\x00",
    ]
)
JSON_SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers(-70000, 70000) | st.text(max_size=8) | SPECIAL,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=6), children, max_size=3),
    max_leaves=8,
)


@every_rule
def test_no_json_shape_in_any_property_crashes_the_rule(rule: Rule) -> None:
    places = [
        (example, resource.urn, place)
        for example in (*rule.bad, *rule.good)
        for resource in example.stack().resources
        for place in range(sum(1 for _ in with_replacement(resource.raw_inputs, None)))
    ]
    if not places:
        pytest.skip("no example has a property")

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(places), JSON_SHAPES)
    def put(place: tuple[Example, str, int], shape: Any) -> None:
        example, urn, number = place
        whole = example.stack()
        resource = whole.get(urn)
        assert resource is not None
        inputs = list(with_replacement(resource.raw_inputs, shape))[number]
        stack = rebuilt(whole, resource, inputs)
        for verdict in verdicts(rule, stack, example.parameters):
            assert not verdict.crash, (verdict.crash, describe(stack))

    put()


@every_rule
def test_a_resource_without_inputs_and_one_that_is_all_unknown_do_not_crash(rule: Rule) -> None:
    for token in types_of(rule):
        for inputs in ({}, {key: UNKNOWN for example in rule.bad for part in example.parts for key in part.inputs}):
            stack = Stack([Resource(f"urn:pulumi:dev::example::{token}::x", token, "x", copy.deepcopy(inputs))])
            example = rule.bad[0]
            assert outcome(rule, stack, example.parameters) is not Outcome.ERROR


def types_of(rule: Rule) -> set[str]:
    """Return the types that the rule judges; those of its examples when it tells them by a function."""
    if rule.applies is None:
        return set(rule.types)
    parts = [(part.type, example.parameters) for example in (*rule.bad, *rule.good) for part in example.parts]
    return {token for token, parameters in parts if rule.judges(token, parameters)}


# -- neighbours ------------------------------------------------------------------------------------------------------


@every_rule
def test_a_rule_names_the_neighbours_it_reads(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """The live door holds a verdict back for these types, so the list must be whole."""
    asked: set[str] = set()
    of_type = Stack.of_type

    def watched(self: Stack, *types: str) -> list[Resource]:
        asked.update(types)
        return of_type(self, *types)

    for example in (*rule.bad, *rule.good):
        subjects = rule.subjects(example.stack(), example.parameters)
        with monkeypatch.context() as patched:
            patched.setattr(Stack, "of_type", watched)
            for subject in subjects:
                judge(rule, subject, example.parameters)
    if not rule.over_stack:
        assert asked <= {*rule.neighbours, *rule.aggravated_by, *types_of(rule)}


@every_rule
def test_an_incomplete_stack_never_gives_a_verdict_that_the_complete_one_contradicts(rule: Rule) -> None:
    for example in (*rule.bad, *rule.good):
        whole = example.stack()
        expected = {v.resource.urn: v.outcome for v in verdicts(rule, whole, example.parameters)}
        for left_out in whole.resources:
            rest = [_copy(resource, resource.raw_inputs) for resource in whole.resources if resource is not left_out]
            partial = Stack(rest, unseen=1)
            for subject in rule.subjects(partial, example.parameters):
                found = judge(rule, subject, example.parameters).outcome
                assert found in {expected[subject.urn], Outcome.UNDETERMINED}, describe(partial)


def describe(stack: Stack) -> str:
    return json.dumps({resource.urn: resource.raw_inputs for resource in stack.resources}, default=str)[:2000]


def test_part_is_plain_data() -> None:
    assert Part("t", "n", {"a": 1}) == Part("t", "n", {"a": 1})
