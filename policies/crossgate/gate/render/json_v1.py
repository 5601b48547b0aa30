"""The report for programs. Its form is ``schema/report-v1.json``: fields are only ever added to it."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from crossgate.gate.console import View
    from crossgate.gate.report import Exemption, Item, NotConfigured, Report, StackReport
    from crossgate.truth import Gap

VERSION: Final = 1


def render(report: Report, view: View) -> str:  # noqa: ARG001 - every renderer has this form
    """Return the report as JSON in ASCII: what is no ASCII, terminals and logs included, stands there escaped."""
    return json.dumps(document(report), indent=2) + "\n"


def document(report: Report) -> dict[str, Any]:
    """Return the report as a JSON document."""
    counts = report.counts()
    return {
        "report": VERSION,
        "crossgate": version("crossgate"),
        "result": report.result.value,
        "exitCode": report.result.exit_code,
        "packs": list(report.packs),
        "counts": {
            "blocking": {
                "violations": counts.violations_blocking,
                "undetermined": counts.undetermined_blocking,
                "crashed": counts.crashed_blocking,
            },
            "notBlocking": {
                "violations": counts.violations_advisory,
                "undetermined": counts.undetermined_warned,
                "crashed": counts.crashed_advisory,
            },
            "exempted": counts.exempted,
        },
        "stacks": [_stack(stack) for stack in report.stacks],
        "unreadable": [{"file": file.file, "why": file.why} for file in report.unreadable],
        "notConfigured": [_not_configured(entry) for entry in report.not_configured],
        "unusedExceptions": [_exemption(exemption) for exemption in report.unused_exemptions],
    }


def _stack(stack: StackReport) -> dict[str, Any]:
    return {
        "file": stack.file,
        "kind": stack.kind,
        "project": stack.project,
        "stack": stack.name,
        "changes": stack.changes,
        "checks": stack.checks,
        "resources": stack.judged,
        "findings": [_finding(item) for item in stack.items],
        "notes": [_note(item) for item in stack.notes],
        "notJudged": {
            "withoutRule": dict(stack.without_rule),
            "read": list(stack.unjudged.reads),
            "deleted": stack.unjudged.deleted,
            "pending": stack.unjudged.pending,
            "unchangedNotInFile": stack.unjudged.unseen,
        },
    }


def _finding(item: Item) -> dict[str, Any]:
    rule = item.rule
    return {
        "outcome": item.outcome.value,
        "effect": "exempted" if item.exemption is not None else item.effect.value,
        "rule": rule.id,
        "title": rule.title,
        "severity": rule.severity.value,
        "level": item.level.value,
        **_where(item),
        "message": item.message,
        "undetermined": [_gap(gap) for gap in item.gaps],
        "fix": rule.fix,
        "docs": rule.url,
        "frameworks": list(rule.frameworks),
        "exception": None if item.exemption is None else _exemption(item.exemption),
    }


def _note(item: Item) -> dict[str, Any]:
    return {"rule": item.rule.id, **_where(item), "message": item.message}


def _where(item: Item) -> dict[str, Any]:
    subject = item.subject
    position = subject.position
    return {
        "urn": subject.urn,
        "type": subject.type,
        "name": subject.name,
        "position": None if position is None else {"file": position.file, "line": position.line},
        "path": item.path,
    }


def _gap(gap: Gap) -> dict[str, str]:
    return {"urn": gap.urn, "path": gap.path, "why": gap.why}


def _not_configured(entry: NotConfigured) -> dict[str, Any]:
    return {"rule": entry.rule.id, "level": entry.level.value, "missing": list(entry.missing)}


def _exemption(exemption: Exemption) -> dict[str, str]:
    return {"id": exemption.id, "reason": exemption.reason}
