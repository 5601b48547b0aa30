"""No secret survives in any text, in no encoding; and nothing else is taken out."""

from __future__ import annotations

import base64
import html
import json
import string
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossgate import Finding, Resource, Severity, Stack, rule
from crossgate.judge import judge
from crossgate.redact import Redactor, holds_marks
from crossgate.value import OUTPUT_VALUE, SECRET, SIGNATURE_KEY

WORD = "hunter" + "2-Tr0ub4dor"


def marked(value: Any) -> dict[str, Any]:
    return {SIGNATURE_KEY: SECRET, "value": value}


def resource(inputs: Any, outputs: Any = None) -> Resource:
    return Resource("urn:pulumi:dev::p::t:t:T::one", "t:t:T", "one", inputs, outputs=outputs)


def redactor(inputs: Any, outputs: Any = None) -> Redactor:
    return Redactor(Stack([resource(inputs, outputs)]))


# -- what is a secret ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inputs",
    [
        {"a": marked(WORD)},
        {"a": [{"b": marked({"c": ["x", {"d": WORD}]})}]},
        {"a": marked({"c": {SIGNATURE_KEY: OUTPUT_VALUE, "value": WORD}})},
        {"a": {SIGNATURE_KEY: OUTPUT_VALUE, "secret": True, "value": {"b": WORD}}},
        {"a": {SIGNATURE_KEY: SECRET, "plaintext": json.dumps({"b": WORD})}},
        {"settings": json.dumps({"a": marked(WORD)})},
        {"a": marked(f"first line\n  {WORD}  \nlast line")},
        {"a": marked(f"  {WORD}\n")},
    ],
)
def test_the_texts_of_marked_values_are_secrets(inputs: Any) -> None:
    assert redactor(inputs)(f"found {WORD}.") == "found [secret]."
    assert redactor({}, inputs)(f"found {WORD}.") == "found [secret]."


@pytest.mark.parametrize("number", [12345678, 12345678.0, 1234.5678])
def test_a_marked_number_is_a_secret_as_it_is_written(number: float) -> None:
    assert redactor({"pin": marked(number)})(f"is {number}, {json.dumps(number)}") == "is [secret], [secret]"
    assert redactor({"pin": marked(12345678.0)})("is 12345678") == "is [secret]"


@pytest.mark.parametrize(
    "inputs",
    [
        {"a": WORD},
        {"a": {SIGNATURE_KEY: SECRET, "ciphertext": WORD}},
        {"a": {SIGNATURE_KEY: SECRET, "plaintext": WORD + " is no JSON"}},
        {"a": {SIGNATURE_KEY: OUTPUT_VALUE, "value": WORD}},
        {"a": "[secret]", "b": marked("[secret]"), "c": marked(None), "d": marked(True)},
        {"settings": SIGNATURE_KEY + " is no JSON"},
        {},
        None,
    ],
)
def test_what_is_not_marked_or_not_readable_is_left_alone(inputs: Any) -> None:
    redact = redactor(inputs)
    text = f"{WORD} and [secret] and True"
    assert redact(text) == text
    assert not redact.masked


def test_what_a_finding_names_is_a_secret() -> None:
    def leaky(subject: Resource) -> Iterator[Finding]:
        yield Finding("in clear", at=subject["a"], leaks=(WORD,))

    verdict = judge(rule(types=("t:t:T",), severity=Severity.HIGH)(leaky), resource({"a": WORD}))
    assert Redactor(verdicts=[verdict])(f"a: {WORD}") == "a: [secret]"
    later = Redactor()
    assert later(f"a: {WORD}") == f"a: {WORD}"
    later.learn_leaks([verdict])
    assert later(f"a: {WORD}") == "a: [secret]"


def test_secrets_that_come_later_count_from_then_on() -> None:
    redact = Redactor()
    assert redact(WORD) == WORD
    redact.learn(resource({"a": marked(WORD)}))
    assert redact(WORD) == "[secret]"
    redact.keep(["of the configuration"])
    assert redact("it is of the configuration") == "it is [secret]"


