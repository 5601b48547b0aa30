"""In which namespace, of which cluster, an object lives, and what else lives there.

An object names its namespace by text or by an output of a Namespace of the same stack. The text may stand in
``metadata.namespace`` or, for all objects of a provider, in the provider's own ``namespace``. An output is not known
in a preview, but the engine tells which Namespace it comes from. Nothing is searched pairwise: what lives in a
namespace is indexed once per stack.

Source: https://www.pulumi.com/registry/packages/kubernetes/api-docs/provider/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from crossgate import FALSE, TRUE, Gap, Value, any_of, truth, unknown
from crossgate.model import parse_urn
from crossgate.rules.kubernetes._objects import NAMESPACE, NAMESPACES, objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crossgate import Resource, Stack, Truth

T = TypeVar("T")

DEFAULT: Final = "default"
SYSTEM_NAMESPACES: Final = ("kube-system", "kube-public", "kube-node-lease")
NAME_LABEL: Final = "kubernetes.io/metadata.name"
_UNNAMED: Final = "(named at the update)"  # no valid name, so equal to none
_DEFAULT_PROVIDER: Final = "default"
_CLUSTER_SETTINGS: Final = ("kubeconfig", "context", "cluster")

ELSEWHERE: Final = "this stack does not create its namespace: what else is there, it does not show"
ANOTHER_PROVIDER: Final = "is managed by another provider, which may mean another cluster"


class Spot(NamedTuple):
    """The namespace that an object names: by a known text, or by the Namespaces that an unknown is made of."""

    name: str | None
    urns: tuple[str, ...] = ()
    gap: Gap | None = None
    is_output: bool = True
    """An unknown name is itself computed; else what it stands in is, and whether it names a namespace is not known."""


def spot_of(resource: Resource, namespace: Value) -> Spot:
    """Return what ``namespace``, a property of ``resource``, names; where it names nothing, the provider's default."""
    named = _named(resource, namespace)
    if named is not None:
        return named
    provider = resource.provider
    if provider is not None:
        return _named(provider, provider["namespace"]) or Spot(DEFAULT)
    if not resource.stack.is_complete and not _is_default(resource.provider_urn):
        return Spot(None, (), resource.stack.incomplete)
    return Spot(DEFAULT)


def _named(resource: Resource, namespace: Value) -> Spot | None:
    if namespace.readable and not (namespace.is_text and namespace.text()):
        return None
    edges = resource.property_dependencies.get(namespace.property_name, ())
    urns = tuple(urn for urn in edges if _is_namespace(resource.stack, urn))
    if namespace.readable:
        return Spot(namespace.text(), urns)
    return Spot(None, urns, namespace.gap, is_output=namespace.exists().is_true)


def _is_namespace(stack: Stack, urn: str) -> bool:
    """Tell by the URN alone where the source leaves the resource out."""
    resource = stack.get(urn)
    if resource is not None:
        return resource.token == NAMESPACE
    try:
        return parse_urn(urn).type == NAMESPACE
    except ValueError:
        return False


def _is_default(provider_urn: str) -> bool:
    name = provider_urn.rpartition("::")[2]
    return name in ("", _DEFAULT_PROVIDER) or name.startswith(f"{_DEFAULT_PROVIDER}_")


