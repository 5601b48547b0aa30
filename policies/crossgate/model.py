"""The one resource model: what every door becomes, and all that rules see.

A :class:`Resource` is one Pulumi resource with its inputs; a :class:`Stack` is the set of resources that will be there
after the change, and knows whether it is the whole set. Resources find their neighbours through the stack: by the
dependency edges that the engine records, or by equal known names, never by comparing ids that do not exist yet.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from crossgate.truth import FALSE, TRUE, Gap, Truth, truth, unknown
from crossgate.value import ABSENT, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

T = TypeVar("T")

STACK_TYPE: Final = "pulumi:pulumi:Stack"
PROVIDER_PREFIX: Final = "pulumi:providers:"

_IDENTITY_KEYS: Final = ("id", "arn", "selfLink", "bucket", "name", "bucketName", "accountName")
"""Properties by which other resources refer to a resource when they give its known name instead of an output."""


class Urn(NamedTuple):
    """The parts of ``urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME``."""

    stack: str
    project: str
    qualified_type: str
    name: str

    @property
    def type(self) -> str:
        """The resource's own type token, without its parents'."""
        return self.qualified_type.rsplit("$", 1)[-1]


def parse_urn(text: str) -> Urn:
    """Split a URN into its parts. The name may itself contain ``::``.

    Raises:
        ValueError: ``text`` is not a Pulumi URN.

    """
    parts = text.split("::", 3)
    if len(parts) != 4 or not parts[0].startswith("urn:pulumi:") or not parts[2] or not parts[3]:
        msg = "not a Pulumi URN"
        raise ValueError(msg)
    return Urn(parts[0][len("urn:pulumi:") :], parts[1], parts[2], parts[3])


_RENAMED: Final = {
    "cache:FirewallRule": "redis:FirewallRule",
    "cache:Redis": "redis:Redis",
    "cache:RedisEnterprise": "redisenterprise:RedisEnterprise",
    "cosmosdb:MongoCluster": "mongocluster:MongoCluster",
    "cosmosdb:MongoClusterFirewallRule": "mongocluster:FirewallRule",
    "dbformysql:SingleServer": "dbformysql:Server",
    "dbformysql:SingleServerFirewallRule": "dbformysql:FirewallRule",
    "dbforpostgresql:Cluster": "dbforpostgresql:ServerGroupCluster",
    "dbforpostgresql:ServerGroupFirewallRule": "dbforpostgresql:FirewallRule",
    "dbforpostgresql:SingleServer": "dbforpostgresql:Server",
    "dbforpostgresql:SingleServerFirewallRule": "dbforpostgresql:FirewallRule",
    "devices:IotDpsResource": "deviceprovisioningservices:IotDpsResource",
    "devices:IotHubResource": "iothub:IotHubResource",
    "documentdb:DatabaseAccount": "cosmosdb:DatabaseAccount",
    "documentdb:FirewallRule": "mongocluster:FirewallRule",
    "documentdb:MongoCluster": "mongocluster:MongoCluster",
    "documentdb:MongoClusterFirewallRule": "mongocluster:FirewallRule",
    "redis:RedisFirewallRule": "redis:FirewallRule",
}
"""Types of azure-native that its major 3 moved or split, or that have one name for each API, and what rules name them.

They are aliases of each other in the SDK. Listed are those that rules name.
"""
_PREVIEW: Final = re.compile(r"(?<=^google-native:compute)/(?:alpha|beta):")
"""Compute Engine's APIs before ``v1`` hold the same types."""
_VERSIONED_MODULE: Final = re.compile(r"^azure-native:(?P<module>[^:/]+)/v\d{8}[^:]*:(?P<name>\w+)$")
_VERSIONED_PACKAGE: Final = re.compile(
    r"^azure-native_[a-z0-9]+_v\d{8}[a-z0-9]*:(?P<module>[^:/]+)(?:/[^:]*)?:(?P<name>\w+)$"
)


