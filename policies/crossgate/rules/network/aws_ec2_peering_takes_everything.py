"""Route sends everything to a peered VPC.

Why: a peering connection joins two networks that trust each other in part. A route for ``0.0.0.0/0`` or ``::/0`` over
it hands every packet without a better route to the other side, which may belong to another team or account; and since
peering reaches the peer's own addresses alone, what was meant for the internet is lost.

Fix: name the peer's CIDR block, or the part of it that is needed, as the route's destination. Send the rest to a NAT
gateway or a transit gateway.

Sources:
    https://docs.aws.amazon.com/vpc/latest/peering/vpc-peering-routing.html
    https://docs.aws.amazon.com/vpc/latest/peering/vpc-peering-basics.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules._given import is_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Value

_ROUTE: Final = "aws:ec2/route:Route"
_NATIVE: Final = "aws-native:ec2:Route"
_TABLES: Final = ("aws:ec2/routeTable:RouteTable", "aws:ec2/defaultRouteTable:DefaultRouteTable")
_DESTINATIONS: Final = ("destinationCidrBlock", "destinationIpv6CidrBlock", "cidrBlock", "ipv6CidrBlock")
_EVERYTHING: Final = ("0.0.0.0/0", "::/0")
_PEER: Final = {"vpcPeeringConnectionId": "pcx-0a1b2c3d"}


@rule(
    types=(_ROUTE, *_TABLES, _NATIVE),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV2_AWS_44", "kics:b3a41501-f712-4c4f-81e5-db9a7dc0e34e"),
    bad=[
        {"destinationCidrBlock": "0.0.0.0/0", **_PEER},
        {"destinationIpv6CidrBlock": "::/0", **_PEER},
        {"destinationCidrBlock": "0.0.0.0/0", "vpcPeeringConnectionId": UNKNOWN},
        Part(_TABLES[0], "table", {"routes": [{"cidrBlock": "0.0.0.0/0", **_PEER}]}),
        Part(_TABLES[1], "table", {"routes": [{"ipv6CidrBlock": "::/0", **_PEER}]}),
        Part(_NATIVE, "native", {"destinationCidrBlock": "0.0.0.0/0", **_PEER}),
    ],
    good=[
        {"destinationCidrBlock": "10.1.0.0/16", **_PEER},
        {"destinationCidrBlock": "0.0.0.0/0", "gatewayId": "igw-0a1b2c3d"},
        {"destinationCidrBlock": "0.0.0.0/0", "natGatewayId": UNKNOWN},
        Part(_TABLES[0], "table", {"routes": [{"cidrBlock": "10.1.0.0/16", **_PEER}, {"cidrBlock": "0.0.0.0/0"}]}),
        Part(_TABLES[0], "table", {}),
    ],
    unsure=[
        {"destinationCidrBlock": UNKNOWN, **_PEER},
        Part(_TABLES[0], "table", {"routes": UNKNOWN}),
    ],
)
def aws_ec2_peering_takes_everything(resource: Resource) -> Iterator[Finding]:
    """Yield the routes for everything that lead to a peering connection."""
    for route in _routes(resource):
        yield Finding(
            "everything without a better route goes to a peered VPC",
            at=route,
            when=is_given(route["vpcPeeringConnectionId"])
            & any_of(route[key].is_in(_EVERYTHING) for key in _DESTINATIONS),
        )


def _routes(resource: Resource) -> Iterator[Value]:
    if resource.token in _TABLES:
        yield from resource["routes"].each()
    else:
        yield resource.inputs
