"""Firewall rules of Google Cloud: those of a VPC network, and those of firewall policies.

Sources:
    https://cloud.google.com/firewall/docs/firewalls
    https://cloud.google.com/firewall/docs/firewall-policies-rule-details
    https://docs.cloud.google.com/firewall/docs/understand-network-contexts
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, TRUE, all_of, any_of, truth, unknown
from crossgate.rules.network import _ordered
from crossgate.rules.network._cidr import Sources, lies_in
from crossgate.rules.network._ordered import Entry
from crossgate.rules.network._ports import ALL, EVERYTHING, in_doubt, name_of, of_text, spanning
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value
    from crossgate.rules.network._ports import Opened

FIREWALLS: Final = ("gcp:compute/firewall:Firewall", "google-native:compute/v1:Firewall")
POLICY_RULES: Final = (
    "gcp:compute/networkFirewallPolicyRule:NetworkFirewallPolicyRule",
    "gcp:compute/regionNetworkFirewallPolicyRule:RegionNetworkFirewallPolicyRule",
    "gcp:compute/firewallPolicyRule:FirewallPolicyRule",
)
POLICIES: Final = (
    "gcp:compute/networkFirewallPolicyWithRules:NetworkFirewallPolicyWithRules",
    "gcp:compute/regionNetworkFirewallPolicyWithRules:RegionNetworkFirewallPolicyWithRules",
    "gcp:compute/firewallPolicyWithRules:FirewallPolicyWithRules",
)
_NETWORKS: Final = ("gcp:compute/network:Network",)
_POLICIES: Final = (
    "gcp:compute/networkFirewallPolicy:NetworkFirewallPolicy",
    "gcp:compute/regionNetworkFirewallPolicy:RegionNetworkFirewallPolicy",
    "gcp:compute/firewallPolicy:FirewallPolicy",
)
PARENTS: Final = (*_NETWORKS, *_POLICIES)
_TCP: Final = ("tcp", "6")
_UDP: Final = ("udp", "17")
_DEFAULT_PRIORITY: Final = 1000
_INTERNET: Final = ("INTERNET", "UNSPECIFIED")
_CONTEXTS: Final = ("srcNetworkContext", "srcNetworkScope")
"""Where a rule says from which kind of network, beside ``srcIpRanges``; the second is the beta's name."""
_TARGETS: Final = ("targetTags", "targetServiceAccounts", "targetSecureTags", "targetResources", "destinationRanges")
_DESTINATIONS: Final = (
    "destIpRanges",
    "destAddressGroups",
    "destFqdns",
    "destNetworkContext",
    "destNetworkScope",
    "destRegionCodes",
    "destThreatIntelligences",
)
_NARROW: Final = (
    "gcp:compute/subnetwork:Subnetwork",
    "gcp:compute/address:Address",
    "gcp:compute/globalAddress:GlobalAddress",
    "gcp:compute/instance:Instance",
    "gcp:compute/routerNat:RouterNat",
    "gcp:container/cluster:Cluster",
    "gcp:sql/databaseInstance:DatabaseInstance",
)
"""What an unknown range may come from without ever being the internet."""


def entries(resource: Resource) -> Iterator[Entry]:
    """Yield the rules for what comes in that ``resource`` states itself."""
    if resource.token in FIREWALLS:
        yield from _of_firewall(resource)
    elif resource.token in POLICIES:
        for rule in resource["rules"].each():
            yield _of_policy(rule)
    else:
        yield _of_policy(resource.inputs)


def siblings(resource: Resource) -> Iterator[Entry]:
    """Yield the other rules of the same network, or of the same policy."""
    if resource.token in FIREWALLS:
        yield from _ordered.siblings(resource, entries, "network", FIREWALLS, among=_NETWORKS)
    elif resource.token in POLICY_RULES:
        yield from _ordered.siblings(resource, entries, "firewallPolicy", POLICY_RULES, among=_POLICIES)


