"""Reads settings: a property by its path, through the lists that lie on the way, and a word in whatever case."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crossgate import Resource, Truth, Value

EACH: Final = "[]"


@lru_cache(maxsize=512)
def _steps(path: str) -> tuple[tuple[str, bool], ...]:
    return tuple((step.removesuffix(EACH), step.endswith(EACH)) for step in path.split("."))


def values(resource: Resource, path: str) -> Iterator[Value]:
    """Yield what stands at ``path``, such as ``networkInterfaces[].associatePublicIpAddress``.

    A step that ends in ``[]`` goes through every element. Where a property is not there, the value is absent; an
    absent list has no elements, and so yields nothing.
    """
    found = [resource.inputs]
    for name, through in _steps(path):
        found = [value[name] for value in found]
        if through:
            found = [item for value in found for item in value.each()]
    yield from found


def follow(resource: Resource, path: Iterable[str]) -> Value:
    """Return what stands at ``path``, some keys, in the inputs; absent where a property is not there."""
    value = resource.inputs
    for key in path:
        value = value[key]
    return value


def says(value: Value, word: str, *, absent: bool = False) -> Truth:
    """Is the value this word, in whatever case? The APIs of Azure and Google Cloud do not tell the cases apart."""
    words = (word, "") if absent else (word,)
    return value.test(lambda content: isinstance(content, str) and content.lower() in words, absent=absent)
