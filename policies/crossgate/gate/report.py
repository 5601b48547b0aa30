"""What a gate has to say: verdicts with what they do to the change, and how much nobody judged.

A report is plain data, the same for every format and every door. Renderers read it; only :mod:`crossgate.gate.console`
and :mod:`crossgate.gate.render` put it into words.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from crossgate.judge import Outcome
from crossgate.pack import Effect
from crossgate.truth import Gap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from crossgate.model import Position
    from crossgate.pack import Level
    from crossgate.rule import Rule
    from crossgate.sources import Unjudged


class Exemption(Protocol):
    """What lets a verdict stand without blocking."""

    @property
    def id(self) -> str:
        """Its name in the configuration."""

    @property
    def reason(self) -> str:
        """Why, in the words of whoever granted it."""

    def covers(self, policy: str, urn: str) -> bool:
        """Return whether it is about this rule and this resource."""


class Subject(NamedTuple):
    """The resource that an item is about."""

    urn: str
    type: str
    name: str
    position: Position | None


class Item(NamedTuple):
    """One thing to say about one resource: a violation, an undetermined verdict, or a rule's crash."""

    rule: Rule
    level: Level
    outcome: Outcome
    effect: Effect
    """What it does to the change when nothing exempts it."""
    subject: Subject
    path: str = ""
    """The property that a violation is about; empty when it is about no single one."""
    message: str = ""
    """A violation's words, or the place in the rule's source where it crashed; empty when undetermined."""
    gaps: tuple[Gap, ...] = ()
    """What is not known; beside a violation: what else is not."""
    exemption: Exemption | None = None

    @property
    def blocks(self) -> bool:
        """It stops the change."""
        return self.effect is Effect.BLOCKS and self.exemption is None

    @property
    def cannot_judge(self) -> bool:
        """A rule that may block has crashed."""
        return self.effect is Effect.CANNOT_JUDGE and self.exemption is None

    def redacted(self, redact: Callable[[str], str]) -> Item:
        """Return the item with every text of the input filtered, before words are wrapped and escaped."""
        subject = self.subject
        return self._replace(
            subject=subject._replace(urn=redact(subject.urn), type=redact(subject.type), name=redact(subject.name)),
            path=redact(self.path),
            message=redact(self.message),
            gaps=tuple(Gap(redact(gap.urn), redact(gap.path), redact(gap.why)) for gap in self.gaps),
        )


class StackReport(NamedTuple):
    """What there is to say about one stack."""

    file: str
    """As it was named to the command; ``-`` for standard input."""
    kind: str
    """``preview`` or ``state``."""
    project: str
    name: str
    items: tuple[Item, ...]
    """In the order of the stack's resources."""
    notes: tuple[Item, ...]
    """Remarks that are no violations."""
    checks: int
    """Verdicts: rules times the resources they name."""
    judged: int
    """Resources that at least one rule was asked about."""
    changes: int
    """Resources that the update touches; 0 for a state."""
    without_rule: Mapping[str, int]
    """Resources by type, of the types that no active rule names; components and providers are not counted."""
    unjudged: Unjudged


class Unreadable(NamedTuple):
    """A file, or a preview, that could not be judged as a whole, and why."""

    file: str
    why: str
    what: str = "unreadable file"
    """What it is, for the count."""


class NotConfigured(NamedTuple):
    """A rule that is switched on and lacks parameters without which it cannot be judged."""

    rule: Rule
    level: Level
    missing: tuple[str, ...]


class Result(enum.Enum):
    """What a report comes to."""

    COMPLIANT = "compliant"
    BLOCKED = "blocked"
    COULD_NOT_JUDGE = "could-not-judge"

    @property
    def exit_code(self) -> int:
        """What the command returns: 1 blames the change, 3 never does."""
        return {Result.COMPLIANT: 0, Result.BLOCKED: 1, Result.COULD_NOT_JUDGE: 3}[self]


class Counts(NamedTuple):
    """How many items of each sort a report holds. Each item is counted once."""

    violations_blocking: int
    undetermined_blocking: int
    crashed_blocking: int
    violations_advisory: int
    undetermined_warned: int
    crashed_advisory: int
    exempted: int


class Report(NamedTuple):
    """What one run of the command found."""

    packs: tuple[str, ...]
    stacks: tuple[StackReport, ...]
    unreadable: tuple[Unreadable, ...] = ()
    not_configured: tuple[NotConfigured, ...] = ()
    unused_exemptions: tuple[Exemption, ...] = ()

    def redacted(self, redact: Callable[[str], str]) -> Report:
        """Return the report with what it says about resources filtered."""
        stacks = (
            stack._replace(
                items=tuple(item.redacted(redact) for item in stack.items),
                notes=tuple(item.redacted(redact) for item in stack.notes),
            )
            for stack in self.stacks
        )
        return self._replace(stacks=tuple(stacks))

    def items(self) -> Iterator[Item]:
        """Yield the items of all stacks."""
        for stack in self.stacks:
            yield from stack.items

    @property
    def result(self) -> Result:
        """What blocks comes first, even beside a crash; then what could not be judged."""
        if any(item.blocks for item in self.items()):
            return Result.BLOCKED
        if self.unreadable or any(item.cannot_judge for item in self.items()):
            return Result.COULD_NOT_JUDGE
        return Result.COMPLIANT

    def counts(self) -> Counts:
        """Return how many items of each sort there are."""
        sorts = [_sort(item) for item in self.items()]
        return Counts(*(sorts.count(sort) for sort in Counts._fields))


def _sort(item: Item) -> str:
    if item.exemption is not None:
        return "exempted"
    if item.outcome is Outcome.FAIL:
        return "violations_blocking" if item.blocks else "violations_advisory"
    if item.outcome is Outcome.ERROR:
        return "crashed_blocking" if item.cannot_judge else "crashed_advisory"
    return "undetermined_blocking" if item.blocks else "undetermined_warned"
