"""Network policy that opens every pod of its namespace to everyone.

Why: policies add up, so one that selects all pods and allows all peers on all ports undoes every default deny beside
it, whatever it is called. Often it is a mistake: in a NetworkPolicy ``ingress: [{}]`` allows everyone, where
``ingress: []`` was meant, which allows nobody.

Fix: leave the rules out to deny. To publish one workload, select its pods by label and name the port. To let the pods
of the namespace talk to each other, allow ``from: [{podSelector: {}}]``.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/network-policies/#default-policies
    https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1/
    https://docs.cilium.io/en/latest/security/policy/layer3/
    https://docs.tigera.io/calico/latest/reference/resources/networkpolicy
    https://network-policy-api.sigs.k8s.io/api-overview/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Finding, Severity, rule
from crossgate.rules.kubernetes import _examples, _isolation
from crossgate.rules.kubernetes._objects import objects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource

_ALL_PODS: Final = {"podSelector": {}, "policyTypes": ["Ingress"]}


@rule(
    types=_isolation.READ,
    severity=Severity.MEDIUM,
    equivalents={"trivy:AVD-KSV-0038": {"directions": ["ingress", "egress"]}},
    parameters={"directions": _examples.DIRECTIONS_SCHEMA},
    bad=[
        {"spec": {**_ALL_PODS, "ingress": [{}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"from": [{"podSelector": {"matchLabels": {"a": "b"}}}]}, {}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"from": [{"ipBlock": {"cidr": "::/0"}}]}]}},
        {
            "spec": {
                **_ALL_PODS,
                "ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/1"}}, {"ipBlock": {"cidr": "128.0.0.0/1"}}]}],
            }
        },
        {"spec": {**_ALL_PODS, "ingress": [{"ports": [{"protocol": "TCP"}]}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"ports": [{"port": 1, "endPort": 65535}]}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"from": [{"namespaceSelector": {}, "podSelector": {}}]}]}},
        _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{"fromEntities": ["world"]}]}),
        _examples.cilium(
            "shop", {"endpointSelector": {}, "ingress": [{"toPorts": [{"ports": [{"port": "0", "protocol": "ANY"}]}]}]}
        ),
        _examples.clusterwide({"endpointSelector": {}, "ingress": [{"fromEndpoints": [{}]}]}),
        {"spec": {"ingress": [{"from": [{}]}]}},
        Example([_examples.policy("shop", {"podSelector": {}, "egress": [{}]})], {"directions": ["egress"]}),
    ],
    good=[
        {"spec": _ALL_PODS},
        {"spec": {**_ALL_PODS, "ingress": []}},
        {"spec": {"podSelector": {}, "policyTypes": ["Egress"], "ingress": [{}]}},
        {"spec": {"podSelector": {"matchLabels": {"app": "web"}}, "ingress": [{}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"from": [{"podSelector": {}}]}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"ports": [{"port": 443}]}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"ports": [{"protocol": "UDP"}]}]}},
        _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{}]}),
        _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{"fromEndpoints": [{}]}]}),
        _examples.cilium(
            "shop",
            {
                "endpointSelector": {},
                "ingress": [{"fromEntities": ["world"]}],
                "ingressDeny": [{"fromEntities": ["world"]}],
            },
        ),
        _examples.calico("shop", {"ingress": [{"action": "Deny"}, {"action": "Allow"}]}),
        _examples.admin({"namespaces": {"matchLabels": {"team": "web"}}}, "Allow"),
        _examples.admin({"namespaces": {}}, "Deny"),
    ],
    unsure=[
        {"spec": {**_ALL_PODS, "ingress": UNKNOWN}},
        {"spec": {**_ALL_PODS, "ingress": [{"from": UNKNOWN}]}},
        {"spec": {"podSelector": UNKNOWN, "ingress": [{}]}},
        {"spec": {**_ALL_PODS, "ingress": [{"from": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": UNKNOWN}}]}]}},
    ],
)
def kubernetes_network_policy_open_to_everyone(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the directions that the policy opens to everyone for every pod."""
    for manifest in objects(resource):
        for policy in _isolation.policies_of(resource, manifest):
            for_all = policy.selects_everything
            if for_all.is_false:
                continue
            for direction in parameters["directions"]:
                open_to = policy.opens(direction).without(policy.bars(direction))
                yield Finding(
                    f"opens {direction} of every pod to everyone, whatever other policies deny",
                    at=policy.spec[direction],
                    when=for_all & open_to.anyone,
                )
