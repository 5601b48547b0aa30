"""Calico's NetworkPolicy and GlobalNetworkPolicy.

Policies are read in order within a tier, and their rules in order too: the first that matches a packet decides. A pod
that a policy of a tier selects is cut off at the end of the tier, unless the tier's ``defaultAction`` is Pass. Where
``types`` is left out, the rules that are there tell the directions, and without rules it is ingress. Staged policies
are never enforced, so they are not read.

Sources:
    https://docs.tigera.io/calico/latest/reference/resources/networkpolicy
    https://docs.tigera.io/calico/latest/reference/resources/globalnetworkpolicy
    https://docs.tigera.io/calico/latest/reference/resources/tier
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import TRUE, Gap, any_of, unknown
from crossgate.rules.kubernetes import _calico_selector
from crossgate.rules.kubernetes._policy import EGRESS, INGRESS, LAST, NOWHERE, Policy, Reach, joined
from crossgate.rules.network._cidr import Sources
from crossgate.value import as_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Stack, Truth, Value
    from crossgate.rules.kubernetes._namespaces import Home
    from crossgate.rules.kubernetes._pods import Pod
    from crossgate.rules.kubernetes._selectors import Labels

_GROUPS: Final = ("projectcalico.org/v3", "crd.projectcalico.org/v1")
NAMESPACED: Final = tuple(f"kubernetes:{group}:NetworkPolicy" for group in _GROUPS)
GLOBAL: Final = tuple(f"kubernetes:{group}:GlobalNetworkPolicy" for group in _GROUPS)
TIERS: Final = tuple(f"kubernetes:{group}:Tier" for group in _GROUPS)

_DEFAULT_TIER: Final = "default"
_NAMESPACE_NAME: Final = ("projectcalico.org/name", "kubernetes.io/metadata.name")
_POD_NAMESPACE: Final = "projectcalico.org/namespace"
_POLICY_TYPE: Final = {INGRESS: "Ingress", EGRESS: "Egress"}
_FAR_END: Final = {INGRESS: "source", EGRESS: "destination"}
_NARROWS: Final = (
    "notNets",
    "notSelector",
    "notPorts",
    "ports",
    "serviceAccounts",
    "services",
    "domains",
)
_NARROWS_RULE: Final = ("notProtocol", "icmp", "notICMP", "http")


class CalicoPolicy(Policy):
    """A NetworkPolicy or GlobalNetworkPolicy of Calico."""

    def __init__(self, resource: Resource, spec: Value) -> None:
        """Hold the policy that ``resource`` states at ``spec``."""
        super().__init__(resource, spec)
        self.take_order(spec["order"], absent=LAST)

    @property
    def selects_everything(self) -> Truth:
        """Do its selectors ask for nothing?"""
        spaces = _matches(self.spec["namespaceSelector"], _differs)
        return _matches(self.spec["selector"], _differs) & spaces & ~self.spec["serviceAccountSelector"].exists()

    def selects_all(self, home: Home) -> Truth:
        """Do its selectors ask for nothing but the namespace?"""

        def label(key: str) -> Value | None:
            return home.name_value if key == _POD_NAMESPACE else None

        return self._selects(label, home)

    def selects(self, pod: Pod, home: Home) -> Truth:
        """Does its selector match the labels of the template, and of the namespace?"""

        def label(key: str) -> Value:
            return home.name_value if key == _POD_NAMESPACE else pod.label(key)

        return self._selects(label, home)

    def _selects(self, labels: Labels, home: Home) -> Truth:
        def namespace_label(key: str) -> Value:
            return home.name_value if key in _NAMESPACE_NAME else home.label(key)

        accounts = self.spec["serviceAccountSelector"].test(lambda text: text not in ("", "all()"))
        account_gap = unknown(Gap(self.resource.urn, "spec.serviceAccountSelector", "selects by service account"))
        about_hosts = self.spec["preDNAT"].is_true() | self.spec["doNotTrack"].is_true()
        chosen = _matches(self.spec["selector"], labels) & _matches(self.spec["namespaceSelector"], namespace_label)
        return chosen & ~about_hosts & (~accounts | account_gap)

    def bars(self, direction: str) -> Reach:
        """Whom a Deny rule keeps out that no Allow rule stands before."""
        return self._first(direction, "Deny")

    def admits(self, direction: str) -> Iterator[tuple[Value, Truth]]:
        """Yield each rule, with whether it allows what no rule before it has settled."""
        counted, settled = self._counts(direction), NOWHERE
        for rule in self.spec[direction].each():
            left = _reach(rule, direction, some_port=True).without(settled)
            yield rule, counted & left.world & rule["action"].equals("Allow")
            settled = joined((settled, _reach(rule, direction).when(~rule["action"].equals("Log"))))

    def _isolates_in(self, direction: str) -> Truth:
        return self._counts(direction) & _denies_at_its_end(self.resource.stack, self.spec["tier"])

    def _counts(self, direction: str) -> Truth:
        """Is it a policy about ``direction``?"""
        types = self.spec["types"]
        unset = types.is_empty()
        has_egress = ~self.spec[EGRESS].is_empty()
        by_default = has_egress if direction == EGRESS else ~self.spec[INGRESS].is_empty() | ~has_egress
        listed = any_of(name.equals(_POLICY_TYPE[direction]) for name in types.each())
        return (unset & by_default) | (~unset & listed)

    def _opens_in(self, direction: str) -> Reach:
        return self._first(direction, "Allow")

    def _first(self, direction: str, action: str) -> Reach:
        """Return for whom a rule with ``action`` is the first to match."""
        found, settled = NOWHERE, NOWHERE
        for rule in self.spec[direction].each():
            reach = _reach(rule, direction).without(settled)
            found = joined((found, reach.when(rule["action"].equals(action))))
            settled = joined((settled, reach.when(~rule["action"].equals("Log"))))
        return found


def _matches(selector: Value, labels: Labels) -> Truth:
    if not selector.readable:
        return unknown(selector.gap)
    try:
        expression = _calico_selector.parse(selector.text() or "" if selector.is_text else "")
    except _calico_selector.NotUnderstood:
        return unknown(selector.gap._replace(why="a selector that is not understood"))
    return _calico_selector.judge(expression, labels)


def _denies_at_its_end(stack: Stack, tier: Value) -> Truth:
    """Is what the tier's policies do not decide denied at its end?"""
    if not tier.readable:
        return unknown(tier.gap)
    name = tier.text() if tier.is_text else None
    if name in (None, "", _DEFAULT_TIER):
        return TRUE
    for resource in stack.of_type(*TIERS):
        if resource["metadata"]["name"].equals(name or "").is_true:
            return ~resource["spec"]["defaultAction"].equals("Pass")
    return unknown(tier.gap._replace(why="a tier that this stack does not show"))


