"""What EC2 opens for each way to write a protocol and a range of ports."""

from __future__ import annotations

from typing import Any

import pytest

from crossgate import UNKNOWN, Truth, Value
from crossgate.rules.network._ports import Opened, of_security_group


def opened(protocol: Any, first: Any, last: Any) -> Opened:
    inputs = Value({"protocol": protocol, "from": first, "to": last})
    return of_security_group(inputs["protocol"], inputs["from"], inputs["to"])


def state(answer: Truth) -> str:
    return "unknown" if answer.is_unknown else "open" if answer.is_true else "closed"


@pytest.mark.parametrize(
    ("protocol", "first", "last", "ssh"),
    [
        ("-1", 0, 0, "open"),
        (-1, 0, 0, "open"),
        (-1.0, None, None, "open"),
        ("all", 443, 443, "open"),
        ("ALL", UNKNOWN, UNKNOWN, "open"),
        ("tcp", 22, 22, "open"),
        ("TCP", "22", "22", "open"),
        ("6", 22.0, 22.0, "open"),
        (6, 0, 65535, "open"),
        ("tcp", 0, 1024, "open"),
        ("tcp", 0, 0, "closed"),
        ("tcp", 23, 1024, "closed"),
        ("tcp", -1, -1, "open"),
        ("tcp", None, None, "open"),
        ("tcp", 22, UNKNOWN, "open"),
        ("tcp", UNKNOWN, 22, "open"),
        ("tcp", 10, UNKNOWN, "unknown"),
        ("tcp", UNKNOWN, 80, "unknown"),
        ("tcp", 23, UNKNOWN, "closed"),
        ("tcp", UNKNOWN, 21, "closed"),
        ("tcp", UNKNOWN, UNKNOWN, "unknown"),
        ("tcp", 30, 20, "unknown"),
        ("tcp", 22, None, "unknown"),
        ("tcp", "ssh", "ssh", "unknown"),
        ("tcp", 22, 70000, "unknown"),
        ("tcp", 22, True, "unknown"),
        ("udp", 22, 22, "closed"),
        ("17", 0, 65535, "closed"),
        ("icmp", 22, 22, "closed"),
        ("icmp", -1, -1, "closed"),
        ("1", 8, 0, "closed"),
        ("icmpv6", None, None, "closed"),
        ("58", -1, -1, "closed"),
        ("50", 0, 0, "closed"),
        ("47", 22, 22, "closed"),
        ("06", 22, 22, "open"),
        ("+6", 22, 22, "open"),
        (" 6 ", 22, 22, "open"),
        ("-01", 0, 0, "open"),
        ("017", 22, 22, "closed"),
        ("any", 22, 22, "unknown"),
        ("*", 22, 22, "unknown"),
        ("", 22, 22, "unknown"),
        ("-2", 22, 22, "unknown"),
        ("nan", 22, 22, "unknown"),
        (UNKNOWN, 22, 22, "unknown"),
        (UNKNOWN, 443, 443, "unknown"),
        (None, 22, 22, "unknown"),
        ([], 22, 22, "closed"),
    ],
)
def test_whether_ssh_is_open(protocol: Any, first: Any, last: Any, ssh: str) -> None:
    answer = opened(protocol, first, last).opens(22)
    assert state(answer) == ssh
    assert bool(answer.gaps) == (ssh == "unknown")


def test_udp_ports_are_others() -> None:
    snmp = opened("udp", 161, 162)
    assert (state(snmp.opens(161, udp=True)), state(snmp.opens(161))) == ("open", "closed")
    assert state(opened("-1", 0, 0).opens(161, udp=True)) == "open"
    assert state(snmp.reaches([161], [])) == "closed"
    assert state(snmp.reaches([], [22, 162])) == "open"
    assert state(snmp.reaches([], [])) == "closed"


def test_port_zero_alone_is_told_apart() -> None:
    assert opened("tcp", 0, 0).is_port_zero
    assert opened("udp", 0, 0).is_port_zero
    assert not opened("-1", 0, 0).is_port_zero
    assert not opened("tcp", 0, 1).is_port_zero
    assert not opened("icmp", 0, 0).is_port_zero