class Home:
    """One namespace of one cluster, whether or not the stack creates it."""

    __slots__ = ("doubt", "gap", "manifests", "name", "resident", "urns")

    def __init__(
        self,
        resident: Resource,
        *,
        name: str | None = None,
        urns: tuple[str, ...] = (),
        manifests: tuple[Value, ...] = (),
        doubt: Gap | None = None,
        gap: Gap | None = None,
    ) -> None:
        """Hold a namespace as seen from ``resident``, a resource in it or the Namespace itself."""
        self.resident = resident
        self.name = name
        self.urns = urns
        """The Namespaces of this stack that it is, or may be."""
        self.manifests = manifests
        """The Namespace objects, where the source shows them."""
        self.doubt = doubt
        """Why it is not known which one of :attr:`urns`, or which other, it is."""
        self.gap = gap
        """Why the name is not known, when it is given and might be any."""

    @property
    def name_value(self) -> Value:
        """The name as a value to compare with."""
        if self.name is not None:
            return Value(self.name)
        gap = self.gap or self.doubt
        return Value.gap_of(gap) if gap is not None else Value(_UNNAMED)

    def is_in(self, names: tuple[str, ...]) -> Truth:
        """Is its name one of these?"""
        return self.name_value.is_in(names)

    def label(self, key: str) -> Value:
        """Return a label of the namespace."""
        if key == NAME_LABEL:
            return self.name_value
        if len(self.manifests) == 1 and self.doubt is None:
            return self.manifests[0]["metadata"]["labels"][key]
        return Value.gap_of(Gap(self.resident.urn, "", "the labels of its namespace are not shown"))

    def created(self, own: tuple[str, ...] = ()) -> Truth:
        """Does this stack create the namespace, or own it by declaration? Never false: another stack may add to it."""
        if self.doubt is not None:
            return unknown(self.doubt)
        if self.urns or self.manifests or self.name in own:
            return TRUE
        return unknown(Gap(self.resident.urn, "", ELSEWHERE))


def home_of(resource: Resource, namespace: Value) -> Home:
    """Return the namespace of an object of ``resource`` that names it by ``namespace``."""
    spot = spot_of(resource, namespace)
    known = resource.stack.derived(_Namespaces)
    if spot.name is not None:
        return known.by_name(resource, spot)
    if len(spot.urns) == 1 and spot.is_output:
        return known.by_urn(resource, spot.urns[0])
    return Home(resource, urns=spot.urns if spot.is_output else (), doubt=spot.gap)


def home_of_namespace(resource: Resource, manifest: Value) -> Home:
    """Return the namespace that ``manifest``, an object of ``resource``, creates."""
    name = manifest["metadata"]["name"]
    urns = (resource.urn,) if resource.token == NAMESPACE else ()
    text = (name.text() or None) if name.is_text else None
    return Home(resource, name=text, urns=urns, manifests=(manifest,), gap=None if name.readable else name.gap)


class _Namespaces:
    """The Namespaces of a stack, by name."""

    def __init__(self, stack: Stack) -> None:
        self._named: dict[str, list[tuple[Resource, Value]]] = {}
        self._urns: dict[str, Home] = {}
        for resource in stack.of_type(*NAMESPACES):
            for manifest in objects(resource):
                home = home_of_namespace(resource, manifest)
                for urn in home.urns:
                    self._urns[urn] = home
                if home.name is not None:
                    self._named.setdefault(home.name, []).append((resource, manifest))

    def by_name(self, resident: Resource, spot: Spot) -> Home:
        here = [found for found in self._named.get(spot.name or "", ()) if not _apart(found[0], resident)]
        if not here and len(spot.urns) == 1:
            # The engine knows the Namespace that the text was computed from; the source does not show its name.
            home = self.by_urn(resident, spot.urns[0])
            if home.name is None:
                return home
        urns = tuple(resource.urn for resource, _ in here if resource.token == NAMESPACE)
        manifests = tuple(manifest for _, manifest in here)
        return Home(resident, name=spot.name, urns=urns, manifests=manifests)

    def by_urn(self, resident: Resource, urn: str) -> Home:
        home = self._urns.get(urn)
        if home is None:
            return Home(resident, urns=(urn,))
        return Home(resident, name=home.name, urns=home.urns, manifests=home.manifests, gap=home.gap)


def _apart(one: Resource, other: Resource) -> bool:
    return same_cluster(one, other).is_false


