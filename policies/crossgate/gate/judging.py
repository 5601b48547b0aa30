"""From a source and a pack to what there is to say about one stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate.gate.report import Item, StackReport, Subject
from crossgate.judge import Outcome
from crossgate.model import STACK_TYPE
from crossgate.pack import Effect, is_judgeable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crossgate.gate.report import Exemption
    from crossgate.judge import Verdict
    from crossgate.model import Resource, Stack
    from crossgate.pack import Entry, Pack
    from crossgate.redact import Redactor
    from crossgate.sources import Source


def stack_report(
    file: str, source: Source, pack: Pack, redact: Redactor, exemptions: Sequence[Exemption] = ()
) -> StackReport:
    """Judge the stack of ``source`` by ``pack``.

    ``exemptions`` apply to what was judged, never before. ``redact`` learns the secrets that the source shows and those
    that findings are about.
    """
    if source.holds_marks:
        for resource in source.stack.resources:
            redact.learn(resource)
    items: list[Item] = []
    notes: list[Item] = []
    checks = 0
    for entry, verdict in pack.judge(source.stack):
        checks += 1
        if verdict.leaks:
            redact.learn_leaks([verdict])
        if verdict.outcome is Outcome.PASS and not verdict.notes:
            continue
        subject = _subject(verdict.resource)
        items.extend(_items(entry, verdict, subject, exemptions))
        notes.extend(
            Item(entry.rule, entry.level, Outcome.PASS, Effect.NOTHING, subject, note.path, note.message)
            for note in verdict.notes
        )
    return StackReport(
        file=file,
        kind=source.kind.value,
        project=source.project,
        name=source.name,
        items=tuple(items),
        notes=tuple(notes),
        checks=checks,
        judged=sum(len(source.stack.of_type(token)) for token in source.stack.tokens if pack.entries_for(token)),
        changes=source.changes,
        without_rule=_without_rule(source.stack, pack),
        unjudged=source.unjudged,
    )


def _items(entry: Entry, verdict: Verdict, subject: Subject, exemptions: Sequence[Exemption]) -> Iterator[Item]:
    """Yield the violations of a verdict, its crash, and, when there is nothing worse, what is undetermined."""
    rule, level = entry.rule, entry.level
    exemption = next((each for each in exemptions if each.covers(rule.id, subject.urn)), None)
    for violation in verdict.violations:
        effect = entry.effect(Outcome.FAIL)
        yield Item(
            rule, level, Outcome.FAIL, effect, subject, violation.path, violation.message, verdict.gaps, exemption
        )
    if verdict.crash:
        effect = entry.effect(Outcome.ERROR)
        yield Item(rule, level, Outcome.ERROR, effect, subject, "", verdict.crash, (), exemption)
    if verdict.outcome is Outcome.UNDETERMINED:
        effect = entry.effect(Outcome.UNDETERMINED, verdict.gaps)
        yield Item(rule, level, Outcome.UNDETERMINED, effect, subject, "", "", verdict.gaps, exemption)


def _subject(resource: Resource) -> Subject:
    return Subject(resource.urn, resource.type, resource.name, resource.position)


def _without_rule(stack: Stack, pack: Pack) -> dict[str, int]:
    counts: dict[str, int] = {}
    for token in sorted(stack.tokens):
        if token != STACK_TYPE and not pack.entries_for(token):
            count = sum(resource.custom and is_judgeable(resource) for resource in stack.of_type(token))
            if count:
                counts[token] = count
    return counts