def _reach(rule: Value, direction: str, *, some_port: bool = False) -> Reach:
    """Return for whom a rule decides about every TCP port, or with ``some_port`` about any port at all."""
    far = rule[_FAR_END[direction]]
    ports = rule["destination"]["ports"]
    all_ports = ports.is_empty() | any_of(port.test(_is_every_port) for port in ports.each())
    protocol = rule["protocol"].test(lambda name: name in ("TCP", "tcp") or as_number(name) == 6, absent=True)
    ports_count = all_ports & protocol & ~any_of(rule[key].exists() for key in _NARROWS_RULE)
    ports_count &= ~rule["destination"]["notPorts"].exists()
    narrowed = any_of(far[key].exists() for key in _NARROWS if (direction, key) != (EGRESS, "ports"))
    nets, selector, spaces = far["nets"], far["selector"], far["namespaceSelector"]
    by_label = selector.exists() | spaces.exists()
    anyone = nets.is_empty() & ~by_label
    addresses = Sources()
    for net in nets.each():
        addresses.add(net)
    labels_match_all = _matches(selector, _differs) & _matches(spaces, _differs)
    cluster = by_label & nets.is_empty() & labels_match_all & spaces.exists()
    world = addresses.world() & ~by_label
    return Reach(anyone | world, anyone | cluster).when((TRUE if some_port else ports_count) & ~narrowed)


def _differs(_key: str) -> None:
    return None


def _is_every_port(port: object) -> bool:
    return isinstance(port, str) and port.replace(" ", "") in ("0:65535", "1:65535")
