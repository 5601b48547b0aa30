"""The line that says what a report comes to, the last one of the text and the only one beside a file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from crossgate.gate.report import Result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crossgate.gate.report import Report

RESULTS: Final = {
    Result.COMPLIANT: "compliant",
    Result.BLOCKED: "blocked",
    Result.COULD_NOT_JUDGE: "could not judge",
}


def summary_line(report: Report) -> str:
    """Return the result, what led to it, and how much was judged."""
    counts = report.counts()
    reasons = _joined(
        [
            _some(counts.violations_blocking, "violation"),
            _some(counts.undetermined_blocking, "undetermined", plural=""),
            _some(counts.crashed_blocking, "crashed rule"),
            *(_some(count, what) for what, count in Counter(each.what for each in report.unreadable).items()),
        ]
    )
    advice = _joined(
        [
            _some(counts.violations_advisory, "violation"),
            _some(counts.undetermined_warned, "undetermined", plural=""),
            _some(counts.crashed_advisory, "crashed rule"),
        ]
    )
    result = RESULTS[report.result]
    return "; ".join(
        [
            f"{result}: {reasons}" if reasons else result,
            *([f"not blocking: {advice}"] if advice else []),
            *([f"{counts.exempted} exempted"] if counts.exempted else []),
            *_extent(report),
        ]
    )


def _extent(report: Report) -> Iterable[str]:
    """Yield how much was judged, and what was not."""
    stacks = report.stacks
    checks, judged = sum(stack.checks for stack in stacks), sum(stack.judged for stack in stacks)
    without = sum(sum(stack.without_rule.values()) for stack in stacks)
    deleted, unseen = (sum(getattr(stack.unjudged, key) for stack in stacks) for key in ("deleted", "unseen"))
    pending, reads = sum(stack.unjudged.pending for stack in stacks), sum(len(stack.unjudged.reads) for stack in stacks)
    if stacks and all(stack.kind == "preview" and not stack.changes for stack in stacks):
        yield f"nothing changes but {_some(deleted, 'deleted resource')}" if deleted else "nothing changes"
    if judged or not (unseen or report.unreadable):
        yield f"judged {_some(checks, 'check', none='no')} on {_some(judged, 'resource', none='no')}"
    if without:
        yield f"{_some(without, 'resource')} had no rule"
    if reads:
        yield f"{_some(reads, 'resource')} {'is' if reads == 1 else 'are'} only read"
    if pending:
        yield f"{_some(pending, 'operation')} of an interrupted update {'is' if pending == 1 else 'are'} pending"
    if unseen:
        yield f"{_some(unseen, 'unchanged resource')} {'is' if unseen == 1 else 'are'} not in this file"


def _some(count: int, noun: str, *, plural: str = "s", none: str = "") -> str:
    if not count:
        return f"{none} {noun}{plural}" if none else ""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{plural}"


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(part for part in parts if part)
