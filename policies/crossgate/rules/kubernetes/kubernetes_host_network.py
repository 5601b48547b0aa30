"""Pods in the host's network.

Why: such a pod has the addresses and the interfaces of its node. It reaches what listens on the node's loopback, the
kubelet and the cloud's metadata service among it, can watch the traffic of other pods, and network policies do not hold
for it. The Pod Security Standards forbid it from their ``baseline`` level on.

Of a patch only what it states is judged: where it leaves ``hostNetwork`` out, the answer is undetermined.

Fix: leave ``hostNetwork`` out, and publish the port through a Service. Where a network plugin or a node's own agent
needs it, keep that one in a namespace of its own and exempt it by name.

Sources:
    https://kubernetes.io/docs/concepts/security/pod-security-standards
    https://kubernetes.io/docs/concepts/services-networking/network-policies/#networkpolicy-and-hostnetwork-pods
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.kubernetes import _examples
from crossgate.rules.kubernetes._objects import left_out
from crossgate.rules.kubernetes._pods import STATING_PODS, pods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_CONTAINERS: Final = [{"name": "web", "image": "registry.example/web:1"}]
_SHARED: Final[dict[str, Any]] = {"hostNetwork": True, "containers": _CONTAINERS}


def _old(token: str, spec: object) -> Part:
    return Part(token, "old", {"metadata": {"name": "old"}, "spec": spec})


@rule(
    types=STATING_PODS,
    severity=Severity.HIGH,
    undetermined="warn",
    frameworks=("CIS Kubernetes 1.8 5.2.5",),
    equivalents=(
        "checkov:CKV_K8S_19",
        "trivy:AVD-KSV-0009",
        "kics:6b6bdfb3-c3ae-44cb-88e4-7405c1ba2c8a",
        "kics:ac1564a3-c324-4747-9fa1-9dfc234dace0",
    ),
    bad=[
        {"spec": _SHARED},
        _examples.deployment("shop", {"app": "web"}, {"hostNetwork": True}),
        _old("kubernetes:extensions/v1beta1:DaemonSet", {"template": {"spec": _SHARED}}),
        _old("kubernetes:batch/v1beta1:CronJob", {"jobTemplate": {"spec": {"template": {"spec": _SHARED}}}}),
        _old("kubernetes:apps/v1:DeploymentPatch", {"template": {"spec": {"hostNetwork": True}}}),
        _old("kubernetes:argoproj.io/v1alpha1:Rollout", {"template": {"spec": _SHARED}}),
        Part("kubernetes:core/v1:PodList", "list", {"items": [{"spec": {"containers": []}}, {"spec": _SHARED}]}),
        Part("kubernetes:core/v1:PodTemplate", "lent", {"template": {"spec": _SHARED}}),
    ],
    good=[
        {"spec": {"hostNetwork": False, "containers": _CONTAINERS}},
        {"spec": {"hostPID": True, "containers": _CONTAINERS}},
        _examples.deployment("shop", {"app": "web"}),
        _examples.cron_job("shop", {"app": "nightly"}),
        _old("kubernetes:apps/v1:DeploymentPatch", {"template": {"spec": {"hostNetwork": False}}}),
    ],
    unsure=[
        {"spec": {"hostNetwork": UNKNOWN}},
        {"spec": UNKNOWN},
        _old("kubernetes:apps/v1:DeploymentPatch", {"replicas": 3}),
        Part("kubernetes:core/v1:PodList", "list", {"items": UNKNOWN}),
    ],
)
def kubernetes_host_network(resource: Resource) -> Iterator[Finding]:
    """Yield the pod templates that ask for the network of the node."""
    for pod in pods(resource):
        place = pod.template["spec"]["hostNetwork"]
        yield Finding(
            "runs in the host's network: it has the node's addresses, and network policies do not hold for it",
            at=place,
            when=pod.uses_host_network | left_out(resource, place),
        )
