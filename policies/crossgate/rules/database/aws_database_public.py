"""AWS database or message broker has a public address.

Why: with a public address only a security group and a password stand between the data and everyone. Scanners find such
an endpoint within minutes of its creation, and one wrong rule or one leaked password is then enough.

Fix: set ``publiclyAccessible`` to false, and reach the database from inside its VPC, over a VPN, or through a bastion.
For MSK set ``brokerNodeGroupInfo.connectivityInfo.publicAccess.type`` to ``DISABLED``. Where the property is left out,
write it: RDS Multi-AZ clusters without a subnet group of their own are public by default, and so are Redshift clusters
up to version 6 of the provider.

Sources:
    https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html
    https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBCluster.html
    https://docs.aws.amazon.com/config/latest/developerguide/msk-cluster-public-access-disabled.html
    https://www.pulumi.com/registry/packages/aws/api-docs/rds/cluster/
    https://www.pulumi.com/registry/packages/aws/api-docs/redshift/cluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, UNKNOWN, Finding, Gap, Part, Severity, rule, truth, unknown
from crossgate.rules._provider_version import provider_major

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

PRIVATE_BY_DEFAULT: Final = (
    "aws:rds/instance:Instance",
    "aws:rds/clusterInstance:ClusterInstance",
    "aws:neptune/clusterInstance:ClusterInstance",
    "aws:dms/replicationInstance:ReplicationInstance",
    "aws:mq/broker:Broker",
    "aws:redshiftserverless/workgroup:Workgroup",
    "aws:lightsail/database:Database",
    "aws:timestreaminfluxdb/dbInstance:DbInstance",
    "aws:timestreaminfluxdb/dbCluster:DbCluster",
    "aws-native:neptune:DbInstance",
    "aws-native:amazonmq:Broker",
    "aws-native:redshift:Cluster",
    "aws-native:redshiftserverless:Workgroup",
    "aws-native:lightsail:Database",
    "aws-native:timestream:InfluxDbInstance",
    "aws-native:timestream:InfluxDbCluster",
)
"""Types whose provider, or whose service, takes a missing ``publiclyAccessible`` for false."""
DECIDED_BY_NETWORK: Final = (
    "aws:rds/shardGroup:ShardGroup",
    "aws-native:rds:DbInstance",
    "aws-native:rds:DbShardGroup",
)
"""Types for which the service looks at the VPC when ``publiclyAccessible`` is missing."""
CLUSTERS: Final = ("aws:rds/cluster:Cluster", "aws-native:rds:DbCluster")
REDSHIFT: Final = ("aws:redshift/cluster:Cluster", "aws-native:redshift:Cluster")
KAFKA: Final = ("aws:msk/cluster:Cluster", "aws-native:msk:Cluster")

_PRIVATE_SINCE_MAJOR: Final = 7
"""The first major of the aws provider that creates a Redshift cluster without a public address by default."""
_COMMON_NAMES: Final = frozenset({"awsuser", "admin", "administrator", "root"})


def _redshift(provider: str = "", **inputs: object) -> Part:
    return Part(REDSHIFT[0], "warehouse", {"nodeType": "ra3.large", **inputs}, provider=provider)


def _provider(name: str, **inputs: object) -> Part:
    return Part("pulumi:providers:aws", name, inputs)


def _cluster(**inputs: object) -> Part:
    return Part(CLUSTERS[0], "orders", {"engine": "postgres", **inputs})


def _kafka(kind: object) -> Part:
    info = {"instanceType": "kafka.m5.large", "connectivityInfo": {"publicAccess": {"type": kind}}}
    return Part(KAFKA[0], "events", {"brokerNodeGroupInfo": info})


_MULTI_AZ: Final = {"dbClusterInstanceClass": "db.m6gd.large"}


@rule(
    types=tuple(dict.fromkeys((*PRIVATE_BY_DEFAULT, *DECIDED_BY_NETWORK, *CLUSTERS, *REDSHIFT, *KAFKA))),
    severity=Severity.HIGH,
    frameworks=(
        "AWS FSBP 1.0 RDS.2",
        "AWS FSBP 1.0 Redshift.1",
        "AWS FSBP 1.0 DMS.1",
        "CIS AWS 3.0 2.3.3",
    ),
    equivalents={
        "checkov:CKV_AWS_17": {},
        "checkov:CKV_AWS_69": {},
        "checkov:CKV_AWS_87": {},
        "checkov:CKV_AWS_89": {},
        "checkov:CKV_AWS_102": {},
        "checkov:CKV_AWS_291": {},
        "checkov:CKV_AWS_391": {"message": "name"},
        "trivy:AVD-AWS-0072": {},
        "trivy:AVD-AWS-0180": {},
        "kics:647de8aa-5a42-41b5-9faf-22136f117380": {},
        "kics:bccb296f-362c-4b05-9221-86d1437a1016": {},
        "kics:9ba198e0-fef4-464a-8a4d-75ea55300de7": {},
        "kics:4eb5f791-c861-4afd-9f94-f2a6a3fe49cb": {},
        "kics:54378d69-dd7c-4b08-a43e-80d563396857": {},
        "kics:af173fde-95ea-4584-b904-bb3923ac4bda": {},
    },
    bad=[
        {"engine": "mysql", "publiclyAccessible": True},
        Part("aws:rds/clusterInstance:ClusterInstance", "one", {"publiclyAccessible": True}),
        Part("aws:neptune/clusterInstance:ClusterInstance", "graph", {"publiclyAccessible": True}),
        Part("aws:dms/replicationInstance:ReplicationInstance", "copy", {"publiclyAccessible": True}),
        Part("aws:mq/broker:Broker", "queue", {"publiclyAccessible": True}),
        Part("aws:redshiftserverless/workgroup:Workgroup", "reports", {"publiclyAccessible": True}),
        Part("aws:lightsail/database:Database", "blog", {"publiclyAccessible": True}),
        Part("aws-native:rds:DbInstance", "native", {"publiclyAccessible": True}),
        _redshift(publiclyAccessible=True),
        _redshift(publiclyAccessible=True, masterUsername="awsuser"),
        [_redshift("default_6_83_0"), _provider("default_6_83_0")],
        [_redshift("own"), _provider("own", version="6.83.0")],
        _cluster(**_MULTI_AZ),
        _cluster(**_MULTI_AZ, dbSubnetGroupName="default"),
        _cluster(**_MULTI_AZ, dbSubnetGroupName="private", publiclyAccessible=True),
        _kafka("SERVICE_PROVIDED_EIPS"),
    ],
    good=[
        {"engine": "mysql", "publiclyAccessible": False},
        {"engine": "mysql"},
        Part("aws:dms/replicationInstance:ReplicationInstance", "copy", {}),
        Part("aws:mq/broker:Broker", "queue", {}),
        Part("aws-native:redshift:Cluster", "native", {}),
        _redshift(publiclyAccessible=False, masterUsername="awsuser"),
        [_redshift("default_7_51_1"), _provider("default_7_51_1")],
        _cluster(),
        _cluster(**_MULTI_AZ, publiclyAccessible=False),
        _cluster(**_MULTI_AZ, dbSubnetGroupName="private"),
        _kafka("DISABLED"),
        Part(KAFKA[0], "events", {"brokerNodeGroupInfo": {"instanceType": "kafka.m5.large"}}),
    ],
    unsure=[
        {"engine": "mysql", "publiclyAccessible": UNKNOWN},
        _redshift(),
        _cluster(**_MULTI_AZ, dbSubnetGroupName=UNKNOWN),
        _cluster(dbClusterInstanceClass=UNKNOWN),
        Part("aws-native:rds:DbInstance", "native", {"engine": "mysql"}),
        _kafka(UNKNOWN),
    ],
)
def aws_database_public(database: Resource) -> Iterator[Finding]:
    """Yield the switch that gives the database a public address."""
    if database.token in KAFKA:
        kind = database["brokerNodeGroupInfo"]["connectivityInfo"]["publicAccess"]["type"]
        yield Finding(
            "the brokers have public addresses: reachable from the internet", at=kind, when=kind.equals(_ADDRESSES)
        )
        return
    switch = database["publiclyAccessible"]
    left_out = switch.exists().is_false
    state = "publiclyAccessible is left out, which means on here" if left_out else "publiclyAccessible is on"
    known = database["masterUsername"].is_in(_COMMON_NAMES) if database.token in REDSHIFT else FALSE
    tried = ", and its administrator has a name that attackers try first" if known.is_true else ""
    yield Finding(
        f"{state}: it has an address on the internet{tried}",
        at=switch,
        when=_default(database, switch) if left_out else switch.is_true(),
    )


_ADDRESSES: Final = "SERVICE_PROVIDED_EIPS"


def _default(database: Resource, switch: Value) -> Truth:
    """Is the database public although the program does not say so?"""
    token = database.token
    if token in PRIVATE_BY_DEFAULT:
        return FALSE
    if token in CLUSTERS:
        subnets = database["dbSubnetGroupName"]
        in_default = subnets.is_empty() | subnets.equals("default")
        return ~database["dbClusterInstanceClass"].is_empty() & in_default
    if token in DECIDED_BY_NETWORK:
        why = "left out, and what that means depends on the VPC: write it out"
        return unknown(Gap(database.urn, switch.path, why))
    major = provider_major(database)
    if major is not None:
        return truth(major < _PRIVATE_SINCE_MAJOR)
    why = "left out, and what that means depends on the provider's version: write it out"
    return unknown(Gap(database.urn, switch.path, why))
