"""Rules of roles: which of Kubernetes' own resources they name.

Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import any_of

if TYPE_CHECKING:
    from crossgate import Truth, Value

GROUP: Final = "rbac.authorization.k8s.io"
_VERSIONS: Final = ("v1", "v1beta1", "v1alpha1")
_CORE: Final = ("", "*")
_OWN_GROUPS: Final = ("apps", "autoscaling", "batch", "extensions", "policy")


def tokens(*kinds: str) -> tuple[str, ...]:
    """Return the types of ``kinds`` in every version of the API."""
    return tuple(f"kubernetes:{GROUP}/{version}:{kind}" for version in _VERSIONS for kind in kinds)


def covers_core(entry: Value) -> Truth:
    """Is the entry of a role about the core API group?"""
    return any_of(group.is_in(_CORE) for group in entry["apiGroups"].each())


def is_of_kubernetes(entry: Value) -> Truth:
    """Is it about a group of Kubernetes itself, and not of what runs on it?"""
    return any_of(group.test(_is_own) for group in entry["apiGroups"].each())


def _is_own(group: object) -> bool:
    return isinstance(group, str) and (group in _CORE or group in _OWN_GROUPS or group.endswith(".k8s.io"))
