"""The words of a verdict, the same at every door. Made of paths and fixed words; never of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate.judge import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crossgate.judge import Verdict, Violation
    from crossgate.truth import Gap

_PATHS_SHOWN = 4


def violation_text(violation: Violation) -> str:
    """Return ``path: message``, or the message alone when no single property is meant."""
    return f"{violation.path}: {violation.message}" if violation.path else violation.message


def undetermined_text(verdict: Verdict) -> str:
    """Return what could not be known, with the paths collapsed, and that this is no pass."""
    return "undetermined, so not a pass: " + "; ".join(_gap_texts(verdict.gaps, verdict.resource.urn))


def crash_text(verdict: Verdict) -> str:
    """Return that the rule crashed, and where in its source."""
    return f"the rule crashed ({verdict.crash}), so nothing was judged by it"


def verdict_texts(verdict: Verdict) -> list[str]:
    """Return one line per violation, then a line for a crash or, when nothing worse is said, for the gaps."""
    lines = [violation_text(violation) for violation in verdict.violations]
    if verdict.crash:
        lines.append(crash_text(verdict))
    elif verdict.outcome is Outcome.UNDETERMINED:
        lines.append(undetermined_text(verdict))
    return lines


def _gap_texts(gaps: Iterable[Gap], own_urn: str) -> list[str]:
    """Return one text per (resource, reason): the paths of each joined, the resource named when it is another one."""
    groups: dict[tuple[str, str], list[str]] = {}
    for gap in gaps:
        paths = groups.setdefault((gap.urn, gap.why), [])
        if gap.path and gap.path not in paths:
            paths.append(gap.path)
    return [_gap_text(urn, why, paths, own_urn) for (urn, why), paths in groups.items()]


def _gap_text(urn: str, why: str, paths: list[str], own_urn: str) -> str:
    where = ", ".join(paths[:_PATHS_SHOWN])
    if len(paths) > _PATHS_SHOWN:
        where += f" and {len(paths) - _PATHS_SHOWN} more"
    if urn and urn != own_urn:
        where = f"{where} of {urn}" if where else urn
    if not where:
        return why
    if not why.startswith(("not ", "in ")):
        return f"{where}: {why}"
    return f"{where} {'are' if len(paths) > 1 else 'is'} {why}"
