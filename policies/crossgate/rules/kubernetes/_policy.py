"""What every kind of network policy is asked.

Each kind has its own evaluator, since the same text means opposite things in two of them. They all answer the same
questions: which pods does it select, does it isolate them in a direction, does it give the direction back to everyone,
whom does it keep out whatever other policies allow.
"""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import FALSE, TRUE, Value, unknown
from crossgate.rules.kubernetes._pods import ADDED_LABELS
from crossgate.value import as_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from crossgate import Gap, Resource, Truth
    from crossgate.rules.kubernetes._namespaces import Home
    from crossgate.rules.kubernetes._pods import Pod

INGRESS: Final = "ingress"
EGRESS: Final = "egress"
DIRECTIONS: Final = (INGRESS, EGRESS)
FAR_END: Final = {INGRESS: "from", EGRESS: "to"}

NETWORK_POLICY_ORDER: Final = 1000.0
"""Where Kubernetes' own policies stand among ordered ones; a lower number comes first.

Source: https://docs.tigera.io/calico/latest/reference/resources/networkpolicy
"""
FIRST: Final = float("-inf")
LAST: Final = float("inf")
_LAST_PORT: Final = 65535


class Reach(NamedTuple):
    """How far something goes: to the world outside of the cluster, and to every pod of the cluster."""

    world: Truth = FALSE
    cluster: Truth = FALSE

    @property
    def anyone(self) -> Truth:
        """Does it go to all of the world, or to all of the cluster?"""
        return self.world | self.cluster

    def when(self, condition: Truth) -> Reach:
        """Return the same, if ``condition`` holds."""
        return Reach(self.world & condition, self.cluster & condition)

    def without(self, barred: Reach) -> Reach:
        """Return what is left of it when ``barred`` are kept out."""
        return Reach(self.world & ~barred.world, self.cluster & ~barred.cluster)


NOWHERE: Final = Reach()
EVERYWHERE: Final = Reach(TRUE, TRUE)


def joined(reaches: Iterable[Reach]) -> Reach:
    """Return how far they go together."""
    world = cluster = FALSE
    for reach in reaches:
        world, cluster = world | reach.world, cluster | reach.cluster
    return Reach(world, cluster)


class Policy(abc.ABC):
    """One policy. An object of some kinds holds several of them."""

    order = NETWORK_POLICY_ORDER
    """Its place among the policies that decide in turn."""
    bars_from = LAST
    """Whom it bars stays out, whatever a policy allows whose order is higher than this."""
    order_gap: Gap | None = None
    """Why its place is not known."""

    def __init__(self, resource: Resource, spec: Value) -> None:
        """Hold the policy that ``resource`` states at ``spec``."""
        self.resource = resource
        self.spec = spec
        self._isolates: dict[str, Truth] = {}
        self._opens: dict[str, Reach] = {}

    def isolates(self, direction: str) -> Truth:
        """Are the pods it selects cut off in ``direction``, but for what policies allow?"""
        if direction not in self._isolates:
            self._isolates[direction] = self._isolates_in(direction)
        return self._isolates[direction]

    def opens(self, direction: str) -> Reach:
        """How much of ``direction`` does it give back to everyone, for the pods it selects?"""
        if direction not in self._opens:
            self._opens[direction] = self._opens_in(direction)
        return self._opens[direction]

    def bars(self, direction: str) -> Reach:  # noqa: ARG002 - most kinds keep nobody out for good
        """Whom does it keep out of ``direction``, whatever later policies allow?"""
        return NOWHERE

    @abc.abstractmethod
    def admits(self, direction: str) -> Iterator[tuple[Value, Truth]]:
        """Yield each rule of ``direction``, with whether it lets any address of the internet through on some port."""

    def take_order(self, order: Value, *, absent: float, offset: float = 0) -> None:
        """Take its place from ``order``."""
        number = order.number() if order.readable else None
        self.order = self.bars_from = absent if number is None else offset + number
        self.order_gap = None if order.readable else order.gap

    @property
    def selects_everything(self) -> Truth:
        """Does it select every pod wherever it applies, without any condition?"""
        return FALSE

    @property
    def anchor(self) -> tuple[str, str] | None:
        """A label that every pod it selects has, with its value; None where that cannot be told beforehand."""
        return None

    @abc.abstractmethod
    def selects_all(self, home: Home) -> Truth:
        """Does it select every pod of the namespace?"""

    @abc.abstractmethod
    def selects(self, pod: Pod, home: Home) -> Truth:
        """Does it select these pods of the namespace?"""

    @abc.abstractmethod
    def _isolates_in(self, direction: str) -> Truth:
        """Answer :meth:`isolates`."""

    @abc.abstractmethod
    def _opens_in(self, direction: str) -> Reach:
        """Answer :meth:`opens`."""


class Hidden(Policy):
    """A policy of a kind that is not read."""

    def __init__(self, resource: Resource, gap: Gap) -> None:
        """Stand for what is hidden because of ``gap``."""
        super().__init__(resource, Value.gap_of(gap, resource))
        self._unknown = unknown(gap)

    def selects_all(self, home: Home) -> Truth:  # noqa: ARG002 - nothing is known of it
        """Answer that it is not known."""
        return self._unknown

    def selects(self, pod: Pod, home: Home) -> Truth:  # noqa: ARG002 - nothing is known of it
        """Answer that it is not known."""
        return self._unknown

    def admits(self, direction: str) -> Iterator[tuple[Value, Truth]]:  # noqa: ARG002 - nothing is known of it
        """Answer that it is not known."""
        yield self.spec, self._unknown

    def _isolates_in(self, direction: str) -> Truth:  # noqa: ARG002 - nothing is known of it
        return self._unknown

    def _opens_in(self, direction: str) -> Reach:  # noqa: ARG002 - nothing is known of it
        return Reach(self._unknown, self._unknown)


def anchor_of(selector: Value, plain: Callable[[str], str] = str) -> tuple[str, str] | None:
    """Return a label that ``selector`` asks for with a known value, and that a pod template can state."""
    for key, value in selector["matchLabels"].entries():
        text = value.text() if value.is_text else None
        if text is not None and not plain(key).startswith("io.") and plain(key) not in ADDED_LABELS:
            return plain(key), text
    return None


def every_port(port: Value, last: Value) -> Truth:
    """Is this every port: none named, or the whole range from ``port`` to ``last``?"""
    first = port.test(lambda content: as_number(content) in (0, 1))
    return ~port.exists() | (first & last.test(lambda content: as_number(content) == _LAST_PORT))
