"""EKS control plane has a public endpoint.

Why: even an endpoint that only some addresses may use is there for whoever gets hold of one of them. With the private
endpoint alone, requests come from the cluster's network and what is connected to it.

Fix: set ``vpcConfig.endpointPublicAccess`` to false and ``endpointPrivateAccess`` to true, and administer the cluster
from inside the network, through a VPN or a bastion.

Sources:
    https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/eks-controls.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _eks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=_eks.CLUSTERS,
    severity=Severity.LOW,
    frameworks=("AWS FSBP 1.0 EKS.1",),
    equivalents=("checkov:CKV_AWS_39", "trivy:AVD-AWS-0040", "kics:42f4b905-3736-4213-bfe9-c0660518cda8"),
    bad=[
        {"vpcConfig": {"subnetIds": ["subnet-0a1", "subnet-0a2"]}},
        {"vpcConfig": {"endpointPublicAccess": True, "publicAccessCidrs": ["203.0.113.0/24"]}},
        Part(_eks.NATIVE_CLUSTER, "shop", {"resourcesVpcConfig": {"endpointPublicAccess": True}}),
    ],
    good=[
        {"vpcConfig": {"endpointPublicAccess": False, "endpointPrivateAccess": True}},
        Part(_eks.NATIVE_CLUSTER, "shop", {"resourcesVpcConfig": {"endpointPublicAccess": False}}),
    ],
    unsure=[{"vpcConfig": {"endpointPublicAccess": UNKNOWN}}, {"vpcConfig": UNKNOWN}],
)
def aws_eks_public_control_plane(cluster: Resource) -> Iterator[Finding]:
    """Yield the switch that leaves the public endpoint on."""
    switch = cluster[_eks.options(cluster)]["endpointPublicAccess"]
    state = "is left out, and so on" if switch.exists().is_false else "is on"
    yield Finding(
        f"endpointPublicAccess {state}: the Kubernetes API has an address on the internet",
        at=switch,
        when=_eks.has_public_endpoint(cluster),
    )
