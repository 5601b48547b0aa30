"""The rule's words and joins, beyond the examples that stand in its file."""

from __future__ import annotations

from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part, Stack, ref
from crossgate.judge import Outcome, Verdict, judge
from crossgate.rules.network._services import SERVICES, TCP_PORTS, UDP_PORTS
from crossgate.rules.network.aws_ec2_open_ingress import aws_ec2_open_ingress

GROUP = "aws:ec2/securityGroup:SecurityGroup"
CLASSIC = "aws:ec2/securityGroupRule:SecurityGroupRule"
MODERN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
LIST = "aws:ec2/managedPrefixList:ManagedPrefixList"
ENTRY = "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry"
ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
VPC = Part("aws:ec2/vpc:Vpc", "main", {"cidrBlock": "10.0.0.0/16"})
SSH = {"protocol": "tcp", "fromPort": 22, "toPort": 22}
WORLD = {"cidrBlocks": ["0.0.0.0/0"]}


def group(*permissions: Any, name: str = "web") -> Part:
    return Part(GROUP, name, {"ingress": list(permissions)})


def modern(name: str, group_: Any, **inputs: Any) -> Part:
    return Part(MODERN, name, {"securityGroupId": group_, "ipProtocol": "tcp", "fromPort": 22, "toPort": 22, **inputs})


def verdict(*parts: Part, stack: Stack | None = None, **parameters: Any) -> Verdict:
    """Return the verdict about the first part."""
    stack = Example(parts).stack() if stack is None else stack
    return judge(aws_ec2_open_ingress, stack.resources[0], parameters)


def outcome(*parts: Part, **parameters: Any) -> Outcome:
    return verdict(*parts, **parameters).outcome


def message(*parts: Part, **parameters: Any) -> str:
    (violation,) = verdict(*parts, **parameters).violations
    return violation.message


@pytest.mark.parametrize(
    ("permission", "expected"),
    [
        (SSH, "port 22 (SSH) is open to the internet"),
        ({**SSH, "toPort": 23}, "ports 22 (SSH) and 23 (Telnet) are open to the internet"),
        (
            {**SSH, "fromPort": 0, "toPort": 1024},
            "ports 20 (FTP), 21 (FTP), 22 (SSH) and 13 more are open to the internet",
        ),
        ({**SSH, "fromPort": 0, "toPort": 65535}, "every TCP port is open to the internet"),
        ({"protocol": "-1", "fromPort": 0, "toPort": 0}, "every port is open to the internet"),
        ({"protocol": "udp", "fromPort": 0, "toPort": 65535}, "every UDP port is open to the internet"),
        ({"protocol": "udp", "fromPort": 161, "toPort": 161}, "UDP port 161 (SNMP) is open to the internet"),
    ],
)
def test_a_finding_names_the_ports(permission: dict[str, Any], expected: str) -> None:
    assert message(group({**permission, **WORLD})) == expected


def test_a_port_of_the_configuration_is_named_as_a_number_even_when_the_engine_sends_a_float() -> None:
    permission = {"protocol": "tcp", "fromPort": 8443, "toPort": 8443, **WORLD}
    assert outcome(group(permission)) is Outcome.PASS
    assert message(group(permission), ports=[8443.0]) == "port 8443 is open to the internet"


def test_a_finding_stands_at_the_range_that_is_the_world() -> None:
    both = {**SSH, "cidrBlocks": ["10.0.0.0/8"], "ipv6CidrBlocks": ["::/0"]}
    (violation,) = verdict(group({}, both)).violations
    assert violation.path == "ingress[1].ipv6CidrBlocks"
    (violation,) = verdict(modern("v4", "sg-1", cidrIpv4="0.0.0.0/0")).violations
    assert violation.path == "cidrIpv4"
    (violation,) = verdict(group({**SSH, "prefixListIds": [ref("all")]}), prefix_list("all", "::/0")).violations
    assert violation.path == "ingress[0]"


def prefix_list(name: str, *cidrs: Any) -> Part:
    return Part(LIST, name, {"addressFamily": "IPv4", "entries": [{"cidr": cidr} for cidr in cidrs]})


def test_port_zero_alone_passes_with_a_remark() -> None:
    found = verdict(group({"protocol": "tcp", "fromPort": 0, "toPort": 0, **WORLD}))
    assert found.outcome is Outcome.PASS
    (note,) = found.notes
    assert note.message.startswith("port 0 alone is open to the internet")
    assert "-1" in note.message
    assert not verdict(group({"protocol": "tcp", "fromPort": 0, "toPort": 0, "cidrBlocks": ["10.0.0.0/8"]})).notes


def test_a_very_wide_range_passes_with_a_remark() -> None:
    found = verdict(group({**SSH, "cidrBlocks": ["16.0.0.0/8"]}))
    assert found.outcome is Outcome.PASS
    assert [note.message for note in found.notes] == ["port 22 (SSH) is open to a range as wide as a /8"]
    for narrow in ("16.0.0.0/9", "10.0.0.0/8", "fd00::/8"):
        assert not verdict(group({**SSH, "cidrBlocks": [narrow]})).notes


