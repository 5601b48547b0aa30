"""Security group open to the internet on a sensitive port.

Why: whoever scans the internet finds the port within minutes. Behind SSH, RDP, a database or an admin interface one
weak password or one unpatched version is enough. Ports 80 and 443 are not asked about: they are meant to be public.
The internet is every public address, so two ``/1`` blocks, or everything but the private ranges, count as
``0.0.0.0/0`` does. A reference to a group, or ``self``, beside such a range takes nothing away from it. TCP 0 to 0 is
port 0 alone: everything is protocol ``-1``.

Fix: name the addresses that need the port, or the security group of the load balancer or bastion as the source. For
people, Session Manager or a VPN needs no open port at all. Where a range is not known in the preview, take it from
the VPC or subnet of the same stack, or from configuration.

Sources:
    https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_IpPermission.html
    https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html
    https://docs.aws.amazon.com/vpc/latest/userguide/managed-prefix-lists.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ec2-controls.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import UNKNOWN, Example, Finding, Note, Part, Severity, any_of, ref, rule, truth
from crossgate.rules.network import _security_groups
from crossgate.rules.network._cidr import Sources
from crossgate.rules.network._ports import ALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from crossgate import Resource, Truth
    from crossgate.rules.network._ports import Opened
    from crossgate.rules.network._security_groups import Permission

SERVICES: Final = {
    20: "FTP",
    21: "FTP",
    22: "SSH",
    23: "Telnet",
    69: "TFTP",
    110: "POP3",
    111: "rpcbind",
    135: "RPC",
    137: "NetBIOS",
    138: "NetBIOS",
    139: "NetBIOS",
    143: "IMAP",
    161: "SNMP",
    389: "LDAP",
    445: "SMB",
    512: "rexec",
    513: "rlogin",
    514: "rsh",
    623: "IPMI",
    636: "LDAP",
    873: "rsync",
    1433: "SQL Server",
    1434: "SQL Server",
    1521: "Oracle",
    1900: "SSDP",
    2049: "NFS",
    2181: "ZooKeeper",
    2375: "Docker",
    2376: "Docker",
    2379: "etcd",
    2380: "etcd",
    3306: "MySQL",
    3389: "RDP",
    4333: "mSQL",
    5432: "PostgreSQL",
    5439: "Redshift",
    5500: "VNC",
    5601: "Kibana",
    5672: "RabbitMQ",
    5900: "VNC",
    5984: "CouchDB",
    5985: "WinRM",
    5986: "WinRM",
    6379: "Redis",
    6443: "Kubernetes API",
    7000: "Cassandra",
    7001: "Cassandra",
    7474: "Neo4j",
    7687: "Neo4j",
    8086: "InfluxDB",
    8500: "Consul",
    9042: "Cassandra",
    9092: "Kafka",
    9160: "Cassandra",
    9200: "Elasticsearch",
    9300: "Elasticsearch",
    10250: "kubelet",
    10255: "kubelet",
    11211: "Memcached",
    15672: "RabbitMQ",
    27017: "MongoDB",
    27018: "MongoDB",
    27019: "MongoDB",
    50070: "Hadoop",
}
"""What answers on the ports that are asked about: the words of a finding."""

_UDP_ONLY: Final = (69, 623, 1900)
TCP_PORTS: Final = [port for port in SERVICES if port not in (*_UDP_ONLY, 137, 138, 161)]
UDP_PORTS: Final = [69, 111, 137, 138, 161, 389, 623, 1434, 1900, 3389, 11211]

_WIDE: Final = (8, 32)
"""Prefix lengths, IPv4 and IPv6, from which a range is worth a remark: those that S3 calls public."""
_PIECE: Final = (16, 32)
"""Prefix lengths from which a range is looked at as a piece of the internet."""
_NAMED_AT_MOST: Final = 3
_SSH: Final = {"protocol": "tcp", "fromPort": 22, "toPort": 22}
_WORLD: Final = {"cidrBlocks": ["0.0.0.0/0"]}


def _ports_schema(transport: str, default: Sequence[int]) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 65535},
        "default": list(default),
        "description": f"{transport} ports that may not be open to the internet",
    }


_RULE: Final = "aws:ec2/securityGroupRule:SecurityGroupRule"
_INGRESS_RULE: Final = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
_LIST: Final = "aws:ec2/managedPrefixList:ManagedPrefixList"
_GROUP: Final = Part("aws:ec2/securityGroup:SecurityGroup", "db", {})


def _half(name: str, cidr: str) -> Part:
    inputs = {"securityGroupId": ref("db"), "ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "cidrIpv4": cidr}
    return Part(_INGRESS_RULE, name, inputs)


def _group(**permission: Any) -> Part:
    return Part("aws:ec2/securityGroup:SecurityGroup", "web", {"ingress": [permission]})


def _prefix_list(cidr: object) -> Part:
    return Part(_LIST, "office", {"addressFamily": "IPv4", "maxEntries": 5, "entries": [{"cidr": cidr}]})


def _prefix_list_entry(cidr: object) -> Part:
    inputs = {"prefixListId": ref("office"), "cidr": cidr}
    return Part("aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry", "guests", inputs)


_BY_LIST: Final = Part(
    _INGRESS_RULE, "ssh", {"ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "prefixListId": ref("office")}
)


@rule(
    types=(*_security_groups.GROUPS, *_security_groups.RULES),
    severity=Severity.HIGH,
    aggravated_by=(*_security_groups.PREFIX_LISTS, *_security_groups.PREFIX_LIST_ENTRIES),
    frameworks=(
        "AWS FSBP 1.0 EC2.13",
        "AWS FSBP 1.0 EC2.14",
        "AWS FSBP 1.0 EC2.19",
        "CIS AWS 3.0 5.2",
        "CIS AWS 3.0 5.3",
    ),
    equivalents={
        "checkov:CKV_AWS_24": {"ports": [22], "udpPorts": []},
        "checkov:CKV_AWS_25": {"ports": [3389], "udpPorts": []},
        "checkov:CKV_AWS_260": {"ports": [80], "udpPorts": []},
        "checkov:CKV_AWS_277": {},
        "trivy:AVD-AWS-0107": {"ports": [22, 3389], "udpPorts": []},
        "kics:381c3f2a-ef6f-4eff-99f7-b169cda3422c": {},
        "kics:151187cb-0efc-481c-babd-ad24e3c9bc22": {"ports": [3389], "udpPorts": []},
        "kics:ffac8a12-322e-42c1-b9b9-81ff85c39ef7": {"ports": [80], "udpPorts": []},
    },
    parameters={
        "ports": _ports_schema("TCP", TCP_PORTS),
        "udpPorts": _ports_schema("UDP", UDP_PORTS),
        "worldPrefix": {
            "type": "integer",
            "minimum": 0,
            "maximum": 8,
            "default": 0,
            "description": "how much counts as the internet: as many public addresses as a block of this prefix "
            "length; 0 means all of them",
        },
    },
    bad=[
        {"ingress": [{**_SSH, **_WORLD}]},
        {"ingress": [{**_SSH, "ipv6CidrBlocks": ["::/0"]}]},
        {"ingress": [{"protocol": "-1", "fromPort": 0, "toPort": 0, **_WORLD}]},
        {"ingress": [{"protocol": "tcp", "fromPort": 0, "toPort": 65535, **_WORLD}]},
        {"ingress": [{"protocol": "tcp", "fromPort": -1, "toPort": -1, **_WORLD}]},
        {"ingress": [{"protocol": 6, "fromPort": 0, "toPort": 1024, "cidrBlocks": ["10.0.0.0/8", "0.0.0.0/0"]}]},
        {"ingress": [{"protocol": "udp", "fromPort": 161, "toPort": 162, **_WORLD}]},
        {"ingress": [{**_SSH, **_WORLD, "self": True, "securityGroups": ["sg-0a1b2c3d"]}]},
        {"ingress": [{**_SSH, "cidrBlocks": ["0.0.0.0/1", "128.0.0.0/1"]}]},
        {"ingress": [{**_SSH, "cidrBlocks": ["0.0.0.0/1"]}, {**_SSH, "toPort": 23, "cidrBlocks": ["128.0.0.0/1"]}]},
        {
            "ingress": [
                {
                    **_SSH,
                    "cidrBlocks": [
                        "0.0.0.0/5",
                        "8.0.0.0/7",
                        "11.0.0.0/8",
                        "12.0.0.0/6",
                        "16.0.0.0/4",
                        "32.0.0.0/3",
                        "64.0.0.0/2",
                        "128.0.0.0/1",
                    ],
                }
            ]
        },
        {"ingress": [{**_SSH, "fromPort": UNKNOWN, **_WORLD}]},
        {"ingress": [{"protocol": "tcp", "fromPort": 443, "toPort": 443, **_WORLD}, {**_SSH, **_WORLD}]},
        Part("aws:ec2/defaultSecurityGroup:DefaultSecurityGroup", "default", {"ingress": [{**_SSH, **_WORLD}]}),
        Part(_RULE, "rdp", {"type": "ingress", "protocol": "tcp", "fromPort": 3389, "toPort": 3389, **_WORLD}),
        Part(_INGRESS_RULE, "v6", {"ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "cidrIpv6": "::/0"}),
        Part(_INGRESS_RULE, "all", {"ipProtocol": "-1", "cidrIpv4": "0.0.0.0/0"}),
        [_half("lower", "0.0.0.0/1"), _half("upper", "128.0.0.0/1"), _GROUP],
        [_BY_LIST, _prefix_list("0.0.0.0/0")],
        [_BY_LIST, _prefix_list("10.0.0.0/8"), _prefix_list_entry("0.0.0.0/0")],
        [_group(**_SSH, prefixListIds=[ref("office")]), _prefix_list("0.0.0.0/0")],
        Part(
            "aws-native:ec2:SecurityGroup",
            "native",
            {"securityGroupIngress": [{"ipProtocol": "tcp", "fromPort": 5432, "toPort": 5432, "cidrIp": "0.0.0.0/0"}]},
        ),
        Part("aws-native:ec2:SecurityGroupIngress", "native", {"ipProtocol": "-1", "cidrIpv6": "::/0"}),
        Example([_group(protocol="tcp", fromPort=80, toPort=80, **_WORLD)], {"ports": [80]}),
        Example([_group(**_SSH, cidrBlocks=["16.0.0.0/4"])], {"worldPrefix": 4}),
    ],
    good=[
        {},
        {"ingress": []},
        {"ingress": [{"protocol": "tcp", "fromPort": 443, "toPort": 443, **_WORLD}]},
        {"ingress": [{"protocol": "tcp", "fromPort": 80, "toPort": 80, **_WORLD, "ipv6CidrBlocks": ["::/0"]}]},
        {"ingress": [{**_SSH, "cidrBlocks": ["10.0.0.0/8"]}]},
        {"ingress": [{**_SSH, "cidrBlocks": ["203.0.113.0/24", "198.51.100.0/23"]}]},
        {"ingress": [{**_SSH, "cidrBlocks": ["0.0.0.0/1"]}]},
        {
            "ingress": [
                {**_SSH, "cidrBlocks": ["0.0.0.0/1"]},
                {"protocol": "tcp", "fromPort": 3389, "toPort": 3389, "cidrBlocks": ["128.0.0.0/1"]},
            ]
        },
        {"ingress": [{"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True}]},
        {"ingress": [{**_SSH, "securityGroups": ["sg-0a1b2c3d"]}]},
        {"ingress": [{"protocol": "tcp", "fromPort": 0, "toPort": 0, **_WORLD}]},
        {"ingress": [{"protocol": "icmp", "fromPort": 8, "toPort": 0, **_WORLD}]},
        {"ingress": [{"protocol": "icmp", "fromPort": 22, "toPort": 22, **_WORLD}]},
        {"ingress": [{"protocol": "50", "fromPort": 0, "toPort": 0, **_WORLD}]},
        {"ingress": [{"protocol": "udp", "fromPort": 22, "toPort": 22, **_WORLD}]},
        Part(_RULE, "out", {"type": "egress", "protocol": "-1", "fromPort": 0, "toPort": 0, **_WORLD}),
        Part(_INGRESS_RULE, "ref", {"ipProtocol": "-1", "referencedSecurityGroupId": "sg-0a1b2c3d"}),
        [_group(**_SSH, cidrBlocks=[ref("main")]), Part("aws:ec2/vpc:Vpc", "main", {"cidrBlock": "10.0.0.0/16"})],
        [_BY_LIST, _prefix_list("10.0.0.0/8"), _prefix_list_entry("192.0.2.0/24")],
        [
            _group(**_SSH, prefixListIds=[ref("s3")]),
            Part("aws:ec2/vpcEndpoint:VpcEndpoint", "s3", {"serviceName": "com.amazonaws.eu-west-1.s3"}),
        ],
        Example([_group(**_SSH, **_WORLD)], {"ports": [3389]}),
    ],
    unsure=[
        {"ingress": [{**_SSH, "cidrBlocks": [UNKNOWN]}]},
        {"ingress": [{**_SSH, "cidrBlocks": UNKNOWN}]},
        {"ingress": UNKNOWN},
        {"ingress": [{"protocol": UNKNOWN, "fromPort": 22, "toPort": 22, **_WORLD}]},
        {"ingress": [{"protocol": "tcp", "fromPort": 443, "toPort": UNKNOWN, **_WORLD}]},
        {"ingress": [{**_SSH, "fromPort": 23, **_WORLD}]},
        {"ingress": [{**_SSH, "cidrBlocks": ["office"]}]},
        {"ingress": [{**_SSH, "prefixListIds": ["pl-0a1b2c3d"]}]},
        [
            _group(**_SSH, cidrBlocks=[ref("main"), UNKNOWN]),
            Part("aws:ec2/vpcPeeringConnection:VpcPeeringConnection", "main", {}),
        ],
        Part(_RULE, "which", {"type": UNKNOWN, **_SSH, **_WORLD}),
        [_BY_LIST, _prefix_list(UNKNOWN)],
    ],
)
def aws_ec2_open_ingress(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the permissions, alone and together, that let the internet in on one of the ports."""
    asked = _Asked(parameters["ports"], parameters["udpPorts"], parameters["worldPrefix"])
    pieces: list[Permission] = []
    for permission in _security_groups.permissions(resource):
        reached = permission.opened.reaches(asked.tcp, asked.udp)
        if reached.is_false and not permission.opened.is_port_zero:
            continue
        if permission.sources.wide(*_PIECE).is_false:
            continue
        world = permission.sources.world(asked.length)
        if not world.is_true:
            pieces.append(permission)
        yield from _alone(permission, reached, permission.applies & world, asked)
    if pieces:
        siblings = _security_groups.siblings(resource)
        pieces.extend(piece for piece in siblings if not piece.sources.world(asked.length).is_true)
    if len(pieces) > 1:
        yield from _together(pieces, asked)


