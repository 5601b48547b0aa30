"""Security rules of Azure, inline and stand-alone, of both providers, and the admin rules that come before them.

Sources:
    https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview
    https://learn.microsoft.com/azure/virtual-network/service-tags-overview
    https://learn.microsoft.com/azure/virtual-network-manager/concept-security-admins
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, TRUE, truth, unknown
from crossgate.rules.network import _ordered
from crossgate.rules.network._cidr import Sources, lies_in, parse
from crossgate.rules.network._ordered import Entry
from crossgate.rules.network._ports import ALL, in_doubt, of_text, spanning
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value
    from crossgate.rules.network._ports import Opened

GROUPS: Final = (
    "azure:network/networkSecurityGroup:NetworkSecurityGroup",
    "azure-native:network:NetworkSecurityGroup",
)
RULES: Final = (
    "azure:network/networkSecurityRule:NetworkSecurityRule",
    "azure-native:network:SecurityRule",
)
ADMIN_RULES: Final = (
    "azure:network/networkManagerAdminRule:NetworkManagerAdminRule",
    "azure-native:network:AdminRule",
)
_GROUP: Final = "networkSecurityGroupName"
_FIRST: Final = 100
"""The lowest priority that a rule can have; each is given once."""

_EVERYWHERE: Final = ("*", "any", "internet")
"""``Internet`` is what lies outside the virtual network, Azure's own public addresses included."""
_WHOLE: Final = (*_EVERYWHERE[:2], "virtualnetwork", "0.0.0.0/0", "0-65535")
"""What leaves nothing out, as a destination of what comes in or as its source ports."""
_SOURCE_PORTS: Final = ("sourcePortRange", "sourcePortRanges")
_DESTINATIONS: Final = ("destinationAddressPrefix", "destinationAddressPrefixes", "destinations")
_DESTINATION_GROUPS: Final = ("destinationApplicationSecurityGroupIds", "destinationApplicationSecurityGroups")
_PROTOCOLS: Final = {"tcp": (True, False), "udp": (False, True), "*": (True, True), "any": (True, True)}


def entries(resource: Resource) -> Iterator[Entry]:
    """Yield the rules for what comes in that ``resource``, a group or a stand-alone rule, states itself."""
    if resource.token in GROUPS:
        for rule in resource["securityRules"].each():
            yield _entry(rule)
    elif resource.token in ADMIN_RULES:
        yield _admin_entry(resource.inputs)
    else:
        yield _entry(resource.inputs)


def siblings(resource: Resource) -> Iterator[Entry]:
    """Yield the other rules of the same group, inline and stand-alone."""
    if resource.token not in ADMIN_RULES:
        yield from _ordered.siblings(resource, entries, _GROUP, RULES, wholes=GROUPS)


def _entry(rule: Value) -> Entry:
    inbound = says(rule["direction"], "inbound")
    return _read(rule, inbound, says(rule["access"], "allow"), _sources(rule), _ports(rule))


def _admin_entry(rule: Value) -> Entry:
    """Read an admin rule: only ``AlwaysAllow`` lets a packet past the network security group that comes after it."""
    sources = Sources()
    for source in rule["sources"].each():
        _add(sources, source["addressPrefix"])
    action = rule["access"] if rule["access"].exists().is_true else rule["action"]
    return _read(rule, says(rule["direction"], "inbound"), says(action, "alwaysallow"), sources, _ports(rule))


def _read(rule: Value, applies: Truth, allows: Truth, sources: Sources, opened: tuple[Opened, ...]) -> Entry:
    order, gap = _ordered.order_of(rule["priority"], "priority")

    def covers(other: Entry) -> Truth:
        return _covers(rule, other.at)

    return Entry(rule, order, applies, allows, opened, sources, gap, covers, is_first=order == _FIRST)


