"""Who an IAM member, binding or policy of Google Cloud lets in, in every resource that has one of the three."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from crossgate import unknown
from crossgate.rules.public import _leaf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crossgate import Resource, Truth, Value

EVERYONE: Final = {"allusers": "anyone", "allauthenticatedusers": "anyone with a Google account"}
"""The members and ACL entities that mean everyone, in lower case."""
NOT_A_POLICY: Final = "not a policy document"
NAMED_MEMBERS: Final = (
    "gcp:serviceaccount/account:Account",
    "gcp:organizations/project:Project",
    "gcp:projects/serviceIdentity:ServiceIdentity",
    "gcp:iam/workloadIdentityPool:WorkloadIdentityPool",
)
"""Resources whose outputs make a member of one account or pool, never everyone."""

Grant = tuple["Value", "Truth", str, "Value"]
"""Where it stands, whether it is to everyone, the words for it, and the role."""

_KIND: Final = re.compile(r"(?:gcp:.*I[aA][mM]|google-native:.*Iam)(Member|Binding|Policy)$")


@lru_cache(maxsize=4096)
def kind(token: str) -> str:
    """Return ``Member``, ``Binding`` or ``Policy`` for a type that grants roles on a resource; empty for any other."""
    found = _KIND.match(token) if token.startswith("g") else None
    return found[1] if found is not None else ""


def grants(resource: Resource) -> Iterator[Grant]:
    """Yield every grant of an IAM member, binding or policy resource."""
    shape = kind(resource.token)
    if shape == "Member":
        yield everyone(resource["member"], role=resource["role"])
    elif shape == "Binding":
        for member in resource["members"].each():
            yield everyone(member, role=resource["role"])
    elif shape == "Policy":
        yield from _policy(resource)


def _policy(resource: Resource) -> Iterator[Grant]:
    document = resource.inputs if resource.token.startswith("google-native:") else resource["policyData"].json()
    if document.readable and document.exists().is_true and not document.is_map:
        doubt = unknown(document.gap._replace(why=NOT_A_POLICY))
        yield document, doubt, "everyone, or so it may be", document["role"]
    for binding in document["bindings"].each():
        for member in binding["members"].each():
            yield everyone(member, role=binding["role"])


def everyone(member: Value, named: Callable[[str], str] = str, *, role: Value) -> Grant:
    """Ask a member, or what is ``named`` in a text, whether it means everyone.

    An unknown member that is made from a service account alone means that one.
    """
    is_everyone = _leaf.test(
        member,
        lambda content: isinstance(content, str) and named(content).lower() in EVERYONE,
        never_from=NAMED_MEMBERS,
    )
    if not is_everyone.is_true:
        return member, is_everyone, "everyone, or so it may be", role
    name = named(member.text() or "")
    return member, is_everyone, f"{name}: {EVERYONE[name.lower()]} has access", role
