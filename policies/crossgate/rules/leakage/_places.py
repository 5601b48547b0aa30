"""What may be a secret in a tree of values, and the findings about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import TRUE, Finding, Note, Value, truth, unknown
from crossgate.rules.leakage._detector import Found, find, looks_random

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Truth

_DEEPEST = 40
"""Levels of a tree that are walked; real configuration has a tenth of it."""


def leaves(value: Value, key: str = "", depth: int = 0) -> Iterator[tuple[str, Value]]:
    """Yield every value below ``value`` that is no list and no map, with the name it stands under.

    The name of a list's element is the list's own; that of a ``value`` beside a ``name`` is that name, as in the
    environment of a container.
    """
    if depth > _DEEPEST:
        return
    if value.is_list:
        for child in value.each():
            yield from leaves(child, key, depth + 1)
    elif value.is_map:
        name = value["name"]
        own = (name.text() or "") if name.is_text else ""
        for child_key, child in value.entries():
            yield from leaves(child, own if own and child_key == "value" else child_key, depth + 1)
    else:
        yield key, value


def in_clear(value: Value) -> Truth:
    """Is this a literal that everybody can read: known, and not marked secret?

    A value that is computed is no literal. Of a map, a list or a document that is computed as a whole it is not known
    what stands in it.
    """
    if value.secret or value.readable:
        return truth(not value.secret and value.is_text)
    is_part = value.exists().is_unknown or not value.is_unknown
    return unknown(value.gap) if is_part else truth(answer=False)


def document_in_clear(value: Value) -> Truth:
    """Is this a document in clear? One that is computed may still hold literals, so of it nothing is known."""
    if value.secret or value.readable:
        return truth(not value.secret and value.is_text)
    return unknown(value.gap)


def judged(key: str | None, value: Value, reach: str, when: Truth = TRUE) -> Iterator[Finding]:
    """Yield the finding about one value that stands under ``key``, if it holds a secret in clear.

    Args:
        key: the name it stands under, None when there is none.
        value: the value.
        reach: who can read it; ends the message.
        when: the condition under which it counts.

    """
    clear = in_clear(value)
    if clear.is_true:
        text = value.text() or ""
        found = find(key, text)
        if found:
            yield leak(found, value, text, reach, when)
        elif looks_random(key or "", text):
            yield Note("looks generated; if it is a secret, mark it and keep it elsewhere", at=value, leaks=(text,))
    elif clear.is_unknown:
        yield Finding(f"may hold a secret in clear; {reach}", at=value, when=clear & when)


def judged_pairs(element: Value, reach: str) -> Iterator[Finding]:
    """Yield the finding about an element that has a ``name`` and a ``value``, as containers' environments do."""
    name, value = element["name"], element["value"]
    if name.is_text:
        yield from judged(name.text(), value, reach)
    elif name.readable:
        yield from judged(None, value, reach)
    else:  # any name at all, also one that makes a secret of what stands there
        clear = in_clear(value)
        if clear.is_true and (found := find(None, value.text() or "")):
            yield leak(found, value, value.text() or "", reach)
        elif not clear.is_false:
            yield Finding(f"may hold a secret in clear; {reach}", at=value, when=unknown(name.gap))


def leak(found: tuple[Found, ...], at: Value, text: str, reach: str, when: Truth = TRUE) -> Finding:
    """Return the finding about the secrets ``found`` in ``text``, which stands at ``at``."""
    kinds = list(dict.fromkeys(each.kind for each in found))
    named = kinds[0] if len(kinds) == 1 else ", ".join(kinds[:-1]) + " and " + kinds[-1]
    whole = () if "\n" in text else (text,)
    return Finding(f"holds {named} in clear; {reach}", at=at, when=when, leaks=(*(each.text for each in found), *whole))
