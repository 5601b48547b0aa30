"""Permissions of EC2 security groups, whichever resource type and provider states them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import TRUE, unknown
from crossgate.rules.network._cidr import Sources, parse_all
from crossgate.rules.network._ports import Opened, of_security_group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Link, Resource, Stack, Truth, Value

GROUPS: Final = (
    "aws:ec2/securityGroup:SecurityGroup",
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup",
    "aws-native:ec2:SecurityGroup",
)
RULES: Final = (
    "aws:ec2/securityGroupRule:SecurityGroupRule",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    "aws-native:ec2:SecurityGroupIngress",
)
EGRESS_RULES: Final = (
    "aws:ec2/securityGroupRule:SecurityGroupRule",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
    "aws-native:ec2:SecurityGroupEgress",
)
PREFIX_LISTS: Final = ("aws:ec2/managedPrefixList:ManagedPrefixList", "aws-native:ec2:PrefixList")
PREFIX_LIST_ENTRIES: Final = ("aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry",)

# What an unknown CIDR may come from without ever being the internet: a network is at most a /16, an address is one
# address, and the ranges that another group lets in are judged where they stand.
_NETWORKS: Final = (
    *GROUPS,
    "aws:ec2/vpc:Vpc",
    "aws:ec2/defaultVpc:DefaultVpc",
    "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation",
    "aws:ec2/vpcIpv6CidrBlockAssociation:VpcIpv6CidrBlockAssociation",
    "aws:ec2/vpcIpamPoolCidrAllocation:VpcIpamPoolCidrAllocation",
    "aws:ec2/subnet:Subnet",
    "aws:ec2/defaultSubnet:DefaultSubnet",
    "aws:ec2/eip:Eip",
    "aws:ec2/instance:Instance",
    "aws:ec2/natGateway:NatGateway",
    "aws:ec2/networkInterface:NetworkInterface",
    "aws-native:ec2:Vpc",
    "aws-native:ec2:Subnet",
    "aws-native:ec2:Eip",
    "aws-native:ec2:NatGateway",
    "awsx:ec2:Vpc",
    "awsx:ec2:DefaultVpc",
)
# The prefix lists of AWS itself, which hold a service's addresses: a gateway endpoint tells the id of its own.
_AWS_LIST_PREFIX: Final = "com.amazonaws."
_AWS_LIST_SOURCES: Final = ("aws:ec2/vpcEndpoint:VpcEndpoint", "aws-native:ec2:VpcEndpoint")


class _Shape(NamedTuple):
    """The names that one provider's generation of the type gives to the same facts."""

    protocol: str
    cidrs: tuple[str, str]
    prefix_lists: str
    group: str


_CLASSIC: Final = _Shape("protocol", ("cidrBlocks", "ipv6CidrBlocks"), "prefixListIds", "securityGroupId")
_MODERN: Final = _Shape("ipProtocol", ("cidrIpv4", "cidrIpv6"), "prefixListId", "securityGroupId")
_NATIVE: Final = _Shape("ipProtocol", ("cidrIp", "cidrIpv6"), "sourcePrefixListId", "groupId")
_RULE_SHAPES: Final = dict(zip(RULES, (_CLASSIC, _MODERN, _NATIVE), strict=True))
_KEYS: Final = ("ingress", "egress")
_NATIVE_OUT: Final = _NATIVE._replace(prefix_lists="destinationPrefixListId")
_EGRESS_SHAPES: Final = dict(zip(EGRESS_RULES, (_CLASSIC, _MODERN, _NATIVE_OUT), strict=True))