@lru_cache(maxsize=4096)
def unversioned_type(token: str) -> str:
    """Return the type token that rules name: azure-native's API version is cut out of it, all else stays.

    ``azure-native:storage/v20230101:StorageAccount`` (provider v2) and
    ``azure-native_storage_v20230101:storage:StorageAccount`` (v3 local packages) are both
    ``azure-native:storage:StorageAccount``. A type of azure-native that another major, or another API version, calls
    otherwise gets one name: ``azure-native:cache:Redis`` of v2 is v3's ``azure-native:redis:Redis``. So do the types of
    ``google-native:compute/beta``, which are those of ``compute/v1``.

    Source: https://www.pulumi.com/registry/packages/azure-native/version-guide/
    """
    if not token.startswith("azure-native"):
        return _PREVIEW.sub("/v1:", token)
    match = _VERSIONED_MODULE.match(token) or _VERSIONED_PACKAGE.match(token)
    name = f"{match['module']}:{match['name']}" if match is not None else token.removeprefix("azure-native:")
    known = _RENAMED.get(name)
    if known is None and match is None:
        return token
    return f"azure-native:{known or name}"


class Position(NamedTuple):
    """A place in a source file, as the source of the resource gave it."""

    file: str
    line: int


class Resource:
    """One resource as it will be after the change. Rules read its inputs: ``resource["acl"]``."""

    __slots__ = (
        "_identities",
        "_inputs",
        "_outputs",
        "_unknown_name",
        "aliases",
        "custom",
        "dependencies",
        "id",
        "name",
        "parent",
        "position",
        "property_dependencies",
        "provider_reference",
        "raw_inputs",
        "raw_outputs",
        "stack",
        "token",
        "type",
        "urn",
    )

    def __init__(
        self,
        urn: str,
        type_: str,
        name: str,
        inputs: Mapping[str, Any] | None = None,
        *,
        outputs: Mapping[str, Any] | None = None,
        id_: str = "",
        custom: bool = True,
        parent: str = "",
        provider: str = "",
        dependencies: Sequence[str] = (),
        property_dependencies: Mapping[str, Sequence[str]] | None = None,
        aliases: Sequence[str] = (),
        position: Position | None = None,
    ) -> None:
        """Hold a resource; ``inputs`` and ``outputs`` in Pulumi's property encoding (see :mod:`crossgate.value`)."""
        self.urn = urn
        self.type = type_
        self.token = unversioned_type(type_)
        """The type that rules name; see :func:`unversioned_type`."""
        self.name = name
        self.id = id_
        """The provider's id, once the resource exists; else empty."""
        self.custom = custom
        self.parent = parent
        self.provider_reference = provider
        self.dependencies = dependencies
        self.property_dependencies: Mapping[str, Sequence[str]] = property_dependencies or {}
        self.aliases = aliases
        self.position = position
        self.raw_inputs: Any = {} if inputs is None else inputs
        self.raw_outputs = outputs
        self.stack = _NO_STACK
        self._inputs: Value | None = None
        self._outputs: Value | None = None
        self._identities: frozenset[str] | None = None
        self._unknown_name: tuple[Gap, ...] | None = None

    @property
    def inputs(self) -> Value:
        """The desired properties, as the program states them after the provider's check."""
        if self._inputs is None:
            self._inputs = Value(self.raw_inputs, self)
        return self._inputs

    @property
    def outputs(self) -> Value:
        """The properties as the provider reports them; absent where the source has none (creates in a preview)."""
        if self._outputs is None:
            self._outputs = Value(ABSENT if self.raw_outputs is None else self.raw_outputs, self)
        return self._outputs

    def stands_for(self, gap: Gap) -> None:
        """Make this resource a stand-in of which nothing is known, because of ``gap``."""
        self._inputs = self._outputs = Value.gap_of(gap, self)
        self._identities = self._unknown_name = None

    def __getitem__(self, key: str) -> Value:
        """Return the input ``key``."""
        return self.inputs[key]

    @property
    def provider(self) -> Resource | None:
        """The provider resource that manages this one, when the source shows it."""
        return self.stack.get(self.provider_urn)

    @property
    def provider_urn(self) -> str:
        """URN of the provider that manages this resource, whether or not the source shows it."""
        return self.provider_reference.rpartition("::")[0]

    @property
    def parent_resource(self) -> Resource | None:
        """The parent, when the source shows it."""
        return self.stack.get(self.parent)

    def ancestors(self) -> Iterator[Resource]:
        """Yield the parents, nearest first; a cycle in a broken file ends the walk."""
        seen = {self.urn}
        above = self.parent_resource
        while above is not None and above.urn not in seen:
            seen.add(above.urn)
            yield above
            above = above.parent_resource

    def property_comes_only_from(self, name: str, types: tuple[str, ...]) -> bool:
        """Return whether input ``name`` is computed from visible resources of ``types`` alone.

        A dependency that the source does not show counts as anything.
        """
        urns = self.property_dependencies.get(name)
        if not urns:
            return False
        for urn in urns:
            origin = self.stack.get(urn)
            if origin is None or origin.token not in types:
                return False
        return True

    def identities(self) -> frozenset[str]:
        """Return the known names and ids by which another resource may refer to this one."""
        if self._identities is not None:
            return self._identities
        names = (*self.inputs.present(_IDENTITY_KEYS), *self.outputs.present(_IDENTITY_KEYS))
        found = {name.text() or "" for name in names if name.is_text}
        self._identities = frozenset({*found, self.id} - {""})
        return self._identities

    def unknown_name(self) -> Gap | None:
        """Return why a name that the program gives this resource is not known; None when it gives none, or a known one.

        A name that the provider makes up is no case of it: nobody can have written that one down beforehand.
        """
        if self._unknown_name is None:
            given = self.inputs.present(_IDENTITY_KEYS)
            self._unknown_name = tuple(name.gap for name in given if not name.readable)
        return self._unknown_name[0] if self._unknown_name else None

    def related(self, types: tuple[str, ...], via: str, among: tuple[str, ...] = ()) -> list[Link]:
        """Return the resources of ``types`` whose input ``via`` refers, or may refer, to this resource.

        Args:
            types: types of the neighbours.
            via: the neighbours' top-level input that holds the reference.
            among: the types that input may refer to; by default this resource's own.

        """
        return self.stack.referring_to(self, types, via, among or (self.token,))

    def targets(self, via: str, types: tuple[str, ...]) -> list[Link]:
        """Return the resources of ``types`` that this resource's input ``via`` refers, or may refer, to."""
        return self.stack.referred_by(self, via, types)

    def __repr__(self) -> str:
        """Show the URN, never a property."""
        return f"<Resource {self.urn}>"