def _of_firewall(resource: Resource) -> Iterator[Entry]:
    """Yield what a firewall rule allows and denies; it has one of the two."""
    applies = says(resource["direction"], "ingress", absent=True) & ~resource["disabled"].is_true()
    native = resource.token.startswith("google-native:")
    for key, allows in (("allowed" if native else "allows", TRUE), ("denied" if native else "denies", FALSE)):
        opened = tuple(_opened(resource[key], "ipProtocol" if native else "protocol"))
        if opened:
            yield _entry(resource.inputs, applies, allows, opened, _firewall_sources(resource))


def _firewall_sources(resource: Resource) -> Sources:
    """Return the addresses of a firewall rule. Tags and accounts are other sources, and narrow nothing.

    One that names no source at all is for every address.
    """
    sources = Sources()
    for cidr in resource["sourceRanges"].each():
        sources.add(cidr, _NARROW)
    others = any_of(~resource[key].is_empty() for key in ("sourceRanges", "sourceTags", "sourceServiceAccounts"))
    sources.add_everyone(~others)
    return sources


def _of_policy(rule: Value) -> Entry:
    """Read a rule of a firewall policy, hierarchical or of a network."""
    match = rule["match"]
    sources = Sources()
    if rule.readable and match.readable:
        ranges = Sources()
        for cidr in match["srcIpRanges"].each():
            ranges.add(cidr, _NARROW)
        sources.join(ranges, all_of(match[key].is_empty() | match[key].is_in(_INTERNET) for key in _CONTEXTS))
    else:
        sources.doubt(match.gap)
    applies = says(rule["direction"], "ingress") & ~rule["disabled"].is_true()
    opened = tuple(_opened(match["layer4Configs"], "ipProtocol"))
    entry = _entry(rule, applies, says(rule["action"], "allow"), opened, sources)
    return entry._replace(is_first=entry.order == 0)  # each priority is given once in a policy


def _entry(rule: Value, applies: Truth, allows: Truth, opened: tuple[Opened, ...], sources: Sources) -> Entry:
    priority = rule["priority"]
    order: float | None = None
    if priority.readable:
        order = priority.number() if priority.exists().is_true else _DEFAULT_PRIORITY

    def covers(other: Entry) -> Truth:
        return _covers(rule, other.at, _TARGETS) & _covers(rule["match"], other.at["match"], _DESTINATIONS)

    return Entry(rule, order, applies, allows, opened, sources, priority.gap, covers)


def _covers(rule: Value, other: Value, keys: tuple[str, ...]) -> Truth:
    """Does ``rule``, as a denial, stand before everything that ``other`` is for, as ``keys`` narrow the two?"""
    return all_of(rule[key].is_empty() | _holds(rule[key], other[key], ranges=key.endswith("Ranges")) for key in keys)


def _holds(targets: Value, others: Value, *, ranges: bool) -> Truth:
    """Is each of ``others`` one of ``targets``, or a range within one? None at all is everything."""
    known = [each.text() or "" for each in targets.each() if each.is_text]
    if ranges and "0.0.0.0/0" in known:
        return TRUE
    if others.is_empty().is_true and not ranges:
        return FALSE
    gaps = [each.gap for each in (*targets.each(), *others.each()) if not each.readable]
    if gaps:
        return unknown(*gaps)
    if others.is_empty().is_true:
        return FALSE
    return truth(all(each.is_text and lies_in(each.text() or "", known) for each in others.each()))


def _opened(configs: Value, key: str) -> Iterator[Opened]:
    """Yield what each protocol with its ports opens; one without ports is for all of them."""
    for config in configs.each():
        protocol = config[key]
        if not config.readable or not protocol.readable:
            yield in_doubt(protocol.gap if config.readable else config.gap, tcp=True, udp=True)
            continue
        name = name_of(protocol)
        tcp, udp = name in _TCP, name in _UDP
        if name == "all":
            yield EVERYTHING
        elif (tcp or udp) and config["ports"].is_empty().is_true:
            yield spanning(ALL, tcp=tcp, udp=udp)
        elif tcp or udp:
            for ports in config["ports"].each():
                yield from of_text(ports, tcp=tcp, udp=udp)
