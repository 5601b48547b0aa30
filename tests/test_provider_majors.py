"""One misconfiguration in the shape of each provider and each of its majors: the same rule finds it in all of them.

Each shape was looked up in the published SDK of the major that it names: an earlier name of a type or a property, a
list where there is an object today, a type moved to another module, a token with an API version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import pytest

from crossgate import Resource, Stack
from crossgate.judge import Outcome, judge, worst
from crossgate.model import unversioned_type
from crossgate.packs.baseline import PACK
from crossgate.rule import Example, Part, Rule, ref

RULES: Final = {entry.rule.id: entry.rule for entry in PACK.entries}
BUCKET: Final = "aws:s3/bucket:Bucket"
POLICY: Final = "aws:s3/bucketPolicy:BucketPolicy"
WORLD: Final = "0.0.0.0/0"
FIRST: Final = "0.0.0.0"  # noqa: S104 - the first address of a range, none to listen on
LAST: Final = "255.255.255.255"
OFFICE: Final = "198.51.100.7"


class Shape(NamedTuple):
    """The same thing, open and closed, as one provider and major writes it."""

    name: str
    opened: Sequence[Part]
    closed: Sequence[Part]


def one(name: str, token: str, opened: dict[str, Any], closed: dict[str, Any], *others: Part) -> Shape:
    """Return a shape of one resource, beside others that are the same in both."""
    return Shape(name, [Part(token, "it", opened), *others], [Part(token, "it", closed), *others])


def at(provider: str, version: str, shape: Shape) -> Shape:
    """Return the shape with its first resource managed by a default provider of this version."""
    name = f"default_{version.replace('.', '_')}"
    manager = Part(f"pulumi:providers:{provider}", name)
    opened, closed = ([parts[0]._replace(provider=name), *parts[1:], manager] for parts in (shape.opened, shape.closed))
    return Shape(shape.name, opened, closed)


def nested(path: str, value: Any) -> dict[str, Any]:
    """Return ``value`` below the keys of ``path``; a key that ends in ``[]`` holds a list."""
    for key in reversed(path.split(".")):
        value = {key.removesuffix("[]"): [value] if key.endswith("[]") else value}
    return dict(value)


def group(
    key: str, ports: tuple[str, str], cidr: str, wrap: bool, protocol: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the rules of a security group, open to the world and to one network."""

    def rules(source: str) -> dict[str, Any]:
        rule = {protocol: "tcp", ports[0]: 22, ports[1]: 22, cidr: [source] if wrap else source}
        return {key: [rule]} if key else rule

    return rules(WORLD), rules("10.0.0.0/8")


