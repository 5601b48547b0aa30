"""Google Cloud project keeps its default network.

Why: a new project gets a network with a subnet in every region, and firewall rules that open SSH, RDP and ICMP of
everything in it to the whole internet. Whatever names no network of its own lands there.

Fix: set ``autoCreateNetwork`` to false, and make a network of your own with the subnets and rules that are needed.

Sources:
    https://cloud.google.com/vpc/docs/vpc
    https://cloud.google.com/firewall/docs/firewalls
    https://www.pulumi.com/registry/packages/gcp/api-docs/organizations/project/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=("gcp:organizations/project:Project",),
    severity=Severity.MEDIUM,
    frameworks=("CIS GCP 3.0 3.1",),
    equivalents=("checkov:CKV_GCP_27", "trivy:AVD-GCP-0010", "kics:59571246-3f62-4965-a96f-c7d97e269351"),
    bad=[
        {"projectId": "acme-shop", "orgId": "1234567"},
        {"projectId": "acme-shop", "orgId": "1234567", "autoCreateNetwork": True},
    ],
    good=[{"projectId": "acme-shop", "orgId": "1234567", "autoCreateNetwork": False}],
    unsure=[{"autoCreateNetwork": UNKNOWN}],
)
def gcp_project_default_network(project: Resource) -> Iterator[Finding]:
    """Yield the switch that leaves the default network there: it is on unless it is switched off."""
    switch = project["autoCreateNetwork"]
    yield Finding(
        "the project keeps its default network, whose firewall rules open SSH and RDP to the internet",
        at=switch,
        when=~switch.is_false(),
    )
