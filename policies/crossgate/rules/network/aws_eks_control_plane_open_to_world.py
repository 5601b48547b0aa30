"""EKS control plane is open to the whole internet.

Why: the Kubernetes API decides over everything that runs in the cluster. EKS gives it a public endpoint that takes
requests from any address unless the cluster says otherwise: a stolen credential or a flaw of the API server can then be
used from everywhere. IAM and RBAC still ask who it is; the network asks nothing.

Fix: set ``vpcConfig.endpointPublicAccess`` to false and ``endpointPrivateAccess`` to true, or list in
``publicAccessCidrs`` the ranges of those who administer the cluster.

Sources:
    https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html
    https://docs.aws.amazon.com/eks/latest/userguide/config-cluster-endpoint.html
    https://www.pulumi.com/registry/packages/aws/api-docs/eks/cluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _eks
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SUBNETS = {"subnetIds": ["subnet-0a1", "subnet-0a2"]}


def _native(**options: object) -> Part:
    return Part(_eks.NATIVE_CLUSTER, "shop", {"resourcesVpcConfig": {**_SUBNETS, **options}})


@rule(
    types=_eks.CLUSTERS,
    severity=Severity.HIGH,
    equivalents=("checkov:CKV_AWS_38", "trivy:AVD-AWS-0041", "kics:61cf9883-1752-4768-b18c-0d57f2737709"),
    bad=[
        {"vpcConfig": _SUBNETS},
        {"vpcConfig": {**_SUBNETS, "endpointPublicAccess": True, "publicAccessCidrs": ["0.0.0.0/0"]}},
        {"vpcConfig": {"publicAccessCidrs": ["203.0.113.0/24", "::/0"]}},
        {"vpcConfig": {"publicAccessCidrs": ["0.0.0.0/1", "128.0.0.0/1"]}},
        _native(),
        _native(publicAccessCidrs=["0.0.0.0/0"]),
    ],
    good=[
        {"vpcConfig": {**_SUBNETS, "endpointPublicAccess": False, "endpointPrivateAccess": True}},
        {"vpcConfig": {**_SUBNETS, "publicAccessCidrs": ["203.0.113.0/24"]}},
        {"vpcConfig": {"endpointPublicAccess": False, "publicAccessCidrs": ["0.0.0.0/0"]}},
        {"vpcConfig": {"endpointPublicAccess": False, "publicAccessCidrs": UNKNOWN}},
        _native(endpointPublicAccess=False),
    ],
    unsure=[
        {"vpcConfig": {"endpointPublicAccess": UNKNOWN}},
        {"vpcConfig": {"publicAccessCidrs": [UNKNOWN, "203.0.113.0/24"]}},
        {"vpcConfig": UNKNOWN},
    ],
)
def aws_eks_control_plane_open_to_world(cluster: Resource) -> Iterator[Finding]:
    """Yield the list of ranges that holds the world, or is not there, beside a public endpoint."""
    options = cluster[_eks.options(cluster)]
    cidrs = options["publicAccessCidrs"]
    public = _eks.has_public_endpoint(cluster)
    yield Finding(
        "the public endpoint takes requests from every address, since publicAccessCidrs is not set",
        at=cidrs,
        when=public & cidrs.is_empty(),
    )
    sources = Sources()
    for cidr in cidrs.each():
        sources.add(cidr)
    yield Finding("the public endpoint takes requests from the whole internet", at=cidrs, when=public & sources.world())
