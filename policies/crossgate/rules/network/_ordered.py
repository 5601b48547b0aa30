"""Filters whose entries are tried in order: network ACLs, network security groups, firewall rules of Google Cloud.

The first entry that matches a packet decides. So an entry that lets the internet in on a port does so only for the
addresses that no earlier entry denies. A denial of some addresses does not close a port that is open to all others, so
the internet is still let in where as many addresses as a /8 are left of it. What is not known about an earlier entry
may excuse a later one, and never makes it worse; what is not known about a later one has no effect.

Sources:
    https://docs.aws.amazon.com/vpc/latest/userguide/nacl-rules.html
    https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview
    https://cloud.google.com/firewall/docs/firewalls
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import FALSE, TRUE, Finding, any_of, unknown
from crossgate.rules.network._cidr import Sources, subtract
from crossgate.rules.network._ports import ALL
from crossgate.rules.network._services import PIECE, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from crossgate import Gap, Resource, Truth, Value
    from crossgate.rules.network._ports import Opened
    from crossgate.rules.network._services import Asked

_MUCH: Final = (8, 8)
"""Prefix lengths, IPv4 and IPv6: where as much of the internet is left, denials have not closed a port."""
_FAMILIES: Final = (4, 6)


class Entry(NamedTuple):
    """One entry of a filter, for packets that come in."""

    at: Value
    """Where it stands."""
    order: float | None
    """Lower ones are tried first; None where it is not known, or not given."""
    applies: Truth
    """It is in force, for what comes in."""
    allows: Truth
    """It lets in what it matches; else it keeps it out."""
    opened: tuple[Opened, ...]
    """The ports that it matches."""
    sources: Sources
    """The addresses that it matches."""
    order_gap: Gap | None = None
    """Why the order is not known."""
    covers: Callable[[Entry], Truth] | None = None
    """Does it, as a denial, stand before everything that the other entry is for? Always, if None."""
    is_first: bool = False
    """No other entry can be tried before it."""

    def opens(self, port: int, *, udp: bool) -> Truth:
        """Does it match this port?"""
        return any_of(opened.opens(port, udp=udp) for opened in self.opened)

    def is_before(self, other: Entry, *, denial_wins_ties: bool) -> Truth:
        """Is this denial tried before ``other``?"""
        if other.is_first:
            return FALSE
        if self.order is None or other.order is None:
            return unknown(*(gap for gap in (self.order_gap, other.order_gap) if gap is not None))
        if self.order == other.order:
            return TRUE if denial_wins_ties else FALSE
        return TRUE if self.order < other.order else FALSE


def order_of(number: Value, what: str) -> tuple[float | None, Gap]:
    """Return the order that an entry states, and why it is not known when it is not; ``what`` is its name."""
    if number.readable:
        return number.number(), number.gap._replace(why=f"no {what} is given")
    return None, number.gap


def siblings(
    resource: Resource,
    entries: Callable[[Resource], Iterable[Entry]],
    via: str,
    parts: tuple[str, ...],
    *,
    wholes: tuple[str, ...] = (),
    among: tuple[str, ...] = (),
) -> Iterator[Entry]:
    """Yield the other entries of the filter that ``resource`` belongs to.

    Args:
        resource: a stand-alone entry, or a whole filter.
        entries: reads the entries that a resource states itself.
        via: the input by which a stand-alone entry names what it belongs to.
        parts: the types of stand-alone entries.
        wholes: the types of filters that may state entries themselves.
        among: the types that ``via`` may name; by default ``wholes``.

    """
    stack = resource.stack
    if stack.is_complete and len(stack.of_type(*wholes, *parts)) == 1:
        return
    if resource.token in wholes:
        links = resource.related(parts, via, wholes)
    else:
        links = [*stack.sharing(resource, via, among or wholes, parts)]
        if wholes:
            links += resource.targets(via, wholes)
    for link in links:
        if link.resource is not resource:
            for entry in entries(link.resource):
                yield entry._replace(applies=entry.applies & link.linked)


def findings(
    own: Sequence[Entry], others: Sequence[Entry], asked: Asked, *, denial_wins_ties: bool = False
) -> Iterator[Finding]:
    """Yield the entries of ``own`` that let the internet in on a port that is asked about.

    Args:
        own: the entries of the resource that is judged.
        others: the other entries of the same filter.
        asked: the ports, and how much counts as the internet.
        denial_wins_ties: of two entries of equal order, the one that denies is tried first.

    """
    entries = [*own, *others]
    pieces = False
    for entry in own:
        if (entry.applies & entry.allows).is_false or entry.sources.wide(*PIECE).is_false:
            continue
        denials = _before(entry, entries, denial_wins_ties=denial_wins_ties)
        yield from _alone(entry, denials, asked)
        pieces = pieces or not entry.sources.world(asked.length).is_true
    if pieces:
        yield from _together(own, entries, asked, denial_wins_ties=denial_wins_ties)


def _before(entry: Entry, entries: Sequence[Entry], *, denial_wins_ties: bool) -> list[tuple[Entry, Truth]]:
    """Return the entries that may keep out what ``entry`` lets in, each with whether it surely is one of them."""
    found = []
    for other in entries:
        if other is entry or other.allows.is_true or other.applies.is_false:
            continue
        stands = ~other.allows & other.applies & other.is_before(entry, denial_wins_ties=denial_wins_ties)
        if not stands.is_false and other.covers is not None:
            stands &= other.covers(entry)
        if not stands.is_false:
            found.append((other, stands))
    return found


def _world(matched: Sources, left: Sources, asked: Asked) -> Truth:
    """Is the internet let in, of which ``matched`` is let in but for denials, and ``left`` with them?"""
    world = left.world(asked.length)
    if world.is_true or matched is left:
        return world
    return world | any_of(
        matched.of_family(family).world(asked.length) & left.of_family(family).wide(*_MUCH) for family in _FAMILIES
    )


def _let_in(entry: Entry, denials: Sequence[tuple[Entry, Truth]], port: int, *, udp: bool) -> Sources:
    """Return the addresses that ``entry`` lets in on a port and no denial keeps out."""
    left = Sources()
    opens = entry.opens(port, udp=udp)
    if opens.is_false:
        return left
    left.join(entry.sources)
    for denial, stands in denials:
        matched = stands & denial.opens(port, udp=udp)
        if not matched.is_false:
            _keep_out(left, denial.sources, matched)
    total = Sources()
    total.join(left, entry.applies & entry.allows & opens)
    return total


def _keep_out(left: Sources, denied: Sources, matched: Truth) -> None:
    """Take from ``left`` what is denied for sure, and doubt what may be denied."""
    if matched.is_true:
        for block in denied.certain:
            left.certain = subtract(left.certain, block)
            left.possible = subtract(left.possible, block)
    perhaps = [*denied.possible] if matched.is_true else [*denied.certain, *denied.possible]
    sure = [] if denied.anything else left.certain
    for block in perhaps:
        sure = subtract(sure, block)
    if sure != left.certain:
        left.possible = [*left.possible, *left.certain]
        left.certain = list(sure)
        left.gaps += [*matched.gaps, *denied.gaps]


def _alone(entry: Entry, denials: Sequence[tuple[Entry, Truth]], asked: Asked) -> Iterator[Finding]:
    """Yield what one entry lets in by itself."""
    known: dict[bool, list[int]] = {False: [], True: []}
    doubts = []
    answers: dict[tuple[bool, ...], Truth] = {}
    for udp, ports in ((False, asked.tcp), (True, asked.udp)):
        for port in ports:
            matches = [each.opens(port, udp=udp) for each in (entry, *(denial for denial, _ in denials))]
            alike = tuple(each.is_true for each in matches)
            if any(each.is_unknown for each in matches):
                world = _is_open(entry, denials, port, udp=udp, asked=asked)
            elif alike in answers:  # the same entries match: most ports are like another one
                world = answers[alike]
            else:
                world = answers[alike] = _is_open(entry, denials, port, udp=udp, asked=asked)
            if world.is_true:
                known[udp].append(port)
            elif not world.is_false:
                doubts.append(world)
    words = _words(entry, known, asked)
    if words:
        yield Finding(f"{words} open to the internet", at=entry.at)
    elif doubts:
        yield Finding("a port that is asked about is open to the internet", at=entry.at, when=any_of(doubts))


def _is_open(entry: Entry, denials: Sequence[tuple[Entry, Truth]], port: int, *, udp: bool, asked: Asked) -> Truth:
    """Does ``entry`` let the internet in on a port, in spite of ``denials``?"""
    left = _let_in(entry, denials, port, udp=udp)
    return _world(_let_in(entry, (), port, udp=udp) if denials else left, left, asked)


def _words(entry: Entry, known: dict[bool, list[int]], asked: Asked) -> str:
    """Name what is open for sure: "every port is", "ports 22 (SSH) and 3389 (RDP) are"; nothing when nothing is."""
    if any(each.every_protocol for each in entry.opened) and (known[False], known[True]) == (
        list(asked.tcp),
        list(asked.udp),
    ):
        return "every port is"
    for udp, ports in ((False, asked.tcp), (True, asked.udp)):
        if known[udp]:
            spans = [each.udp if udp else each.tcp for each in entry.opened]
            if ALL in spans and known[udp] == list(ports):
                return f"every {'UDP' if udp else 'TCP'} port is"
            return listed(known[udp], udp=udp)
    return ""


def _together(
    own: Sequence[Entry], entries: Sequence[Entry], asked: Asked, *, denial_wins_ties: bool
) -> Iterator[Finding]:
    """Yield what several entries let in that none of them does alone."""
    allowing = [
        (entry, _before(entry, entries, denial_wins_ties=denial_wins_ties))
        for entry in entries
        if not (entry.applies & entry.allows).is_false and not entry.sources.wide(*PIECE).is_false
    ]
    pieces = [pair for pair in allowing if not pair[0].sources.world(asked.length).is_true]
    if len(pieces) < 2:
        return
    place = next((entry.at for entry, _ in pieces if entry in own), own[0].at)
    for udp, ports in ((False, asked.tcp), (True, asked.udp)):
        known, doubts = [], []
        for port in ports:
            matched, total, parts = Sources(), Sources(), 0
            for entry, denials in pieces:
                let_in = _let_in(entry, denials, port, udp=udp)
                parts += bool(let_in.certain or let_in.possible or let_in.anything)
                total.join(let_in)
                matched.join(_let_in(entry, (), port, udp=udp) if denials else let_in)
            world = _world(matched, total, asked) if parts > 1 else FALSE
            if world.is_true:
                known.append(port)
            elif not world.is_false:
                doubts.append(world)
        if known:
            yield Finding(f"{listed(known, udp=udp)} open to the internet by several rules together", at=place)
        elif doubts:
            yield Finding("the rules together may be the internet", at=place, when=any_of(doubts))
