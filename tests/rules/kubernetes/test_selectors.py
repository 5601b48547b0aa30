"""Label selectors and Calico's selector expressions, where labels and requirements may not be known."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossgate import UNKNOWN, Truth, Value
from crossgate.rules.kubernetes import _calico_selector
from crossgate.rules.kubernetes._selectors import everything, matches

LABELS = {"app": "web", "tier": "front", "unsure": UNKNOWN}


def state(answer: Truth) -> str:
    return "unknown" if answer.is_unknown else "yes" if answer.is_true else "no"


def label(key: str) -> Value:
    return Value(LABELS)[key]


def expression(key: Any, operator: Any, *values: Any) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ({}, "yes"),
        (None, "yes"),
        ({"matchLabels": {}}, "yes"),
        ({"matchExpressions": []}, "yes"),
        ({"matchLabels": {"app": "web"}}, "yes"),
        ({"matchLabels": {"app": "web", "tier": "front"}}, "yes"),
        ({"matchLabels": {"app": "web", "tier": "back"}}, "no"),
        ({"matchLabels": {"app": "api"}}, "no"),
        ({"matchLabels": {"absent": "x"}}, "no"),
        ({"matchLabels": {"app": UNKNOWN}}, "unknown"),
        ({"matchLabels": {"absent": UNKNOWN}}, "no"),
        ({"matchLabels": {"unsure": "x"}}, "unknown"),
        ({"matchLabels": {"unsure": "x", "app": "api"}}, "no"),
        ({"matchLabels": UNKNOWN}, "unknown"),
        ({"matchLabels": UNKNOWN, "matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]}, "no"),
        (UNKNOWN, "unknown"),
        (expression("app", "In", "api", "web"), "yes"),
        (expression("app", "In", "api"), "no"),
        (expression("app", "In"), "no"),
        (expression("absent", "In", "x"), "no"),
        (expression("app", "In", "api", UNKNOWN), "unknown"),
        (expression("app", "In", "web", UNKNOWN), "yes"),
        (expression("app", "NotIn", "api"), "yes"),
        (expression("app", "NotIn", "web", UNKNOWN), "no"),
        (expression("absent", "NotIn", "x"), "yes"),
        (expression("absent", "NotIn", UNKNOWN), "yes"),
        (expression("app", "Exists"), "yes"),
        (expression("unsure", "Exists"), "yes"),
        (expression("absent", "Exists"), "no"),
        (expression("absent", "DoesNotExist"), "yes"),
        (expression("app", "DoesNotExist"), "no"),
        (expression("app", UNKNOWN, "web"), "unknown"),
        (expression(UNKNOWN, "Exists"), "unknown"),
        (expression("app", "Equals", "web"), "unknown"),
        ({"matchLabels": {"app": "web"}, **expression("tier", "Exists")}, "yes"),
        ({"matchLabels": {"app": "web"}, **expression("tier", "DoesNotExist")}, "no"),
    ],
)
def test_whether_a_selector_matches(selector: Any, expected: str) -> None:
    assert state(matches(Value({"selector": selector})["selector"], label)) == expected


def test_a_selector_of_everything_asks_for_nothing() -> None:
    answers = [state(everything(Value(selector))) for selector in ({}, {"matchLabels": {"a": "b"}}, UNKNOWN)]
    assert answers == ["yes", "no", "unknown"]
    assert state(everything(Value(expression("a", "DoesNotExist")))) == "no"


def calico(text: str) -> str:
    return state(_calico_selector.judge(_calico_selector.parse(text), label))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "yes"),
        ("all()", "yes"),
        ("!all()", "no"),
        ("global()", "no"),
        ("app == 'web'", "yes"),
        ('app == "web"', "yes"),
        ("app=='api'", "no"),
        ("app != 'api'", "yes"),
        ("absent != 'x'", "yes"),
        ("absent == 'x'", "no"),
        ("has(app)", "yes"),
        ("!has(app)", "no"),
        ("!has(absent)", "yes"),
        ("app in { 'api', 'web' }", "yes"),
        ("app in {}", "no"),
        ("app not in {'api'}", "yes"),
        ("absent not in {'api'}", "yes"),
        ("app contains 'e'", "yes"),
        ("app starts with 'w'", "yes"),
        ("app ends with 'w'", "no"),
        ("app == 'web' && tier == 'front'", "yes"),
        ("app == 'web' && tier == 'back'", "no"),
        ("app == 'api' || tier == 'front'", "yes"),
        ("app == 'api' || app == 'web' && tier == 'back'", "no"),
        ("(app == 'api' || app == 'web') && tier == 'front'", "yes"),
        ("!(app == 'api' || tier == 'front')", "no"),
        ("!(app == 'api' && tier == 'front')", "yes"),
        ("!!has(app)", "yes"),
        ("unsure == 'x'", "unknown"),
        ("unsure == 'x' && app == 'api'", "no"),
        ("unsure == 'x' || app == 'web'", "yes"),
        ("has(unsure)", "yes"),
        ("has == 'x'", "no"),
    ],
)
def test_a_calico_selector(text: str, expected: str) -> None:
    assert calico(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "app == web",
        "app = 'web'",
        "app ==",
        "app",
        "has(",
        "has('app')",
        "(app == 'web'",
        "app == 'web')",
        "app == 'web' tier == 'x'",
        "app in 'web'",
        "app in {'a' 'b'}",
        "app not {'a'}",
        "&& app == 'web'",
        "app == 'web",
        "(" * 5000 + "all()",
        "all() || " * 5000,
    ],
)
def test_what_is_no_selector_is_not_understood(text: str) -> None:
    with pytest.raises(_calico_selector.NotUnderstood):
        _calico_selector.parse(text)


@given(st.text(alphabet="ab'\"(){}!=&|,. \n\x00has", max_size=30))
def test_no_text_breaks_the_parser(text: str) -> None:
    with contextlib.suppress(_calico_selector.NotUnderstood):
        calico(text)
