"""Pod security policy that admits pods in the host's network.

Why: whoever may use the policy can start a pod that has the addresses of its node, sees the traffic of other pods and
is not held by network policies. Pod security policies are served by clusters before Kubernetes 1.25.

Fix: leave ``hostNetwork`` out of the policy. On newer clusters label the namespace with
``pod-security.kubernetes.io/enforce: baseline``.

Sources:
    https://kubernetes.io/docs/concepts/security/pod-security-policy/
    https://kubernetes.io/docs/concepts/security/pod-security-standards
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.kubernetes._objects import every_form, left_out, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=every_form(
        ("kubernetes:policy/v1beta1:PodSecurityPolicy", "kubernetes:extensions/v1beta1:PodSecurityPolicy")
    ),
    severity=Severity.MEDIUM,
    frameworks=("CIS Kubernetes 1.8 5.2.5",),
    equivalents=(
        "checkov:CKV_K8S_4",
        "kics:4950837c-0ce5-4e42-9bee-a25eae73740b",
        "kics:a33e9173-b674-4dfb-9d82-cf3754816e4b",
    ),
    bad=[
        {"spec": {"privileged": False, "hostNetwork": True}},
        Part("kubernetes:extensions/v1beta1:PodSecurityPolicy", "old", {"spec": {"hostNetwork": True}}),
    ],
    good=[{"spec": {"privileged": False, "hostNetwork": False}}, {"spec": {"privileged": False}}],
    unsure=[
        {"spec": {"hostNetwork": UNKNOWN}},
        Part("kubernetes:policy/v1beta1:PodSecurityPolicyPatch", "patch", {"spec": {"privileged": False}}),
    ],
)
def kubernetes_pod_security_policy_host_network(resource: Resource) -> Iterator[Finding]:
    """Yield the policies that admit pods in the network of the node."""
    for manifest in objects(resource):
        place = manifest["spec"]["hostNetwork"]
        yield Finding(
            "admits pods in the host's network, for which network policies do not hold",
            at=place,
            when=place.is_true() | left_out(resource, place),
        )
