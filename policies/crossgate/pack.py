"""A policy pack: a table of rules, each with its enforcement level and parameters."""

from __future__ import annotations

import enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate.judge import Outcome, Verdict, judge
from crossgate.model import PROVIDER_PREFIX
from crossgate.rule import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from crossgate.model import Resource, Stack
    from crossgate.rule import Rule
    from crossgate.truth import Gap


class Level(enum.Enum):
    """CrossGuard's enforcement levels."""

    DISABLED = "disabled"
    ADVISORY = "advisory"
    REMEDIATE = "remediate"
    MANDATORY = "mandatory"

    @property
    def blocks(self) -> bool:
        """A violation at this level stops the deployment. Nothing here remediates yet, so remediate blocks too."""
        return self in (Level.MANDATORY, Level.REMEDIATE)

    @property
    def rank(self) -> int:
        """0 for disabled to 3 for mandatory."""
        return _LEVELS.index(self)


_LEVELS: Final = tuple(Level)
_HIGH: Final = Severity.HIGH.rank


class Effect(enum.Enum):
    """What a verdict does to the change. The same at every door."""

    NOTHING = "nothing"
    """The verdict is a pass."""
    ADVISES = "advises"
    """A violation, or a crash, of a rule that only advises."""
    WARNS = "warns"
    """Undetermined, and judged again at the update: counted and named, never a pass."""
    BLOCKS = "blocks"
    """A violation, or an undetermined verdict, that stops the change."""
    CANNOT_JUDGE = "cannot judge"
    """A rule that may block crashed: never green, and not the fault of the change."""


class Entry(NamedTuple):
    """One line of a pack: a rule, its level, and parameters that differ from the rule's defaults."""

    rule: Rule
    level: Level
    parameters: Mapping[str, Any] = {}

    @property
    def is_configured(self) -> bool:
        """Whether every parameter without which the rule cannot be judged is given."""
        return self.rule.configured({**self.rule.defaults, **self.parameters})

    def effect(self, outcome: Outcome, gaps: Sequence[Gap] = ()) -> Effect:
        """Return what a verdict with this outcome, and these ``gaps``, does to the change.

        A rule may warn of what is usually not known at preview. That is no excuse for a violation which only something
        that the source leaves out could excuse: at high and critical it blocks until the source shows it.
        """
        if outcome is Outcome.PASS:
            return Effect.NOTHING
        if outcome is Outcome.UNDETERMINED:
            source_alone = bool(gaps) and all(gap.is_of_the_source for gap in gaps)
            blocks = self.rule.undetermined == "block" or (source_alone and self.rule.severity.rank >= _HIGH)
            return Effect.BLOCKS if self.level.blocks and blocks else Effect.WARNS
        if not self.level.blocks:
            return Effect.ADVISES
        return Effect.BLOCKS if outcome is Outcome.FAIL else Effect.CANNOT_JUDGE


class Pack:
    """A named table of rules. Immutable: a configured pack is a new one."""

    def __init__(self, name: str, title: str, entries: Iterable[Entry | tuple[Any, ...]]) -> None:
        """Hold the table.

        Raises:
            ValueError: one rule stands in the table twice.

        """
        self.name = name
        self.title = title
        self.entries: tuple[Entry, ...] = tuple(Entry(*entry) for entry in entries)
        self._by_id = {entry.rule.id: entry for entry in self.entries}
        self._by_type: dict[str, tuple[Entry, ...]] = {}
        if len(self._by_id) != len(self.entries):
            msg = f"pack {name}: a rule stands in its table twice"
            raise ValueError(msg)

    def entry(self, rule_id: str) -> Entry | None:
        """Return the line of the rule with this id, or None."""
        return self._by_id.get(rule_id)

    @cached_property
    def active(self) -> tuple[Entry, ...]:
        """The lines that are judged: not disabled, and configured."""
        return tuple(entry for entry in self.entries if entry.level is not Level.DISABLED and entry.is_configured)

    @cached_property
    def not_configured(self) -> tuple[Entry, ...]:
        """The lines that are switched on but lack a parameter without which they cannot be judged."""
        return tuple(entry for entry in self.entries if entry.level is not Level.DISABLED and not entry.is_configured)

    def with_entries(self, changed: Mapping[str, Entry]) -> Pack:
        """Return the pack with some lines replaced, by rule id."""
        return Pack(self.name, self.title, [changed.get(entry.rule.id, entry) for entry in self.entries])

    def judge(self, stack: Stack) -> Iterator[tuple[Entry, Verdict]]:
        """Judge every resource of ``stack`` by every active rule that names its type, in the order of the stack."""
        for resource in stack.resources:
            for entry in self.entries_for(resource.token):
                yield entry, judge(entry.rule, resource, entry.parameters)

    def entries_for(self, token: str) -> tuple[Entry, ...]:
        """Return the active lines that judge resources of a type (:attr:`Resource.token`), in the order of the pack."""
        found = self._by_type.get(token)
        if found is None:
            found = tuple(entry for entry in self.active if entry.rule.judges(token, entry.parameters))
            self._by_type[token] = found
        return found


def union(name: str, title: str, packs: Sequence[Pack]) -> Pack:
    """Return one pack of all rules of ``packs``, each once, at the highest level any of them gives it."""
    entries: dict[str, Entry] = {}
    for pack in packs:
        for entry in pack.entries:
            known = entries.get(entry.rule.id)
            if known is None or entry.level.rank > known.level.rank:
                entries[entry.rule.id] = entry
    return Pack(name, title, entries.values())


def is_judgeable(resource: Resource) -> bool:
    """Return whether a resource is something a rule could be about: not a provider."""
    return not resource.type.startswith(PROVIDER_PREFIX)