class _Loose(NamedTuple, Generic[T]):
    """A thing of which it is not known where it lives."""

    resource: Resource
    thing: T
    urns: frozenset[str]
    """The Namespaces of the stack that it may be in."""
    undecided: bool
    """It is not known which of them; else it is known, but not by which name others may refer to that one."""
    gap: Gap

    def may_be_in(self, own: frozenset[str]) -> bool:
        """Return whether it may live in a namespace that is one of ``own``, beyond what is indexed."""
        return not self.urns or not own or (self.undecided and not self.urns.isdisjoint(own))


class Residents(Generic[T]):
    """Things indexed by the namespace they live in."""

    def __init__(self) -> None:
        """Start empty."""
        self._by_name: dict[str, list[tuple[Resource, T]]] = {}
        self._by_urn: dict[str, list[tuple[Resource, T]]] = {}
        self._loose: list[_Loose[T]] = []

    def add(self, resource: Resource, namespace: Value, thing: T) -> None:
        """Take in ``thing`` of ``resource``, which names its namespace by ``namespace``."""
        home = home_of(resource, namespace)
        if home.name is not None:
            self._by_name.setdefault(home.name, []).append((resource, thing))
        elif home.doubt is None:
            for urn in home.urns:
                self._by_urn.setdefault(urn, []).append((resource, thing))
        gap = home.doubt or home.gap
        if gap is not None:
            self._loose.append(_Loose(resource, thing, frozenset(home.urns), home.doubt is not None, gap))

    def near(self, home: Home) -> Iterator[tuple[T, Truth]]:
        """Yield what lives in ``home``, or may, each with whether it does."""
        own = frozenset(home.urns if home.doubt is None else ())
        yield from _there(self._by_name.get(home.name or "", ()), home, TRUE)
        for urn in own:
            yield from _there(self._by_urn.get(urn, ()), home, TRUE)
        for loose in self._loose:
            if loose.may_be_in(own):
                yield from _there([(loose.resource, loose.thing)], home, unknown(loose.gap))
        anywhere = home.doubt or home.gap
        if anywhere is not None:
            for things in (*self._by_name.values(), *(self._by_urn[urn] for urn in self._by_urn if urn not in own)):
                yield from _there(things, home, unknown(anywhere))


def _there(things: Iterable[tuple[Resource, T]], home: Home, lives: Truth) -> Iterator[tuple[T, Truth]]:
    for resource, thing in things:
        there = lives & same_cluster(resource, home.resident)
        if not there.is_false:
            yield thing, there


def same_cluster(one: Resource, other: Resource) -> Truth:
    """Do two resources belong to one cluster? By their provider, or by what two providers are told to connect to."""
    if one.provider_urn == other.provider_urn:
        return TRUE
    differ: list[Truth] = []
    for key in _CLUSTER_SETTINGS:
        answer = _differ(_setting(one, key), _setting(other, key))
        differ.append(answer if not answer.is_unknown else unknown(Gap(one.urn, "", ANOTHER_PROVIDER)))
    return ~any_of(differ)


def _setting(resource: Resource, key: str) -> Value | None:
    """Return a setting of the resource's provider; None when the source does not show an explicit provider."""
    provider = resource.provider
    if provider is not None:
        return provider[key]
    return Value(None) if _is_default(resource.provider_urn) else None


_UNSURE: Final = unknown(Gap("", "", ANOTHER_PROVIDER))


def _differ(left: Value | None, right: Value | None) -> Truth:
    if left is None or right is None:
        return _UNSURE
    if left.is_text and right.is_text:
        return truth(left.text() != right.text())
    if left.readable and right.readable:
        return FALSE if left.exists().is_false and right.exists().is_false else _UNSURE
    origins = [
        set(value.owner.property_dependencies.get(value.property_name, ()))
        for value in (left, right)
        if value.owner is not None and not value.readable
    ]
    if len(origins) == 2 and all(origins):
        return FALSE if origins[0] == origins[1] else truth(origins[0].isdisjoint(origins[1])) | _UNSURE
    return _UNSURE