# -- how much work ---------------------------------------------------------------------------------------------------


def test_a_stack_is_walked_when_a_text_comes_and_once_only(monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[Resource] = []
    learn = Redactor.learn

    def watched(self: Redactor, subject: Resource) -> None:
        walks.append(subject)
        learn(self, subject)

    monkeypatch.setattr(Redactor, "learn", watched)
    redact = Redactor(Stack([resource({"a": marked(WORD)})]))
    assert not walks
    assert redact(WORD) == redact(WORD) == "[secret]"
    assert len(walks) == 1
    unmarked = Redactor(Stack([resource({"a": WORD})]), marks=False)
    assert unmarked(WORD) == WORD
    assert len(walks) == 1


@pytest.mark.parametrize("wrap", [str, str.encode])
def test_a_file_without_the_mark_has_no_marked_value(wrap: Any) -> None:
    assert not holds_marks(wrap(json.dumps({"a": WORD, "b": "[secret]"})))
    assert holds_marks(wrap(json.dumps({"a": marked(WORD)})))
    assert holds_marks(wrap(json.dumps({"a": {SIGNATURE_KEY: OUTPUT_VALUE, "secret": True, "value": WORD}})))


# -- tokens ----------------------------------------------------------------------------------------------------------


def test_a_word_that_contains_a_secret_is_left_alone() -> None:
    redact = redactor({"a": marked("superset")})
    assert redact("supersets, asuperset, superset1, ésuperset") == "supersets, asuperset, superset1, ésuperset"
    assert not redact.masked
    assert redact("superset, my-superset_2, a/superset/b, (superset)") == (
        "[secret], my-[secret]_2, a/[secret]/b, ([secret])"
    )
    assert redact.masked


def test_a_secret_of_less_than_six_characters_is_not_looked_for() -> None:
    assert redactor({"a": marked("short"), "b": marked("longer")})("short longer") == "short [secret]"


def test_overlapping_secrets_leave_nothing_of_either() -> None:
    redact = redactor({"a": marked("abc def ghi"), "b": marked("def ghi jkl")})
    assert redact("x abc def ghi jkl x") == "x [secret] x"


def test_the_mask_itself_is_never_masked() -> None:
    redact = redactor({"a": marked("secret"), "b": marked("other-word")})
    once = redact("a [secret], a secret and other-word")
    assert once == "a [secret], a [secret] and [secret]"
    assert redact(once) == once


@pytest.mark.parametrize("before", ["\\n", "\\t", "\\u00e9", "%20", "%0A", "\x1b[31m", "\x1b[1;31m"])
def test_an_escape_before_a_secret_is_no_letter_of_it(before: str) -> None:
    assert redactor({"a": marked(WORD)})(f"x{before}{WORD}") == f"x{before}[secret]"


def test_base64_is_masked_as_a_whole() -> None:
    redact = redactor({"a": marked(WORD)})
    encoded = base64.b64encode(f"user:{WORD}@host".encode()).decode()
    assert redact(f"Authorization: Basic {encoded}, next") == "Authorization: Basic [secret], next"


# -- no secret survives ----------------------------------------------------------------------------------------------

SECRETS = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("\n\t\"'\\&<>%+/= ü漢"), min_size=6, max_size=40
).filter(lambda text: len(text.strip()) >= 6 and text.strip() not in "[secret]")
SEPARATORS = st.sampled_from(["", " ", ": ", '"', "'", "\n", "/", "=", "(", ", ", "- ", "\t", "|", " is ", "; see: "])
PADDING = st.binary(max_size=5)

ENCODERS = {
    "plain": lambda text: text,
    "json": json.dumps,
    "json, not ASCII": lambda text: json.dumps(text, ensure_ascii=False),
    "json in json": lambda text: json.dumps(json.dumps([text])),
    "url": quote,
    "url, all": lambda text: quote(text, safe=""),
    "form": quote_plus,
    "html": html.escape,
    "xml": escape,
}


