"""The report for people: by resource, the worst first; what, where, why, the way out, and where it is documented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate.gate.console import BOLD, DIM, GREEN, RED, YELLOW, Line, Span, painted, wrapped
from crossgate.gate.render._counts import summary_line
from crossgate.gate.report import Result
from crossgate.judge import Outcome
from crossgate.pack import Effect
from crossgate.value import NOT_JSON, NOT_YET, UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from crossgate.gate.console import View
    from crossgate.gate.report import Item, Report, StackReport, Subject
    from crossgate.rule import Rule
    from crossgate.truth import Gap

_NARROW: Final = 72
"""Columns below which labels and words no longer stand side by side."""
_SHOWN: Final = 4
"""Resources and paths that are named before "and N more"."""
_NOTHING: Final[Line] = ()

_LABELS: Final = {
    Effect.BLOCKS: Span("BLOCKED", f"{BOLD};{RED}"),
    Effect.CANNOT_JUDGE: Span("CRASHED", f"{BOLD};{RED}"),
    Effect.WARNS: Span("WARNING", YELLOW),
    Effect.ADVISES: Span("ADVISORY", YELLOW),
}
_RANK: Final = {effect: rank for rank, effect in enumerate(_LABELS)}
_LABELLED: Final = 11
"""The column after the label, where the severity stands, and the words that tell what a detail is."""
_WORDED: Final = 21
"""The column where the words stand."""
_RESULT_STYLES: Final = {
    Result.COMPLIANT: f"{BOLD};{GREEN}",
    Result.BLOCKED: f"{BOLD};{RED}",
    Result.COULD_NOT_JUDGE: f"{BOLD};{RED}",
}
_CURES: Final = {
    (NOT_YET, Effect.BLOCKS): "give it a value that the preview knows: a literal or configuration, no other's output",
    (
        NOT_YET,
        Effect.WARNS,
    ): "none is needed where the pack runs at the update: it is judged there, with the real value",
    (UNREADABLE, Effect.BLOCKS): "the file hides secrets: run the pack beside `pulumi preview`, which shows them to it",
    (UNREADABLE, Effect.WARNS): "the file hides secrets: run the pack beside `pulumi preview`, which shows them to it",
    (NOT_JSON, Effect.BLOCKS): "correct the document",
    (NOT_JSON, Effect.WARNS): "correct the document",
}


def render(report: Report, view: View) -> str:
    """Return the report as text, ``view.width`` columns wide where words can be wrapped."""
    return painted(_Page(view).lines(report), color=view.color)


class _Group(NamedTuple):
    """A resource and what there is to say about it, the worst first."""

    subject: Subject
    items: list[Item]


class _Page:
    """Lays out one report."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._wide = view.width >= _NARROW
        self._explained: set[str] = set()

    def lines(self, report: Report) -> Iterator[Line]:
        several = len(report.stacks) > 1
        for stack in report.stacks:
            silent = not (stack.items or stack.notes)
            if several or not silent:
                nothing = Span(": nothing to report" if silent else "")
                yield from self._wrapped([Span(_heading(stack), BOLD), nothing])
                yield _NOTHING
            yield from self._stack(stack)
        yield from self._ending(report)

    # -- one stack ---------------------------------------------------------------------------------------------------

    def _stack(self, stack: StackReport) -> Iterator[Line]:
        standing = [item for item in stack.items if item.exemption is None]
        stopped = {item.subject.urn for item in standing if _failed(item) and item.blocks}

        def leads(item: Item) -> bool:  # what else is wrong with a resource stands with what stops the change there
            return item.blocks or item.cannot_judge or (_failed(item) and item.subject.urn in stopped)

        yield from self._items([item for item in standing if leads(item)])
        yield from self._items([item for item in standing if not leads(item)])
        exempted = [item for item in stack.items if item.exemption is not None]
        if exempted:
            yield (Span("exempted", BOLD),)
            for item in exempted:
                yield from self._exempted(item)
            yield _NOTHING
        if stack.notes:
            yield (Span("notes", BOLD),)
            for item in stack.notes:
                yield from self._wrapped([Span(f"{_named(item.subject)}  {_what(item)}")], 2, 4)
            yield _NOTHING
        if self._view.verbose:
            yield from self._not_judged(stack)

    def _items(self, items: Sequence[Item]) -> Iterator[Line]:
        """Yield violations by resource, then by rule what is undetermined and what crashed."""
        for group in _groups(item for item in items if _failed(item)):
            yield from self._group(group)
            yield _NOTHING
        undetermined = [item for item in items if item.outcome is Outcome.UNDETERMINED]
        if undetermined:
            yield from self._wrapped([Span("undetermined", BOLD), Span(": no pass, since what decides is not known")])
            for rules in _alike(_by_rule(undetermined)):
                yield from self._undetermined(rules)
            yield _NOTHING
        crashed = [item for item in items if item.outcome is Outcome.ERROR]
        if crashed:
            yield from self._wrapped([Span("crashed", BOLD), Span(": a fault in the rule, not in the change")])
            for found in _by_rule(crashed):
                yield from self._crashed(found)
            yield _NOTHING

    def _group(self, group: _Group) -> Iterator[Line]:
        yield from self._resource(group.subject)
        for items in _by_rule(group.items):
            for number, item in enumerate(items):
                yield from self._labelled(item, _what(item), repeated=number > 0)
                if self._view.verbose and item.gaps and number == len(items) - 1:
                    yield from self._detail("also", "; ".join(_gap_texts(item.gaps, item.subject)))
            yield from self._explanation(items[0].rule)

    def _undetermined(self, rules: Sequence[list[Item]]) -> Iterator[Line]:
        """Yield what is undetermined by rules that lack the same: each rule's title, then the reason once."""
        for items in rules:
            yield from self._labelled(items[0], f"{items[0].rule.id}: {items[0].rule.title}")
        for words, found in _by_reason(rules[0]).items():
            yield from self._detail("what", words)
            yield from self._detail("on", self._some([_named(item.subject, position=True) for item in found]))
            for why in dict.fromkeys(gap.why for item in found for gap in item.gaps):
                yield from self._detail("fix", _CURES.get((why, found[0].effect), ""))
        for items in rules:
            yield from self._detail("docs", items[0].rule.url)

    def _crashed(self, items: list[Item]) -> Iterator[Line]:
        rule = items[0].rule
        yield from self._labelled(items[0], f"{rule.id}: {rule.title}")
        for place in dict.fromkeys(item.message for item in items):
            names = [_named(item.subject, position=True) for item in items if item.message == place]
            yield from self._detail("what", place)
            yield from self._detail("on", self._some(names))

    def _exempted(self, item: Item) -> Iterator[Line]:
        if item.exemption is None:
            return
        what = _what(item) or f"undetermined: {'; '.join(_gap_texts(item.gaps, item.subject))}"
        granted = f"{item.exemption.id}: {item.exemption.reason}" if item.exemption.reason else item.exemption.id
        yield from self._wrapped([Span(f"{item.rule.id}  {_named(item.subject)}  {what}")], 2, 4)
        yield from self._wrapped([Span(f"by {granted}", DIM)], 4, 6)

    def _not_judged(self, stack: StackReport) -> Iterator[Line]:
        rows = [f"{_short(token)} ({count}): no rule" for token, count in stack.without_rule.items()]
        rows.extend(f"{urn}: only read" for urn in stack.unjudged.reads)
        if rows:
            yield (Span("not judged", BOLD),)
            for row in rows:
                yield from self._wrapped([Span(row)], 2, 4)
            yield _NOTHING

    # -- the end -----------------------------------------------------------------------------------------------------

    def _ending(self, report: Report) -> Iterator[Line]:
        for file in report.unreadable:
            yield from self._wrapped([Span("not judged", f"{BOLD};{RED}"), Span(f": {file.file}: {file.why}")], 0, 2)
        for entry in report.not_configured:
            needs = ", ".join(entry.missing)
            yield from self._wrapped(
                [Span("not configured", BOLD), Span(f": {entry.rule.id} needs {needs} (--policy-pack-config)")], 0, 2
            )
        for exemption in report.unused_exemptions:
            yield from self._wrapped([Span("unused exception", BOLD), Span(f": {exemption.id} matched nothing")], 0, 2)
        words, _, rest = summary_line(report).partition(";")
        result, colon, reasons = words.partition(":")
        spans = [Span(result, _RESULT_STYLES[report.result]), Span(f"{colon}{reasons}", BOLD)]
        yield from self._wrapped([*spans, Span(f";{rest}")] if rest else spans, 0, 2)

    # -- pieces ------------------------------------------------------------------------------------------------------

    def _resource(self, subject: Subject) -> Iterator[Line]:
        name = Span(_named(subject), BOLD)
        place = Span(f"  {_place(subject)}", DIM)
        yield from self._wrapped([name, place] if subject.position else [name], 0, 2)
        if self._view.verbose:
            yield (Span(f"  {subject.urn}", DIM),)

    def _labelled(self, item: Item, words: str, *, repeated: bool = False) -> Iterator[Line]:
        """Yield a label, a severity and words; when ``repeated`` the words alone."""
        label = _LABELS[item.effect]
        severity = item.rule.severity.value
        if self._wide:
            margin = Span(" " * (_LABELLED - 2 - len(label.text)))
            yield from self._beside((Span("  "), label, margin, Span(severity)), words, blank=repeated)
            return
        if not repeated:
            yield (Span("  "), label, Span(f" {severity}"))
        yield from self._wrapped([Span(words)], 4)

    def _detail(self, key: str, words: str) -> Iterator[Line]:
        if not words:
            return
        if self._wide:
            yield from self._beside((Span(" " * _LABELLED), Span(key, DIM)), words)
        else:
            yield from self._wrapped([Span(f"{key}:", DIM), Span(f" {words}")], 4, 6)

    def _beside(self, margin: Line, words: str, *, blank: bool = False) -> Iterator[Line]:
        """Yield ``words`` in their column, the first line of them beside ``margin``."""
        first, *more = self._wrapped([Span(words)], _WORDED)
        if blank:
            yield first
        else:
            used = sum(len(span.text) for span in margin)
            yield (*margin, Span(" " * (_WORDED - used)), *first[1:])
        yield from more

    def _explanation(self, rule: Rule) -> Iterator[Line]:
        """Yield why the rule is there and the way out: in full where it is met first."""
        if rule.id in self._explained:
            yield from self._detail("rule", f"{rule.id}: why and fix stand above")
            return
        self._explained.add(rule.id)
        yield from self._detail("why", _first_sentence(_prose(rule.why)))
        yield from self._detail("fix", _prose(rule.fix))
        yield from self._detail("rule", f"{rule.id}  {rule.url}")

    def _some(self, names: Sequence[str]) -> str:
        """Return the names, but no more than a few of them unless everything is wanted."""
        if self._view.verbose or len(names) <= _SHOWN + 1:
            return ", ".join(names)
        return f"{', '.join(names[:_SHOWN])} and {len(names) - _SHOWN} more"

    def _wrapped(self, spans: Iterable[Span], indent: int = 0, hanging: int | None = None) -> Iterator[Line]:
        return wrapped(spans, self._view.width, indent, hanging)


