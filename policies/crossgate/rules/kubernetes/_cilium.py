"""CiliumNetworkPolicy and CiliumClusterwideNetworkPolicy.

Here an empty list has no effect, and an empty rule denies: it switches enforcement on and allows nobody. Deny sections
switch it on too, and win over every policy that allows. ``enableDefaultDeny`` overrides both ways.

Sources:
    https://docs.cilium.io/en/latest/security/policy/intro/
    https://docs.cilium.io/en/latest/security/policy/layer3/
    https://docs.cilium.io/en/latest/security/policy/layer4/
    https://docs.cilium.io/en/latest/security/policy/deny/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, Gap, Value, any_of
from crossgate.rules.kubernetes._policy import (
    EVERYWHERE,
    FAR_END,
    FIRST,
    Policy,
    Reach,
    anchor_of,
    every_port,
    joined,
)
from crossgate.rules.kubernetes._selectors import everything, matches
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth
    from crossgate.rules.kubernetes._namespaces import Home
    from crossgate.rules.kubernetes._pods import Pod

NAMESPACED: Final = "kubernetes:cilium.io/v2:CiliumNetworkPolicy"
CLUSTERWIDE: Final = "kubernetes:cilium.io/v2:CiliumClusterwideNetworkPolicy"
TYPES: Final = (NAMESPACED, CLUSTERWIDE)

_NAMESPACE: Final = "io.kubernetes.pod.namespace"
_NAMESPACE_LABELS: Final = "io.cilium.k8s.namespace.labels."
_PEERS: Final = ("Endpoints", "Requires", "CIDR", "CIDRSet", "Entities", "Nodes", "Groups", "Services", "FQDNs")
_WORLD: Final = ("all", "world", "world-ipv4", "world-ipv6")
_CLUSTER: Final = ("all", "cluster")
_ANY_PORT: Final = (0, "0")


def policies_of(resource: Resource, manifest: Value) -> Iterator[CiliumPolicy]:
    """Yield the policies of one object: its ``spec`` and each of its ``specs``."""
    if not manifest["spec"].exists().is_false:
        yield CiliumPolicy(resource, manifest["spec"])
    for spec in manifest["specs"].each():
        yield CiliumPolicy(resource, spec)


class CiliumPolicy(Policy):
    """One rule set of a Cilium policy."""

    bars_from = FIRST

    @property
    def _clusterwide(self) -> bool:
        return self.resource.token == CLUSTERWIDE

    def _selects_pods(self) -> Truth:
        """Is it about pods? One with ``nodeSelector`` is about nodes, and one with neither is refused."""
        return self.spec["endpointSelector"].exists() & ~self.spec["nodeSelector"].exists()

    @property
    def selects_everything(self) -> Truth:
        """Does ``endpointSelector`` ask for nothing?"""
        return self._selects_pods() & everything(self.spec["endpointSelector"])

    @property
    def anchor(self) -> tuple[str, str] | None:
        """A label from ``endpointSelector``."""
        return anchor_of(self.spec["endpointSelector"], _plain)

    def selects_all(self, home: Home) -> Truth:
        """Does ``endpointSelector`` ask for nothing but the namespace?"""

        def label(key: str) -> Value | None:
            return _namespace_label(_plain(key), home)

        return self._selects_pods() & matches(self.spec["endpointSelector"], label)

    def selects(self, pod: Pod, home: Home) -> Truth:
        """Does ``endpointSelector`` match the labels of the template, and of the namespace?"""

        def label(key: str) -> Value:
            plain = _plain(key)
            if plain.startswith("io.cilium.k8s.policy."):
                return Value.gap_of(Gap(self.resource.urn, "", "selects by a label that Cilium sets"))
            of_namespace = _namespace_label(plain, home)
            return pod.label(plain) if of_namespace is None else of_namespace

        return self._selects_pods() & matches(self.spec["endpointSelector"], label)

    def bars(self, direction: str) -> Reach:
        """Whom a deny section keeps out."""
        return joined(self._reach(rule, direction) for rule in self.spec[f"{direction}Deny"].each())

    def admits(self, direction: str) -> Iterator[tuple[Value, Truth]]:
        """Yield each rule, with whether it names the world, every host name, or ports alone."""
        barred = self.bars(direction).world
        far_end = FAR_END[direction]
        for rule in self.spec[direction].each():
            anyone = ~self._names_peers(rule, far_end) & ~rule["toPorts"].is_empty()
            names = any_of(name["matchPattern"].is_in(("*", "**.*")) for name in rule[far_end + "FQDNs"].each())
            yield rule, self._selects_pods() & ~barred & (anyone | names | self._peers(rule, far_end).world)

    def _isolates_in(self, direction: str) -> Truth:
        switch = self.spec["enableDefaultDeny"][direction]
        has_rules = ~self.spec[direction].is_empty() | ~self.spec[f"{direction}Deny"].is_empty()
        return (switch.exists() & switch.is_true()) | (~switch.exists() & has_rules)

    def _opens_in(self, direction: str) -> Reach:
        return joined(self._reach(rule, direction) for rule in self.spec[direction].each())

    def _reach(self, rule: Value, direction: str) -> Reach:
        """Return to whom a rule opens every TCP port. A rule that names neither peers nor ports is for nobody."""
        far_end = FAR_END[direction]
        names_peers = self._names_peers(rule, far_end)
        ports = rule["toPorts"]
        narrowed = rule["icmps"].exists()
        anyone = EVERYWHERE.when(~names_peers & ~ports.is_empty())
        reach = joined((anyone, self._peers(rule, far_end)))
        return reach.when(~narrowed & (ports.is_empty() | any_of(_every_port(entry) for entry in ports.each())))

    def _names_peers(self, rule: Value, far_end: str) -> Truth:
        return any_of(rule[far_end + kind].exists() for kind in _PEERS)

    def _peers(self, rule: Value, far_end: str) -> Reach:
        entities = rule[far_end + "Entities"]
        addresses = Sources()
        for cidr in rule[far_end + "CIDR"].each():
            addresses.add(cidr)
        for entry in rule[far_end + "CIDRSet"].each():
            block = Sources()
            block.add(entry["cidr"])
            for exception in entry["except"].each():
                block.remove(exception)
            addresses.join(block)
        endpoints = any_of(self._is_whole_cluster(selector) for selector in rule[far_end + "Endpoints"].each())
        return Reach(
            any_of(entity.is_in(_WORLD) for entity in entities.each()) | addresses.world(),
            any_of(entity.is_in(_CLUSTER) for entity in entities.each()) | endpoints,
        )

    def _is_whole_cluster(self, selector: Value) -> Truth:
        """Does a selector of endpoints mean all pods? In a namespaced policy ``{}`` means the own namespace."""
        if self._clusterwide:
            return everything(selector)
        expressions = list(selector["matchExpressions"].each())
        if len(expressions) != 1:
            return FALSE
        return (
            expressions[0]["key"].test(lambda key: isinstance(key, str) and _plain(key) == _NAMESPACE)
            & expressions[0]["operator"].equals("Exists")
            & selector["matchLabels"].is_empty()
        )


def _every_port(entry: Value) -> Truth:
    ports = entry["ports"]
    return ports.is_empty() | any_of(
        port["protocol"].test(lambda name: name in ("TCP", "ANY"), absent=True)
        & (port["port"].test(lambda number: number in _ANY_PORT) | every_port(port["port"], port["endPort"]))
        for port in ports.each()
    )


def _plain(key: str) -> str:
    """Return a label's key without the source that Cilium allows in front of it."""
    return key.removeprefix("k8s:").removeprefix("any:")


def _namespace_label(key: str, home: Home) -> Value | None:
    """Return what the namespace gives to all of its pods under ``key``; None when it gives nothing."""
    if key == _NAMESPACE:
        return home.name_value
    if key.startswith(_NAMESPACE_LABELS):
        return home.label(key.removeprefix(_NAMESPACE_LABELS))
    return None
