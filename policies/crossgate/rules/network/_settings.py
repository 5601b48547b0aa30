"""Reads a property by its path, through every element of the lists that lie on the way."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Value

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