class Permission:
    """One permission: from or to which addresses, on which ports."""

    __slots__ = ("_opened", "_sources", "applies", "at", "shape")

    def __init__(self, at: Value, shape: _Shape, applies: Truth = TRUE) -> None:
        """Read the permission that stands at ``at`` and is in force if ``applies``."""
        self.at = at
        self.shape = shape
        self.applies = applies
        self._opened: Opened | None = None
        self._sources: Sources | None = None

    @property
    def opened(self) -> Opened:
        """The ports."""
        if self._opened is None:
            at = self.at
            self._opened = of_security_group(at[self.shape.protocol], at["fromPort"], at["toPort"])
        return self._opened

    @property
    def sources(self) -> Sources:
        """The addresses on the other side. References to groups, and ``self``, add none and take none away."""
        if self._sources is None:
            self._sources = Sources()
            # When the whole permission is unknown, what it is computed from tells nothing about its ranges.
            trusted = _NETWORKS if self.at.readable else ()
            for key in self.shape.cidrs:
                texts = self.at.texts(key)
                blocks = None if texts is None else parse_all(texts)
                if blocks is not None:
                    self._sources.certain.extend(blocks)
                    continue
                for cidr in self.at[key].each():
                    self._sources.add(cidr, trusted)
            if self.at.texts(self.shape.prefix_lists) != ():
                for name in self.at[self.shape.prefix_lists].each():
                    _add_prefix_list(self._sources, name)
        return self._sources

    @property
    def source(self) -> Value:
        """The property that names the world, where one does alone; else the whole permission."""
        for key in self.shape.cidrs:
            sources = Sources()
            for cidr in self.at[key].each():
                sources.add(cidr, _NETWORKS)
            if sources.world().is_true:
                return self.at[key]
        return self.at


def permissions(resource: Resource, *, egress: bool = False) -> Iterator[Permission]:
    """Yield the permissions, for one direction, that ``resource``, a group or a stand-alone rule, states itself."""
    shape = (_EGRESS_SHAPES if egress else _RULE_SHAPES).get(resource.token)
    if shape is None:
        native = resource.token.startswith("aws-native:")
        key = ("securityGroupEgress" if egress else "securityGroupIngress") if native else _KEYS[egress]
        for entry in resource[key].each():
            yield Permission(entry, (_NATIVE_OUT if egress else _NATIVE) if native else _CLASSIC)
    elif shape is _CLASSIC:
        applies = resource["type"].equals(_KEYS[egress])
        if not applies.is_false:
            yield Permission(resource.inputs, shape, applies)
    else:
        yield Permission(resource.inputs, shape)


def siblings(resource: Resource) -> Iterator[Permission]:
    """Yield what else is permitted for the group of the stand-alone rule ``resource``, by other rules and inline."""
    shape = _RULE_SHAPES.get(resource.token)
    if shape is None:
        return
    types = tuple(token for token, other in _RULE_SHAPES.items() if other.group == shape.group)
    groups = resource.targets(shape.group, GROUPS)
    for link in (*resource.stack.sharing(resource, shape.group, GROUPS, types), *groups):
        if link.resource is not resource:
            for permission in permissions(link.resource):
                permission.applies &= link.linked
                yield permission


# -- prefix lists ----------------------------------------------------------------------------------------------------


def _add_prefix_list(sources: Sources, name: Value) -> None:
    """Let in the addresses of the prefix list that ``name`` refers to, as far as this stack shows them."""
    owner = name.owner
    if owner is None:
        return
    if name.readable:
        text = name.text() if name.is_text else None
        if not text or text.startswith(_AWS_LIST_PREFIX):
            return
        known = owner.stack.derived(_lists_by_name).get(text)
        if known is None:
            sources.doubt(name.gap._replace(why="a prefix list whose entries this stack does not show"))
        else:
            sources.join(_entries(known))
        return
    edges = [owner.stack.get(urn) for urn in owner.property_dependencies.get(name.property_name, ())]
    origins = [origin for origin in edges if origin is None or origin.token not in _NETWORKS]
    lists = [origin for origin in origins if origin is not None and origin.token in PREFIX_LISTS]
    foreign = [origin for origin in origins if origin is None or origin.token not in PREFIX_LISTS + _AWS_LIST_SOURCES]
    if not origins or foreign:
        sources.doubt(name.gap)
        return
    for candidate in lists:
        sources.join(_entries(candidate), TRUE if len(origins) == 1 else unknown(name.gap))


def _lists_by_name(stack: Stack) -> dict[str, Resource]:
    return {name: resource for resource in stack.of_type(*PREFIX_LISTS) for name in resource.identities()}


def _entries(prefix_list: Resource) -> Sources:
    """Return the addresses of a managed prefix list: its inline entries and the stand-alone ones."""
    sources = Sources()
    for entry in prefix_list["entries"].each():
        sources.add(entry["cidr"], _NETWORKS if entry.readable else ())
    links: list[Link] = prefix_list.related(PREFIX_LIST_ENTRIES, "prefixListId", PREFIX_LISTS)
    for link in links:
        entry_sources = Sources()
        entry_sources.add(link.resource["cidr"], _NETWORKS)
        sources.join(entry_sources, link.linked)
    return sources
