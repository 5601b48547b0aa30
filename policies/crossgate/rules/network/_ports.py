"""Ports: what the encodings of a provider open, where part of them may not be known.

Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_IpPermission.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import FALSE, TRUE, Gap, unknown
from crossgate.value import as_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from crossgate import Truth, Value

LAST: Final = 65535


class Span(NamedTuple):
    """Ports from ``first`` to ``last``, both included; none when ``last`` is below ``first``."""

    first: int
    last: int

    def meets(self, ports: Sequence[int]) -> bool:
        """Return whether one of ``ports`` lies in the span."""
        first, last = self
        if first == last:
            return first in ports
        return first < last and any(first <= port <= last for port in ports)

    def of(self, ports: Iterable[int]) -> list[int]:
        """Return those of ``ports`` that lie in the span."""
        return [port for port in ports if self.first <= port <= self.last]


NONE: Final = Span(1, 0)
ALL: Final = Span(0, LAST)
_PORT_ZERO: Final = Span(0, 0)


class Opened(NamedTuple):
    """What one permission opens: the ports it surely does and those it may, of TCP and of UDP."""

    tcp: Span = NONE
    udp: Span = NONE
    maybe_tcp: Span = NONE
    maybe_udp: Span = NONE
    gaps: tuple[Gap, ...] = ()
    every_protocol: bool = False

    def reaches(self, tcp_ports: Sequence[int], udp_ports: Sequence[int]) -> Truth:
        """Is one of these ports open?"""
        if self.tcp.meets(tcp_ports) or self.udp.meets(udp_ports):
            return TRUE
        if self.gaps and (self.maybe_tcp.meets(tcp_ports) or self.maybe_udp.meets(udp_ports)):
            return unknown(*self.gaps)
        return FALSE

    def opens(self, port: int, *, udp: bool = False) -> Truth:
        """Is ``port`` open?"""
        return self.reaches((), (port,)) if udp else self.reaches((port,), ())

    @property
    def is_port_zero(self) -> bool:
        """Port 0 and nothing else is open, which is hardly ever meant."""
        return _PORT_ZERO in (self.tcp, self.udp)


EVERYTHING: Final = Opened(tcp=ALL, udp=ALL, every_protocol=True)
_NOTHING: Final = Opened()
_ALL_PROTOCOLS: Final = ("-1", "all")
_TCP: Final = ("tcp", "6")
_UDP: Final = ("udp", "17")
_WITHOUT_PORTS: Final = frozenset(
    "ah egp eigrp esp gre hopopt icmp icmpv6 igmp igp ipcomp ipip ipv4 ipv6 ipv6-icmp l2tp ospf ospfigp pim rsvp sctp"
    " udplite vrrp".split()
)
"""Protocols by name that are neither TCP nor UDP, as IANA calls them; the provider turns most of them into numbers."""
_USUAL: Final = frozenset({*_ALL_PROTOCOLS, *_TCP, *_UDP}) | _WITHOUT_PORTS


def spanning(span: Span, *, tcp: bool, udp: bool) -> Opened:
    """Return what opens a span of ports of these protocols."""
    return Opened(span if tcp else NONE, span if udp else NONE, every_protocol=tcp and udp and span == ALL)


def in_doubt(gap: Gap, *, tcp: bool, udp: bool) -> Opened:
    """Return what may open any port of these protocols."""
    return Opened(maybe_tcp=ALL if tcp else NONE, maybe_udp=ALL if udp else NONE, gaps=(gap,))


def of_text(ports: Value, *, tcp: bool, udp: bool) -> Iterator[Opened]:
    """Yield what a text opens as Azure and Google Cloud write it: ``22``, ``20-25``, ``*`` for all; or several."""
    if not ports.readable:
        yield in_doubt(ports.gap, tcp=tcp, udp=udp)
        return
    number = None if ports.is_text else ports.number()
    for text in str(ports.plain() if number is None else number).split(","):
        yield _of_range(text.strip(), ports.gap, tcp=tcp, udp=udp)


def _of_range(text: str, place: Gap, *, tcp: bool, udp: bool) -> Opened:
    if text == "*":
        return spanning(ALL, tcp=tcp, udp=udp)
    first, _, last = (end.strip() for end in text.partition("-"))
    last = last or first
    if not (first.isdecimal() and last.isdecimal()):
        return in_doubt(place._replace(why="not a range of ports"), tcp=tcp, udp=udp)
    return spanning(Span(int(first), min(int(last), LAST)), tcp=tcp, udp=udp)


def of_security_group(protocol: Value, first: Value, last: Value) -> Opened:
    """Return what EC2 opens for a protocol and a port range.

    Protocol -1 opens everything, whatever the range says. For ICMP the range is a type and a code, and any other
    protocol has no ports. For TCP and UDP 0 to 0 is port 0 alone; -1, and no range at all, ask for every port, which
    EC2 refuses.
    """
    if not protocol.readable:
        return Opened(maybe_tcp=ALL, maybe_udp=ALL, gaps=(protocol.gap,))
    name = name_of(protocol)
    if name in _ALL_PROTOCOLS:
        return EVERYTHING
    if protocol.exists().is_false:
        return Opened(maybe_tcp=ALL, maybe_udp=ALL, gaps=(protocol.gap._replace(why="no protocol is given"),))
    if name not in _TCP + _UDP:
        if protocol.is_text and not (name in _WITHOUT_PORTS or name.isdecimal()):
            return Opened(maybe_tcp=ALL, maybe_udp=ALL, gaps=(protocol.gap._replace(why="not a protocol of EC2"),))
        return _NOTHING
    certain, possible, gaps = _range(first, last)
    if name in _TCP:
        return Opened(tcp=certain, maybe_tcp=possible, gaps=gaps)
    return Opened(udp=certain, maybe_udp=possible, gaps=gaps)


def name_of(protocol: Value) -> str:
    """Return a protocol's name or number; the provider reads ``06`` and ``+6`` as the number 6."""
    if not protocol.is_text:
        return str(protocol.number())
    text = (protocol.text() or "").strip().lower()
    if text in _USUAL:
        return text
    number = as_number(text)
    return text if number is None else str(number)


def _range(first: Value, last: Value) -> tuple[Span, Span, tuple[Gap, ...]]:
    """Return the ports of a range that are open for sure, those that may be, and the reasons."""
    low, high = _port(first), _port(last)
    if low is not None and high is not None:
        if low <= high and (low >= 0 or high < 0):
            return (Span(low, high) if low >= 0 else ALL), NONE, ()
        return NONE, ALL, (first.gap._replace(why="not a range of ports"),)
    gaps = tuple(end.gap if not end.readable else end.gap._replace(why="not a port") for end in (first, last))
    gaps = tuple(gap for gap, end in zip(gaps, (low, high), strict=True) if end is None)
    if low is not None and low >= 0 and not last.readable:
        return Span(low, low), Span(low, LAST), gaps
    if high is not None and high >= 0 and not first.readable:
        return Span(high, high), Span(0, high), gaps
    return NONE, ALL, gaps


def _port(end: Value) -> int | None:
    """Return a port; -1 for one that is not given; None for what cannot be read or is no port."""
    if not end.readable:
        return None
    number = end.number()
    if isinstance(number, int) and -1 <= number <= LAST:
        return number
    return -1 if end.exists().is_false else None
