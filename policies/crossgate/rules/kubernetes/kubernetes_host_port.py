"""Container that takes a port of its node.

Why: the port is open on the node's own address, so whoever reaches the node reaches the container, past Services and
their source ranges. It also ties the pod to nodes where the port is free. The Pod Security Standards forbid it from
their ``baseline`` level on.

Fix: leave ``hostPort`` out, and publish ``containerPort`` through a Service. For a look from one's own machine there is
``kubectl port-forward``.

Sources:
    https://kubernetes.io/docs/concepts/security/pod-security-standards
    https://kubernetes.io/docs/concepts/configuration/overview/#services
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules.kubernetes._objects import left_out
from crossgate.rules.kubernetes._pods import STATING_PODS, pods
from crossgate.value import as_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_LISTS: Final = ("containers", "initContainers", "ephemeralContainers")


def _spec(*ports: Any, kind: str = "containers") -> dict[str, Any]:
    return {kind: [{"name": "web", "image": "registry.example/web:1", "ports": list(ports)}]}


@rule(
    types=STATING_PODS,
    severity=Severity.MEDIUM,
    frameworks=("CIS Kubernetes 1.8 5.2.13",),
    equivalents=("checkov:CKV_K8S_26", "trivy:AVD-KSV-0024"),
    bad=[
        {"spec": _spec({"containerPort": 8080, "hostPort": 8080})},
        {"spec": _spec({"containerPort": 80}, {"containerPort": 443, "hostPort": "443"})},
        {"spec": _spec({"containerPort": 80, "hostPort": 80}, kind="initContainers")},
        Part(
            "kubernetes:extensions/v1beta1:DaemonSet",
            "agent",
            {"spec": {"template": {"spec": _spec({"containerPort": 9100, "hostPort": 9100})}}},
        ),
        Part(
            "kubernetes:apps/v1:DaemonSetPatch",
            "patch",
            {"spec": {"template": {"spec": _spec({"containerPort": 9100, "hostPort": 9100})}}},
        ),
    ],
    good=[
        {"spec": _spec({"containerPort": 8080})},
        {"spec": _spec({"containerPort": 8080, "hostPort": 0})},
        {"spec": {"containers": [{"name": "web"}]}},
    ],
    unsure=[
        {"spec": _spec({"containerPort": 8080, "hostPort": UNKNOWN})},
        {"spec": _spec(UNKNOWN)},
        {"spec": {"containers": UNKNOWN}},
        Part("kubernetes:apps/v1:DaemonSetPatch", "patch", {"metadata": {"labels": {"team": "web"}}}),
    ],
)
def kubernetes_host_port(resource: Resource) -> Iterator[Finding]:
    """Yield each port that is taken on the node."""
    for pod in pods(resource):
        spec = pod.template["spec"]
        for port in (port for kind in _LISTS for one in spec[kind].each() for port in one["ports"].each()):
            taken = port["hostPort"].test(lambda number: as_number(number) not in (None, 0))
            yield Finding(
                "takes a port of the node: whoever reaches the node reaches the container",
                at=port["hostPort"],
                when=taken,
            )
        unstated = any_of(left_out(resource, spec[kind]) for kind in _LISTS)
        yield Finding("may take a port of the node", at=spec, when=unstated)
