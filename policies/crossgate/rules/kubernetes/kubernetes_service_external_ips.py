"""Service with external addresses of its own choice.

Why: nodes send traffic for any address in ``externalIPs`` to the Service, and nothing checks that the address is its
own. Whoever may write Services can so take over what pods send to another server (CVE-2020-8554), and a port opens on
each node that holds such an address. Kubernetes has deprecated the field.

Fix: remove ``externalIPs``. Let a load balancer, an Ingress or a Gateway hold the address, and turn the field off for
the cluster with the admission plugin ``DenyServiceExternalIPs``.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/service/
    https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
    https://github.com/kubernetes/kubernetes/issues/97076
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules.kubernetes._objects import left_out, objects
from crossgate.rules.kubernetes._services import SERVICES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=SERVICES,
    severity=Severity.MEDIUM,
    equivalents=("trivy:AVD-KSV-0108",),
    bad=[
        {"spec": {"ports": [{"port": 80}], "externalIPs": ["192.0.2.10"]}},
        {"spec": {"type": "LoadBalancer", "externalIPs": [UNKNOWN]}},
        Part("kubernetes:core/v1:ServicePatch", "patch", {"spec": {"externalIPs": ["192.0.2.10"]}}),
    ],
    good=[
        {"spec": {"ports": [{"port": 80}]}},
        {"spec": {"ports": [{"port": 80}], "externalIPs": []}},
        {"spec": {"type": "ExternalName", "externalName": "db.example.com"}},
    ],
    unsure=[
        {"spec": {"externalIPs": UNKNOWN}},
        Part("kubernetes:core/v1:ServicePatch", "patch", {"spec": {"type": "ClusterIP"}}),
    ],
)
def kubernetes_service_external_ips(resource: Resource) -> Iterator[Finding]:
    """Yield the Services that claim addresses."""
    for service in objects(resource):
        addresses = service["spec"]["externalIPs"]
        yield Finding(
            "claims external addresses: nodes send what goes there to this Service, whoever they belong to",
            at=addresses,
            when=any_of(each.exists() for each in addresses.each()) | left_out(resource, addresses),
        )
