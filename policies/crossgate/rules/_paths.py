"""Paths into a resource's inputs, through lists, maps and documents in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crossgate import Resource, Value


def values_at(value: Value, path: Sequence[str]) -> Iterator[Value]:
    """Yield the values at ``path`` below ``value``, those that are set or may be.

    Args:
        value: where the path begins.
        path: keys. ``*`` stands for each element of a list, or each entry of a map; a key that ends in ``()`` holds a
            JSON document, as text or as an object.

    """
    for index, key in enumerate(path):
        if key == "*":
            for child in _children(value):
                yield from values_at(child, path[index + 1 :])
            return
        value = value[key[:-2]].json() if key.endswith("()") else value[key]
        if value.exists().is_false and value.readable:
            return
    yield value


def _children(value: Value) -> Iterator[Value]:
    if value.is_map:
        for _, child in value.entries():
            yield child
    else:
        yield from value.each()


def at_paths(resource: Resource, paths: Sequence[Sequence[str]]) -> Iterator[Value]:
    """Yield the values at all of ``paths`` in the inputs of ``resource``."""
    for path in paths:
        yield from values_at(resource.inputs, path)


def split_paths(table: dict[str, str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return a table of paths with each written as keys: ``{"t": "a.b c"}`` is ``{"t": (("a", "b"), ("c",))}``."""
    return {token: tuple(tuple(path.split(".")) for path in paths.split()) for token, paths in table.items()}
