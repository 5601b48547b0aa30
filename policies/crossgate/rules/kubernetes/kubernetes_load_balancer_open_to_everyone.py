"""Load balancer of a Service that lets everyone in.

Why: a Service of type ``LoadBalancer`` gets a public address on most clouds, and without source ranges the cloud's
firewall lets every address in. For a public website that is meant; an admin page, a database or a metrics port
comes to be on the internet that way.

Private are those with the cloud's own annotation, and on AWS those of the AWS Load Balancer Controller that ask for no
scheme. Whether a security group named in an annotation lets fewer in is not seen.

Fix: name who may come in ``loadBalancerSourceRanges``. For what only the own network needs, ask for an internal load
balancer, such as ``networking.gke.io/load-balancer-type: Internal``,
``service.beta.kubernetes.io/azure-load-balancer-internal: "true"`` or
``service.beta.kubernetes.io/aws-load-balancer-scheme: internal``. Exempt by name what is meant for everyone.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/service/
    https://cloud.google.com/kubernetes-engine/docs/concepts/service-load-balancer-parameters
    https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/service/nlb/
    https://learn.microsoft.com/azure/aks/internal-lb
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.kubernetes._objects import left_out, objects
from crossgate.rules.kubernetes._services import SERVICES, is_private, lets_anyone_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_PORTS: Final = [{"port": 443, "targetPort": 8443}]
_BETA: Final = "service.beta.kubernetes.io/"


def _service(annotations: Any = None, **spec: Any) -> dict[str, Any]:
    metadata = {"name": "web"} if annotations is None else {"name": "web", "annotations": annotations}
    return {"metadata": metadata, "spec": {"type": "LoadBalancer", "ports": _PORTS, **spec}}


@rule(
    types=SERVICES,
    severity=Severity.MEDIUM,
    equivalents=("kics:26763a1c-5dda-4772-b507-5fca7fb5f165", "kics:2a52567c-abb8-4651-a038-52fa27c77aed"),
    bad=[
        _service(),
        _service(loadBalancerSourceRanges=["0.0.0.0/0"]),
        _service(loadBalancerSourceRanges=["0.0.0.0/1", "128.0.0.0/1"]),
        _service({f"{_BETA}aws-load-balancer-type": "nlb"}),
        _service({f"{_BETA}aws-load-balancer-type": "external", f"{_BETA}aws-load-balancer-scheme": "internet-facing"}),
        _service({f"{_BETA}azure-load-balancer-internal": "false"}),
        _service({f"{_BETA}load-balancer-source-ranges": "10.0.0.0/8,0.0.0.0/0"}),
        Part("kubernetes:core/v1:ServiceList", "list", {"items": [_service()]}),
    ],
    good=[
        _service(loadBalancerSourceRanges=["203.0.113.0/24"]),
        _service({"networking.gke.io/load-balancer-type": "Internal"}),
        _service({"cloud.google.com/load-balancer-type": "internal"}),
        _service({f"{_BETA}azure-load-balancer-internal": "true"}),
        _service({f"{_BETA}aws-load-balancer-internal": "0.0.0.0/0"}),
        _service({f"{_BETA}aws-load-balancer-scheme": "internal"}),
        _service({f"{_BETA}aws-load-balancer-type": "external", f"{_BETA}aws-load-balancer-nlb-target-type": "ip"}),
        _service(loadBalancerClass="service.k8s.aws/nlb"),
        _service({f"{_BETA}load-balancer-source-ranges": "10.0.0.0/8, 203.0.113.0/24"}),
        {"spec": {"type": "ClusterIP", "ports": _PORTS}},
        {"spec": {"ports": _PORTS}},
    ],
    unsure=[
        {"spec": {"type": UNKNOWN, "ports": _PORTS}},
        _service(UNKNOWN),
        _service(loadBalancerSourceRanges=[UNKNOWN]),
        Part("kubernetes:core/v1:ServicePatch", "patch", {"metadata": {"labels": {"team": "web"}}}),
        Part("kubernetes:core/v1:ServicePatch", "patch", {"spec": {"type": "LoadBalancer"}}),
    ],
)
def kubernetes_load_balancer_open_to_everyone(resource: Resource) -> Iterator[Finding]:
    """Yield the Services whose load balancer is public and names no sources."""
    for service in objects(resource):
        spec = service["spec"]
        balanced = spec["type"].equals("LoadBalancer") | left_out(resource, spec["type"])
        if balanced.is_false:
            continue
        hidden = left_out(resource, spec["loadBalancerSourceRanges"]) | left_out(
            resource, service["metadata"]["annotations"]
        )
        everyone = ~is_private(service) & lets_anyone_in(service) & ~hidden
        yield Finding(
            "its load balancer has a public address and lets every address in",
            at=spec["type"],
            when=balanced & everyone,
        )
