"""Kubernetes' own NetworkPolicy.

An empty list of rules denies everyone; a rule without peers, such as ``{}``, allows everyone. A policy isolates the
pods it selects in the directions of ``policyTypes``; where that is left out, in ingress always, and in egress when it
has egress rules.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/network-policies/
    https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import TRUE, Gap, any_of, unknown
from crossgate.rules.kubernetes._policy import FAR_END, INGRESS, Policy, Reach, anchor_of, every_port, joined
from crossgate.rules.kubernetes._selectors import everything, matches
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value
    from crossgate.rules.kubernetes._namespaces import Home
    from crossgate.rules.kubernetes._pods import Pod

TYPES: Final = (
    "kubernetes:networking.k8s.io/v1:NetworkPolicy",
    "kubernetes:extensions/v1beta1:NetworkPolicy",
)
PATCHES: Final = tuple(f"{token}Patch" for token in TYPES)
_POLICY_TYPE: Final = {"ingress": "Ingress", "egress": "Egress"}


class NetworkPolicy(Policy):
    """A NetworkPolicy of ``networking.k8s.io``."""

    @property
    def selects_everything(self) -> Truth:
        """Does ``podSelector`` ask for nothing?"""
        return everything(self.spec["podSelector"])

    def selects_all(self, home: Home) -> Truth:  # noqa: ARG002 - it selects in its own namespace only
        """Does ``podSelector`` ask for nothing?"""
        return self.selects_everything

    def selects(self, pod: Pod, home: Home) -> Truth:  # noqa: ARG002 - it selects in its own namespace only
        """Does ``podSelector`` match the labels of the template?"""
        return matches(self.spec["podSelector"], pod.label)

    @property
    def anchor(self) -> tuple[str, str] | None:
        """A label from ``podSelector``."""
        return anchor_of(self.spec["podSelector"])

    def _isolates_in(self, direction: str) -> Truth:
        types = self.spec["policyTypes"]
        unset = types.is_empty()
        by_default = TRUE if direction == INGRESS else ~self.spec[direction].is_empty()
        listed = any_of(name.equals(_POLICY_TYPE[direction]) for name in types.each())
        return (unset & by_default) | (~unset & listed)

    def admits(self, direction: str) -> Iterator[tuple[Value, Truth]]:
        """Yield each rule, with whether it names no peer, or address blocks that are the internet."""
        counted = self.isolates(direction)
        for rule in self.spec[direction].each():
            peers = rule[FAR_END[direction]]
            addresses = Sources()
            for peer in peers.each():
                addresses.join(_addresses(peer))
            anyone = peers.is_empty() | any_of(_names_nobody(peer) for peer in peers.each())
            yield rule, counted & (anyone | addresses.world())

    def _opens_in(self, direction: str) -> Reach:
        addresses = Sources()  # of all rules: what one leaves out, another may let in
        reaches = [_reach(rule, FAR_END[direction], addresses) for rule in self.spec[direction].each()]
        return joined([*reaches, Reach(world=addresses.world())]).when(self.isolates(direction))


class PatchedPolicy(NetworkPolicy):
    """A NetworkPolicy of which a patch states a part; what the patch leaves out is not known.

    Source: https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/
    """

    def __init__(self, resource: Resource, spec: Value) -> None:
        """Hold the policy that ``resource`` patches with ``spec``."""
        super().__init__(resource, spec)
        self._rest = unknown(Gap(resource.urn, "", "patches a policy of which the rest is not shown"))

    @property
    def selects_everything(self) -> Truth:
        """Does ``podSelector`` ask for nothing?"""
        return self._if_stated("podSelector", super().selects_everything)

    def selects(self, pod: Pod, home: Home) -> Truth:
        """Does ``podSelector`` match the labels of the template?"""
        return self._if_stated("podSelector", super().selects(pod, home))

    def _isolates_in(self, direction: str) -> Truth:
        return self._if_stated("policyTypes", super()._isolates_in(direction))

    def _opens_in(self, direction: str) -> Reach:
        stated = super()._opens_in(direction)
        return Reach(self._if_stated(direction, stated.world), self._if_stated(direction, stated.cluster))

    def _if_stated(self, key: str, answer: Truth) -> Truth:
        return self._rest if self.spec[key].exists().is_false else answer


def _reach(rule: Value, far_end: str, addresses: Sources) -> Reach:
    """Return to whom a rule opens every TCP port, and add the addresses to which it does to ``addresses``."""
    peers = rule[far_end]
    anyone = peers.is_empty() | any_of(_names_nobody(peer) for peer in peers.each())
    every_port = _every_port(rule["ports"])
    for peer in peers.each():
        addresses.join(_addresses(peer), every_port)
    cluster = any_of(_is_whole_cluster(peer) for peer in peers.each())
    return Reach(anyone, anyone | cluster).when(every_port)


def _addresses(peer: Value) -> Sources:
    block = Sources()
    block.add(peer["ipBlock"]["cidr"])
    for exception in peer["ipBlock"]["except"].each():
        block.remove(exception)
    return block


def _names_nobody(peer: Value) -> Truth:
    """Is it a peer without any selector? The API refuses it, so it is read as what it asks for: no restriction."""
    return ~(peer["ipBlock"].exists() | peer["podSelector"].exists() | peer["namespaceSelector"].exists())


def _is_whole_cluster(peer: Value) -> Truth:
    """Does the peer stand for the pods of all namespaces? Without ``namespaceSelector`` it means its own namespace."""
    return peer["namespaceSelector"].exists() & everything(peer["namespaceSelector"]) & everything(peer["podSelector"])


def _every_port(ports: Value) -> Truth:
    return ports.is_empty() | any_of(
        port["protocol"].test(lambda name: name == "TCP", absent=True) & every_port(port["port"], port["endPort"])
        for port in ports.each()
    )
