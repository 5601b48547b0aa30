"""The two shapes of an EKS cluster, and whether its API has a public endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from crossgate import Resource, Truth

CLASSIC_CLUSTER: Final = "aws:eks/cluster:Cluster"
NATIVE_CLUSTER: Final = "aws-native:eks:Cluster"
CLUSTERS: Final = (CLASSIC_CLUSTER, NATIVE_CLUSTER)


def options(cluster: Resource) -> str:
    """Return the name of the property that holds the network options."""
    return "vpcConfig" if cluster.token == CLASSIC_CLUSTER else "resourcesVpcConfig"


def has_public_endpoint(cluster: Resource) -> Truth:
    """Is the public endpoint on? It is unless it is switched off."""
    return cluster[options(cluster)]["endpointPublicAccess"].is_true(absent=True)
