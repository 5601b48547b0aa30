"""Namespace in which network traffic is not denied by default.

Why: without a policy that selects every pod, a pod that no other policy selects accepts connections from every pod of
the cluster and, through a node or a load balancer, from outside. One compromised pod then reaches them all, and so it
is with each new pod until somebody remembers to write a policy for it.

The effect counts, not a policy's name: in a NetworkPolicy ``ingress: []`` denies and ``ingress: [{}]`` allows everyone,
in a CiliumNetworkPolicy ``[{}]`` denies and ``[]`` does nothing. Policies add up, so one that selects every pod and
opens the direction to everyone takes a default deny back. Cluster-wide policies of Cilium and Calico count, and so
does a Deny for everyone of a ClusterNetworkPolicy. Whether the cluster's network plugin enforces policies is not seen
here. What a Helm release brings is not seen either: where nothing else denies, the answer is then undetermined.

Fix: add a NetworkPolicy with ``podSelector: {}`` and ``policyTypes: [Ingress]`` and no rules to the namespace, then
allow what each workload needs in policies of its own. Ask for egress too by the parameter ``directions`` once DNS and
the like are allowed.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/network-policies/#default-policies
    https://docs.cilium.io/en/latest/security/policy/layer3/
    https://docs.cilium.io/en/latest/security/policy/intro/
    https://docs.tigera.io/calico/latest/network-policy/get-started/kubernetes-default-deny
    https://network-policy-api.sigs.k8s.io/api-overview/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Finding, Part, Severity, ref, stack_rule
from crossgate.rules.kubernetes import _examples, _isolation, _namespaces, _policy
from crossgate.rules.kubernetes._objects import NAMESPACE, NAMESPACES, objects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource

_REACH: Final = {
    _policy.INGRESS: "a pod that no other policy selects accepts connections from everywhere",
    _policy.EGRESS: "a pod that no other policy selects may connect to anywhere",
}
_SHOP: Final = _examples.namespace("shop")
_DENY: Final = {"podSelector": {}, "policyTypes": ["Ingress"]}
_CILIUM_DENY: Final[dict[str, Any]] = {"endpointSelector": {}, "ingress": [{}]}
_EVERYONE: Final[dict[str, Any]] = {"podSelector": {}, "ingress": [{}]}
_ANY_ADDRESS: Final = {"ipBlock": {"cidr": "0.0.0.0/0"}}


@stack_rule(
    types=NAMESPACES,
    severity=Severity.MEDIUM,
    neighbours=_isolation.NEIGHBOURS,
    frameworks=("CIS Kubernetes 1.8 5.3.2",),
    parameters={
        "directions": _examples.DIRECTIONS_SCHEMA,
        "systemNamespaces": _examples.SYSTEM_NAMESPACES_SCHEMA,
    },
    bad=[
        [_SHOP],
        [Part(NAMESPACE, "autonamed", {})],
        [_SHOP, _examples.policy("shop", {"podSelector": {"matchLabels": {"app": "web"}}})],
        [_SHOP, _examples.policy("other", _DENY)],
        [_SHOP, _examples.policy(None, _DENY)],
        [_SHOP, _examples.policy("shop", _EVERYONE)],
        [_SHOP, _examples.policy("shop", _DENY), _examples.policy("shop", _EVERYONE, "allow")],
        [_SHOP, _examples.policy("shop", {"podSelector": {}, "ingress": [{"from": [{"namespaceSelector": {}}]}]})],
        [_SHOP, _examples.policy("shop", {"podSelector": {}, "ingress": [{"from": [_ANY_ADDRESS]}]})],
        [_SHOP, _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{"fromEntities": ["all"]}]})],
        [_SHOP, _examples.cilium("shop", {"endpointSelector": {}, "egress": [{}]})],
        [_SHOP, _examples.cilium("shop", {**_CILIUM_DENY, "enableDefaultDeny": {"ingress": False}})],
        [_SHOP, _examples.clusterwide({"nodeSelector": {}, "ingress": [{}]})],
        [_SHOP, _examples.calico_global({"selector": "all()", "egress": [{"action": "Deny"}]})],
        Example([_SHOP, _examples.policy("shop", {"podSelector": {}})], {"directions": ["ingress", "egress"]}),
    ],
    good=[
        [Part(NAMESPACE, "system", {"metadata": {"name": "kube-system"}})],
        [_SHOP, _examples.policy("shop", _DENY)],
        [_SHOP, _examples.policy(ref("shop"), _DENY)],
        [Part(NAMESPACE, "autonamed", {}), _examples.policy(ref("autonamed"), {"podSelector": {}})],
        [_SHOP, _examples.policy("shop", {**_DENY, "ingress": []})],
        [_SHOP, _examples.policy("shop", {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]})],
        [_SHOP, _examples.policy("shop", {"podSelector": {}, "ingress": [{"from": [{"podSelector": {}}]}]})],
        [_SHOP, _examples.policy("shop", {"podSelector": {}, "ingress": [{"ports": [{"port": 8080}]}]})],
        [
            _SHOP,
            _examples.policy("shop", _DENY),
            _examples.policy("shop", {"podSelector": {"matchLabels": {"app": "web"}}, "ingress": [{}]}, "web"),
        ],
        [_SHOP, _examples.cilium("shop", _CILIUM_DENY)],
        [_SHOP, _examples.cilium("shop", {"endpointSelector": {}, "ingress": [{"fromEndpoints": [{}]}]})],
        [_SHOP, _examples.cilium("shop", None, [_CILIUM_DENY])],
        [
            _SHOP,
            _examples.clusterwide(
                {
                    "endpointSelector": {
                        "matchExpressions": [
                            {"key": "k8s:io.kubernetes.pod.namespace", "operator": "NotIn", "values": ["kube-system"]}
                        ]
                    },
                    "ingress": [{}],
                }
            ),
        ],
        [_SHOP, _examples.calico_global({"selector": "projectcalico.org/namespace != 'kube-system'"})],
        [_SHOP, _examples.admin({"namespaces": {}}, "Deny")],
        Example([Part(NAMESPACE, "own", {"metadata": {"name": "infra"}})], {"systemNamespaces": ["infra"]}),
        Example([_SHOP, _examples.policy("shop", {"podSelector": {}, "egress": []})], {"directions": ["ingress"]}),
    ],
    unsure=[
        [_SHOP, _examples.policy(UNKNOWN, _DENY)],
        [_SHOP, _examples.policy("shop", UNKNOWN)],
        [_SHOP, _examples.policy("shop", {"podSelector": UNKNOWN, "policyTypes": ["Ingress"]})],
        [_SHOP, _examples.policy("shop", {"podSelector": {}, "policyTypes": ["Egress", UNKNOWN]})],
        [_SHOP, _examples.policy("shop", {**_DENY, "ingress": [{"from": UNKNOWN}]})],
        [
            _SHOP,
            Part(
                "kubernetes:networking.k8s.io/v1:NetworkPolicyPatch",
                "patch",
                {"metadata": {"namespace": "shop", "name": "deny"}, "spec": {"podSelector": {}}},
            ),
        ],
        [_SHOP, Part("kubernetes:helm.sh/v3:Release", "chart", {"namespace": "shop", "chart": "shop"})],
        [_SHOP, _examples.calico_global({"tier": "security", "types": ["Ingress"]})],
    ],
)
def kubernetes_namespace_without_default_deny(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the directions in which pods of the namespace are not cut off by default, or are opened again."""
    for manifest in objects(resource):
        home = _namespaces.home_of_namespace(resource, manifest)
        asked = ~home.is_in(tuple(parameters["systemNamespaces"]))
        if asked.is_false:
            continue
        isolation = _isolation.isolation_of(home)
        for direction in parameters["directions"]:
            isolated, given_back = isolation.by_default(direction), isolation.given_back(direction)
            yield Finding(
                f"no policy denies {direction} by default: {_REACH[direction]}",
                at=manifest,
                when=asked & ~isolated,
            )
            yield Finding(
                f"a policy that selects every pod opens {direction} to everyone, which leaves no default deny",
                at=manifest,
                when=asked & given_back,
            )