class _Asked(NamedTuple):
    """The rule's parameters."""

    tcp: Sequence[int]
    udp: Sequence[int]
    length: int


def _alone(permission: Permission, reached: Truth, world: Truth, asked: _Asked) -> Iterator[Finding]:
    """Yield what one permission opens by itself."""
    words = _words(permission.opened, asked)
    place = permission.source if world.is_true else permission.at
    yield Finding(f"{words} open to the internet", at=place, when=world & reached)
    yield Note(
        "port 0 alone is open to the internet, and nothing uses it: perhaps protocol -1, which means everything, was"
        " meant",
        at=place,
        when=world & truth(permission.opened.is_port_zero),
    )
    yield Note(
        f"{words} open to a range as wide as a /{_WIDE[0]}",
        at=permission.at,
        when=permission.applies & reached & ~world & permission.sources.wide(*_WIDE),
    )


def _together(pieces: list[Permission], asked: _Asked) -> Iterator[Finding]:
    """Yield what several permissions open to the internet that none of them opens to all of it."""
    place = pieces[0].at.property_name
    for udp, ports in ((False, asked.tcp), (True, asked.udp)):
        shared = [port for port in ports if sum(not piece.opened.opens(port, udp=udp).is_false for piece in pieces) > 1]
        opened = [(port, _sum(pieces, port, udp=udp).world(asked.length)) for port in shared]
        known = [port for port, world in opened if world.is_true]
        if known:
            yield Finding(f"{_listed(known, udp=udp)} open to the internet by several rules together", at=place)
        else:
            yield Finding("the rules together may be the internet", at=place, when=any_of(world for _, world in opened))


