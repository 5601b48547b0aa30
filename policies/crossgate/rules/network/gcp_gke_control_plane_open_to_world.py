"""GKE control plane is open to the whole internet.

Why: the Kubernetes API decides over everything that runs in the cluster. Its external endpoint takes requests from any
address unless authorized networks are switched on: a stolen credential or a flaw of the API server can then be used
from everywhere. IAM and RBAC still ask who it is; the network asks nothing.

Fix: write ``masterAuthorizedNetworksConfig`` with the ranges of those who administer the cluster; without any range,
``{}``, no address of the outside gets in. Or set ``privateClusterConfig.enablePrivateEndpoint`` to true, or switch
``controlPlaneEndpointsConfig.ipEndpointsConfig.enabled`` off and use the DNS endpoint.

Sources:
    https://cloud.google.com/kubernetes-engine/docs/how-to/authorized-networks
    https://cloud.google.com/kubernetes-engine/docs/concepts/network-isolation
    https://www.pulumi.com/registry/packages/gcp/api-docs/container/cluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Severity, rule
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_OFFICE = {"cidrBlocks": [{"cidrBlock": "203.0.113.0/24", "displayName": "office"}]}
_WORLD = {"cidrBlocks": [{"cidrBlock": "0.0.0.0/0", "displayName": "anyone"}]}


@rule(
    types=("gcp:container/cluster:Cluster",),
    severity=Severity.HIGH,
    frameworks=("CIS GKE 1.4 5.6.3",),
    equivalents={
        "checkov:CKV_GCP_18": {"path": "masterAuthorizedNetworksConfig.cidrBlocks"},
        "checkov:CKV_GCP_20": {"message": "not set"},
        "trivy:AVD-GCP-0053": {"path": "masterAuthorizedNetworksConfig.cidrBlocks"},
        "trivy:AVD-GCP-0061": {"message": "not set"},
    },
    bad=[
        {"location": "europe-west1", "initialNodeCount": 1},
        {"enableAutopilot": True},
        {"masterAuthorizedNetworksConfig": _WORLD},
        {"masterAuthorizedNetworksConfig": {"cidrBlocks": [{"cidrBlock": "0.0.0.0/1"}, {"cidrBlock": "128.0.0.0/1"}]}},
        {"privateClusterConfig": {"enablePrivateNodes": True, "enablePrivateEndpoint": False}},
    ],
    good=[
        {"location": "europe-west1", "initialNodeCount": 1, "masterAuthorizedNetworksConfig": _OFFICE},
        {"masterAuthorizedNetworksConfig": {}},
        {"privateClusterConfig": {"enablePrivateNodes": True, "enablePrivateEndpoint": True}},
        {"controlPlaneEndpointsConfig": {"ipEndpointsConfig": {"enabled": False}}},
    ],
    unsure=[
        {"masterAuthorizedNetworksConfig": UNKNOWN},
        {"masterAuthorizedNetworksConfig": {"cidrBlocks": [{"cidrBlock": UNKNOWN}]}},
        {"privateClusterConfig": {"enablePrivateEndpoint": UNKNOWN}},
    ],
)
def gcp_gke_control_plane_open_to_world(cluster: Resource) -> Iterator[Finding]:
    """Yield the authorized networks that hold the world, or are not there, beside an external endpoint."""
    networks = cluster["masterAuthorizedNetworksConfig"]
    private = cluster["privateClusterConfig"]["enablePrivateEndpoint"].is_true()
    no_address = cluster["controlPlaneEndpointsConfig"]["ipEndpointsConfig"]["enabled"].is_false()
    external = ~private & ~no_address
    yield Finding(
        "the Kubernetes API takes requests from every address, since masterAuthorizedNetworksConfig is not set",
        at=networks,
        when=external & ~networks.exists(),
    )
    sources = Sources()
    for block in networks["cidrBlocks"].each():
        sources.add(block["cidrBlock"])
    yield Finding(
        "the authorized networks of the Kubernetes API are the whole internet",
        at=networks["cidrBlocks"],
        when=external & sources.world(),
    )
