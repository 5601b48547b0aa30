"""ClusterNetworkPolicy, and AdminNetworkPolicy and BaselineAdminNetworkPolicy before it.

They do not isolate by selecting: only a Deny for all peers cuts pods off. Their rules are read in order, and the first
that matches decides. Those of the admin tier come before every NetworkPolicy, those of the baseline tier after them.

Source: https://network-policy-api.sigs.k8s.io/api-overview/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, any_of
from crossgate.rules.kubernetes._policy import EGRESS, FAR_END, NOWHERE, Policy, Reach, joined
from crossgate.rules.kubernetes._selectors import everything, matches
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crossgate import Resource, Truth, Value
    from crossgate.rules.kubernetes._namespaces import Home
    from crossgate.rules.kubernetes._pods import Pod

_GROUP: Final = "kubernetes:policy.networking.k8s.io"
_BASELINE: Final = f"{_GROUP}/v1alpha1:BaselineAdminNetworkPolicy"
TYPES: Final = (
    f"{_GROUP}/v1alpha2:ClusterNetworkPolicy",
    f"{_GROUP}/v1alpha1:AdminNetworkPolicy",
    _BASELINE,
)
_BEFORE_ALL: Final = -1_000_000.0
"""Added to a priority, it puts the admin tier before every policy that has an order."""
_ALLOW: Final = ("Accept", "Allow")


class ClusterPolicy(Policy):
    """A policy for the whole cluster, of the admin or the baseline tier."""

    def __init__(self, resource: Resource, spec: Value) -> None:
        """Hold the policy that ``resource`` states at ``spec``."""
        super().__init__(resource, spec)
        self.take_order(spec["priority"], absent=_BEFORE_ALL, offset=_BEFORE_ALL)

    def _is_admin(self) -> Truth:
        """Is it of the admin tier? What the baseline tier says holds only where no other policy selects the pod."""
        if self.resource.token == _BASELINE:
            return FALSE
        return ~self.spec["tier"].equals("Baseline")

    @property
    def selects_everything(self) -> Truth:
        """Is the whole cluster its subject?"""
        spaces, chosen = self.spec["subject"]["namespaces"], self.spec["subject"]["pods"]
        whole = spaces.exists() & everything(spaces)
        return whole | (chosen.exists() & everything(chosen["namespaceSelector"]) & everything(chosen["podSelector"]))

    def admits(self, direction: str) -> Iterator[tuple[Value, Truth]]:
        """Yield each rule, with whether it allows what no rule before it has settled."""
        admin, settled = self._is_admin(), NOWHERE
        for rule in self.spec[direction].each():
            left = _reach(rule, FAR_END[direction], some_port=True).without(settled)
            yield rule, admin & left.world & rule["action"].is_in(_ALLOW)
            settled = joined((settled, _reach(rule, FAR_END[direction])))

    def selects_all(self, home: Home) -> Truth:
        """Is the whole namespace its subject?"""
        return self._subject(home, everything)

    def selects(self, pod: Pod, home: Home) -> Truth:
        """Are the pods of the template its subject?"""
        return self._subject(home, lambda selector: matches(selector, pod.label))

    def _subject(self, home: Home, covers: Callable[[Value], Truth]) -> Truth:
        spaces, chosen = self.spec["subject"]["namespaces"], self.spec["subject"]["pods"]
        whole = spaces.exists() & matches(spaces, home.label)
        part = chosen.exists() & matches(chosen["namespaceSelector"], home.label) & covers(chosen["podSelector"])
        return whole | part

    def bars(self, direction: str) -> Reach:
        """Whom a Deny of the admin tier keeps out."""
        return self._first(direction, ("Deny",)).when(self._is_admin())

    def _isolates_in(self, direction: str) -> Truth:
        denied = self._first(direction, ("Deny",))
        return denied.cluster & denied.world if direction == EGRESS else denied.cluster

    def _opens_in(self, direction: str) -> Reach:
        return self._first(direction, _ALLOW).when(self._is_admin())

    def _first(self, direction: str, actions: tuple[str, ...]) -> Reach:
        """Return for whom a rule with one of ``actions`` is the first to match."""
        found, settled = NOWHERE, NOWHERE
        for rule in self.spec[direction].each():
            reach = _reach(rule, FAR_END[direction]).without(settled)
            found = joined((found, reach.when(rule["action"].is_in(actions))))
            settled = joined((settled, reach))
        return found


def _reach(rule: Value, far_end: str, *, some_port: bool = False) -> Reach:
    """Return for whom a rule decides about every port, or about some. A rule has peers; one without is refused."""
    addresses = Sources()
    cluster = FALSE
    for peer in rule[far_end].each():
        for network in peer["networks"].each():
            addresses.add(network)
        chosen = peer["pods"]
        cluster |= peer["namespaces"].exists() & everything(peer["namespaces"])
        cluster |= chosen.exists() & everything(chosen["namespaceSelector"]) & everything(chosen["podSelector"])
    narrowed = FALSE if some_port else any_of(~rule[key].is_empty() for key in ("ports", "protocols"))
    return Reach(addresses.world(), cluster).when(~narrowed)
