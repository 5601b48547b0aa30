"""Workload whose pods no network policy selects.

Why: a pod that no policy selects accepts connections from every pod of the cluster and from outside, wherever a
service, a node or a load balancer leads to it. Policies select pods of their own namespace by the labels of the pod
template, so a policy of another namespace, or one for a label that only the workload carries, does not help.

What another stack may add is not seen: in a namespace that this stack does not create the answer is undetermined,
unless ``ownNamespaces`` names it. So is that for pods in the host's network, where policies have no defined effect,
and for a namespace with a Helm release.

Fix: deny by default in the namespace, or add a NetworkPolicy whose ``podSelector`` matches the template's labels, and
allow the peers the workload needs.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/network-policies/
    https://kubernetes.io/docs/concepts/services-networking/network-policies/#networkpolicy-and-hostnetwork-pods
    https://docs.cilium.io/en/latest/security/policy/intro/
    https://docs.tigera.io/calico/latest/reference/resources/globalnetworkpolicy
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Finding, Gap, Note, Part, Severity, ref, stack_rule, unknown
from crossgate.rules.kubernetes import _examples, _isolation, _namespaces, _policy
from crossgate.rules.kubernetes._objects import NAMESPACE
from crossgate.rules.kubernetes._pods import WORKLOADS, pods

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource
    from crossgate.rules.kubernetes._pods import Pod

HOST_NETWORK: Final = "runs in the host's network, where what a policy does is not defined"

_REACH: Final = {
    _policy.INGRESS: "they accept connections from everywhere",
    _policy.EGRESS: "they may connect to anywhere",
}
_SHOP: Final = _examples.namespace("shop")
_WEB: Final = _examples.deployment("shop", {"app": "web"})
_FOR_WEB: Final = {"podSelector": {"matchLabels": {"app": "web"}}}


@stack_rule(
    types=WORKLOADS,
    severity=Severity.MEDIUM,
    neighbours=_isolation.NEIGHBOURS,
    frameworks=("CIS Kubernetes 1.8 5.3.2",),
    equivalents={
        "checkov:CKV2_K8S_6": {"ownNamespaces": ["default"]},
        "kics:0401f71b-9c1e-4821-ab15-a955caa621be": {"ownNamespaces": ["default"]},
    },
    parameters={
        "directions": _examples.DIRECTIONS_SCHEMA,
        "systemNamespaces": _examples.SYSTEM_NAMESPACES_SCHEMA,
        "ownNamespaces": {
            "type": "array",
            "items": {"type": "string"},
            "default": [],
            "description": "namespaces that this stack owns without creating them: policies it does not declare "
            "there do not exist",
        },
    },
    bad=[
        [_WEB, _SHOP],
        [_examples.deployment(ref("shop"), {"app": "web"}), _SHOP],
        [_WEB, _SHOP, _examples.policy("shop", {"podSelector": {"matchLabels": {"app": "api"}}})],
        [_WEB, _SHOP, _examples.namespace("other"), _examples.policy("other", {"podSelector": {}})],
        [_WEB, _SHOP, _examples.clusterwide({"nodeSelector": {}, "ingress": [{}]})],
        [_examples.pod("shop", {"app": "web"}), _SHOP],
        [_examples.job("shop", {"app": "once"}), _SHOP],
        [_examples.cron_job("shop", {"app": "nightly"}), _SHOP],
        [
            Part(
                "kubernetes:apps/v1:StatefulSetList",
                "list",
                {"items": [{"metadata": {"namespace": "shop"}, "spec": {"template": {}}}]},
            ),
            _SHOP,
        ],
        Example([_examples.deployment(None, {"app": "web"})], {"ownNamespaces": ["default"]}),
        Example([_WEB, _SHOP, _examples.policy("shop", _FOR_WEB)], {"directions": ["egress"]}),
    ],
    good=[
        [_WEB, _SHOP, _examples.policy("shop", _FOR_WEB)],
        [_WEB, _SHOP, _examples.policy("shop", {"podSelector": {}})],
        [_examples.deployment(ref("shop"), {"app": "web"}), _SHOP, _examples.policy(ref("shop"), _FOR_WEB)],
        [_WEB, _examples.policy("shop", {"podSelector": {}})],
        [
            _WEB,
            _SHOP,
            _examples.policy(
                "shop",
                {
                    "podSelector": {
                        "matchExpressions": [
                            {"key": "app", "operator": "In", "values": ["web", "api"]},
                            {"key": "tier", "operator": "DoesNotExist"},
                        ]
                    }
                },
            ),
        ],
        [_WEB, _SHOP, _examples.policy("shop", {**_FOR_WEB, "ingress": [{}]})],
        [
            _WEB,
            _SHOP,
            _examples.cilium("shop", {"endpointSelector": {"matchLabels": {"k8s:app": "web"}}, "ingress": [{}]}),
        ],
        [_WEB, _SHOP, _examples.clusterwide({"endpointSelector": {}, "ingressDeny": [{"fromEntities": ["world"]}]})],
        [_WEB, _SHOP, _examples.calico("shop", {"selector": "app == 'web'"})],
        [_examples.cron_job("shop", {"app": "nightly"}), _SHOP, _examples.policy("shop", {"podSelector": {}})],
        [_examples.deployment("kube-system", {"app": "agent"})],
    ],
    unsure=[
        [_WEB],
        [_examples.deployment(None, {"app": "web"})],
        [_examples.deployment(UNKNOWN, {"app": "web"}), _SHOP],
        [_examples.deployment("shop", {"app": UNKNOWN}), _SHOP, _examples.policy("shop", _FOR_WEB)],
        [_examples.deployment("shop", {"app": "web"}, {"hostNetwork": True}), _SHOP],
        [
            _examples.deployment("shop", {"app": "web"}, {"hostNetwork": True}),
            _SHOP,
            _examples.policy("shop", {"podSelector": {}}),
        ],
        [_WEB, _SHOP, Part("kubernetes:helm.sh/v3:Release", "chart", {"namespace": "shop", "chart": "shop"})],
        [
            _examples.job("shop", {}),
            _SHOP,
            _examples.policy("shop", {"podSelector": {"matchLabels": {"job-name": "once"}}}),
        ],
        [_WEB, _SHOP, _examples.calico("shop", {"selector": "app == web"})],
        [_WEB, Part(NAMESPACE, "named-later", {"metadata": {"name": UNKNOWN}})],
    ],
)
def kubernetes_workload_without_network_policy(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the directions in which no policy isolates the pods of the workload."""
    for pod in pods(resource):
        yield from _open_directions(resource, pod, parameters)


def _open_directions(resource: Resource, pod: Pod, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    home = _namespaces.home_of(resource, pod.workload["metadata"]["namespace"])
    asked = ~home.is_in(tuple(parameters["systemNamespaces"]))
    if asked.is_false:
        return
    created = home.created(tuple(parameters["ownNamespaces"]))
    on_host = pod.uses_host_network
    place = pod.template["spec"]["hostNetwork"]
    yield Finding(
        "runs in the host's network",
        at=place,
        when=asked & on_host & unknown(Gap(resource.urn, place.path, HOST_NETWORK)),
    )
    isolation = _isolation.isolation_of(home)
    for direction in parameters["directions"]:
        covered = isolation.covers(pod, direction)
        yield Finding(
            f"no network policy selects its pods for {direction}: {_REACH[direction]}",
            at=pod.workload,
            when=asked & ~on_host & ~covered & created,
        )
        if covered.is_true:
            yield Note(
                f"a network policy that selects its pods opens {direction} to everyone",
                at=pod.workload,
                when=asked & isolation.lets_everyone_in(pod, direction),
            )