class Link(NamedTuple):
    """A neighbour and whether it really belongs to the resource that was asked about."""

    resource: Resource
    linked: Truth


class Stack:
    """The resources that will be there after the change."""

    def __init__(
        self,
        resources: Iterable[Resource] = (),
        *,
        unseen: int = 0,
        unseen_cure: str = "add --show-sames or --state",
        counted: bool = True,
    ) -> None:
        """Hold ``resources``.

        Args:
            resources: what the source shows.
            unseen: how many unchanged resources the source leaves out.
            unseen_cure: what to do to bring them in.
            counted: False when the source does not tell how many it leaves out, so that it may be any number.

        """
        self.resources: list[Resource] = []
        self.unseen_count = unseen
        self.unseen_cure = unseen_cure
        self._counted = counted
        self._by_urn: dict[str, Resource] = {}
        self._by_token: dict[str, list[Resource]] = {}
        self._indexes: dict[tuple[tuple[str, ...], str, tuple[str, ...]], _References] = {}
        self._names: dict[tuple[str, ...], dict[str, list[Resource]]] = {}
        self._nameless: dict[tuple[str, ...], list[Resource]] = {}
        self._derived: dict[Callable[[Stack], Any], Any] = {}
        for resource in resources:
            self.add(resource)

    def add(self, resource: Resource) -> None:
        """Take in one more resource; one with the same URN replaces the earlier one."""
        earlier = self._by_urn.get(resource.urn)
        if earlier is not None:
            self.resources.remove(earlier)
            self._by_token[earlier.token].remove(earlier)
        resource.stack = self
        self.resources.append(resource)
        self._by_urn[resource.urn] = resource
        self._by_token.setdefault(resource.token, []).append(resource)
        self._indexes.clear()
        self._names.clear()
        self._nameless.clear()
        self._derived.clear()

    def derived(self, build: Callable[[Stack], T]) -> T:
        """Return ``build(self)``, kept until a resource is added: an index that many verdicts share.

        ``build`` is a function of a module, so that every caller means the same one.
        """
        if build not in self._derived:
            self._derived[build] = build(self)
        found: T = self._derived[build]
        return found

    def get(self, urn: str) -> Resource | None:
        """Return the resource with this URN, or None."""
        return self._by_urn.get(urn)

    def of_type(self, *types: str) -> list[Resource]:
        """Return the resources of these types, in the order of the source within each type."""
        if len(types) == 1:
            return self._by_token.get(types[0], [])
        return [resource for token in types for resource in self._by_token.get(token, ())]

    @property
    def tokens(self) -> Iterable[str]:
        """The types present."""
        return self._by_token.keys()

    @property
    def is_complete(self) -> bool:
        """Whether the source shows every resource of the stack."""
        return self._counted and self.unseen_count == 0

    @property
    def incomplete(self) -> Gap:
        """The gap that stands for the unchanged resources which the source leaves out."""
        if not self._counted:
            return Gap("", "", f"this file does not tell which unchanged resources it leaves out: {self.unseen_cure}")
        count = self.unseen_count
        noun, verb = ("resource", "is") if count == 1 else ("resources", "are")
        return Gap("", "", f"{count} unchanged {noun} {verb} not in this file: {self.unseen_cure}")

    def unseen(self, types: tuple[str, ...]) -> list[Link]:
        """Return a stand-in for a neighbour that the source may have left out: unknown in everything.

        Empty when the stack is complete. With it, "there is none" is undetermined on an incomplete stack.
        """
        return [] if self.is_complete else [self._stand_in(types[0], self.incomplete)]

    def _stand_in(self, token: str, gap: Gap) -> Link:
        nobody = Resource("", token, "")
        nobody.stack = self
        nobody.stands_for(gap)
        return Link(nobody, unknown(gap))

    def referring_to(self, target: Resource, types: tuple[str, ...], via: str, among: tuple[str, ...]) -> list[Link]:
        """Return the resources of ``types`` whose input ``via`` refers, or may refer, to ``target``."""
        found = [
            Link(candidate, linked)
            for candidate in self._references(types, via, among).candidates(target)
            if not (linked := self.refers(candidate, via, target, among)).is_false
        ]
        found.extend(self.unseen(types))
        return found

    def _references(self, types: tuple[str, ...], via: str, among: tuple[str, ...]) -> _References:
        key = (types, via, among)
        references = self._indexes.get(key)
        if references is None:
            references = self._indexes[key] = _References(self, types, via, among)
        return references

    def referred_by(self, source: Resource, via: str, types: tuple[str, ...]) -> list[Link]:
        """Return the resources of ``types`` that input ``via`` of ``source`` refers, or may refer, to.

        Where the reference cannot be followed at all, one stand-in that is unknown in everything.
        """
        value = source[via]
        if value.exists().is_false:
            return []
        candidates = [self._by_urn[urn] for urn in self._edges_into(source, via, types)]
        for item in value.each():
            if item.is_text:
                candidates.extend(self._named(types).get(item.text() or "", ()))
                candidates.extend(self._unnamed(types))
        found = [
            Link(candidate, linked)
            for candidate in {candidate.urn: candidate for candidate in candidates}.values()
            if not (linked := self.refers(source, via, candidate, types)).is_false
        ]
        if not found and (hidden := _first_unread(value.each())) is not None and self.of_type(*types):
            return [self._stand_in(types[0], hidden.gap)]
        return found if any(link.linked.is_true for link in found) else found + self.unseen(types)

    def sharing(self, source: Resource, via: str, among: tuple[str, ...], types: tuple[str, ...]) -> Iterator[Link]:
        """Yield the resources of ``types`` whose input ``via`` refers to what input ``via`` of ``source`` refers to.

        Two siblings of one parent of types ``among``: an ACL and an ownership control of one bucket. The parent may
        be outside the stack; then they share it when they name it with the same known text.
        """
        parents = [link for link in self.referred_by(source, via, among) if link.resource.urn]
        for parent in parents:
            for link in self.referring_to(parent.resource, types, via, among):
                yield Link(link.resource, parent.linked & link.linked)
        value = source[via]
        is_found = any(parent.linked.is_true for parent in parents) or (parents and not value.is_text)
        if is_found or value.exists().is_false:
            return
        if not value.is_text:
            if self.of_type(*types):
                yield self._stand_in(types[0], value.gap)
        else:
            for sibling in self._references(types, via, among).naming(value.text() or ""):
                linked = sibling[via].test(lambda text: text == value.text())
                yield Link(sibling, linked)
        yield from self.unseen(types)

    def refers(self, source: Resource, via: str, target: Resource, among: tuple[str, ...]) -> Truth:
        """Does input ``via`` of ``source`` refer to ``target``, one of possibly many resources of types ``among``?

        A known value refers by an equal known name or id. An unknown one refers by the engine's dependency edges: to
        the one resource of ``among`` that they name (a list: to each); when they name several, or none, it cannot be
        told.
        """
        value = source[via]
        items = list(value.each())
        names = target.identities()
        if any(item.is_text and item.text() in names for item in items):
            return TRUE
        candidates = self._edges_into(source, via, among)
        hidden = _first_unread(items)
        if hidden is not None:
            if not candidates:
                return unknown(hidden.gap)
            if target.urn not in candidates:
                return FALSE
            is_one = len(set(candidates)) == 1 and not self._leads_out(source, via, among)
            return TRUE if is_one or value.is_list else unknown(hidden.gap)
        # A known value that is none of the target's known names: it may be the one that is not known yet, and an edge
        # decides when the target has no name at all.
        unnamed = target.unknown_name()
        if unnamed is not None and not candidates and any(item.is_text for item in items):
            return unknown(unnamed)
        return truth(not names and candidates == [target.urn] and value.is_text)

    def _edges_into(self, source: Resource, via: str, types: tuple[str, ...]) -> list[str]:
        edges = source.property_dependencies.get(via, ())
        return [urn for urn in edges if (resource := self._by_urn.get(urn)) is not None and resource.token in types]

    def _leads_out(self, source: Resource, via: str, types: tuple[str, ...]) -> bool:
        """Return whether an edge leads to a resource of ``types`` that the source of the stack does not show."""
        hidden = (urn for urn in source.property_dependencies.get(via, ()) if urn not in self._by_urn)
        return any(_type_in(urn) in types for urn in hidden)

    def _named(self, types: tuple[str, ...]) -> dict[str, list[Resource]]:
        index = self._names.get(types)
        if index is None:
            index = self._names[types] = {}
            for resource in self.of_type(*types):
                for name in resource.identities():
                    index.setdefault(name, []).append(resource)
        return index

    def _unnamed(self, types: tuple[str, ...]) -> list[Resource]:
        """Return the resources of ``types`` whose own name is given but not known."""
        found = self._nameless.get(types)
        if found is None:
            unnamed = [resource for resource in self.of_type(*types) if resource.unknown_name() is not None]
            found = self._nameless[types] = unnamed
        return found


