"""AKS control plane has a public address.

Why: even an address that only some ranges may use is there for whoever gets hold of one of them. In a private cluster
the API server is in the virtual network, and requests come from there and from what is connected to it.

Fix: set ``privateClusterEnabled`` to true (azure-native: ``apiServerAccessProfile.enablePrivateCluster``), and
administer the cluster from inside the network. An existing cluster has to be made anew for it.

Sources:
    https://learn.microsoft.com/azure/aks/private-clusters
    https://www.pulumi.com/registry/packages/azure/api-docs/containerservice/kubernetescluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _aks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def _native(**profile: object) -> Part:
    return Part(_aks.NATIVE_CLUSTER, "shop", {"apiServerAccessProfile": profile})


@rule(
    types=_aks.CLUSTERS,
    severity=Severity.LOW,
    equivalents=(
        "checkov:CKV_AZURE_115",
        "trivy:AVD-AZU-0065",
        "kics:599318f2-6653-4569-9e21-041d06c63a89",
    ),
    bad=[
        {"dnsPrefix": "shop", "defaultNodePool": {"name": "default"}},
        {"dnsPrefix": "shop", "privateClusterEnabled": False},
        _native(authorizedIPRanges=["198.51.100.0/24"]),
    ],
    good=[
        {"dnsPrefix": "shop", "privateClusterEnabled": True},
        _native(enablePrivateCluster=True),
    ],
    unsure=[{"privateClusterEnabled": UNKNOWN}, _native(enablePrivateCluster=UNKNOWN)],
)
def azure_aks_public_control_plane(cluster: Resource) -> Iterator[Finding]:
    """Yield the switch that leaves the API server its public address."""
    switch = _aks.private_switch(cluster)
    state = "is left out" if switch.exists().is_false else "is off"
    yield Finding(
        f"{switch.path} {state}: the Kubernetes API has an address on the internet",
        at=switch,
        when=~_aks.is_private(cluster),
    )
