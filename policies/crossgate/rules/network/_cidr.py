"""Address ranges: what a set of CIDR blocks adds up to, and whether that is the whole internet.

The world is every *public* address of IPv4 or of IPv6. So ``0.0.0.0/0``, two ``/1`` blocks together, and "everything
but the private ranges" are the world alike, and IPv4 and IPv6 are never added up. Ranges of which a part is not known
are kept twice, as what they surely hold and what they may hold; the answer is unknown only where the two differ.

Plain integers, since most addresses of a stack are IPv4 and the standard library's parser costs eight times as much
per block and 2.5 ms to import; it is loaded for IPv6 alone.

Sources:
    https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml
    https://www.iana.org/assignments/ipv6-unicast-address-assignments/ipv6-unicast-address-assignments.xhtml
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import FALSE, TRUE, Gap, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from crossgate import Truth, Value

NOT_A_CIDR: Final = "not a CIDR block"


class Block(NamedTuple):
    """Addresses of one family (4 or 6) from ``first`` to ``last``, both included."""

    family: int
    first: int
    last: int
    public: int = 0
    """How many of them are public."""


@lru_cache(maxsize=8192)
def parse(text: str) -> Block | None:
    """Return the block that ``text`` denotes; None when it is no CIDR.

    A plain address is a block of one, host bits are cut off, and an IPv4-mapped IPv6 block counts as IPv4.
    """
    address, slash, length = text.strip().partition("/")
    if ":" in address:
        return _parse_v6(address + slash + length)
    bits = 32 if not slash else _decimal(length, 32)
    octets = [_decimal(octet, 255) for octet in address.split(".")]
    if bits is None or len(octets) != 4:
        return None
    number = 0
    for octet in octets:
        if octet is None:
            return None
        number = number << 8 | octet
    return _block(4, number, 32 - bits)


@lru_cache(maxsize=4096)
def parse_all(texts: tuple[str, ...]) -> tuple[Block, ...] | None:
    """Return the blocks that ``texts`` denote; None when one of them is no CIDR."""
    blocks = tuple(block for text in texts if (block := parse(text)) is not None)
    return blocks if len(blocks) == len(texts) else None


def span(first: str, last: str) -> Block | None:
    """Return the addresses from ``first`` to ``last``, both included; None when the two make no range."""
    start, end = parse(first), parse(last)
    if start is None or end is None or start.family != end.family or start.first > end.last:
        return None
    return _counted(start.family, start.first, end.last)


def _decimal(text: str, limit: int) -> int | None:
    if not 0 < len(text) <= 3 or not text.isascii() or not text.isdigit():
        return None
    number = int(text)
    return number if number <= limit else None


def _block(family: int, number: int, host_bits: int) -> Block:
    first = number >> host_bits << host_bits
    return _counted(family, first, first + (1 << host_bits) - 1)


def _counted(family: int, first: int, last: int) -> Block:
    public = sum(max(0, min(last, end) - max(first, start) + 1) for start, end in _PUBLIC[family])
    return Block(family, first, last, public)


def _parse_v6(text: str) -> Block | None:
    from ipaddress import IPv6Network

    try:
        network = IPv6Network(text, strict=False)
    except ValueError:
        return None
    first = int(network.network_address)
    if first >> 32 == 0xFFFF and network.prefixlen >= 96:
        return _block(4, first & 0xFFFFFFFF, 128 - network.prefixlen)
    return _block(6, first, 128 - network.prefixlen)


def subtract(blocks: Iterable[Block], removed: Block | None) -> list[Block]:
    """Return ``blocks`` without the addresses of ``removed``."""
    if removed is None:
        return list(blocks)
    left: list[Block] = []
    for block in blocks:
        if block.family != removed.family or block.last < removed.first or removed.last < block.first:
            left.append(block)
            continue
        if block.first < removed.first:
            left.append(_counted(block.family, block.first, removed.first - 1))
        if removed.last < block.last:
            left.append(_counted(block.family, removed.last + 1, block.last))
    return left


def lies_in(text: str, others: Iterable[str]) -> bool:
    """Return whether ``text`` is one of ``others``, or an address range within one of them."""
    block = parse(text)
    for other in others:
        if text == other:
            return True
        whole = parse(other)
        if block is not None and whole is not None and not subtract([block], whole):
            return True
    return False


# What lies between the IPv4 ranges for special purposes, and 2000::/3, all that is assigned as IPv6 global unicast.
_PUBLIC: Final[Mapping[int, Sequence[tuple[int, int]]]] = {
    4: (
        (0x01000000, 0x09FFFFFF),  # after 0.0.0.0/8, up to 10.0.0.0/8
        (0x0B000000, 0x643FFFFF),  # up to 100.64.0.0/10
        (0x64800000, 0x7EFFFFFF),  # up to 127.0.0.0/8
        (0x80000000, 0xA9FDFFFF),  # up to 169.254.0.0/16
        (0xA9FF0000, 0xAC0FFFFF),  # up to 172.16.0.0/12
        (0xAC200000, 0xBFFFFFFF),  # up to 192.0.0.0/24
        (0xC0000100, 0xC00001FF),  # up to 192.0.2.0/24
        (0xC0000300, 0xC05862FF),  # up to 192.88.99.0/24
        (0xC0586400, 0xC0A7FFFF),  # up to 192.168.0.0/16
        (0xC0A90000, 0xC611FFFF),  # up to 198.18.0.0/15
        (0xC6140000, 0xC63363FF),  # up to 198.51.100.0/24
        (0xC6336500, 0xCB0070FF),  # up to 203.0.113.0/24
        (0xCB007200, 0xDFFFFFFF),  # up to 224.0.0.0/3
    ),
    6: ((0b001 << 125, (0b010 << 125) - 1),),
}
_BITS: Final = {4: 32, 6: 128}
_EVERYONE: Final = tuple(_block(family, 0, bits) for family, bits in _BITS.items())
_PUBLIC_SIZE: Final = {family: sum(last - first + 1 for first, last in spans) for family, spans in _PUBLIC.items()}


def public_size(blocks: Iterable[Block]) -> int:
    """Return how many public addresses lie in ``blocks``, all of one family, each counted once."""
    size = 0
    reached = -1
    for block in sorted(blocks):
        if block.first > reached:
            size += block.public
        elif block.last > reached:
            size += _counted(block.family, reached + 1, block.last).public
        reached = max(reached, block.last)
    return size


def as_wide_as(blocks: Sequence[Block], v4_length: int, v6_length: int) -> bool:
    """Return whether ``blocks`` hold as many public addresses as a block of such a prefix length, or all there are."""
    for family, length in ((4, v4_length), (6, v6_length)):
        mine = [block for block in blocks if block.family == family]
        if not mine:
            continue
        needed = min(1 << (_BITS[family] - length), _PUBLIC_SIZE[family])
        if sum(block.public for block in mine) >= needed and (len(mine) == 1 or public_size(mine) >= needed):
            return True
    return False


class Sources:
    """Addresses that something lets in: those it surely does, those it may, and what keeps the two apart."""

    __slots__ = ("anything", "certain", "gaps", "possible")

    def __init__(self) -> None:
        """Start with no address at all."""
        self.certain: list[Block] = []
        self.possible: list[Block] = []
        """What may be let in beside :attr:`certain`."""
        self.anything = False
        """Some part is not known at all: it may be any address."""
        self.gaps: list[Gap] = []

    def add(self, cidr: Value, never_from: tuple[str, ...] = ()) -> None:
        """Let in what ``cidr`` denotes. An unknown made of ``never_from`` alone is known not to be wide."""
        if not cidr.readable:
            if not cidr.comes_only_from(never_from):
                self.doubt(cidr.gap)
            return
        text = cidr.text() if cidr.is_text else None
        if text:
            block = parse(text)
            if block is None:
                self.doubt(cidr.gap._replace(why=NOT_A_CIDR))
            else:
                self.certain.append(block)

    def doubt(self, gap: Gap) -> None:
        """Let in nobody knows what, because of ``gap``."""
        self.anything = True
        self.gaps.append(gap)

    def join(self, other: Sources, condition: Truth = TRUE) -> None:
        """Let in what ``other`` does as well, if ``condition`` holds."""
        if condition.is_false:
            return
        (self.certain if condition.is_true else self.possible).extend(other.certain)
        self.possible.extend(other.possible)
        self.anything = self.anything or other.anything
        self.gaps.extend(condition.gaps)
        self.gaps.extend(other.gaps)

    def add_everyone(self, condition: Truth = TRUE) -> None:
        """Let in every address of IPv4 and of IPv6, if ``condition`` holds."""
        everyone = Sources()
        everyone.certain.extend(_EVERYONE)
        self.join(everyone, condition)

    def remove(self, cidr: Value) -> None:
        """Keep out what ``cidr`` denotes; what is not known may keep out anything."""
        if cidr.readable:
            block = parse(cidr.text() or "") if cidr.is_text else None
            self.certain = subtract(self.certain, block)
            self.possible = subtract(self.possible, block)
        else:
            self.possible += self.certain
            self.certain = []
            self.gaps.append(cidr.gap)

    def of_family(self, family: int) -> Sources:
        """Return the addresses of IPv4 (4) or of IPv6 (6) alone."""
        part = Sources()
        part.certain = [block for block in self.certain if block.family == family]
        part.possible = [block for block in self.possible if block.family == family]
        part.anything, part.gaps = self.anything, self.gaps
        return part

    def wide(self, v4_length: int, v6_length: int) -> Truth:
        """Do they hold as many public addresses as a block of such a prefix length, or all that there are?"""
        if not self.anything and not any(block.public for block in (*self.certain, *self.possible)):
            return FALSE
        if as_wide_as(self.certain, v4_length, v6_length):
            return TRUE
        if self.anything or (self.possible and as_wide_as(self.certain + self.possible, v4_length, v6_length)):
            return unknown(*dict.fromkeys(self.gaps))
        return FALSE

    def world(self, length: int = 0) -> Truth:
        """Are they the whole internet, or as much of it as a block of prefix length ``length``?"""
        return self.wide(length, length)
