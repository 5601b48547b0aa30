"""A preview digest: ``pulumi preview --json``, the stack as it will be.

Source: https://github.com/pulumi/pulumi/blob/master/pkg/backend/display/json.go (ShowPreviewDigest)
"""

from __future__ import annotations

from typing import Any, Final

from crossgate.model import STACK_TYPE, Resource, Stack, Urn
from crossgate.sources._providers import default_providers, is_internal
from crossgate.sources._record import parse, resource_of, urn_of
from crossgate.sources._source import Kind, Source, SourceError, Unjudged
from crossgate.sources._state import State

SAME: Final = "same"
PLANNED: Final = frozenset({SAME, "create", "update", "replace", "create-replacement", "import", "import-replacement"})
"""Steps whose new state will be there after the update."""
SHOWN: Final = ("create", "update", "replace", "import")
"""Steps that a digest always shows, so that its summary tells whether some are missing from it."""
LOOKED_AT: Final = frozenset({"read", "read-replacement"})
GOING: Final = frozenset({"delete", "delete-replaced", "discard", "discard-replaced", "remove-pending-replace"})
REFRESH: Final = "refresh"
"""The state before the program ran, read anew; of an unchanged resource it is the only step."""
ASIDE: Final = frozenset({"diff", "extend-parameterize"})
"""Steps that leave no resource behind."""
_KNOWN: Final = PLANNED | LOOKED_AT | GOING | ASIDE | {REFRESH}
_REPLACING: Final = frozenset({"replace", "create-replacement", "import", "import-replacement"})
"""Steps of one replacement, all about one resource."""

_NOTHING: Final = "a preview without any step, stack or summary: nothing to judge"
_NEWER: Final = "an operation that is not known; is there a newer crossgate?"
_NO_WORDS: Final = "what went wrong stands in its own output"


def is_digest(document: Any) -> bool:
    """Return whether ``document`` is a preview digest."""
    if not isinstance(document, dict):
        return False
    if isinstance(document.get("steps"), list) or isinstance(document.get("changeSummary"), dict):
        return True
    return "duration" in document and isinstance(document.get("diagnostics"), list)


def read(document: dict[str, Any], state: State | None = None, *, marks: bool) -> Source:
    """Return what a digest holds, completed from ``state``; ``marks`` tells whether either can hold readable secrets.

    Raises:
        SourceError: it is not of that form, the preview failed, something is missing from it, or ``state`` is another
            stack's.

    """
    _refuse_failed(document)
    steps = _list(document, "steps")
    summary = _summary(document)
    if not steps and not summary:
        raise SourceError(_NOTHING)
    plan = _Plan()
    for number, step in enumerate(steps):
        plan.take(step, f"steps[{number}]")
    plan.refuse_incomplete(summary)
    resources = plan.resources()
    unseen = max(0, summary.get(SAME, 0) - plan.sames_shown())
    if state is not None:
        resources, filled_in = _filled_in(resources, plan, state)
        unseen = max(0, unseen - filled_in)
    config = _config(document)
    resources.update((provider.urn, provider) for provider in default_providers(list(resources.values()), config))
    counted = bool(summary) or state is not None
    stack = Stack(resources.values(), unseen=unseen, counted=counted)
    name, project = (plan.origin.stack, plan.origin.project) if plan.origin else ("", "")
    unjudged = Unjudged(tuple(plan.reads), len(plan.gone), unseen=unseen)
    return Source(Kind.PREVIEW, stack, name, project, config, unjudged, marks, plan.changes())


