"""Ranges add up to what they hold, and an unknown one matters only where it could change the answer."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossgate import FALSE, TRUE, UNKNOWN, Gap, Resource, Stack, Truth, Value, unknown
from crossgate.rules.network._cidr import Block, Sources, parse, public_size, subtract

VPC = "aws:ec2/vpc:Vpc"
GROUP = "aws:ec2/securityGroup:SecurityGroup"

SPECIAL = [
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
    )
]


def state(answer: Truth) -> str:
    return "unknown" if answer.is_unknown else "yes" if answer.is_true else "no"


def sources(*texts: Any) -> Sources:
    found = Sources()
    for value in Value(list(texts)).each():
        found.add(value)
    return found


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("10.0.0.0/8", 0x0A000000, 0x0AFFFFFF),
        ("0.0.0.0/0", 0, 0xFFFFFFFF),
        ("1.2.3.4/0", 0, 0xFFFFFFFF),
        ("10.1.2.3/16", 0x0A010000, 0x0A01FFFF),
        (" 192.0.2.7 ", 0xC0000207, 0xC0000207),
        ("::ffff:0.0.0.0/96", 0, 0xFFFFFFFF),
        ("::ffff:192.0.2.0/120", 0xC0000200, 0xC00002FF),
    ],
)
def test_an_ipv4_block_in_each_spelling(text: str, first: int, last: int) -> None:
    block = parse(text)
    assert block is not None
    assert block[:3] == (4, first, last)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/0",
        "0/0",
        "10.0.0/8",
        "10.0.0.0.0/8",
        "256.0.0.0/8",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/255.0.0.0",
        "ten.0.0.0/8",
        "1\u0660.0.0.0/8",
        "::/129",
        "::g/64",
        "pl-0a1b2c3d",
        "0000.0.0.0/0",
    ],
)
def test_what_is_no_cidr_is_none(text: str) -> None:
    assert parse(text) is None


@given(st.ip_addresses(v=4), st.integers(0, 32))
def test_ipv4_agrees_with_the_standard_library(address: ipaddress.IPv4Address, length: int) -> None:
    network = ipaddress.IPv4Network((address, length), strict=False)
    block = parse(f"{address}/{length}")
    assert block is not None
    assert block[:3] == (4, int(network.network_address), int(network.broadcast_address))


@given(st.ip_addresses(v=6, network="2000::/3"), st.integers(0, 128))
def test_ipv6_agrees_with_the_standard_library(address: ipaddress.IPv6Address, length: int) -> None:
    network = ipaddress.IPv6Network((address, length), strict=False)
    block = parse(f"{address}/{length}")
    assert block is not None
    assert block[:3] == (6, int(network.network_address), int(network.broadcast_address))


NETWORKS = st.builds(
    lambda address, length: ipaddress.IPv4Network((address, length), strict=False),
    st.ip_addresses(v=4),
    st.integers(1, 26),
)


@given(st.lists(NETWORKS, max_size=8))
def test_public_addresses_are_counted_once_and_special_ones_never(networks: list[ipaddress.IPv4Network]) -> None:
    expected = 0
    for network in ipaddress.collapse_addresses(networks):
        inside = [special for special in SPECIAL if special.overlaps(network)]
        expected += max(0, network.num_addresses - sum(min(s.num_addresses, network.num_addresses) for s in inside))
    assert public_size(blocks(networks)) == expected


@given(st.lists(NETWORKS, max_size=5), NETWORKS)
def test_subtracting_leaves_what_is_outside(networks: list[ipaddress.IPv4Network], gone: ipaddress.IPv4Network) -> None:
    whole = blocks(networks)
    left = subtract(whole, parse(str(gone)))
    assert public_size(left) + public_size(within(whole, parse(str(gone)))) == public_size(whole)
    assert not within(left, parse(str(gone)))


def blocks(networks: list[ipaddress.IPv4Network]) -> list[Block]:
    return [block for network in networks if (block := parse(str(network))) is not None]


def within(whole: list[Block], part: Block | None) -> list[Block]:
    """Return the pieces of ``whole`` inside ``part``: what is left after taking away what is left without it."""
    assert part is not None
    found = []
    for block in whole:
        pieces = [block]
        for outside in subtract([block], part):
            pieces = subtract(pieces, outside)
        found += pieces
    return found


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], "no"),
        (["0.0.0.0/0"], "yes"),
        (["::/0"], "yes"),
        (["2000::/3"], "yes"),
        (["10.0.0.0/8", "1.2.3.4/0"], "yes"),
        (["0.0.0.0/1", "128.0.0.0/1"], "yes"),
        (["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3"], "yes"),  # all but multicast and reserved
        (["0.0.0.0/1"], "no"),
        (["0.0.0.0/1", "128.0.0.0/2"], "no"),
        (["0.0.0.0/1", "8000::/1"], "no"),  # halves of two families are no whole
        (["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"], "no"),
        (["::ffff:0:0/96"], "yes"),
        ([UNKNOWN], "unknown"),
        ([UNKNOWN, "0.0.0.0/0"], "yes"),
        ([UNKNOWN, "10.0.0.0/8"], "unknown"),
        (["not a range"], "unknown"),
        (["", None], "no"),
    ],
)
def test_whether_ranges_together_are_the_world(texts: list[Any], expected: str) -> None:
    assert state(sources(*texts).world()) == expected
    assert state(sources(*reversed(texts)).world()) == expected


def test_the_threshold_is_a_prefix_length() -> None:
    assert state(sources("16.0.0.0/4").world(4)) == "yes"
    assert state(sources("16.0.0.0/5").world(4)) == "no"
    assert state(sources("16.0.0.0/5", "24.0.0.0/5").world(4)) == "yes"
    assert state(sources("10.0.0.0/8").world(8)) == "no", "private addresses do not count"


def test_exceptions_are_taken_out_where_they_are_known() -> None:
    def world_without(*texts: Any) -> str:
        found = sources("0.0.0.0/0")
        for value in Value(list(texts)).each():
            found.remove(value)
        return state(found.world())

    assert world_without("10.0.0.0/8", "192.168.0.0/16") == "yes"
    assert world_without("8.0.0.0/8") == "no"
    assert world_without(UNKNOWN) == "unknown"
    assert world_without(None) == "yes"


def test_a_part_that_may_be_there_counts_as_maybe() -> None:
    half, other = sources("0.0.0.0/1"), sources("128.0.0.0/1")
    doubt = unknown(Gap("urn", "path", "why"))
    for condition, expected in ((TRUE, "yes"), (FALSE, "no"), (doubt, "unknown")):
        whole = Sources()
        whole.join(half)
        whole.join(other, condition)
        assert state(whole.world()) == expected
    assert sources(UNKNOWN).world().gaps


@pytest.mark.parametrize(("visible", "expected"), [(True, "no"), (False, "unknown")])
def test_an_unknown_from_a_visible_network_is_never_the_world(visible: bool, expected: str) -> None:
    vpc = Resource(f"urn:pulumi:dev::p::{VPC}::main", VPC, "main", {})
    edges = {"cidr": [vpc.urn]}
    group = Resource(f"urn:pulumi:dev::p::{GROUP}::g", GROUP, "g", {"cidr": UNKNOWN}, property_dependencies=edges)
    stack = Stack([vpc, group] if visible else [group])
    assert stack.get(group.urn) is group
    found = Sources()
    found.add(group["cidr"], (VPC,))
    assert state(found.world()) == expected
