"""The two shapes of an AKS cluster, and who reaches its API server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from crossgate import Resource, Truth, Value

CLASSIC_CLUSTER: Final = "azure:containerservice/kubernetesCluster:KubernetesCluster"
NATIVE_CLUSTER: Final = "azure-native:containerservice:ManagedCluster"
CLUSTERS: Final = (CLASSIC_CLUSTER, NATIVE_CLUSTER)


def private_switch(cluster: Resource) -> Value:
    """Return the switch that makes the cluster private."""
    if cluster.token == CLASSIC_CLUSTER:
        return cluster["privateClusterEnabled"]
    return cluster["apiServerAccessProfile"]["enablePrivateCluster"]


def is_private(cluster: Resource) -> Truth:
    """Has the API server no public address? It has one unless it is switched off."""
    return private_switch(cluster).is_true() | cluster["publicNetworkAccess"].equals("Disabled")


def authorized_ranges(cluster: Resource) -> tuple[Value, ...]:
    """Return the lists of ranges that may use the API server: the current one first, then what it was called before."""
    profile = cluster["apiServerAccessProfile"]
    if cluster.token == NATIVE_CLUSTER:
        return (profile["authorizedIPRanges"],)
    return (profile["authorizedIpRanges"], cluster["apiServerAuthorizedIpRanges"])