class _Plan:
    """What the steps say about each resource."""

    def __init__(self) -> None:
        self.planned: dict[str, Resource] = {}
        self.refreshed: dict[str, Resource] = {}
        self.reads: dict[str, None] = {}
        self.gone: dict[str, None] = {}
        self.former: set[str] = set()
        """URNs that resources had before they were renamed."""
        self.ops: dict[str, set[str]] = {}
        self.origin: Urn | None = None
        self._count = dict.fromkeys(SHOWN, 0)

    def take(self, step: Any, where: str) -> None:
        """Take in one step."""
        urn = urn_of(step, where)
        op = step.get("op")
        if not isinstance(op, str):
            raise SourceError(f"{where}: op must be text")
        if self.origin is None:
            self.origin = parse(urn, where)
        if op in PLANNED:
            self._plan(op, step, where)
        elif op in GOING:
            parse(urn, where)
            if op in {"delete", "discard"} and not _of(step, "oldState", where).get("delete"):
                self.gone[urn] = None
        elif op in LOOKED_AT:
            parse(urn, where)
            self.reads[urn] = None
        elif op == REFRESH:
            self._refresh(step, where)
        elif op not in ASIDE:
            raise SourceError(f"{where}: {_NEWER}")

    def _plan(self, op: str, step: dict[str, Any], where: str) -> None:
        old = _of(step, "oldState", where)
        known_id = old.get("id") if op in {SAME, "update"} else None
        new = step.get("newState")
        if new is None:
            raise SourceError(f"{where}: the engine could not write this resource's new state into the file")
        resource = resource_of(new, f"{where}.newState", known_id=known_id if isinstance(known_id, str) else "")
        ops = self.ops.setdefault(resource.urn, set())
        if ops and (op in ops or not (ops <= _REPLACING and op in _REPLACING)):
            raise SourceError(f"{where}: a second resource with the URN {resource.urn}")
        ops.add(op)
        if op in self._count:
            self._count[op] += 1
        former = old.get("urn")
        if isinstance(former, str) and former != resource.urn:
            self.former.add(former)
        if new.get("external") is True:
            self.reads[resource.urn] = None
        else:
            self.planned[resource.urn] = resource

    def _refresh(self, step: dict[str, Any], where: str) -> None:
        new = step.get("newState")
        if new is None:  # it is gone from the cloud; whether it comes back is for the program's own step to say
            return
        resource = resource_of(new, f"{where}.newState")
        if new.get("external") is True:
            self.reads[resource.urn] = None
        else:
            self.refreshed[resource.urn] = resource

    def refuse_incomplete(self, summary: dict[str, int]) -> None:
        """Refuse a digest that shows fewer steps than its summary counts.

        Raises:
            SourceError: steps are missing.

        """
        if not summary:
            return  # cut off by another tool: what is shown can be judged, what may be missing cannot be told
        if not summary.keys() <= _KNOWN:
            raise SourceError(f"changeSummary: {_NEWER}")
        for op, shown in self._count.items():
            expected = summary.get(op, 0)
            if shown < expected:
                raise SourceError(f"not whole: its summary counts {expected} of {op}, and it shows {shown}")

    def resources(self) -> dict[str, Resource]:
        """Return what will be there, in the order of the steps."""
        unchanged = {urn: resource for urn, resource in self.refreshed.items() if self._is_unchanged(urn)}
        return unchanged | self.planned

    def sames_shown(self) -> int:
        """Return how many of the unchanged resources that the summary counts are here."""
        shown = sum(SAME in self.ops[urn] and not is_internal(urn) for urn in self.planned)
        return shown + sum(self._is_unchanged(urn) and not is_internal(urn) for urn in self.refreshed)

    def changes(self) -> int:
        """Return how many resources the update touches; the stack itself is none."""
        return sum(not (SAME in self.ops[urn] or resource.type == STACK_TYPE) for urn, resource in self.planned.items())

    def _is_unchanged(self, urn: str) -> bool:
        return not (urn in self.planned or urn in self.gone or urn in self.former)

    def covers(self, urn: str) -> bool:
        """Return whether the steps already say what becomes of the resource with this URN."""
        return urn in self.planned or urn in self.refreshed or urn in self.gone or urn in self.former


def _filled_in(resources: dict[str, Resource], plan: _Plan, state: State) -> tuple[dict[str, Resource], int]:
    """Return ``resources`` and those of ``state`` that the digest leaves out, and how many of these it counts."""
    name, project = state.stack
    if plan.origin is not None and name and (name, project) != (plan.origin.stack, plan.origin.project):
        here = f"{plan.origin.project}/{plan.origin.stack}"
        raise SourceError(f"the state beside it is that of {project}/{name}, and the preview that of {here}")
    missing = {
        urn: resource_of(record, f"the state's resource {urn}")
        for urn, record in state.resources.items()
        if not plan.covers(urn)
    }
    return missing | resources, sum(not is_internal(urn) for urn in missing)


def _refuse_failed(document: dict[str, Any]) -> None:
    """Refuse the digest of a preview that did not run to its end: it looks whole, and is not.

    Raises:
        SourceError: the preview failed. What it complained of is left out: it may hold anything.

    """
    for entry in _list(document, "diagnostics"):
        if isinstance(entry, dict) and entry.get("severity") == "error":
            raise SourceError(f"the preview itself failed, so the file may lack resources; {_NO_WORDS}")
    if document.get("maybeCorrupt") is True:
        raise SourceError(f"the engine marked this preview as possibly corrupt; {_NO_WORDS}")


def _summary(document: dict[str, Any]) -> dict[str, int]:
    summary = document.get("changeSummary")
    if summary is None:
        return {}
    if not isinstance(summary, dict) or not all(type(count) is int and count >= 0 for count in summary.values()):
        raise SourceError("changeSummary must be an object of counts")
    return summary


def _config(document: dict[str, Any]) -> dict[str, str]:
    config = document.get("config")
    if config is None:
        return {}
    if not isinstance(config, dict) or not all(isinstance(value, str) for value in config.values()):
        raise SourceError("config must be an object of texts")
    return config


def _list(document: dict[str, Any], key: str) -> list[Any]:
    found = document.get(key)
    if not isinstance(found, list | None):
        raise SourceError(f"{key} must be a list")
    return found or []


def _of(step: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    found = step.get(key)
    if not isinstance(found, dict | None):
        raise SourceError(f"{where}.{key}: must be an object")
    return found or {}