_SENTENCE_END: Final = re.compile(r"(?<!e\.g)(?<!i\.e)\.\s")


def _heading(stack: StackReport) -> str:
    name = f"{stack.project}/{stack.name}" if stack.name else stack.kind
    return f"{name}  {stack.kind} {stack.file}" if stack.name else f"{name} {stack.file}"


def _groups(items: Iterable[Item]) -> list[_Group]:
    """Return the items by resource: the worst resource first, the worst item of each first."""
    by_urn: dict[str, list[Item]] = {}
    for item in items:
        by_urn.setdefault(item.subject.urn, []).append(item)
    groups = [_Group(found[0].subject, sorted(found, key=_badness)) for found in by_urn.values()]
    return sorted(groups, key=lambda group: _badness(group.items[0]))


def _failed(item: Item) -> bool:
    return item.outcome is Outcome.FAIL


def _badness(item: Item) -> tuple[int, int]:
    return _RANK[item.effect], -item.rule.severity.rank


def _by_rule(items: Iterable[Item]) -> list[list[Item]]:
    """Return the items of each rule together, the worst rule first."""
    by_rule: dict[tuple[str, Effect], list[Item]] = {}
    for item in items:
        by_rule.setdefault((item.rule.id, item.effect), []).append(item)
    return sorted(by_rule.values(), key=lambda found: _badness(found[0]))


