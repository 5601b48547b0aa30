"""An empty text where a reference could stand is none, as programs write it that fill in every property."""

import pytest

from crossgate import Example, Part
from crossgate.judge import Outcome, judge
from crossgate.rules.network.aws_ec2_peering_takes_everything import aws_ec2_peering_takes_everything

EVERYTHING = {"cidrBlock": "0.0.0.0/0", "gatewayId": "igw-0a1b2c3d"}


@pytest.mark.parametrize(
    ("connection", "outcome"), [("", Outcome.PASS), (None, Outcome.PASS), ("pcx-0a1b2c3d", Outcome.FAIL)]
)
def test_route_with_a_blank_peering_connection_leads_to_no_peer(connection: str | None, outcome: Outcome) -> None:
    table = Part(
        "aws:ec2/routeTable:RouteTable", "table", {"routes": [{**EVERYTHING, "vpcPeeringConnectionId": connection}]}
    )
    stack = Example([table]).stack()
    assert judge(aws_ec2_peering_takes_everything, stack.resources[0]).outcome is outcome
