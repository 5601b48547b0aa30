"""What the network policies of every kind, put together, do to the pods of a namespace. Policies add up.

Whether the cluster enforces policies at all (its network plugin, Cilium's ``never`` mode, a missing add-on) stands in
no resource of a namespace and is not asked here.

Source: https://kubernetes.io/docs/concepts/services-networking/network-policies/#the-two-sorts-of-pod-isolation
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import FALSE, Gap, any_of, unknown
from crossgate.rules.kubernetes import _calico, _cilium, _cluster_network_policy, _network_policy
from crossgate.rules.kubernetes._namespaces import Residents, same_cluster
from crossgate.rules.kubernetes._objects import HELM_RELEASE, NAMESPACES, objects, with_lists
from crossgate.rules.kubernetes._policy import Hidden, Policy, Reach, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Stack, Truth, Value
    from crossgate.rules.kubernetes._namespaces import Home
    from crossgate.rules.kubernetes._pods import Pod

_NOT_READ: Final = tuple(
    f"kubernetes:crd.antrea.io/{version}:{kind}"
    for version in ("v1alpha1", "v1beta1")
    for kind in ("ClusterNetworkPolicy", "NetworkPolicy")
)
_NAMESPACED: Final = (
    *with_lists(_network_policy.TYPES),
    *_network_policy.PATCHES,
    _cilium.NAMESPACED,
    *_calico.NAMESPACED,
)
_CLUSTERWIDE: Final = (_cilium.CLUSTERWIDE, *_calico.GLOBAL, *_cluster_network_policy.TYPES, *_NOT_READ)
READ: Final = (
    *with_lists(_network_policy.TYPES),
    *_cilium.TYPES,
    *_calico.NAMESPACED,
    *_calico.GLOBAL,
    *_cluster_network_policy.TYPES,
)
"""The kinds of policy that can open a namespace to everyone."""
ADMITTING: Final = (*READ, *_network_policy.PATCHES)
"""The kinds of policy whose rules name peers, patches included."""
NEIGHBOURS: Final = (*_NAMESPACED, *_CLUSTERWIDE, *NAMESPACES, *_calico.TIERS, HELM_RELEASE)
"""Every type that decides about isolation."""

IN_A_RELEASE: Final = "what this Helm release brings is not shown, and may be a network policy"
UNREAD: Final = "a kind of policy that is not read"
SAME_ORDER: Final = "stands level with a policy that denies: which comes first is not known"


def policies_of(resource: Resource, manifest: Value) -> Iterator[Policy]:
    """Yield the policies that ``manifest``, an object of ``resource``, states."""
    token = resource.token.removesuffix("List")
    if token in _network_policy.TYPES:
        yield _network_policy.NetworkPolicy(resource, manifest["spec"])
    elif token in _network_policy.PATCHES:
        yield _network_policy.PatchedPolicy(resource, manifest["spec"])
    elif token in _cilium.TYPES:
        yield from _cilium.policies_of(resource, manifest)
    elif token in _NOT_READ:
        yield Hidden(resource, Gap(resource.urn, "", UNREAD))
    elif token in _cluster_network_policy.TYPES:
        yield _cluster_network_policy.ClusterPolicy(resource, manifest["spec"])
    else:
        yield _calico.CalicoPolicy(resource, manifest["spec"])


class Member(NamedTuple):
    """A policy and whether it belongs to a namespace."""

    policy: Policy
    there: Truth


class Isolation:
    """The policies of one namespace."""

    def __init__(self, home: Home, members: list[Member], elsewhere: Truth, releases: Truth) -> None:
        """Put together the policies of ``home``.

        Args:
            home: the namespace.
            members: its policies.
            elsewhere: unknown when the source leaves resources out, which may be policies; else false.
            releases: unknown when a Helm release in the namespace may bring policies; else false.

        """
        self._home = home
        self._elsewhere = elsewhere
        self._releases = releases
        self._anchored: dict[tuple[str, str], list[Member]] = {}
        self._free: list[Member] = []
        self._for_all: list[tuple[Policy, Truth]] = []
        """The policies that select every pod, or may, each with whether it does."""
        for member in members:
            anchor = member.policy.anchor
            (self._free if anchor is None else self._anchored.setdefault(anchor, [])).append(member)
            for_all = member.there if anchor is None else FALSE
            for_all = for_all if for_all.is_false else for_all & member.policy.selects_all(home)
            if not for_all.is_false:
                self._for_all.append((member.policy, for_all))

    def by_default(self, direction: str) -> Truth:
        """Does some policy isolate every pod of the namespace in ``direction``?"""
        isolated = any_of(for_all & policy.isolates(direction) for policy, for_all in self._for_all)
        return isolated | self._elsewhere | self._releases

    def given_back(self, direction: str) -> Truth:
        """Does some policy open ``direction`` to everyone again, for every pod of the namespace?"""
        barred = [
            (policy, reach.when(for_all))
            for policy, for_all in self._for_all
            if not (reach := policy.bars(direction)).anyone.is_false
        ]
        opened = (
            policy.opens(direction).when(for_all).without(_before(policy, barred)) for policy, for_all in self._for_all
        )
        return joined(opened).anyone | self._elsewhere

    def covers(self, pod: Pod, direction: str) -> Truth:
        """Does some policy isolate these pods in ``direction``?"""
        covered = any_of(
            member.there & member.policy.isolates(direction) & member.policy.selects(pod, self._home)
            for member in self._candidates(pod)
        )
        return covered | self._elsewhere | self._releases

    def lets_everyone_in(self, pod: Pod, direction: str) -> Truth:
        """Does some policy that selects these pods open ``direction`` to everyone?"""
        return any_of(
            reach & member.there & member.policy.selects(pod, self._home)
            for member in self._candidates(pod)
            if not (reach := member.policy.opens(direction).anyone).is_false
        )

    def _candidates(self, pod: Pod) -> Iterator[Member]:
        """Yield the policies that may select ``pod``, without trying those that ask for a label it does not have."""
        yield from self._free
        if not self._anchored:
            return
        labels = pod.template["metadata"]["labels"]
        known = labels.readable
        for key, value in labels.entries():
            if value.is_text:
                yield from self._anchored.get((key, value.text() or ""), ())
            known = known and value.readable
        if not known:
            for members in self._anchored.values():
                yield from members


def _before(policy: Policy, barred: list[tuple[Policy, Reach]]) -> Reach:
    """Return who is kept out before ``policy`` has its say."""
    reaches = []
    for other, reach in barred:
        gap = other.order_gap or policy.order_gap
        if gap is None and other.bars_from == policy.order:
            gap = Gap(other.resource.urn, "", SAME_ORDER)
        if other is policy or gap is None:
            reaches += [reach] if other.bars_from < policy.order else []
        else:
            reaches.append(reach.when(unknown(gap)))
    return joined(reaches)


def isolation_of(home: Home) -> Isolation:
    """Return what the policies of the stack do in ``home``."""
    return home.resident.stack.derived(_Index).at(home)


class _Index:
    """The policies of a stack by namespace."""

    def __init__(self, stack: Stack) -> None:
        self._namespaced: Residents[Policy] = Residents()
        self._clusterwide: list[Policy] = []
        self._releases: Residents[Resource] = Residents()
        self._known: dict[object, Isolation] = {}
        self._elsewhere = FALSE if stack.is_complete else unknown(stack.incomplete)
        for resource in stack.of_type(*_NAMESPACED):
            for manifest in objects(resource):
                for policy in policies_of(resource, manifest):
                    self._namespaced.add(resource, manifest["metadata"]["namespace"], policy)
        for resource in stack.of_type(*_CLUSTERWIDE):
            self._clusterwide += policies_of(resource, resource.inputs)
        for resource in stack.of_type(HELM_RELEASE):
            self._releases.add(resource, resource["namespace"], resource)

    def at(self, home: Home) -> Isolation:
        """Return the isolation in ``home``, the same for all that lives there."""
        key = (home.name, home.urns, home.doubt, home.gap, home.resident.provider_urn)
        isolation = self._known.get(key)
        if isolation is None:
            isolation = self._known[key] = self._build(home)
        return isolation

    def _build(self, home: Home) -> Isolation:
        members = [Member(policy, there) for policy, there in self._namespaced.near(home)]
        for policy in self._clusterwide:
            there = same_cluster(policy.resource, home.resident)
            if not there.is_false:
                members.append(Member(policy, there))
        releases = any_of(
            there & unknown(Gap(release.urn, "", IN_A_RELEASE)) for release, there in self._releases.near(home)
        )
        return Isolation(home, members, self._elsewhere, releases)