def test_every_port_that_is_asked_about_by_default_has_a_name_and_the_web_is_not_asked_about() -> None:
    assert set(SERVICES) == {*TCP_PORTS, *UDP_PORTS}
    assert not {80, 443} & {*TCP_PORTS, *UDP_PORTS}
    assert TCP_PORTS == sorted(TCP_PORTS)
    assert UDP_PORTS == sorted(UDP_PORTS)


# -- what an unknown range comes from --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("aws:ec2/vpc:Vpc", Outcome.PASS),
        ("aws:ec2/subnet:Subnet", Outcome.PASS),
        ("aws:ec2/eip:Eip", Outcome.PASS),
        ("aws:ec2/securityGroup:SecurityGroup", Outcome.PASS),
        ("random:index/randomPet:RandomPet", Outcome.UNDETERMINED),
        ("pulumi:pulumi:StackReference", Outcome.UNDETERMINED),
        ("aws:ec2/managedPrefixList:ManagedPrefixList", Outcome.UNDETERMINED),
    ],
)
def test_an_unknown_range_is_judged_by_what_it_is_made_of(token: str, expected: Outcome) -> None:
    permission = {**SSH, "cidrBlocks": [ref("origin")]}
    assert outcome(group(permission), Part(token, "origin", {})) is expected
    assert outcome(group(permission, {**SSH, **WORLD}), Part(token, "origin", {})) is Outcome.FAIL


def test_where_the_whole_permission_is_unknown_its_origin_proves_nothing() -> None:
    assert outcome(Part(GROUP, "web", {"ingress": ref("main")}), VPC) is Outcome.UNDETERMINED
    assert outcome(Part(GROUP, "web", {"ingress": [ref("main")]}), VPC) is Outcome.UNDETERMINED


def test_an_unknown_range_on_a_port_that_is_not_asked_about_does_not_matter() -> None:
    assert outcome(group({**SSH, "fromPort": 443, "toPort": 443, "cidrBlocks": [UNKNOWN]})) is Outcome.PASS


# -- prefix lists ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("neighbours", "expected"),
    [
        ([prefix_list("a", "0.0.0.0/0")], Outcome.FAIL),
        ([prefix_list("a", "10.0.0.0/8")], Outcome.PASS),
        ([prefix_list("a", "0.0.0.0/1", "128.0.0.0/1")], Outcome.FAIL),
        ([prefix_list("a", UNKNOWN)], Outcome.UNDETERMINED),
        ([Part(LIST, "a", {"entries": UNKNOWN})], Outcome.UNDETERMINED),
        ([prefix_list("a", ref("main")), VPC], Outcome.PASS),
        (
            [prefix_list("a", "0.0.0.0/1"), Part(ENTRY, "e", {"prefixListId": ref("a"), "cidr": "128.0.0.0/1"})],
            Outcome.FAIL,
        ),
        ([prefix_list("a"), Part(ENTRY, "e", {"prefixListId": UNKNOWN, "cidr": "0.0.0.0/0"})], Outcome.UNDETERMINED),
        ([prefix_list("a"), Part(ENTRY, "e", {"prefixListId": UNKNOWN, "cidr": "10.0.0.0/8"})], Outcome.PASS),
        ([prefix_list("a"), prefix_list("b", "0.0.0.0/0"), Part(ENTRY, "e", {"prefixListId": ref("b")})], Outcome.PASS),
    ],
)
def test_a_prefix_list_of_the_stack_is_read(neighbours: list[Part], expected: Outcome) -> None:
    assert outcome(modern("by-list", "sg-1", prefixListId=ref("a")), *neighbours) is expected
    assert outcome(group({**SSH, "prefixListIds": [ref("a")]}), *neighbours) is expected


def test_an_id_that_may_be_one_of_several_lists_is_undetermined_only_where_they_differ() -> None:
    one, other = prefix_list("a", "10.0.0.0/8"), prefix_list("b", "192.168.0.0/16")
    permissions = ({**SSH, "prefixListIds": [ref("a")]}, {**SSH, "prefixListIds": [ref("b")]})
    assert outcome(group(*permissions), one, other) is Outcome.PASS
    assert outcome(group(*permissions), one, prefix_list("b", "0.0.0.0/0")) is Outcome.UNDETERMINED


