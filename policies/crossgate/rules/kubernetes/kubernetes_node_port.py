"""Service that opens a port on every node.

Why: a Service of type ``NodePort`` answers on the addresses of all nodes, those that run none of its pods among them.
Who may come is then up to the firewall of the nodes, which nobody thinks of when the Service is written, and source
ranges do not count.

Fix: use ``ClusterIP``, and publish through an Ingress, a Gateway or a load balancer. With load balancers that need node
ports, exempt the Service by name.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/service/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.kubernetes._objects import left_out, objects
from crossgate.rules.kubernetes._services import SERVICES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=SERVICES,
    severity=Severity.LOW,
    equivalents=("kics:845acfbe-3e10-4b8e-b656-3b404d36dfb2", "kics:5c281bf8-d9bb-47f2-b909-3f6bb11874ad"),
    bad=[
        {"spec": {"type": "NodePort", "ports": [{"port": 80}]}},
        Part("kubernetes:core/v1:ServiceList", "list", {"items": [{"spec": {"type": "NodePort"}}]}),
        Part("kubernetes:core/v1:ServicePatch", "patch", {"spec": {"type": "NodePort"}}),
    ],
    good=[
        {"spec": {"type": "ClusterIP", "ports": [{"port": 80}]}},
        {"spec": {"ports": [{"port": 80}]}},
        {"spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}},
    ],
    unsure=[
        {"spec": {"type": UNKNOWN}},
        Part("kubernetes:core/v1:ServicePatch", "patch", {"spec": {"sessionAffinity": "ClientIP"}}),
    ],
)
def kubernetes_node_port(resource: Resource) -> Iterator[Finding]:
    """Yield the Services of type NodePort."""
    for service in objects(resource):
        kind = service["spec"]["type"]
        yield Finding(
            "opens a port on the address of every node, for whoever reaches a node",
            at=kind,
            when=kind.equals("NodePort") | left_out(resource, kind),
        )
