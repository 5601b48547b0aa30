"""Network policy that lets any address in.

Why: the pods that the policy selects accept connections from the whole internet wherever a load balancer, a node or a
routable pod network leads to them. A policy is there to name who may come.

What counts is one rule on its own, whichever pods the policy selects and whatever ports the rule names: ``0.0.0.0/0``,
``::/0``, two halves of them, all of it but the private ranges, a rule without peers, the entity ``world`` of Cilium.

Fix: name the peers: ``podSelector`` and ``namespaceSelector`` of what calls, such as the ingress controller, or an
``ipBlock`` with the addresses of the load balancer or of the office.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/network-policies/
    https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1/
    https://docs.cilium.io/en/latest/security/policy/layer3/
    https://docs.tigera.io/calico/latest/reference/resources/networkpolicy
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.kubernetes import _examples, _isolation
from crossgate.rules.kubernetes._any_address import open_rules
from crossgate.rules.kubernetes._policy import INGRESS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_WEB: Final[dict[str, Any]] = {"podSelector": {"matchLabels": {"app": "web"}}, "policyTypes": ["Ingress"]}
_PORT: Final = [{"port": 8443, "protocol": "TCP"}]


def _block(*cidrs: str, left_out: Any = None) -> list[Any]:
    return [{"ipBlock": {"cidr": cidr, **({"except": left_out} if left_out else {})}} for cidr in cidrs]


_OLD: Final = Part(
    "kubernetes:extensions/v1beta1:NetworkPolicy", "old", {"spec": {**_WEB, "ingress": [{"from": _block("::/0")}]}}
)


@rule(
    types=_isolation.ADMITTING,
    severity=Severity.MEDIUM,
    equivalents=("trivy:AVD-KUBE-0001",),
    bad=[
        {"spec": {**_WEB, "ingress": [{"from": _block("0.0.0.0/0"), "ports": _PORT}]}},
        {"spec": {**_WEB, "ingress": [{"from": _block("0.0.0.0/1", "128.0.0.0/1")}]}},
        {"spec": {**_WEB, "ingress": [{"from": _block("10.0.0.0/8", "::/0")}]}},
        {"spec": {**_WEB, "ingress": [{"from": _block("10.0.0.0/8")}, {}]}},
        Part(
            "kubernetes:extensions/v1beta1:NetworkPolicy",
            "old",
            {"spec": {**_WEB, "ingress": [{"from": _block("::/0")}]}},
        ),
        _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{"fromEntities": ["world"]}]}),
        _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{"fromCIDR": ["0.0.0.0/0"]}]}),
        _examples.clusterwide({"endpointSelector": {}, "ingress": [{"toPorts": [{"ports": [{"port": "443"}]}]}]}),
        Part(
            "kubernetes:networking.k8s.io/v1:NetworkPolicyPatch",
            "patch",
            {"spec": {**_WEB, "ingress": [{"from": _block("0.0.0.0/0")}]}},
        ),
    ],
    good=[
        {"spec": {**_WEB, "ingress": [{"from": _block("10.0.0.0/16", left_out=["10.0.0.0/24"]), "ports": _PORT}]}},
        {"spec": {**_WEB, "ingress": []}},
        {"spec": {**_WEB, "ingress": [{"from": _block("0.0.0.0/1")}]}},
        {"spec": {**_WEB, "ingress": [{"from": [{"namespaceSelector": {}}]}]}},
        {"spec": {"podSelector": {}, "policyTypes": ["Egress"], "ingress": [{}]}},
        _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{}]}),
        _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{"fromEntities": ["cluster"]}]}),
        _examples.calico("shop", {"types": ["Ingress"], "ingress": [{"action": "Deny"}, {"action": "Allow"}]}),
        _examples.calico("shop", {"ingress": [{"action": "Allow", "source": {"nets": ["10.0.0.0/8"]}}]}),
    ],
    unsure=[
        {"spec": {**_WEB, "ingress": UNKNOWN}},
        {"spec": {**_WEB, "ingress": [{"from": [{"ipBlock": {"cidr": UNKNOWN}}]}]}},
        Part("kubernetes:networking.k8s.io/v1:NetworkPolicyPatch", "patch", {"spec": {"podSelector": {}}}),
    ],
)
def kubernetes_network_policy_ingress_from_anywhere(resource: Resource) -> Iterator[Finding]:
    """Yield the ingress rules that let any address through."""
    yield from open_rules(resource, INGRESS, "lets any address in, the whole internet included")
