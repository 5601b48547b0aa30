"""Redshift exchanges data with other services outside the VPC.

Why: without enhanced VPC routing, ``COPY`` and ``UNLOAD`` take the way over the internet, also to S3. Security groups,
network ACLs, endpoint policies and flow logs of the VPC neither limit nor see what leaves the warehouse.

Fix: set ``enhancedVpcRouting`` to true, and give the VPC a way to what the warehouse loads from: an S3 gateway endpoint
or a NAT gateway. Without one, ``COPY`` and ``UNLOAD`` fail.

Sources:
    https://docs.aws.amazon.com/redshift/latest/mgmt/enhanced-vpc-routing.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/redshift-controls.html#redshift-7
    https://docs.aws.amazon.com/config/latest/developerguide/redshift-enhanced-vpc-routing-enabled.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_CLUSTERS: Final = ("aws:redshift/cluster:Cluster", "aws-native:redshift:Cluster")
_WORKGROUPS: Final = ("aws:redshiftserverless/workgroup:Workgroup", "aws-native:redshiftserverless:Workgroup")


@rule(
    types=(*_CLUSTERS, *_WORKGROUPS),
    severity=Severity.LOW,
    frameworks=("AWS FSBP 1.0 Redshift.7",),
    equivalents=("checkov:CKV_AWS_321",),
    bad=[
        {"clusterIdentifier": "sales", "nodeType": "ra3.large", "enhancedVpcRouting": False},
        {"clusterIdentifier": "sales", "nodeType": "ra3.large"},
        *(Part(token, "sales", {"enhancedVpcRouting": False}) for token in (*_CLUSTERS, *_WORKGROUPS)),
    ],
    good=[
        {"clusterIdentifier": "sales", "nodeType": "ra3.large", "enhancedVpcRouting": True},
        *(Part(token, "sales", {"enhancedVpcRouting": True}) for token in (*_CLUSTERS, *_WORKGROUPS)),
        Part(_WORKGROUPS[0], "sales", {"workgroupName": "sales"}),
    ],
    unsure=[{"enhancedVpcRouting": UNKNOWN}],
)
def aws_redshift_traffic_outside_vpc(warehouse: Resource) -> Iterator[Finding]:
    """Yield the switch that leaves the way to other services outside the VPC."""
    switch = warehouse["enhancedVpcRouting"]
    outside = ~switch.is_true() if warehouse.token in _CLUSTERS else switch.is_false()
    yield Finding(
        "COPY and UNLOAD leave the VPC: what it lets out is neither limited nor seen there", at=switch, when=outside
    )
