"""Security group lets everything out.

Why: what breaks into a machine wants out: to fetch its tools, and to carry data away. A group that allows every port
to every address holds nothing of that back.

Fix: name what the workload needs: HTTPS (port 443) to the internet or to VPC endpoints, the database's port to its
group, DNS to the VPC's resolver.

Sources:
    https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html
    https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_IpPermission.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, truth, unknown
from crossgate.rules.network import _security_groups
from crossgate.rules.network._ports import ALL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth
    from crossgate.rules.network._ports import Opened

_RULE: Final = "aws:ec2/securityGroupRule:SecurityGroupRule"
_ALL: Final = {"protocol": "-1", "fromPort": 0, "toPort": 0}
_HTTPS: Final = {"protocol": "tcp", "fromPort": 443, "toPort": 443}
_WORLD: Final = {"cidrBlocks": ["0.0.0.0/0"]}


@rule(
    types=(*_security_groups.GROUPS, *_security_groups.EGRESS_RULES),
    severity=Severity.LOW,
    aggravated_by=(*_security_groups.PREFIX_LISTS, *_security_groups.PREFIX_LIST_ENTRIES),
    equivalents=("checkov:CKV_AWS_382",),
    bad=[
        {"egress": [{**_ALL, **_WORLD}]},
        {"egress": [{**_ALL, "ipv6CidrBlocks": ["::/0"]}]},
        {"egress": [{"protocol": "tcp", "fromPort": 0, "toPort": 65535, **_WORLD}]},
        {"egress": [{"protocol": "tcp", "fromPort": -1, "toPort": -1, **_WORLD}]},
        Part(_RULE, "all", {"type": "egress", **_ALL, **_WORLD}),
        Part(_security_groups.EGRESS_RULES[1], "all", {"ipProtocol": "-1", "cidrIpv4": "0.0.0.0/0"}),
        Part("aws-native:ec2:SecurityGroupEgress", "all", {"ipProtocol": "-1", "cidrIp": "0.0.0.0/0"}),
        Part(
            "aws-native:ec2:SecurityGroup",
            "native",
            {"securityGroupEgress": [{"ipProtocol": "-1", "cidrIp": "0.0.0.0/0"}]},
        ),
    ],
    good=[
        {},
        {"egress": []},
        {"egress": [{**_HTTPS, **_WORLD}]},
        {"egress": [{**_ALL, "cidrBlocks": ["10.0.0.0/8"]}]},
        {"egress": [{**_ALL, "securityGroups": ["sg-0a1b2c3d"]}]},
        {"ingress": [{**_HTTPS, **_WORLD}]},
        Part(_RULE, "in", {"type": "ingress", **_ALL, **_WORLD}),
    ],
    unsure=[
        {"egress": UNKNOWN},
        {"egress": [{**_ALL, "cidrBlocks": UNKNOWN}]},
        Part(_RULE, "which", {"type": UNKNOWN, **_ALL, **_WORLD}),
    ],
)
def aws_ec2_open_egress(resource: Resource) -> Iterator[Finding]:
    """Yield the permissions that let everything out to every address."""
    for permission in _security_groups.permissions(resource, egress=True):
        everything = _is_everything(permission.opened)
        if not everything.is_false:
            yield Finding(
                "everything may go out, to every address",
                at=permission.at,
                when=permission.applies & everything & permission.sources.world(),
            )


def _is_everything(opened: Opened) -> Truth:
    """Is every port of TCP open?"""
    if opened.maybe_tcp == ALL and opened.tcp != ALL:
        return unknown(*opened.gaps)
    return truth(opened.tcp == ALL)