def _sum(pieces: list[Permission], port: int, *, udp: bool) -> Sources:
    """Return the addresses that ``pieces`` together let in on ``port``."""
    total = Sources()
    for piece in pieces:
        total.join(piece.sources, piece.applies & piece.opened.opens(port, udp=udp))
    return total


def _words(opened: Opened, asked: _Asked) -> str:
    """Name what is open for sure: "port 22 (SSH) is"."""
    if opened.every_protocol:
        return "every port is"
    for span, ports, udp in ((opened.tcp, asked.tcp, False), (opened.udp, asked.udp, True)):
        if span == ALL:
            return f"every {'UDP' if udp else 'TCP'} port is"
        hit = span.of(ports)
        if hit:
            return _listed(hit, udp=udp)
    return "a port that is not known is"


def _listed(ports: Sequence[int], *, udp: bool) -> str:
    named = [f"{int(port)} ({SERVICES[port]})" if port in SERVICES else f"{int(port)}" for port in ports]
    kind = "UDP port" if udp else "port"
    if len(named) == 1:
        return f"{kind} {named[0]} is"
    more = len(named) - _NAMED_AT_MOST
    if more > 0:
        return f"{kind}s {', '.join(named[:_NAMED_AT_MOST])} and {more} more are"
    return f"{kind}s {', '.join(named[:-1])} and {named[-1]} are"