@pytest.mark.parametrize(
    ("value", "neighbour", "expected"),
    [
        (ref("s3"), Part(ENDPOINT, "s3", {}), Outcome.PASS),
        (ref("pet"), Part("random:index/randomPet:RandomPet", "pet", {}), Outcome.UNDETERMINED),
        (UNKNOWN, VPC, Outcome.UNDETERMINED),
        ("pl-0a1b2c3d", VPC, Outcome.UNDETERMINED),
        ("com.amazonaws.global.cloudfront.origin-facing", VPC, Outcome.PASS),
        ("office", prefix_list("x", "0.0.0.0/0")._replace(inputs={"name": "office", "entries": []}), Outcome.PASS),
        (None, VPC, Outcome.PASS),
    ],
)
def test_a_prefix_list_that_is_not_of_the_stack(value: Any, neighbour: Part, expected: Outcome) -> None:
    assert outcome(modern("by-list", "sg-1", prefixListId=value), neighbour) is expected


def test_an_unknown_list_never_hides_a_known_range() -> None:
    assert outcome(group({**SSH, "prefixListIds": ["pl-0a1b2c3d"], **WORLD})) is Outcome.FAIL


# -- rules that are the internet together ----------------------------------------------------------------------------


def test_pieces_add_up_within_a_group_and_port_by_port() -> None:
    lower, upper = {"cidrBlocks": ["0.0.0.0/1"]}, {"cidrBlocks": ["128.0.0.0/1"]}
    found = message(group({**SSH, **lower}, {"protocol": "-1", "fromPort": 0, "toPort": 0, **upper}))
    assert found == "port 22 (SSH) is open to the internet by several rules together"
    udp = {"protocol": "udp", "fromPort": 161, "toPort": 161}
    assert message(group({**udp, **lower}, {**udp, **upper})) == (
        "UDP port 161 (SNMP) is open to the internet by several rules together"
    )
    assert outcome(group({**SSH, **lower}, {**udp, **upper})) is Outcome.PASS
    assert outcome(group({**SSH, **lower}, {**SSH, "toPort": UNKNOWN, **upper})) is Outcome.FAIL
    assert outcome(group({**SSH, **lower}, {**SSH, "fromPort": 20, "toPort": UNKNOWN, **upper})) is (
        Outcome.UNDETERMINED
    )


def test_pieces_add_up_across_the_stand_alone_rules_of_one_group() -> None:
    db, other = Part(GROUP, "db", {}), Part(GROUP, "other", {})
    lower = modern("lower", ref("db"), cidrIpv4="0.0.0.0/1")
    upper = {"type": "ingress", **SSH, "cidrBlocks": ["128.0.0.0/1"]}
    assert outcome(lower, Part(CLASSIC, "upper", {"securityGroupId": ref("db"), **upper}), db) is Outcome.FAIL
    assert outcome(lower, Part(CLASSIC, "upper", {"securityGroupId": ref("other"), **upper}), db, other) is Outcome.PASS
    assert outcome(lower, Part(CLASSIC, "upper", {"securityGroupId": ref("db"), **upper, "type": "egress"}), db) is (
        Outcome.PASS
    )
    assert outcome(lower, Part(CLASSIC, "upper", {"securityGroupId": UNKNOWN, **upper}), db) is Outcome.UNDETERMINED


@pytest.mark.parametrize("linked", [ref("web"), "sg-0a1b2c3d"])
def test_pieces_add_up_across_a_stand_alone_rule_and_what_its_group_states_inline(linked: Any) -> None:
    upper = modern("upper", linked, cidrIpv4="128.0.0.0/1")
    lower = group({**SSH, "cidrBlocks": ["0.0.0.0/1"]})
    if linked == "sg-0a1b2c3d":  # another group than the one of the stack
        assert Outcome.PASS is outcome(upper, lower)
        return
    assert "port 22 (SSH) is open to the internet by several rules together" == message(upper, lower)
    assert Outcome.PASS is outcome(upper, group({**SSH, "cidrBlocks": ["0.0.0.0/2"]}))
    assert Outcome.PASS is outcome(upper, group({**SSH, "fromPort": 23, "toPort": 23, "cidrBlocks": ["0.0.0.0/1"]}))


def test_a_rule_is_not_blamed_for_a_sibling_that_is_the_internet_by_itself() -> None:
    db = Part(GROUP, "db", {})
    piece = modern("piece", ref("db"), cidrIpv4="16.0.0.0/4")
    world = modern("world", ref("db"), cidrIpv4="0.0.0.0/0")
    assert outcome(piece, world, db) is Outcome.PASS
    assert outcome(world, piece, db) is Outcome.FAIL


def test_on_an_incomplete_stack_only_what_a_missing_neighbour_could_change_is_undetermined() -> None:
    def on_incomplete(**inputs: Any) -> Outcome:
        whole = Example((modern("rule", "sg-1", **inputs),)).stack()
        return verdict(stack=Stack(whole.resources, unseen=3)).outcome

    assert on_incomplete(cidrIpv4="0.0.0.0/0") is Outcome.FAIL
    assert on_incomplete(cidrIpv4="10.0.0.0/8") is Outcome.PASS
    assert on_incomplete(cidrIpv4="203.0.113.0/24") is Outcome.PASS
    assert on_incomplete(cidrIpv4="0.0.0.0/1") is Outcome.UNDETERMINED
