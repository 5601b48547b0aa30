"""An empty text where a property could stand is none, as programs write it that fill in every property."""

from typing import Any

import pytest

from crossgate import Example, Part, Rule
from crossgate.judge import Outcome, judge
from crossgate.rules.network.aws_ec2_peering_takes_everything import aws_ec2_peering_takes_everything
from crossgate.rules.network.azure_nsg_open_ingress import azure_nsg_open_ingress
from crossgate.rules.network.gcp_firewall_open_ingress import gcp_firewall_open_ingress
from crossgate.rules.public.aws_lambda_any_source import aws_lambda_any_source
from crossgate.rules.public.aws_lambda_open_to_everyone import aws_lambda_open_to_everyone
from crossgate.rules.public.aws_s3_public_policy import aws_s3_public_policy
from crossgate.rules.public.aws_s3_website_hosting import aws_s3_website_hosting

TABLE = "aws:ec2/routeTable:RouteTable"
FIREWALL = "gcp:compute/firewall:Firewall"
SECURITY_RULE = "azure:network/networkSecurityRule:NetworkSecurityRule"
PERMISSION = "aws:lambda/permission:Permission"
BUCKET = "aws:s3/bucket:Bucket"
EVERYTHING = {"cidrBlock": "0.0.0.0/0", "gatewayId": "igw-0a1b2c3d"}
SSH = {"network": "shop", "allows": [{"protocol": "tcp", "ports": ["22"]}], "sourceRanges": ["0.0.0.0/0"]}
INBOUND = {"access": "Allow", "direction": "Inbound", "priority": 100, "protocol": "Tcp", "sourceAddressPrefix": "*"}
PAIRS: list[tuple[Rule, str, dict[str, Any], Outcome]] = [
    (
        aws_ec2_peering_takes_everything,
        TABLE,
        {"routes": [{**EVERYTHING, "vpcPeeringConnectionId": ""}]},
        Outcome.PASS,
    ),
    (gcp_firewall_open_ingress, FIREWALL, {**SSH, "direction": ""}, Outcome.FAIL),
    (
        azure_nsg_open_ingress,
        SECURITY_RULE,
        {**INBOUND, "destinationPortRange": "", "destinationPortRanges": ["443"]},
        Outcome.PASS,
    ),
    (aws_lambda_any_source, PERMISSION, {"principal": "s3.amazonaws.com", "sourceArn": ""}, Outcome.FAIL),
    (aws_lambda_open_to_everyone, PERMISSION, {"principal": "*", "principalOrgId": ""}, Outcome.FAIL),
    (aws_s3_public_policy, BUCKET, {"policy": ""}, Outcome.PASS),
    (aws_s3_website_hosting, BUCKET, {"website": {"indexDocument": ""}}, Outcome.PASS),
]


@pytest.mark.parametrize(("rule", "token", "inputs", "outcome"), PAIRS, ids=[rule.id for rule, *_ in PAIRS])
def test_blank_is_none(rule: Rule, token: str, inputs: dict[str, Any], outcome: Outcome) -> None:
    stack = Example([Part(token, "one", inputs)]).stack()
    assert judge(rule, stack.resources[0]).outcome is outcome
