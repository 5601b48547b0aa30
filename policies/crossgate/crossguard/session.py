"""What one engine run asks of a pack, and what is answered when.

The engine shows resources one by one, before each is created, without their dependency edges; at the end it shows the
whole stack with them. A violation that nothing can excuse is reported at once. Whatever a later resource or an edge
could still settle waits for the whole stack in a preview; during an update it is reported at once, before the
resource exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from crossgate.crossguard.journal import Kind
from crossgate.judge import Outcome, Verdict, judge
from crossgate.model import STACK_TYPE, Stack
from crossgate.pack import Effect, is_judgeable
from crossgate.redact import Redactor
from crossgate.truth import Gap
from crossgate.words import verdict_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from crossgate.model import Resource
    from crossgate.pack import Entry, Pack


class Report(NamedTuple):
    """One line for the engine: a verdict's text, and whether it stops the change."""

    entry: Entry
    verdict: Verdict
    text: str
    blocks: bool


class Session:
    """The resources of one engine run and the verdicts already reported."""

    def __init__(self, pack: Pack) -> None:
        """Start with no resources; ``pack`` as shipped, until the engine configures it."""
        self._seen = Stack()
        self._redact = Redactor()
        self._unread: list[Resource] = []
        self._reported: set[tuple[str, str]] = set()
        self._left_out: set[str] = set()
        self.noted: list[Report] = []
        """Passes of the whole stack that come with remarks. The engine has no place for them."""
        self.preview = False
        """A preview or an analysis of a state: nothing is created, and the whole stack is always shown at the end."""
        self.configure(pack)

    def keep_secret(self, texts: Iterable[str]) -> None:
        """Never let one of ``texts`` (secret configuration) appear in what is reported."""
        self._redact.keep(texts)

    def redactor(self, reports: Sequence[Report]) -> Redactor:
        """Return the filter for the texts of ``reports``: it knows every secret that this run has shown so far."""
        if reports:
            for resource in self._unread:
                self._redact.learn(resource)
            self._unread.clear()
            self._redact.learn_leaks(report.verdict for report in reports)
        return self._redact

    def configure(self, pack: Pack) -> None:
        """Judge by ``pack`` from here on."""
        self.pack = pack

    def leave_out(self, urn: str) -> None:
        """Do not judge this resource: it is not part of the run, and its inputs are not shown."""
        self._left_out.add(urn)

    def hide_left_out(self, stack: Stack) -> None:
        """Make what the run leaves out a neighbour of which nothing is known, rather than one without properties."""
        for urn in self._left_out:
            resource = stack.get(urn)
            if resource is not None:
                resource.stands_for(Gap(urn, "", "not part of this run (--target)"))

    def analyzed(self, urn: str) -> Resource | None:
        """Return the resource with this URN as it was analyzed, or None."""
        return self._seen.get(urn)

    def analyze(self, resource: Resource, provider: Resource | None, *, marked: bool = True) -> Iterator[Report]:
        """Take in one resource before it is created, and report what is certain about it by now.

        ``marked`` tells whether something in the resource or its provider may be marked secret.
        """
        if provider is not None and self._seen.get(provider.urn) is None:
            self._seen.add(provider)
            if marked:
                self._unread.append(provider)
        if marked:
            self._unread.append(resource)
        if resource.urn in self._left_out:
            return
        self._seen.add(resource)
        for entry in self.pack.entries_for(resource.token):
            rule = entry.rule
            if rule.over_stack or (self.preview and rule.neighbours):
                continue
            verdict = judge(rule, resource, entry.parameters)
            if not self._must_wait(entry, verdict):
                yield from self._report(entry, verdict, "" if self.preview else _dependency_hint(entry, verdict))

    def _must_wait(self, entry: Entry, verdict: Verdict) -> bool:
        """Return whether the whole stack could still change this verdict, and nothing is lost by waiting for it."""
        if self.preview:
            return verdict.outcome is not Outcome.FAIL
        return bool(entry.rule.neighbours) and verdict.outcome is Outcome.UNDETERMINED

    def analyze_stack(self, stack: Stack) -> Iterator[Report]:
        """Judge the whole stack, and report what was not reported before.

        Only resources that were analyzed are judged; the others, read or left out of a targeted run, are neighbours.
        """
        self._unread.extend(stack.resources)
        for resource in self._judged(stack):
            for entry in self.pack.entries_for(resource.token):
                verdict = judge(entry.rule, resource, entry.parameters)
                if verdict.notes and verdict.outcome is Outcome.PASS:
                    self.noted.append(Report(entry, verdict, "", blocks=False))
                yield from self._report(entry, verdict)

    def _judged(self, stack: Stack) -> list[Resource]:
        """Return the resources of ``stack`` that were analyzed."""
        return [resource for resource in stack.resources if self._seen.get(resource.urn) is not None]

    def kinds(self, stack: Stack) -> dict[str, Kind]:
        """Return, by type, how much of ``stack`` there was to judge; what only counts as a neighbour is left out."""
        found: dict[str, Kind] = {}
        for resource in self._judged(stack):
            policies = len(self.pack.entries_for(resource.token))
            managed = bool(resource.provider_urn) and resource.type != STACK_TYPE and is_judgeable(resource)
            known = found.get(resource.token, Kind(0, 0, policies))
            found[resource.token] = Kind(known.resources + 1, known.managed + managed, policies)
        return found

    @property
    def left_out(self) -> int:
        """How many resources the run leaves out."""
        return len(self._left_out)

    def _report(self, entry: Entry, verdict: Verdict, hint: str = "") -> Iterator[Report]:
        key = (entry.rule.id, verdict.resource.urn)
        if verdict.outcome is Outcome.PASS or key in self._reported:
            return
        self._reported.add(key)
        effect = entry.effect(verdict.outcome, verdict.gaps)
        blocks = effect in (Effect.BLOCKS, Effect.CANNOT_JUDGE)
        for text in verdict_texts(verdict):
            yield Report(entry, verdict, text + hint, blocks)


def _dependency_hint(entry: Entry, verdict: Verdict) -> str:
    """Name what a preview would have waited for."""
    rule = entry.rule
    kinds = sorted({token.rsplit(":", 1)[-1] for token in rule.neighbours if token not in rule.types})
    if not kinds or verdict.outcome is not Outcome.FAIL:
        return ""
    return f" (if this stack's {' or '.join(kinds)} excuses it, let this resource depend on it: dependsOn)"
