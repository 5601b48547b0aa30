"""Role that may change how a cluster's network leads.

Why: who may write Services, endpoints or Ingresses can send the requests of others to a pod of their own, and who may
write network policies can open what they close. Few workloads need it; those that do are controllers.

It counts what a role names. One with wildcards may do this among all else, which is another question.

Fix: leave ``services``, ``endpoints``, ``endpointslices``, ``ingresses`` and ``networkpolicies`` to ``get``, ``list``
and ``watch``, or exempt the role of a controller by name.

Sources:
    https://kubernetes.io/docs/concepts/security/rbac-good-practices/
    https://kubernetes.io/docs/reference/access-authn-authz/rbac/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules.kubernetes import _rbac
from crossgate.rules.kubernetes._objects import every_form, left_out, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_RESOURCES: Final = ("services", "endpoints", "endpointslices", "networkpolicies", "ingresses")
_CHANGES: Final = ("create", "update", "patch", "delete", "deletecollection", "impersonate", "*")


def _role(resources: Any, verbs: Any, groups: Any = ("",)) -> dict[str, Any]:
    return {"rules": [{"apiGroups": list(groups), "resources": resources, "verbs": verbs}]}


@rule(
    types=every_form(_rbac.tokens("ClusterRole", "Role")),
    severity=Severity.LOW,
    equivalents=("trivy:AVD-KSV-0056",),
    bad=[
        _role(["services"], ["create"]),
        _role(["networkpolicies"], ["get", "patch"], ["networking.k8s.io"]),
        _role(["pods", "endpoints"], ["*"], ["*"]),
        Part(f"kubernetes:{_rbac.GROUP}/v1:RolePatch", "patch", _role(["ingresses"], ["delete"], ["extensions"])),
    ],
    good=[
        _role(["services", "endpoints"], ["get", "list", "watch"]),
        _role(["pods"], ["create", "delete"]),
        _role(["services"], ["*"], ["serving.knative.dev"]),
        {"rules": []},
    ],
    unsure=[
        _role(["services"], [UNKNOWN]),
        {"rules": UNKNOWN},
        Part(f"kubernetes:{_rbac.GROUP}/v1:RolePatch", "patch", {"metadata": {"labels": {"team": "web"}}}),
    ],
)
def kubernetes_role_changes_network(resource: Resource) -> Iterator[Finding]:
    """Yield the entries that name resources of the network with verbs that change them."""
    for role in objects(resource):
        yield Finding("may change the cluster's network", at=role, when=left_out(resource, role["rules"]))
        for entry in role["rules"].each():
            named = any_of(each.is_in(_RESOURCES) for each in entry["resources"].each())
            changes = any_of(verb.is_in(_CHANGES) for verb in entry["verbs"].each())
            yield Finding(
                "may change Services, endpoints, Ingresses or network policies: whose requests go where",
                at=entry,
                when=_rbac.is_of_kubernetes(entry) & named & changes,
            )
