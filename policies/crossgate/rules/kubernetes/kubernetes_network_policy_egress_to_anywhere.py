"""Network policy that lets pods connect to any address.

Why: a pod that may connect to any address can send what it holds to anyone, and fetch what an intruder wants to run.
Most workloads speak to a few services and to DNS.

What counts is one rule on its own, whichever pods the policy selects and whatever ports the rule names: ``0.0.0.0/0``,
``::/0``, two halves of them, all of it but the private ranges, a rule without peers, the entity ``world`` of Cilium.

Fix: name the peers: the pods and namespaces that are called, an ``ipBlock`` of the service outside, or in Cilium
``toFQDNs`` with its host names.

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
from crossgate.rules.kubernetes._policy import EGRESS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_WEB: Final[dict[str, Any]] = {"podSelector": {"matchLabels": {"app": "web"}}, "policyTypes": ["Egress"]}
_PORT: Final = [{"port": 8443, "protocol": "TCP"}]


def _block(*cidrs: str, left_out: Any = None) -> list[Any]:
    return [{"ipBlock": {"cidr": cidr, **({"except": left_out} if left_out else {})}} for cidr in cidrs]


_OLD: Final = Part(
    "kubernetes:extensions/v1beta1:NetworkPolicy", "old", {"spec": {**_WEB, "egress": [{"to": _block("::/0")}]}}
)


@rule(
    types=_isolation.ADMITTING,
    severity=Severity.LOW,
    equivalents=("trivy:AVD-KUBE-0002",),
    bad=[
        {"spec": {**_WEB, "egress": [{"to": _block("0.0.0.0/0"), "ports": _PORT}]}},
        {"spec": {**_WEB, "egress": [{"to": _block("0.0.0.0/1", "128.0.0.0/1")}]}},
        {"spec": {**_WEB, "egress": [{"to": _block("10.0.0.0/8", "::/0")}]}},
        {"spec": {**_WEB, "egress": [{"to": _block("10.0.0.0/8")}, {}]}},
        Part(
            "kubernetes:extensions/v1beta1:NetworkPolicy", "old", {"spec": {**_WEB, "egress": [{"to": _block("::/0")}]}}
        ),
        _examples.cilium("shop", {"endpointSelector": {}, "egress": [{"toEntities": ["world"]}]}),
        _examples.cilium("shop", {"endpointSelector": {}, "egress": [{"toCIDR": ["0.0.0.0/0"]}]}),
        _examples.clusterwide({"endpointSelector": {}, "egress": [{"toPorts": [{"ports": [{"port": "443"}]}]}]}),
        Part(
            "kubernetes:networking.k8s.io/v1:NetworkPolicyPatch",
            "patch",
            {"spec": {**_WEB, "egress": [{"to": _block("0.0.0.0/0")}]}},
        ),
    ],
    good=[
        {"spec": {**_WEB, "egress": [{"to": _block("10.0.0.0/16", left_out=["10.0.0.0/24"]), "ports": _PORT}]}},
        {"spec": {**_WEB, "egress": []}},
        {"spec": {**_WEB, "egress": [{"to": _block("0.0.0.0/1")}]}},
        {"spec": {**_WEB, "egress": [{"to": [{"namespaceSelector": {}}]}]}},
        {"spec": {"podSelector": {}, "policyTypes": ["Ingress"], "egress": [{}]}},
        _examples.cilium("shop", {"endpointSelector": {}, "egress": [{}]}),
        _examples.cilium("shop", {"endpointSelector": {}, "egress": [{"toEntities": ["cluster"]}]}),
        _examples.calico("shop", {"types": ["Egress"], "egress": [{"action": "Deny"}, {"action": "Allow"}]}),
        _examples.calico("shop", {"egress": [{"action": "Allow", "destination": {"nets": ["10.0.0.0/8"]}}]}),
    ],
    unsure=[
        {"spec": {**_WEB, "egress": UNKNOWN}},
        {"spec": {**_WEB, "egress": [{"to": [{"ipBlock": {"cidr": UNKNOWN}}]}]}},
        Part("kubernetes:networking.k8s.io/v1:NetworkPolicyPatch", "patch", {"spec": {"podSelector": {}}}),
    ],
)
def kubernetes_network_policy_egress_to_anywhere(resource: Resource) -> Iterator[Finding]:
    """Yield the egress rules that let any address through."""
    yield from open_rules(resource, EGRESS, "lets pods connect to any address, the whole internet included")
