"""AKS control plane is open to the whole internet.

Why: the Kubernetes API decides over everything that runs in the cluster. AKS gives it a public address that takes
requests from anywhere unless authorized ranges are listed: a stolen credential or a flaw of the API server can then be
used from everywhere. RBAC still asks who it is; the network asks nothing.

Fix: list in ``apiServerAccessProfile.authorizedIpRanges`` (azure-native: ``authorizedIPRanges``) the ranges of those
who administer the cluster, or make the cluster private with ``privateClusterEnabled: true`` (azure-native:
``apiServerAccessProfile.enablePrivateCluster``).

Sources:
    https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges
    https://learn.microsoft.com/azure/aks/private-clusters
    https://www.pulumi.com/registry/packages/azure/api-docs/containerservice/kubernetescluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, all_of, rule
from crossgate.rules.network import _aks
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def _native(**profile: object) -> Part:
    return Part(_aks.NATIVE_CLUSTER, "shop", {"apiServerAccessProfile": profile})


@rule(
    types=_aks.CLUSTERS,
    severity=Severity.HIGH,
    equivalents=("checkov:CKV_AZURE_6", "trivy:AVD-AZU-0041", "kics:2583fab1-953b-4fae-bd02-4a136a6c21f9"),
    bad=[
        {"dnsPrefix": "shop", "defaultNodePool": {"name": "default"}},
        {"apiServerAccessProfile": {"authorizedIpRanges": ["0.0.0.0/0"]}},
        {"apiServerAuthorizedIpRanges": ["198.51.100.0/24", "0.0.0.0/0"]},
        {"privateClusterEnabled": False},
        Part(_aks.NATIVE_CLUSTER, "shop", {"dnsPrefix": "shop"}),
        _native(authorizedIPRanges=["0.0.0.0/0"]),
    ],
    good=[
        {"dnsPrefix": "shop", "apiServerAccessProfile": {"authorizedIpRanges": ["198.51.100.0/24"]}},
        {"dnsPrefix": "shop", "apiServerAuthorizedIpRanges": ["198.51.100.0/24"]},
        {"dnsPrefix": "shop", "privateClusterEnabled": True},
        {"apiServerAccessProfile": {"authorizedIpRanges": ["0.0.0.0/32"]}},
        _native(authorizedIPRanges=["198.51.100.0/24"]),
        _native(enablePrivateCluster=True),
        Part(_aks.NATIVE_CLUSTER, "shop", {"publicNetworkAccess": "Disabled"}),
    ],
    unsure=[
        {"apiServerAccessProfile": UNKNOWN},
        {"apiServerAccessProfile": {"authorizedIpRanges": [UNKNOWN]}},
        {"privateClusterEnabled": UNKNOWN},
    ],
)
def azure_aks_control_plane_open_to_world(cluster: Resource) -> Iterator[Finding]:
    """Yield the list of ranges that holds the world, or is not there, unless the cluster is private."""
    lists = _aks.authorized_ranges(cluster)
    public = ~_aks.is_private(cluster)
    yield Finding(
        "the Kubernetes API takes requests from every address, since no authorized ranges are set",
        at=lists[0],
        when=public & all_of(ranges.is_empty() for ranges in lists),
    )
    for ranges in lists:
        sources = Sources()
        for cidr in ranges.each():
            sources.add(cidr)
        yield Finding(
            "the authorized ranges of the Kubernetes API are the whole internet",
            at=ranges,
            when=public & sources.world(),
        )
