"""Label selectors of Kubernetes: ``matchLabels`` and ``matchExpressions``, where parts may not be known.

Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from crossgate import FALSE, Value, all_of, any_of, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Truth

Labels: TypeAlias = Callable[[str], Value | None]
"""The label with a key: absent where there is none, None where it differs between those that are asked about."""


def matches(selector: Value, labels: Labels) -> Truth:
    """Does ``selector`` match? Where ``labels`` stand for many objects: does it match every one of them?

    A selector without requirements, or that is not there, matches everything.
    """
    return all_of(_requirements(selector, labels))


def everything(selector: Value) -> Truth:
    """Does ``selector`` match whatever there is?"""
    return matches(selector, _differs)


def _differs(_key: str) -> None:
    return None


def _requirements(selector: Value, labels: Labels) -> Iterator[Truth]:
    exact = selector["matchLabels"]
    if not exact.readable:
        yield unknown(exact.gap)
    else:
        for key, expected in exact.entries():
            label = labels(key)
            yield FALSE if label is None else equals(label, expected)
    for expression in selector["matchExpressions"].each():
        yield _expression(expression, labels)


def equals(label: Value, expected: Value) -> Truth:
    """Is the label there, with this value?"""
    if not expected.readable:
        return label.exists() & unknown(expected.gap)
    content = expected.text() if expected.is_text else None
    return label.test(lambda text: content is not None and text == content)


def _expression(expression: Value, labels: Labels) -> Truth:
    key, operator = expression["key"], expression["operator"]
    if not key.readable:
        return unknown(key.gap)
    label = labels(key.text() or "" if key.is_text else "")
    if label is None:
        return FALSE
    if not operator.readable:
        return unknown(operator.gap)
    name = operator.text() if operator.is_text else None
    if name == "Exists":
        return label.exists()
    if name == "DoesNotExist":
        return ~label.exists()
    listed = any_of(equals(label, value) for value in expression["values"].each())
    if name == "In":
        return listed
    if name == "NotIn":
        return ~listed
    return unknown(operator.gap._replace(why="not an operator of a label selector"))
