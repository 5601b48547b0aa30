"""Compute Engine instance gets a public address.

Why: what has an external address can be reached from the internet as far as firewall rules let it, and one wide rule in
the network is enough. Administrators get in through Identity-Aware Proxy, and a Cloud NAT leads out, without one.

Fix: leave ``accessConfigs`` (and ``ipv6AccessConfigs``) out of the network interface: even an empty one, ``[{}]``,
brings an ephemeral external address. Put a load balancer before what has to be public.

Sources:
    https://cloud.google.com/compute/docs/ip-addresses
    https://cloud.google.com/iap/docs/using-tcp-forwarding
    https://www.pulumi.com/registry/packages/gcp/api-docs/compute/instance/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

INSTANCES: Final = (
    "gcp:compute/instance:Instance",
    "gcp:compute/instanceTemplate:InstanceTemplate",
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate",
    "gcp:compute/instanceFromTemplate:InstanceFromTemplate",
    "gcp:compute/instanceFromMachineImage:InstanceFromMachineImage",
)
ACCESS: Final = ("accessConfigs", "ipv6AccessConfigs")


@rule(
    types=INSTANCES,
    severity=Severity.MEDIUM,
    frameworks=("CIS GCP 3.0 4.9",),
    equivalents=("checkov:CKV_GCP_40", "trivy:AVD-GCP-0031"),
    bad=[
        {"machineType": "e2-micro", "networkInterfaces": [{"network": "default", "accessConfigs": [{}]}]},
        {"networkInterfaces": [{"network": "shop"}, {"accessConfigs": [{"natIp": UNKNOWN}]}]},
        {"networkInterfaces": [{"ipv6AccessConfigs": [{"networkTier": "PREMIUM"}]}]},
        Part(INSTANCES[1], "web", {"networkInterfaces": [{"accessConfigs": [{"networkTier": "PREMIUM"}]}]}),
    ],
    good=[
        {"machineType": "e2-micro", "networkInterfaces": [{"network": "default"}]},
        {"networkInterfaces": [{"subnetwork": "shop", "accessConfigs": []}]},
        Part(INSTANCES[1], "web", {"networkInterfaces": [{"subnetwork": "shop"}]}),
        Part(INSTANCES[3], "web", {"sourceInstanceTemplate": "web"}),
    ],
    unsure=[{"networkInterfaces": UNKNOWN}, {"networkInterfaces": [{"accessConfigs": UNKNOWN}]}],
)
def gcp_compute_public_address(instance: Resource) -> Iterator[Finding]:
    """Yield each access configuration: one is enough for an external address."""
    for interface in _settings.values(instance, "networkInterfaces[]"):
        for name in ACCESS:
            yield Finding(
                "it gets an external address: the internet reaches it as far as firewall rules let it",
                at=interface[name],
                when=~interface[name].is_empty(),
            )
