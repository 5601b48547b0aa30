"""Kubernetes objects as Pulumi resources: one by one, in a ``…List``, or as a ``…Patch``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crossgate import Resource, Value

NAMESPACE: Final = "kubernetes:core/v1:Namespace"
NAMESPACES: Final = (NAMESPACE, "kubernetes:core/v1:NamespaceList")
HELM_RELEASE: Final = "kubernetes:helm.sh/v3:Release"


def with_lists(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return ``tokens``, each with the type of a list of it."""
    return tuple(name for token in tokens for name in (token, f"{token}List"))


def objects(resource: Resource) -> Iterator[Value]:
    """Yield the objects that ``resource`` states: itself, or the items of a list."""
    if resource.token.endswith("List"):
        yield from resource["items"].each()
    else:
        yield resource.inputs