def _alike(rules: Iterable[list[Item]]) -> list[list[list[Item]]]:
    """Return the rules together that lack the same of the same resources, with the same effect."""
    found: dict[tuple[object, ...], list[list[Item]]] = {}
    for items in rules:
        lacks = sorted((item.subject.urn, "; ".join(_gap_texts(item.gaps, item.subject))) for item in items)
        found.setdefault((items[0].effect, *lacks), []).append(items)
    return list(found.values())


def _by_reason(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Return the items by what is not known and why."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault("; ".join(_gap_texts(item.gaps, item.subject)), []).append(item)
    return found


def _gap_texts(gaps: Iterable[Gap], subject: Subject) -> list[str]:
    """Return a text per reason: the paths that have it in common, without the positions in lists."""
    places: dict[str, dict[str, None]] = {}
    for gap in gaps:
        path = _INDEX.sub("[*]", gap.path)
        owner = "" if gap.urn in {"", subject.urn} else gap.urn.rpartition("::")[2]
        where = f"{path} of {owner}" if path and owner else path or owner
        places.setdefault(gap.why, {})[where] = None
    return [_gap_text([where for where in found if where], why) for why, found in places.items()]


_INDEX: Final = re.compile(r"\[\d+\]")


def _gap_text(where: list[str], why: str) -> str:
    if not where:
        return why
    named = ", ".join(where[:_SHOWN])
    more = f" and {len(where) - _SHOWN} more" if len(where) > _SHOWN else ""
    return f"{named}{more} {why}" if why.startswith(("is ", "names ")) else f"{named}{more}: {why}"


def _what(item: Item) -> str:
    return f"{item.path}: {item.message}" if item.path else item.message


def _named(subject: Subject, *, position: bool = False) -> str:
    name = f"{_short(subject.type)} {subject.name}"
    return f"{name} ({_place(subject)})" if position and subject.position else name


def _place(subject: Subject) -> str:
    return f"{subject.position.file}:{subject.position.line}" if subject.position else ""


def _short(token: str) -> str:
    """Return a type as the engine shows it: ``aws:s3/bucket:Bucket`` is ``aws:s3:Bucket``.

    Source: https://github.com/pulumi/pulumi/blob/master/pkg/backend/display/rows.go (simplifyTypeName)
    """
    package, _, rest = token.partition(":")
    module, _, name = rest.rpartition(":")
    folder, _, file = module.rpartition("/")
    if folder and file.lower() == name.lower():
        module = folder
    return f"{package}:{module}:{name}" if module else token


def _prose(text: str) -> str:
    """Return a docstring's words as the first paragraph of a text."""
    return text.partition("\n\n")[0]


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    return text[: end.start() + 1] if end else text