def _covers(rule: Value, other: Value) -> Truth:
    """Does ``rule``, as a denial, stand before every source port and every destination that ``other`` is for?"""
    if not rule.readable or not other.readable:
        return unknown(rule.gap if not rule.readable else other.gap)
    ports = _reach(_texts(rule, _SOURCE_PORTS), _texts(other, _SOURCE_PORTS))
    if ports.is_false:
        return ports
    mine, theirs = _texts(rule, _DESTINATIONS), _texts(other, _DESTINATIONS)
    groups, their_groups = _texts(rule, _DESTINATION_GROUPS), _texts(other, _DESTINATION_GROUPS)
    if not groups and not their_groups:
        return ports & _reach(mine, theirs)
    if not groups and _is_whole(mine).is_true:
        return ports
    hidden = [group.gap for group in (*groups, *their_groups) if not group.readable]
    if hidden:
        return ports & unknown(*hidden)
    if groups and not their_groups and _is_whole(theirs).is_true:
        return FALSE
    if groups and their_groups:
        return ports & _reach(groups, their_groups)
    # Which addresses are in an application security group, no rule tells.
    place = (groups or their_groups)[0]
    return ports & unknown(place.gap._replace(why="which addresses are in this group is not known"))


def _texts(rule: Value, keys: tuple[str, ...]) -> list[Value]:
    """Return what stands under ``keys``, which add up."""
    items = [item for key in keys for item in rule[key].each() if not item.exists().is_false]
    return [next(iter(item.present(("addressPrefix", "id"))), item) if item.is_map else item for item in items]


def _is_whole(items: list[Value]) -> Truth:
    """Is nothing left out? So it is where nothing is given."""
    if any(item.is_text and (item.text() or "").lower() in _WHOLE for item in items):
        return TRUE
    gaps = [item.gap for item in items if not item.readable]
    return unknown(*gaps) if gaps else truth(not items)


def _reach(mine: list[Value], theirs: list[Value]) -> Truth:
    """Does ``mine`` hold all of ``theirs``?"""
    whole = _is_whole(mine)
    if whole.is_true:
        return TRUE
    names = [(item.text() or "").lower() for item in mine if item.is_text]
    others = _is_whole(theirs)
    if others.is_true:
        return whole
    if others.is_unknown:
        return whole | others
    left = [item for item in theirs if not (item.is_text and lies_in((item.text() or "").lower(), names))]
    return TRUE if not left else whole


def _sources(rule: Value) -> Sources:
    """Return where packets come from: the singular field and the plural one add up."""
    sources = Sources()
    if not rule.readable:
        sources.doubt(rule.gap)
        return sources
    _add(sources, rule["sourceAddressPrefix"])
    for prefix in rule["sourceAddressPrefixes"].each():
        _add(sources, prefix)
    return sources


def tags_of_azure(rule: Value) -> Iterator[Value]:
    """Yield the sources of a rule that name Azure as a whole or a region of it, other customers' machines included."""
    for key in ("sourceAddressPrefix", "sourceAddressPrefixes"):
        for prefix in rule[key].each():
            if prefix.is_text and (prefix.text() or "").lower().partition(".")[0] == "azurecloud":
                yield prefix


def _add(sources: Sources, prefix: Value) -> None:
    """Let in an address range; a service tag other than ``Internet`` names addresses of Azure or of the network."""
    text = prefix.text() if prefix.readable and prefix.is_text else None
    if text is None or parse(text) is not None:
        sources.add(prefix)
    elif text.lower() in _EVERYWHERE or text.endswith("/0"):
        sources.add_everyone()


def _ports(rule: Value) -> tuple[Opened, ...]:
    """Return the ports that a rule is for; a rule that names none is for all."""
    if not rule.readable:
        return (in_doubt(rule.gap, tcp=True, udp=True),)
    protocol = rule["protocol"]
    if not protocol.readable:
        return (in_doubt(protocol.gap, tcp=True, udp=True),)
    name = (protocol.text() or "*").lower() if protocol.is_text else "*"
    tcp, udp = _PROTOCOLS.get(name, (False, False))
    if not tcp and not udp:
        return ()
    ranges = [*rule["destinationPortRange"].each(), *rule["destinationPortRanges"].each()]
    given = [each for each in ranges if not each.exists().is_false]
    if not given:
        return (spanning(ALL, tcp=tcp, udp=udp),)
    return tuple(opened for each in given for opened in of_text(each, tcp=tcp, udp=udp))