class _References:
    """Index of the resources of some types by what one of their inputs refers to."""

    def __init__(self, stack: Stack, types: tuple[str, ...], via: str, among: tuple[str, ...]) -> None:
        self._by_edge: dict[str, list[Resource]] = {}
        self._by_name: dict[str, list[Resource]] = {}
        self._loose: list[Resource] = []
        self._literal: list[Resource] = []
        for resource in stack.of_type(*types):
            edges = stack._edges_into(resource, via, among)
            for urn in edges:
                self._by_edge.setdefault(urn, []).append(resource)
            items = list(resource[via].each())
            for item in items:
                if item.is_text:
                    self._by_name.setdefault(item.text() or "", []).append(resource)
            if not edges:
                (self._literal if _first_unread(items) is None else self._loose).append(resource)

    def naming(self, name: str) -> list[Resource]:
        """Return the resources that refer to this name, and those of which it is not known what they refer to."""
        return [*self._by_name.get(name, ()), *self._loose]

    def candidates(self, target: Resource) -> list[Resource]:
        """Return the resources that may refer to ``target``."""
        found = {resource.urn: resource for resource in self._by_edge.get(target.urn, ())}
        for name in target.identities():
            found.update((resource.urn, resource) for resource in self._by_name.get(name, ()))
        found.update((resource.urn, resource) for resource in self._loose)
        if target.unknown_name() is not None:
            found.update((resource.urn, resource) for resource in self._literal)
        return list(found.values())


def _type_in(urn: str) -> str:
    """Return the type, as rules name it, of the resource with this URN; empty when it is no URN."""
    try:
        return unversioned_type(parse_urn(urn).type)
    except ValueError:
        return ""


def _first_unread(items: Iterable[Value]) -> Value | None:
    """Return the first of ``items`` that cannot be read; None when all can."""
    return next((item for item in items if not item.readable), None)


_NO_STACK: Final = Stack()
"""The stack of a resource that stands alone: complete and empty."""
