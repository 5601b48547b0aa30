"""Values: plain, unknown, secret, opaque; navigation never fails and questions answer in three values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossgate import UNKNOWN, Resource, Stack, Value
from crossgate.truth import Undetermined
from crossgate.value import (
    ARCHIVE,
    ASSET,
    OUTPUT_VALUE,
    RESOURCE_REFERENCE,
    SECRET,
    SIGNATURE_KEY,
    UNKNOWNS,
    as_number,
    same,
)


def marked(value: Any) -> dict[str, Any]:
    return {SIGNATURE_KEY: SECRET, "value": value}


def test_the_sentinels_and_signatures_are_the_sdks_own() -> None:
    """Copies of public constants, written from Pulumi's source; the engine tests hold them against the real SDK."""
    assert len(UNKNOWNS) == 7
    assert UNKNOWN in UNKNOWNS


@pytest.mark.parametrize("sentinel", sorted(UNKNOWNS))
def test_every_sentinel_is_unknown_and_so_is_all_below_it(sentinel: str) -> None:
    value = Value({"a": sentinel})["a"]
    assert value.is_unknown
    assert value.exists().is_true, "the key answers presence"
    assert value["b"].exists().is_unknown
    assert value["b"][3]["c"].is_unknown
    assert value["b"].gap.path == "a", "the gap is where the unknown begins"
    assert value.equals("x").is_unknown
    for extract in (value.text, value.number, value.flag, value.plain):
        with pytest.raises(Undetermined):
            extract()


def test_present_yields_what_stands_under_the_keys_that_are_there() -> None:
    value = Value({"a": "x", "b": None, "c": UNKNOWN})
    found = list(value.present(("c", "z", "b")))
    assert [child.path for child in found] == ["c", "b"]
    assert found[0].is_unknown
    for other in ("a", ["a"], None, UNKNOWN, "[secret]"):
        assert not list(Value(other).present(("a",)))


def test_an_unknown_list_is_one_unknown_element_and_an_unknown_map_one_unknown_entry() -> None:
    value = Value(UNKNOWN)
    [element] = value.each()
    assert element.is_unknown
    [(key, entry)] = value.entries()
    assert key == "*"
    assert entry.is_unknown


def test_absent_null_and_empty_are_three_things() -> None:
    props = Value({"null": None, "empty": "", "list": []})
    assert props["none"].is_absent
    assert not props["null"].is_absent
    assert props["none"].exists().is_false
    assert props["null"].exists().is_false
    assert props["empty"].exists().is_true
    assert all(props[key].is_empty().is_true for key in ("none", "null", "empty", "list"))
    assert list(props["none"].each()) == list(props["null"].each()) == []


def test_the_defaults_key_of_bridged_providers_is_not_an_entry() -> None:
    props = Value({"tags": {"__defaults": [], "Owner": "a"}, "only": {"__defaults": []}})
    assert [key for key, _ in props["tags"].entries()] == ["Owner"]
    assert props["only"].is_empty().is_true
    assert props["tags"].plain() == {"Owner": "a"}


def test_a_value_that_is_not_a_list_counts_as_a_list_of_one() -> None:
    assert [each.text() for each in Value("a").each()] == ["a"]


@pytest.mark.parametrize(
    "raw",
    [
        marked("open"),
        {SIGNATURE_KEY: SECRET, "plaintext": json.dumps("open")},
        {SIGNATURE_KEY: OUTPUT_VALUE, "value": "open", "secret": True},
        marked(marked("open")),
    ],
)
def test_a_readable_secret_answers_questions_and_knows_that_it_is_marked(raw: Any) -> None:
    value = Value({"a": raw})["a"]
    assert value.secret
    assert value.equals("open").is_true
    assert not value.is_hidden


@pytest.mark.parametrize(
    "raw",
    [
        "[secret]",
        {SIGNATURE_KEY: SECRET, "ciphertext": "AAAB"},
        {SIGNATURE_KEY: SECRET, "plaintext": "{broken"},
        {SIGNATURE_KEY: SECRET},
    ],
)
def test_a_hidden_secret_is_marked_there_and_unreadable(raw: Any) -> None:
    value = Value({"a": raw})["a"]
    assert value.secret
    assert value.is_hidden
    assert value.exists().is_true
    assert value.equals("x").is_unknown
    assert "secret" in value.gap.why
    assert value["below"].secret


def test_the_mark_of_a_container_holds_for_what_is_in_it() -> None:
    value = Value(marked({"a": ["b"]}))
    assert value["a"][0].secret
    assert all(each.secret for each in value["a"].each())


def test_an_unknown_secret_is_unknown_and_marked() -> None:
    value = Value(marked(UNKNOWN))
    assert value.is_unknown
    assert value.secret


def test_an_output_value_without_a_value_is_unknown() -> None:
    assert Value({SIGNATURE_KEY: OUTPUT_VALUE, "dependencies": []}).is_unknown


