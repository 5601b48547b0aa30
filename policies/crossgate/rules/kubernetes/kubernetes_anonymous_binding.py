"""Role binding for callers who do not sign in.

Why: the API server takes a request without credentials for the user ``system:anonymous`` in the group
``system:unauthenticated``. What a role is bound to there, everyone who reaches the API server may do, and most API
servers are on the internet.

The roles that Kubernetes itself opens to such callers pass: ``system:public-info-viewer``, with which health checks and
the version are read, and the one for the keys of service accounts' tokens. A binding for ``system:authenticated`` is
remarked on: on GKE that is everyone with a Google account.

Fix: bind the role to a service account, or to a user or group of your own. For health checks from outside, bind nothing
but ``system:public-info-viewer``.

Sources:
    https://kubernetes.io/docs/reference/access-authn-authz/authentication/#anonymous-requests
    https://kubernetes.io/docs/reference/access-authn-authz/rbac/#discovery-roles
    https://cloud.google.com/kubernetes-engine/docs/best-practices/rbac
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Note, Part, Severity, rule
from crossgate.rules.kubernetes import _rbac
from crossgate.rules.kubernetes._objects import every_form, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

ANONYMOUS: Final = ("system:anonymous", "system:unauthenticated")
SIGNED_IN: Final = "system:authenticated"
OPEN_ROLES: Final = (
    "system:public-info-viewer",
    "system:service-account-issuer-discovery",
    "kubeadm:bootstrap-signer-clusterinfo",
)
"""Roles that are there for callers without credentials."""
DEFAULT_ROLES: Final = (*OPEN_ROLES, "system:basic-user", "system:discovery")
"""Roles that are there for everyone who signs in."""


def _subject(name: Any, kind: str = "User") -> dict[str, Any]:
    return {"apiGroup": _rbac.GROUP, "kind": kind, "name": name}


def _binding(*subjects: Any, role: Any = "view", kind: str = "ClusterRoleBinding") -> Part:
    reference = {"apiGroup": _rbac.GROUP, "kind": "ClusterRole", "name": role}
    return Part(f"kubernetes:{_rbac.GROUP}/v1:{kind}", "open", {"roleRef": reference, "subjects": list(subjects)})


_NOBODY: Final = _subject("system:anonymous")
_UNSIGNED: Final = _subject("system:unauthenticated", "Group")


@rule(
    types=every_form(_rbac.tokens("ClusterRoleBinding", "RoleBinding")),
    severity=Severity.HIGH,
    undetermined="warn",
    frameworks=("CIS GKE 1.6 4.1.8", "CIS GKE 1.6 4.1.9"),
    equivalents=("trivy:AVD-KSV-0122",),
    bad=[
        _binding(_NOBODY, role="cluster-admin"),
        _binding(_UNSIGNED),
        _binding(UNKNOWN, _UNSIGNED),
        _binding(_subject("ada@example.com"), _NOBODY, kind="RoleBinding"),
        Part(f"kubernetes:{_rbac.GROUP}/v1:ClusterRoleBindingList", "all", {"items": [_binding(_NOBODY).inputs]}),
        Part(f"kubernetes:{_rbac.GROUP}/v1beta1:RoleBinding", "old", _binding(_UNSIGNED).inputs),
    ],
    good=[
        _binding(_subject("ada@example.com")),
        _binding({"kind": "ServiceAccount", "name": UNKNOWN, "namespace": "shop"}),
        _binding(_UNSIGNED, _subject(SIGNED_IN, "Group"), role="system:public-info-viewer"),
        _binding(_UNSIGNED, role="system:service-account-issuer-discovery"),
        _binding(_subject(SIGNED_IN, "Group")),
        _binding(),
    ],
    unsure=[
        _binding(_subject(UNKNOWN)),
        _binding(_NOBODY, role=UNKNOWN),
        _binding(UNKNOWN),
    ],
)
def kubernetes_anonymous_binding(resource: Resource) -> Iterator[Finding]:
    """Yield the subjects that are whoever sends no credentials."""
    for binding in objects(resource):
        role = binding["roleRef"]["name"]
        for subject in binding["subjects"].each():
            name = subject["name"]
            named = ~subject["kind"].equals("ServiceAccount")
            yield Finding(
                "everyone who reaches the API server has the role, without signing in",
                at=subject,
                when=named & name.is_in(ANONYMOUS) & ~role.is_in(OPEN_ROLES),
            )
            yield Note(
                "everyone who can sign in has the role; on GKE that is everyone with a Google account",
                at=subject,
                when=named & name.equals(SIGNED_IN) & ~role.is_in(DEFAULT_ROLES),
            )
