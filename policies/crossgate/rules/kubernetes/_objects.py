"""Kubernetes objects as Pulumi resources: one by one, in a ``…List``, or as a ``…Patch``.

Source: https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, Gap, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crossgate import Resource, Truth, Value

NAMESPACE: Final = "kubernetes:core/v1:Namespace"
NAMESPACES: Final = (NAMESPACE, "kubernetes:core/v1:NamespaceList")
IN_A_PATCH: Final = "patches an object of which the rest is not shown"
HELM_RELEASE: Final = "kubernetes:helm.sh/v3:Release"


def with_lists(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return ``tokens``, each with the type of a list of it."""
    return tuple(name for token in tokens for name in (token, f"{token}List"))


def every_form(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return ``tokens``, each with the types of a list of it and of a patch of it."""
    return tuple(name for token in tokens for name in (token, f"{token}List", f"{token}Patch"))


def kind_of(resource: Resource) -> str:
    """Return the type of the objects that ``resource`` states, be it a list of them or a patch."""
    return resource.token.removesuffix("List").removesuffix("Patch")


def left_out(resource: Resource, value: Value) -> Truth:
    """Is ``value`` something that a patch does not state, so that the patched object may hold anything there?

    Unknown then, and false otherwise: what a whole object leaves out has the API's default.
    """
    if resource.token.endswith("Patch") and value.is_absent:
        return unknown(Gap(resource.urn, "", IN_A_PATCH))
    return FALSE


def objects(resource: Resource) -> Iterator[Value]:
    """Yield the objects that ``resource`` states: itself, or the items of a list."""
    if resource.token.endswith("List"):
        yield from resource["items"].each()
    else:
        yield resource.inputs
