"""Denials in an ordered filter take away what they match, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part, Rule
from crossgate.judge import Outcome, judge, worst
from crossgate.rules.network.aws_nacl_open_ingress import aws_nacl_open_ingress
from crossgate.rules.network.azure_nsg_open_ingress import azure_nsg_open_ingress
from crossgate.rules.network.gcp_firewall_open_ingress import gcp_firewall_open_ingress

FIREWALL = "gcp:compute/firewall:Firewall"
NSG_RULE = {
    "direction": "Inbound",
    "protocol": "Tcp",
    "sourcePortRange": "*",
    "sourceAddressPrefix": "*",
    "destinationPortRange": "22",
    "destinationAddressPrefix": "*",
}


def outcome(rule: Rule, parts: list[Part]) -> Outcome:
    stack = Example(parts).stack()
    return worst(judge(rule, subject, rule.defaults).outcome for subject in rule.subjects(stack))


@pytest.mark.parametrize(
    ("denied", "expected"),
    [
        (["8.8.8.0/24"], Outcome.FAIL),
        (["0.0.0.0/1"], Outcome.FAIL),
        (["0.0.0.0/1", "128.0.0.0/1"], Outcome.PASS),
        (["0.0.0.0/0"], Outcome.PASS),
        ([UNKNOWN], Outcome.UNDETERMINED),
    ],
)
def test_denied_addresses_of_a_network_acl(denied: list[str], expected: Outcome) -> None:
    ssh = {"protocol": "tcp", "fromPort": 22, "toPort": 22}
    ingress = [{**ssh, "ruleNo": 10 + at, "action": "deny", "cidrBlock": cidr} for at, cidr in enumerate(denied)]
    ingress.append({**ssh, "ruleNo": 100, "action": "allow", "cidrBlock": "0.0.0.0/0"})
    acl = Part("aws:ec2/networkAcl:NetworkAcl", "acl", {"ingress": ingress})
    assert outcome(aws_nacl_open_ingress, [acl]) is expected


@pytest.mark.parametrize(
    ("denial", "expected"),
    [
        ({}, Outcome.PASS),
        ({"destinationAddressPrefix": "VirtualNetwork"}, Outcome.PASS),
        ({"destinationAddressPrefix": "10.0.1.4"}, Outcome.FAIL),
        ({"destinationAddressPrefix": None, "destinationApplicationSecurityGroupIds": ["db"]}, Outcome.FAIL),
        ({"destinationAddressPrefix": UNKNOWN}, Outcome.UNDETERMINED),
        ({"sourcePortRange": "1024"}, Outcome.FAIL),
        ({"sourcePortRange": UNKNOWN}, Outcome.UNDETERMINED),
    ],
)
def test_what_a_denial_of_a_security_group_is_for(denial: dict[str, Any], expected: Outcome) -> None:
    rules = [
        {**NSG_RULE, "priority": 300, "access": "Allow"},
        {**NSG_RULE, "priority": 200, "access": "Deny", **denial},
    ]
    group = Part("azure:network/networkSecurityGroup:NetworkSecurityGroup", "web", {"securityRules": rules})
    assert outcome(azure_nsg_open_ingress, [group]) is expected


@pytest.mark.parametrize(
    ("denial", "expected"),
    [
        ({}, Outcome.PASS),
        ({"sourceRanges": ["8.8.8.0/24"]}, Outcome.FAIL),
        ({"destinationRanges": ["10.0.0.4/32"]}, Outcome.FAIL),
        ({"destinationRanges": ["0.0.0.0/0"]}, Outcome.PASS),
        ({"destinationRanges": UNKNOWN}, Outcome.UNDETERMINED),
    ],
)
def test_what_a_denial_of_google_cloud_is_for(denial: dict[str, Any], expected: Outcome) -> None:
    world = {"network": "shop", "sourceRanges": ["0.0.0.0/0"]}
    ssh = [{"protocol": "tcp", "ports": ["22"]}]
    parts = [
        Part(FIREWALL, "open", {**world, "allows": ssh}),
        Part(FIREWALL, "deny", {**world, "denies": [{"protocol": "all"}], "priority": 10, **denial}),
    ]
    assert outcome(gcp_firewall_open_ingress, parts) is expected
