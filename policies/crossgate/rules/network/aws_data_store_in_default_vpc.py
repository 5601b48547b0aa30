"""Warehouse or cache is placed into the default VPC.

Why: without a subnet group of its own, a Redshift or ElastiCache cluster lands in the subnets of the default VPC. All
of them have a route to the internet, and the default VPC is shared by everything that was started without a choice.

Fix: make a subnet group of private subnets, and name it in ``clusterSubnetGroupName`` (Redshift) or
``subnetGroupName`` (ElastiCache).

Sources:
    https://docs.aws.amazon.com/redshift/latest/mgmt/working-with-cluster-subnet-groups.html
    https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/SubnetGroups.html
    https://docs.aws.amazon.com/config/latest/developerguide/elasticache-subnet-group-check.html
    https://docs.aws.amazon.com/vpc/latest/userguide/default-vpc.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules._given import is_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_WAREHOUSE: Final = "aws:redshift/cluster:Cluster"
_CACHE: Final = "aws:elasticache/cluster:Cluster"
GROUPS: Final = {
    _WAREHOUSE: "clusterSubnetGroupName",
    "aws-native:redshift:Cluster": "clusterSubnetGroupName",
    _CACHE: "subnetGroupName",
    "aws:elasticache/replicationGroup:ReplicationGroup": "subnetGroupName",
    "aws-native:elasticache:CacheCluster": "cacheSubnetGroupName",
    "aws-native:elasticache:ReplicationGroup": "cacheSubnetGroupName",
}
"""Where a type names its subnet group."""


@rule(
    types=tuple(GROUPS),
    severity=Severity.LOW,
    frameworks=("AWS FSBP 1.0 ElastiCache.7",),
    equivalents={
        "checkov:CKV_AWS_154": {"path": "clusterSubnetGroupName"},
        "trivy:AVD-AWS-0127": {"path": "clusterSubnetGroupName"},
        "checkov:CKV_AWS_323": {"path": "subnetGroupName"},
        "kics:8c849af7-a399-46f7-a34c-32d3dc96f1fc": {"path": "subnetGroupName"},
    },
    bad=[
        {"clusterIdentifier": "sales", "nodeType": "ra3.large"},
        {"clusterIdentifier": "sales", "clusterSubnetGroupName": "default"},
        Part(_CACHE, "sessions", {"engine": "redis", "numCacheNodes": 1, "subnetGroupName": "default"}),
        *(Part(token, "store", {}) for token in GROUPS),
    ],
    good=[
        {"clusterIdentifier": "sales", "nodeType": "ra3.large", "clusterSubnetGroupName": "private"},
        *(Part(token, "store", {key: "private"}) for token, key in GROUPS.items()),
        Part(_CACHE, "reader", {"replicationGroupId": "sessions"}),
        [
            Part(_CACHE, "sessions", {"subnetGroupName": ref("private")}),
            Part("aws:elasticache/subnetGroup:SubnetGroup", "private", {"subnetIds": ["subnet-0a1b2c3d"]}),
        ],
    ],
    unsure=[
        Part(_CACHE, "sessions", {"subnetGroupName": UNKNOWN}),
        {"clusterIdentifier": "sales", "clusterSubnetGroupName": UNKNOWN},
    ],
)
def aws_data_store_in_default_vpc(store: Resource) -> Iterator[Finding]:
    """Yield where a subnet group is missing, or is the default one."""
    group = store[GROUPS[store.token]]
    by_default = ~is_given(group) | group.test(lambda name: str(name).lower() == "default", never_from=_OWN_GROUPS)
    yield Finding(
        "it names no subnet group of its own: it is placed into the default VPC, in subnets with a way to the internet",
        at=group,
        when=by_default & ~is_given(store["replicationGroupId"]) if store.token == _CACHE else by_default,
    )


_OWN_GROUPS: Final = (
    "aws:elasticache/subnetGroup:SubnetGroup",
    "aws:redshift/subnetGroup:SubnetGroup",
    "aws-native:elasticache:SubnetGroup",
    "aws-native:redshift:ClusterSubnetGroup",
)
"""Groups that a program makes. Neither service lets one be called ``default``."""
