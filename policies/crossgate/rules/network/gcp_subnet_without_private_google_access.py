"""Subnet reaches Google's services over public addresses only.

Why: with Private Google Access, instances without an external address reach Google's APIs. Without it they need an
external address or a NAT for that, and so what should be private gets a way to the internet.

Fix: set ``privateIpGoogleAccess`` to true; on a subnet with IPv6 set ``privateIpv6GoogleAccess`` as well.

Sources:
    https://cloud.google.com/vpc/docs/private-google-access
    https://cloud.google.com/vpc/docs/configure-private-google-access
    https://www.pulumi.com/registry/packages/gcp/api-docs/compute/subnetwork/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

NO_INSTANCES: Final = (
    "REGIONAL_MANAGED_PROXY",
    "GLOBAL_MANAGED_PROXY",
    "INTERNAL_HTTPS_LOAD_BALANCER",
    "PRIVATE_SERVICE_CONNECT",
    "PRIVATE_NAT",
    "PEER_MIGRATION",
)
"""Purposes of subnets that hold no instances."""
WITH_IPV6: Final = ("IPV4_IPV6", "IPV6_ONLY")
IPV6_OFF: Final = ("", "false", "DISABLE_GOOGLE_ACCESS")


@rule(
    types=("gcp:compute/subnetwork:Subnetwork",),
    severity=Severity.LOW,
    equivalents={
        "checkov:CKV_GCP_74": {"path": "privateIpGoogleAccess"},
        "checkov:CKV_GCP_76": {"path": "privateIpv6GoogleAccess"},
        "trivy:AVD-GCP-0075": {"path": "privateIpGoogleAccess"},
        "kics:ee7b93c1-b3f8-4a3b-9588-146d481814f5": {"path": "privateIpGoogleAccess"},
    },
    bad=[
        {"ipCidrRange": "10.2.0.0/16", "network": "shop"},
        {"ipCidrRange": "10.2.0.0/16", "privateIpGoogleAccess": False},
        {"privateIpGoogleAccess": True, "stackType": "IPV4_IPV6", "privateIpv6GoogleAccess": "DISABLE_GOOGLE_ACCESS"},
        {"privateIpGoogleAccess": True, "stackType": "IPV4_IPV6"},
    ],
    good=[
        {"ipCidrRange": "10.2.0.0/16", "network": "shop", "privateIpGoogleAccess": True},
        {"ipCidrRange": "10.3.0.0/24", "purpose": "REGIONAL_MANAGED_PROXY", "role": "ACTIVE"},
        {"stackType": "IPV6_ONLY", "privateIpv6GoogleAccess": "ENABLE_OUTBOUND_VM_ACCESS_TO_GOOGLE"},
        {
            "privateIpGoogleAccess": True,
            "stackType": "IPV4_IPV6",
            "privateIpv6GoogleAccess": "ENABLE_BIDIRECTIONAL_ACCESS_TO_GOOGLE",
        },
    ],
    unsure=[
        {"privateIpGoogleAccess": UNKNOWN},
        {"purpose": UNKNOWN},
        {"privateIpGoogleAccess": True, "stackType": "IPV4_IPV6", "privateIpv6GoogleAccess": UNKNOWN},
    ],
)
def gcp_subnet_without_private_google_access(subnet: Resource) -> Iterator[Finding]:
    """Yield the switches that are off, per family of addresses."""
    for_instances = ~subnet["purpose"].is_in(NO_INSTANCES)
    switch = subnet["privateIpGoogleAccess"]
    yield Finding(
        "Private Google Access is off: instances need an external address or a NAT to reach Google's APIs",
        at=switch,
        when=for_instances & ~subnet["stackType"].equals("IPV6_ONLY") & ~switch.is_true(),
    )
    ipv6 = subnet["privateIpv6GoogleAccess"]
    is_off = ipv6.test(lambda content: content is False or content in IPV6_OFF, absent=True)
    yield Finding(
        "Private Google Access is off for IPv6: instances need an external address to reach Google's APIs over it",
        at=ipv6,
        when=for_instances & subnet["stackType"].is_in(WITH_IPV6) & is_off,
    )
