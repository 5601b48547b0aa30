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

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Finding, Note, Part, Severity, any_of, ref, rule, truth
from crossgate.rules.network import _security_groups
from crossgate.rules.network._cidr import Sources
from crossgate.rules.network._services import PARAMETERS, PIECE, WIDE, Asked, listed, words_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource, Truth
    from crossgate.rules.network._security_groups import Permission

_SSH: Final = {"protocol": "tcp", "fromPort": 22, "toPort": 22}
_WORLD: Final = {"cidrBlocks": ["0.0.0.0/0"]}


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
    frameworks=("AWS FSBP 1.0 EC2.19", "CIS AWS 3.0 5.2", "CIS AWS 3.0 5.3"),
    equivalents={
        "checkov:CKV_AWS_24": {"ports": [22], "udpPorts": []},
        "checkov:CKV_AWS_25": {"ports": [3389], "udpPorts": []},
        "checkov:CKV_AWS_260": {"ports": [80], "udpPorts": []},
        "checkov:CKV_AWS_277": {"message": "every"},
        "trivy:AVD-AWS-0107": {"ports": [22, 3389], "udpPorts": []},
        "kics:381c3f2a-ef6f-4eff-99f7-b169cda3422c": {},
        "kics:65905cec-d691-4320-b320-2000436cb696": {"ports": [22], "udpPorts": []},
        "kics:151187cb-0efc-481c-babd-ad24e3c9bc22": {"ports": [3389], "udpPorts": []},
        "kics:ffac8a12-322e-42c1-b9b9-81ff85c39ef7": {"ports": [80], "udpPorts": []},
    },
    parameters=PARAMETERS,
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
    asked = Asked.of(parameters)
    pieces: list[Permission] = []
    for permission in _security_groups.permissions(resource):
        if permission.sources.wide(*PIECE).is_false:
            continue
        reached = permission.opened.reaches(asked.tcp, asked.udp)
        if reached.is_false and not permission.opened.is_port_zero:
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


def _alone(permission: Permission, reached: Truth, world: Truth, asked: Asked) -> Iterator[Finding]:
    """Yield what one permission opens by itself."""
    words = words_for(permission.opened, asked)
    place = permission.source if world.is_true else permission.at
    yield Finding(f"{words} open to the internet", at=place, when=world & reached)
    yield Note(
        "port 0 alone is open to the internet, and nothing uses it: perhaps protocol -1, which means everything, was"
        " meant",
        at=place,
        when=world & truth(permission.opened.is_port_zero),
    )
    yield Note(
        f"{words} open to a range as wide as a /{WIDE[0]}",
        at=permission.at,
        when=permission.applies & reached & ~world & permission.sources.wide(*WIDE),
    )


def _together(pieces: list[Permission], asked: Asked) -> Iterator[Finding]:
    """Yield what several permissions open to the internet that none of them opens to all of it."""
    place = pieces[0].at.property_name
    for udp, ports in ((False, asked.tcp), (True, asked.udp)):
        shared = [port for port in ports if sum(not piece.opened.opens(port, udp=udp).is_false for piece in pieces) > 1]
        opened = [(port, _sum(pieces, port, udp=udp).world(asked.length)) for port in shared]
        known = [port for port, world in opened if world.is_true]
        if known:
            yield Finding(f"{listed(known, udp=udp)} open to the internet by several rules together", at=place)
        else:
            yield Finding("the rules together may be the internet", at=place, when=any_of(world for _, world in opened))


def _sum(pieces: list[Permission], port: int, *, udp: bool) -> Sources:
    """Return the addresses that ``pieces`` together let in on ``port``."""
    total = Sources()
    for piece in pieces:
        total.join(piece.sources, piece.applies & piece.opened.opens(port, udp=udp))
    return total