@settings(max_examples=400, deadline=None)
@given(SECRETS, SEPARATORS, SEPARATORS, st.sampled_from(sorted(ENCODERS)))
def test_no_secret_survives_in_any_text(secret: str, before: str, after: str, encoder: str) -> None:
    token = ENCODERS[encoder](secret)
    redact = redactor({"a": marked(secret)})
    text = redact(f"{before}{token}{after}")
    assert redact.masked
    assert token.strip('"') not in text.replace("[secret]", "")
    assert secret not in text.replace("[secret]", "")


@settings(max_examples=300, deadline=None)
@given(SECRETS, PADDING, PADDING, SEPARATORS, st.booleans())
def test_no_secret_survives_in_base64(secret: str, head: bytes, tail: bytes, around: str, url_safe: bool) -> None:
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    token = encode(head + secret.encode() + tail).decode()
    text = redactor({"a": marked(secret)})(f"{around}{token}{around}")
    assert token not in text
    assert not (set(text.replace("[secret]", "")) - set(around))


@settings(max_examples=200, deadline=None)
@given(st.lists(SECRETS, min_size=2, max_size=5, unique=True), st.sampled_from(["\n", "\r\n"]))
def test_no_line_of_a_secret_survives(lines: list[str], newline: str) -> None:
    redact = redactor({"a": marked(newline.join(lines))})
    for line in lines:
        for piece in line.splitlines():
            if len(piece.strip()) >= 6 and piece.strip() not in "[secret]":
                assert piece.strip() not in redact(f"line: {piece.strip()}.").replace("[secret]", "")


@settings(max_examples=200, deadline=None)
@given(SECRETS, st.text(string.ascii_letters + string.digits + " .,:/-_\n", max_size=80))
def test_a_text_without_the_secret_stays_as_it_is(secret: str, text: str) -> None:
    redact = redactor({"a": marked("q" * 7 + secret + "q" * 7)})
    assert redact(text) == text
    assert not redact.masked


@settings(max_examples=200, deadline=None)
@given(st.lists(SECRETS, min_size=1, max_size=4), st.data())
def test_redacting_twice_changes_nothing_more(secrets: list[str], data: st.DataObject) -> None:
    redact = redactor({"a": marked(secrets)})
    pieces = data.draw(st.lists(st.sampled_from([*secrets, " ", "word", "[secret]", '"']), max_size=8))
    once = redact("".join(pieces))
    assert redact(once) == once


# -- what is remembered ----------------------------------------------------------------------------------------------

SHORT_LINES = "ab\ncd\nef\ngh"


def test_a_line_that_was_clean_is_looked_at_again_before_another_next_line() -> None:
    redact = redactor({"a": marked(SHORT_LINES)})
    assert redact("x ab\nxx\nef") == "x ab\nxx\nef"
    assert redact(f"x {SHORT_LINES}\nxx") == "x [secret]\nxx"


PIECES = st.sampled_from(["ab", "cd", "ef", "gh", "\n", "\n", " ", "-", SHORT_LINES])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(PIECES, min_size=2, max_size=8).map("".join), min_size=2, max_size=6))
def test_what_was_filtered_before_makes_no_difference(texts: list[str]) -> None:
    secrets = {"a": marked(SHORT_LINES), "b": marked("abcdefg"), "c": marked("cd ef gh")}
    redact = redactor(secrets)
    assert [redact(text) for text in texts] == [redactor(secrets)(text) for text in texts]


def test_a_secret_that_comes_later_is_found_in_a_line_that_was_clean() -> None:
    redact = redactor({"a": marked("some-other-secret")})
    assert redact(f"one {WORD}") == f"one {WORD}"
    redact.learn(resource({"a": marked(WORD)}))
    assert redact(f"one {WORD}") == "one [secret]"
