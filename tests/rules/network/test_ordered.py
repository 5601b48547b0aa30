"""Filters in order: what an earlier entry denies, and what may stand before an entry without being known."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part
from crossgate.judge import judge
from crossgate.rules.network.azure_nsg_open_ingress import azure_nsg_open_ingress

ALLOW: Mapping[str, Any] = {
    "priority": 300,
    "direction": "Inbound",
    "access": "Allow",
    "protocol": "Tcp",
    "destinationPortRange": "22",
    "sourceAddressPrefix": "*",
}
DENY = {**ALLOW, "priority": 200, "access": "Deny"}

Outcome = Callable[..., str]


@pytest.fixture
def outcome() -> Outcome:
    """Judges a network security group that has these rules."""

    def run(*rules: Any) -> str:
        group = Part("azure:network/networkSecurityGroup:NetworkSecurityGroup", "web", {"securityRules": list(rules)})
        stack = Example([group]).stack()
        return judge(azure_nsg_open_ingress, stack.resources[0]).outcome.value

    return run


@pytest.mark.parametrize(
    ("denial", "expected"),
    [
        ({}, "pass"),
        ({"priority": 400}, "fail"),
        ({"priority": UNKNOWN}, "undetermined"),
        ({"protocol": "Udp"}, "fail"),
        ({"protocol": UNKNOWN}, "undetermined"),
        ({"destinationPortRange": "23-80"}, "fail"),
        ({"destinationPortRange": "20-22"}, "pass"),
        ({"destinationPortRange": UNKNOWN}, "undetermined"),
        ({"sourceAddressPrefix": "203.0.113.0/24"}, "fail"),
        ({"sourceAddressPrefix": "128.0.0.0/1"}, "fail"),
        ({"sourceAddressPrefix": UNKNOWN}, "undetermined"),
        ({"direction": "Outbound"}, "fail"),
        ({"direction": UNKNOWN}, "undetermined"),
        ({"access": UNKNOWN}, "undetermined"),
        ({"access": UNKNOWN, "priority": 400}, "fail"),
        ({"access": UNKNOWN, "destinationPortRange": "443"}, "fail"),
    ],
)
def test_an_earlier_denial_excuses_what_it_covers(outcome: Outcome, denial: Mapping[str, Any], expected: str) -> None:
    assert expected == outcome(ALLOW, {**DENY, **denial})


def test_two_denials_may_cover_together_what_none_does_alone(outcome: Outcome) -> None:
    v4 = {**ALLOW, "sourceAddressPrefix": "0.0.0.0/0"}
    halves = [
        {**DENY, "priority": 100 + at, "sourceAddressPrefix": half}
        for at, half in enumerate(("0.0.0.0/1", "128.0.0.0/1"))
    ]
    assert "pass" == outcome(v4, *halves)
    assert "undetermined" == outcome({**v4, "sourceAddressPrefix": UNKNOWN}, halves[0])


def test_several_entries_may_let_the_internet_in_together(outcome: Outcome) -> None:
    lower, upper = ({**ALLOW, "sourceAddressPrefix": half} for half in ("0.0.0.0/1", "128.0.0.0/1"))
    assert "fail" == outcome(lower, {**upper, "priority": 301})
    assert "pass" == outcome(lower, {**upper, "priority": 301, "destinationPortRange": "3389"})
    assert "pass" == outcome(lower, {**upper, "priority": 301}, {**DENY, "sourceAddressPrefix": "128.0.0.0/1"})


def test_nothing_comes_before_the_first_priority(outcome: Outcome) -> None:
    assert "fail" == outcome({**ALLOW, "priority": 100}, UNKNOWN)
    assert "undetermined" == outcome(ALLOW, UNKNOWN)