def azure_range(start: str, end: str, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a firewall rule for everyone, and one for one address."""
    return {start: FIRST, end: LAST, **more}, {start: OFFICE, end: OFFICE, **more}


def both(make: Callable[[Any], dict[str, Any]], values: tuple[Any, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what ``make`` makes of the open value and of the closed one."""
    opened, closed = values
    return make(opened), make(closed)


def under(key: str, shapes: tuple[dict[str, Any], dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both with what they hold moved below ``key``."""
    opened, closed = shapes
    return {key: opened}, {key: closed}


def nsg(source: str) -> dict[str, Any]:
    """Return a security rule for SSH, as every provider of Azure writes it."""
    return {
        "priority": 100,
        "direction": "Inbound",
        "access": "Allow",
        "protocol": "Tcp",
        "sourcePortRange": "*",
        "destinationPortRange": "22",
        "sourceAddressPrefix": source,
        "destinationAddressPrefix": "*",
    }


_INGRESS: Final = ("fromPort", "toPort")
_BLOCKED: Final = dict.fromkeys(
    ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"), True
)
_BLOB: Final = ("Blob", "None")
_SOURCES: Final = (WORLD, "10.0.0.0/8")
_ENTRY: Final = {"protocol": "tcp", "fromPort": 22, "toPort": 22}
_ENDPOINTS: Final = (
    {"endpointPublicAccess": True, "endpointPrivateAccess": True},
    {"endpointPublicAccess": False, "endpointPrivateAccess": True},
)


def _policy(who: Any) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Principal": who, "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"}
    return {"Version": "2012-10-17", "Statement": [statement]}


_POLICIES: Final = (_policy("*"), _policy({"AWS": "arn:aws:iam::111122223333:role/app"}))
_TABLE: Final[dict[str, list[Shape]]] = {
    "aws-s3-public-acl": [
        one("aws v5 to v7, inline", "aws:s3/bucket:Bucket", {"acl": "public-read"}, {"acl": "private"}),
        one("aws v5 and v6", "aws:s3/bucketV2:BucketV2", {"acl": "public-read"}, {"acl": "private"}),
        one("aws v5 and v6", "aws:s3/bucketAclV2:BucketAclV2", {"acl": "public-read"}, {"acl": "private"}),
        one("aws v7", "aws:s3/bucketAcl:BucketAcl", {"acl": "public-read"}, {"acl": "private"}),
        one("aws-native", "aws-native:s3:Bucket", {"accessControl": "PublicRead"}, {"accessControl": "Private"}),
    ],
    "aws-s3-public-access-block-weakened": [
        one("aws", "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", {"blockPublicAcls": True}, _BLOCKED),
        one(
            "aws-native",
            "aws-native:s3:Bucket",
            {"publicAccessBlockConfiguration": {**_BLOCKED, "blockPublicAcls": False}},
            {"publicAccessBlockConfiguration": _BLOCKED},
        ),
    ],
    "aws-ec2-open-ingress": [
        one(
            "aws, inline",
            "aws:ec2/securityGroup:SecurityGroup",
            *group("ingress", _INGRESS, "cidrBlocks", True, "protocol"),
        ),
        one(
            "aws, stand-alone",
            "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
            *group("", _INGRESS, "cidrIpv4", False, "ipProtocol"),
        ),
        one(
            "aws, stand-alone until v6",
            "aws:ec2/securityGroupRule:SecurityGroupRule",
            *both(lambda rule: {"type": "ingress", **rule}, group("", _INGRESS, "cidrBlocks", True, "protocol")),
        ),
        one(
            "aws-native, inline",
            "aws-native:ec2:SecurityGroup",
            *group("securityGroupIngress", _INGRESS, "cidrIp", False, "ipProtocol"),
        ),
        one(
            "aws-native, stand-alone",
            "aws-native:ec2:SecurityGroupIngress",
            *group("", _INGRESS, "cidrIp", False, "ipProtocol"),
        ),
    ],
    "aws-s3-public-policy": [
        one("aws, text", POLICY, *both(lambda policy: {"bucket": "b", "policy": json.dumps(policy)}, _POLICIES)),
        one("aws v6 and v7, object", POLICY, *both(lambda policy: {"bucket": "b", "policy": policy}, _POLICIES)),
        one("aws v5 and v6", BUCKET, *both(lambda policy: {"policy": json.dumps(policy)}, _POLICIES)),
        one(
            "aws-native",
            "aws-native:s3:BucketPolicy",
            *both(lambda policy: {"bucket": "b", "policyDocument": policy}, _POLICIES),
        ),
    ],
    "aws-nacl-open-ingress": [
        one(
            "aws, inline",
            "aws:ec2/networkAcl:NetworkAcl",
            *both(
                lambda source: {"ingress": [{**_ENTRY, "ruleNo": 100, "action": "allow", "cidrBlock": source}]},
                _SOURCES,
            ),
        ),
        one(
            "aws, stand-alone",
            "aws:ec2/networkAclRule:NetworkAclRule",
            *both(lambda source: {**_ENTRY, "ruleNumber": 100, "ruleAction": "allow", "cidrBlock": source}, _SOURCES),
        ),
    ],
    "aws-eks-public-control-plane": [
        one("aws", "aws:eks/cluster:Cluster", *under("vpcConfig", _ENDPOINTS)),
        one("aws-native", "aws-native:eks:Cluster", *under("resourcesVpcConfig", _ENDPOINTS)),
    ],
    "aws-database-public": [
        one(
            "aws",
            "aws:rds/instance:Instance",
            {"publiclyAccessible": True},
            {"publiclyAccessible": False},
        ),
        one(
            "aws-native",
            "aws-native:rds:DbInstance",
            {"publiclyAccessible": True},
            {"publiclyAccessible": False},
        ),
        at(
            "aws",
            "6.83.4",
            one("aws v6, left out", "aws:redshift/cluster:Cluster", {}, {"publiclyAccessible": False}),
        ),
        at(
            "aws",
            "7.51.1",
            one("aws v7, left out", "aws:redshift/cluster:Cluster", {"publiclyAccessible": True}, {}),
        ),
    ],
    "azure-storage-public-account": [
        at(
            "azure",
            "4.42.0",
            one("azure v4", "azure:storage/account:Account", {"allowBlobPublicAccess": True}, {}),
        ),
        at(
            "azure",
            "5.89.3",
            one("azure v5", "azure:storage/account:Account", {}, {"allowNestedItemsToBePublic": False}),
        ),
        at(
            "azure",
            "6.40.1",
            one("azure v6", "azure:storage/account:Account", {}, {"allowNestedItemsToBePublic": False}),
        ),
        one(
            "azure-native v2, API version",
            "azure-native:storage/v20220901:StorageAccount",
            {},
            {"allowBlobPublicAccess": False},
        ),
        at(
            "azure-native",
            "3.29.0",
            one(
                "azure-native v3",
                "azure-native:storage:StorageAccount",
                {"allowBlobPublicAccess": True},
                {},
            ),
        ),
        one(
            "azure-native v3, API version",
            "azure-native_storage_v20240101:storage:StorageAccount",
            {"allowBlobPublicAccess": True},
            {},
        ),
    ],
    "azure-storage-public-container": [
        one(
            f"azure, {via}",
            "azure:storage/container:Container",
            {via: ref("files"), "containerAccessType": "blob"},
            {via: ref("files"), "containerAccessType": "private"},
            Part("azure:storage/account:Account", "files", {"allowNestedItemsToBePublic": True}),
        )
        for via in ("storageAccountName", "storageAccountId")  # major 5, major 6
    ]
    + [
        one(
            token,
            f"{token}:BlobContainer",
            {"accountName": "files", "publicAccess": "Blob"},
            {"accountName": "files", "publicAccess": "None"},
        )
        for token in (
            "azure-native:storage",
            "azure-native:storage/v20230101",
            "azure-native_storage_v20240101:storage",
        )
    ],
    "azure-content-open-to-every-network": [
        one(
            f"azure, {via}",
            "azure:storage/accountNetworkRules:AccountNetworkRules",
            {via: "files", "defaultAction": "Allow"},
            {via: "files", "defaultAction": "Deny"},
        )
        for via in ("storageAccountName", "storageAccountId")  # major 4, since major 5
    ]
    + [
        one(
            token,
            f"{token}:StorageAccount",
            {"networkRuleSet": {"defaultAction": "Allow"}},
            {"networkRuleSet": {"defaultAction": "Deny"}},
        )
        for token in (
            "azure-native:storage",
            "azure-native:storage/v20230101",
            "azure-native_storage_v20240101:storage",
        )
    ],
    "azure-database-public-network": [
        one(
            token,
            token,
            {"publicNetworkAccessEnabled": True},
            {"publicNetworkAccessEnabled": False},
        )
        for token in (
            "azure:mssql/server:Server",
            "azure:postgresql/server:Server",
            "azure:mysql/server:Server",  # until major 5
            "azure:mariadb/server:Server",  # until major 5
        )
    ]
    + [
        one(token, token, {"publicNetworkAccess": "Enabled"}, {"publicNetworkAccess": "Disabled"})
        for token in (
            "azure-native:sql:Server",
            "azure-native:sql/v20211101:Server",
            "azure-native_sql_v20230801:sql:Server",
            "azure-native:cache:Redis",  # major 2
            "azure-native:redis:Redis",  # major 3
            "azure-native:documentdb:DatabaseAccount",  # major 2
            "azure-native:cosmosdb:DatabaseAccount",  # major 3
            "azure-native_cosmosdb_v20240815:cosmosdb:DatabaseAccount",
        )
    ]
    + [
        one(
            f"{token}, {key}",
            token,
            nested(f"{key}.publicNetworkAccess", "Enabled"),
            nested(f"{key}.publicNetworkAccess", "Disabled"),
        )
        for token, key in (
            ("azure-native:dbforpostgresql:Server", "network"),
            ("azure-native:dbforpostgresql/v20171201:Server", "properties"),  # major 2, single server
            ("azure-native:dbforpostgresql:SingleServer", "properties"),  # major 3
            ("azure-native:dbformysql:Server", "network"),
            ("azure-native:dbformysql:SingleServer", "properties"),
            ("azure-native:dbformariadb:Server", "properties"),
            ("azure-native:mongocluster:MongoCluster", "properties"),
        )
    ],
    "azure-database-open-firewall": [
        one(token, token, *azure_range("startIpAddress", "endIpAddress"))
        for token in (
            "azure:sql/firewallRule:FirewallRule",  # until major 5
            "azure:mssql/firewallRule:FirewallRule",
            "azure:postgresql/firewallRule:FirewallRule",
            "azure:mysql/firewallRule:FirewallRule",  # until major 5
            "azure-native:sql:FirewallRule",
            "azure-native:sql/v20211101:FirewallRule",
            "azure-native:dbforpostgresql:FirewallRule",
            "azure-native:dbforpostgresql:SingleServerFirewallRule",  # major 3
            "azure-native:dbforpostgresql:ServerGroupFirewallRule",  # major 3
            "azure-native:dbforpostgresql/v20221108:FirewallRule",  # major 2, server group
            "azure-native:dbformysql:SingleServerFirewallRule",
            "azure-native:documentdb:MongoClusterFirewallRule",  # major 2
            "azure-native:cosmosdb:MongoClusterFirewallRule",  # major 3
        )
    ]
    + [
        one(token, token, *under("properties", azure_range("startIpAddress", "endIpAddress")))
        for token in ("azure-native:documentdb:FirewallRule", "azure-native:mongocluster:FirewallRule")
    ]
    + [
        one(token, token, *azure_range("startIP", "endIP"))
        for token in (
            "azure-native:cache:FirewallRule",  # major 2
            "azure-native:redis:FirewallRule",  # major 3
            "azure-native:redis:RedisFirewallRule",  # major 3
        )
    ],
    "azure-cosmosdb-open-to-everyone": [
        one("azure v5", "azure:cosmosdb/account:Account", {"ipRangeFilter": WORLD}, {"ipRangeFilter": OFFICE}),
        one("azure v6", "azure:cosmosdb/account:Account", {"ipRangeFilters": [WORLD]}, {"ipRangeFilters": [OFFICE]}),
        *(
            one(token, token, {"ipRules": [{"ipAddressOrRange": WORLD}]}, {"ipRules": [{"ipAddressOrRange": OFFICE}]})
            for token in ("azure-native:documentdb:DatabaseAccount", "azure-native:cosmosdb:DatabaseAccount")
        ),
    ],
    "azure-nsg-open-ingress": [
        one(
            f"{token}, inline",
            token,
            {"securityRules": [nsg("*")]},
            {"securityRules": [nsg("10.0.0.0/8")]},
        )
        for token in (
            "azure:network/networkSecurityGroup:NetworkSecurityGroup",
            "azure-native:network:NetworkSecurityGroup",
            "azure-native:network/v20230201:NetworkSecurityGroup",
            "azure-native_network_v20230901:network:NetworkSecurityGroup",
        )
    ]
    + [
        one(f"{token}, alone", token, nsg("Internet"), nsg("VirtualNetwork"))
        for token in ("azure:network/networkSecurityRule:NetworkSecurityRule", "azure-native:network:SecurityRule")
    ],
    "azure-aks-control-plane-open-to-world": [
        one(path, token, nested(path, [WORLD]), nested(path, [f"{OFFICE}/32"]))
        for token, path in (
            ("azure:containerservice/kubernetesCluster:KubernetesCluster", "apiServerAuthorizedIpRanges"),  # major 5
            (
                "azure:containerservice/kubernetesCluster:KubernetesCluster",
                "apiServerAccessProfile.authorizedIpRanges",
            ),
            ("azure-native:containerservice:ManagedCluster", "apiServerAccessProfile.authorizedIPRanges"),
            ("azure-native:containerservice/v20230401:ManagedCluster", "apiServerAccessProfile.authorizedIPRanges"),
        )
    ],
    "azure-aks-node-public-address": [
        one(path, token, nested(path, True), nested(path, False))
        for token, path in (
            (
                "azure:containerservice/kubernetesCluster:KubernetesCluster",
                "defaultNodePool.enableNodePublicIp",  # major 5
            ),
            ("azure:containerservice/kubernetesCluster:KubernetesCluster", "defaultNodePool.nodePublicIpEnabled"),
            ("azure-native:containerservice:ManagedCluster", "agentPoolProfiles[].enableNodePublicIP"),
        )
    ],
    "azure-service-public-network": [
        one(
            token,
            token,
            {"properties": {"publicNetworkAccess": "Enabled"}},
            {"properties": {"publicNetworkAccess": "Disabled"}},
        )
        for token in (
            "azure-native:devices:IotHubResource",  # major 2
            "azure-native:iothub:IotHubResource",  # major 3
            "azure-native:devices:IotDpsResource",
            "azure-native:keyvault/v20230201:Vault",
        )
    ],
    "virtual-machine-ip-forwarding": [
        one(key, token, {key: True}, {key: False})
        for token, key in (
            ("azure:network/networkInterface:NetworkInterface", "enableIpForwarding"),  # major 5
            ("azure:network/networkInterface:NetworkInterface", "ipForwardingEnabled"),
            ("azure-native:network:NetworkInterface", "enableIPForwarding"),
            ("gcp:compute/instance:Instance", "canIpForward"),
        )
    ],
    "gcp-storage-public-member": [
        one(
            "gcp",
            "gcp:storage/bucketIAMMember:BucketIAMMember",
            {"bucket": "files", "role": "roles/storage.objectViewer", "member": "allUsers"},
            {"bucket": "files", "role": "roles/storage.objectViewer", "member": "group:staff@example.com"},
        ),
        one(
            "google-native",
            "google-native:storage/v1:BucketIamPolicy",
            {"bucket": "files", "bindings": [{"role": "roles/storage.objectViewer", "members": ["allUsers"]}]},
            {
                "bucket": "files",
                "bindings": [{"role": "roles/storage.objectViewer", "members": ["user:a@b.example"]}],
            },
        ),
    ],
    "gcp-storage-acls-allowed": [
        one(token, token, nested(path, False), nested(path, True))
        for token, path in (
            ("gcp:storage/bucket:Bucket", "uniformBucketLevelAccess"),
            ("google-native:storage/v1:Bucket", "iamConfiguration.uniformBucketLevelAccess.enabled"),
        )
    ],
    "gcp-storage-public-access-prevention-missing": [
        one(token, token, nested(path, "inherited"), nested(path, "enforced"))
        for token, path in (
            ("gcp:storage/bucket:Bucket", "publicAccessPrevention"),
            ("google-native:storage/v1:Bucket", "iamConfiguration.publicAccessPrevention"),
        )
    ],
    "gcp-firewall-open-ingress": [
        one(
            "gcp",
            "gcp:compute/firewall:Firewall",
            {"sourceRanges": [WORLD], "allows": [{"protocol": "tcp", "ports": ["22"]}]},
            {"sourceRanges": ["10.0.0.0/8"], "allows": [{"protocol": "tcp", "ports": ["22"]}]},
        ),
        *(
            one(
                token,
                token,
                {"sourceRanges": [WORLD], "allowed": [{"ipProtocol": "tcp", "ports": ["22"]}]},
                {"sourceRanges": ["10.0.0.0/8"], "allowed": [{"ipProtocol": "tcp", "ports": ["22"]}]},
            )
            for token in ("google-native:compute/v1:Firewall", "google-native:compute/beta:Firewall")
        ),
    ],
    "gcp-bigquery-public-dataset": [
        one(
            token,
            token,
            {key: [{"role": "READER", "specialGroup": "allAuthenticatedUsers"}]},
            {key: [{"role": "READER", "specialGroup": "projectReaders"}]},
        )
        for token, key in (
            ("gcp:bigquery/dataset:Dataset", "accesses"),
            ("google-native:bigquery/v2:Dataset", "access"),
        )
    ],
}


def verdict(rule: Rule, parts: Sequence[Part]) -> Outcome:
    """Return the worst verdict of the rule on these resources."""
    stack: Stack = Example(parts).stack()
    subjects: list[Resource] = rule.subjects(stack)
    assert subjects, f"{rule.id} judges none of {[part.type for part in parts]}"
    return worst(judge(rule, subject).outcome for subject in subjects)


@pytest.mark.parametrize(
    ("rule_id", "shape"),
    [
        pytest.param(rule_id, shape, id=f"{rule_id}: {shape.name}")
        for rule_id, table in _TABLE.items()
        for shape in table
    ],
)
def test_each_shape_has_the_same_verdicts(rule_id: str, shape: Shape) -> None:
    rule = RULES[rule_id]
    assert verdict(rule, shape.opened) is Outcome.FAIL
    assert verdict(rule, shape.closed) is Outcome.PASS


@pytest.mark.parametrize(
    ("token", "path"),
    [
        ("aws:s3/bucket:Bucket", "tags"),
        ("aws:s3/bucketV2:BucketV2", "tags"),
        ("aws-native:s3:Bucket", "tags[]"),
        ("azure:storage/account:Account", "tags"),
        ("azure:mariadb/server:Server", "tags"),
        ("azure-native:storage:StorageAccount", "tags"),
        ("azure-native:storage/v20230101:StorageAccount", "tags"),
        ("azure-native_storage_v20240101:storage:StorageAccount", "tags"),
        ("azure-native:cache:Redis", "tags"),
        ("azure-native:redis:Redis", "tags"),
        ("azure-native:documentdb:DatabaseAccount", "tags"),
        ("azure-native:dbformysql:SingleServer", "tags"),
        ("gcp:storage/bucket:Bucket", "labels"),
    ],
)
def test_a_missing_tag_is_found_in_each_shape(token: str, path: str) -> None:
    rule, parameters = RULES["missing-required-tag"], {"tags": ["owner"]}
    tag = {"key": "owner", "value": "shop"} if path.endswith("[]") else {"owner": "shop"}
    for inputs, expected in (({}, Outcome.FAIL), (nested(path, tag), Outcome.PASS)):
        stack = Example([Part(token, "it", inputs)]).stack()
        (subject,) = stack.resources
        assert judge(rule, subject, {**rule.defaults, **parameters}).outcome is expected


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_a_rule_names_types_as_resources_are_given_to_it(rule: Rule) -> None:
    tokens = (*rule.types, *rule.neighbours, *rule.aggravated_by)
    assert [token for token in tokens if unversioned_type(token) != token] == []