@pytest.mark.parametrize("signature", [ASSET, ARCHIVE, RESOURCE_REFERENCE])
def test_assets_archives_and_references_are_there_and_nothing_else(signature: str) -> None:
    value = Value({"a": {SIGNATURE_KEY: signature, "hash": "00", "urn": "urn:x"}})["a"]
    assert value.is_opaque
    assert value.exists().is_true
    assert value.text() is None
    assert value.equals("00").is_false
    assert value["hash"].is_absent


def test_a_signature_that_nobody_knows_is_a_gap_not_a_pass() -> None:
    value = Value({SIGNATURE_KEY: "ffff", "value": "x"})
    assert value.equals("x").is_unknown
    assert "encoding" in value.gap.why


def test_json_text_and_object_are_one_document() -> None:
    for raw in ('{"a": [1]}', {"a": [1]}):
        document = Value({"policy": raw})["policy"].json()
        assert document["a"][0].number() == 1
        assert document["a"][0].path == "policy.a[0]"


@pytest.mark.parametrize("text", ["{", "", "not json", '{"a": NaN}', "[-Infinity]", "[" * 100_000, "x" * 5_000_000])
def test_text_that_is_no_json_is_a_gap(text: str) -> None:
    document = Value({"policy": text})["policy"].json()
    assert document["a"].equals("b").is_unknown
    assert document.gap.why == "not valid JSON"
    assert document.gap.path == "policy"


def test_an_unknown_or_hidden_document_stays_what_it_is() -> None:
    assert Value(UNKNOWN).json().is_unknown
    assert Value("[secret]").json().is_hidden
    assert Value(marked('{"a": 1}')).json()["a"].secret


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (22, 22),
        (22.0, 22),
        ("22", 22),
        (" 22 ", 22),
        ("x", None),
        (True, None),
        (None, None),
        ("nan", None),
        ([], None),
    ],
)
def test_numbers_may_stand_as_text_and_arrive_as_floats(content: Any, expected: Any) -> None:
    number = as_number(content)
    assert number == expected or (expected is None and (number is None or number != number))  # noqa: PLR0124 - NaN


def test_sameness_keeps_kinds_apart() -> None:
    assert same(22.0, 22)
    assert same("22", 22)
    assert same("true", expected=True)
    assert not same(1, expected=True)
    assert not same(True, 1)
    assert not same(22, "22")


def test_switches_know_their_default() -> None:
    props = Value({"on": True, "text": "true", "off": False})
    assert props["on"].is_true().is_true
    assert props["text"].is_true().is_true
    assert props["off"].is_true().is_false
    assert props["none"].is_true(absent=True).is_true
    assert props["none"].is_false(absent=True).is_true
    assert props["none"].flag(absent=True)


def test_paths_are_written_as_the_field_writes_them() -> None:
    value = Value({"a": [{"b.c": {"d": 1}}]})["a"][0]["b.c"]["d"]
    assert value.path == 'a[0]["b.c"].d'
    assert value.property_name == "a"


def test_a_value_refuses_to_be_a_bool_and_never_shows_its_content() -> None:
    value = Value({"a": "hidden-content"})["a"]
    with pytest.raises(TypeError):
        bool(value)
    assert "hidden-content" not in repr(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from([*UNKNOWNS]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.just(SIGNATURE_KEY), inner),
    max_leaves=10,
)


@given(JSON, st.lists(st.text(max_size=4) | st.integers(-3, 3), max_size=4))
def test_navigation_and_questions_never_fail(raw: Any, path: list[Any]) -> None:
    value = Value(raw)
    for key in path:
        value = value[key]
    for part in (value, value.json()):
        for answer in (
            part.exists(),
            part.is_empty(),
            part.equals("x"),
            part.equals(1),
            part.is_true(),
            part.is_false(),
        ):
            assert answer.is_true + answer.is_false + answer.is_unknown == 1
        list(part.each())
        list(part.entries())
        assert isinstance(part.path, str)


def test_provenance_excuses_an_unknown_only_when_every_origin_is_visible() -> None:
    vpc = Resource("urn:pulumi:d::p::aws:ec2/vpc:Vpc::v", "aws:ec2/vpc:Vpc", "v")
    group = Resource(
        "urn:pulumi:d::p::aws:ec2/securityGroup:SecurityGroup::g",
        "aws:ec2/securityGroup:SecurityGroup",
        "g",
        {"ingress": [{"cidrBlocks": [UNKNOWN]}]},
        property_dependencies={"ingress": [vpc.urn]},
    )

    def answer() -> str:
        cidr = group["ingress"][0]["cidrBlocks"][0]
        found = cidr.test(lambda text: text == "0.0.0.0/0", never_from=("aws:ec2/vpc:Vpc",))
        return "no" if found.is_false else "unknown" if found.is_unknown else "yes"

    Stack([group])
    assert answer() == "unknown"
    Stack([group, vpc])
    assert answer() == "no"
    vpc.stack.add(Resource("urn:pulumi:d::p::random:x::r", "random:x", "r"))
    group.property_dependencies = {"ingress": [vpc.urn, "urn:pulumi:d::p::random:x::r"]}
    assert answer() == "unknown"
