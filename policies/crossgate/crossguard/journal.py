"""The verdicts of an engine run, written down by the pack for whoever started the engine.

A diagnostic has room for a level and a text; the engine passes on nothing else. So a pack that finds a folder named in
the environment's :data:`FOLDER` writes its verdicts there as well, one JSON object a line: who it is, each verdict that
is no pass, each remark, and at the end how much was judged. A journal without its end is not whole. All texts that are
meant to be shown have passed the redactor.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate.judge import Outcome
from crossgate.pack import Effect, Level
from crossgate.rule import Severity
from crossgate.truth import Gap
from crossgate.words import verdict_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from crossgate.judge import Verdict, Violation
    from crossgate.pack import Entry, Pack

FOLDER: Final = "CROSSGATE_VERDICTS"
"""The variable that names the folder."""
FORM: Final = 1
_SUFFIX: Final = ".verdicts"


class JournalError(Exception):
    """A journal that cannot be read. The text never repeats any of it."""


class Policy(NamedTuple):
    """What a pack says about one of its active policies."""

    id: str
    title: str
    severity: Severity
    level: Level
    why: str
    fix: str
    docs: str
    frameworks: tuple[str, ...]


class Remark(NamedTuple):
    """Words about a property of a resource: ``path`` is empty where no single one is meant."""

    path: str
    message: str


class Written(NamedTuple):
    """A verdict as it was written down."""

    policy: str
    urn: str
    """As it is, to be compared with; what is shown is ``shown_urn``, which like ``name`` has passed the redactor."""
    shown_urn: str
    type: str
    name: str
    outcome: Outcome
    effect: Effect
    violations: tuple[Remark, ...]
    gaps: tuple[Gap, ...]
    notes: tuple[Remark, ...]
    crash: str
    lines: int
    """Diagnostics that the engine was given for it."""

    @property
    def reported_level(self) -> str:
        """The enforcement level of those diagnostics, as the engine's events name it."""
        return "mandatory" if self.effect in (Effect.BLOCKS, Effect.CANNOT_JUDGE) else "advisory"


class Kind(NamedTuple):
    """How much of one type there was to judge."""

    resources: int
    managed: int
    """Those that a provider manages: no components."""
    policies: int
    """Active policies that name the type."""


class Journal(NamedTuple):
    """What one pack wrote during one engine run."""

    pack: str
    policies: Mapping[str, Policy]
    not_configured: Mapping[str, tuple[Level, tuple[str, ...]]]
    """Policies that are switched on and lack parameters, with their level and what they lack."""
    verdicts: tuple[Written, ...]
    kinds: Mapping[str, Kind]
    """By type; empty while the journal is not whole."""
    left_out: int
    """Resources that the run left out (``--target``)."""
    whole: bool
    """The pack was shown the whole stack, and wrote everything down."""


class Writer:
    """Writes one journal. Every line is in the file when the call that writes it returns.

    All calls may raise OSError: a verdict that cannot be written down must not be answered as if it had been.
    """

    def __init__(self, folder: Path) -> None:
        """Make the journal's file in ``folder``; its name is this process's own."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
        self._file = os.open(folder / f"{os.getpid()}{_SUFFIX}", flags, 0o600)
        self._begun = False

    def begin(self, pack: Pack) -> None:
        """Write who the pack is, once: its configuration is final when the first resource is shown."""
        if not self._begun:
            self._begun = True
            self._write(
                {
                    "journal": FORM,
                    "pack": pack.name,
                    "policies": [_policy(entry) for entry in pack.active],
                    "notConfigured": [_not_configured(entry) for entry in pack.not_configured],
                }
            )

    def verdict(self, entry: Entry, verdict: Verdict, redact: Callable[[str], str]) -> None:
        """Write a verdict, or the remarks that stand beside a pass."""
        resource = verdict.resource
        self._write(
            {
                "policy": entry.rule.id,
                "urn": resource.urn,
                "shown_urn": redact(resource.urn),
                "type": resource.type,
                "name": redact(resource.name),
                "outcome": verdict.outcome.value,
                "effect": entry.effect(verdict.outcome, verdict.gaps).value,
                "violations": _remarks(verdict.violations, redact),
                "gaps": [[redact(text) for text in gap] for gap in verdict.gaps],
                "notes": _remarks(verdict.notes, redact),
                "crash": redact(verdict.crash),
                "lines": len(verdict_texts(verdict)),
            }
        )

    def end(self, kinds: Mapping[str, Kind], left_out: int) -> None:
        """Write how much was judged: the journal is whole."""
        self._write({"kinds": kinds, "leftOut": left_out})

    def _write(self, line: Mapping[str, Any]) -> None:
        content = json.dumps(line).encode() + b"\n"
        while content:
            content = content[os.write(self._file, content) :]

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):
            os.close(self._file)


def writer(environment: Mapping[str, str]) -> Writer | None:
    """Return the writer of a journal where ``environment`` asks for one, else None.

    Raises:
        OSError: it cannot be made.

    """
    folder = environment.get(FOLDER)
    return Writer(Path(folder)) if folder else None


def _policy(entry: Entry) -> dict[str, Any]:
    rule = entry.rule
    return {
        "id": rule.id,
        "title": rule.title,
        "severity": rule.severity.value,
        "level": entry.level.value,
        "why": rule.why,
        "fix": rule.fix,
        "docs": rule.url,
        "frameworks": rule.frameworks,
    }


def _not_configured(entry: Entry) -> list[Any]:
    given = {**entry.rule.defaults, **entry.parameters}
    missing = [name for name in entry.rule.required if given.get(name) in (None, [], {}, "")]
    return [_policy(entry), missing]


def _remarks(remarks: tuple[Violation, ...], redact: Callable[[str], str]) -> list[list[str]]:
    return [[redact(remark.path), redact(remark.message)] for remark in remarks]


def read(folder: Path) -> list[Journal]:
    """Return the journals in ``folder``, by the name of their packs.

    Raises:
        JournalError: one of them is not what a pack writes.

    """
    journals = [_read(file) for file in folder.glob(f"*{_SUFFIX}")]
    return sorted((found for found in journals if found is not None), key=lambda journal: journal.pack)


def _read(file: Path) -> Journal | None:
    """Return the journal in ``file``; None when its pack was shown no resource."""
    text = file.read_text(encoding="utf-8")
    lines = text.split("\n")
    cut_off = lines.pop()  # empty, unless the pack died while it wrote
    if not lines:
        return None
    try:
        return _journal([json.loads(line) for line in lines], cut_off=bool(cut_off))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise JournalError("what the pack wrote down cannot be read") from None


def _journal(lines: list[dict[str, Any]], *, cut_off: bool) -> Journal:
    head, *rest = lines
    if head["journal"] != FORM:
        raise JournalError("the pack is of another version of crossgate, which writes its verdicts differently")
    ends = [line for line in rest if "kinds" in line]
    whole = len(ends) == 1 and rest[-1] is ends[0] and not cut_off
    end: dict[str, Any] = ends[0] if whole else {"kinds": {}, "leftOut": 0}
    lacking = [(_read_policy(policy), tuple(missing)) for policy, missing in head["notConfigured"]]
    policies = [_read_policy(policy) for policy in head["policies"]]
    return Journal(
        pack=head["pack"],
        policies={policy.id: policy for policy in (*policies, *(policy for policy, _ in lacking))},
        not_configured={policy.id: (policy.level, missing) for policy, missing in lacking},
        verdicts=tuple(_read_verdict(line) for line in rest if "kinds" not in line),
        kinds={type_: Kind(*counts) for type_, counts in end["kinds"].items()},
        left_out=end["leftOut"],
        whole=whole,
    )


def _read_policy(fields: Mapping[str, Any]) -> Policy:
    known = dict(fields)
    known["severity"] = Severity(known["severity"])
    known["level"] = Level(known["level"])
    known["frameworks"] = tuple(known["frameworks"])
    return Policy(**known)


def _read_verdict(fields: Mapping[str, Any]) -> Written:
    known = dict(fields)
    known["outcome"] = Outcome(known["outcome"])
    known["effect"] = Effect(known["effect"])
    known["gaps"] = tuple(Gap(*gap) for gap in known["gaps"])
    for key in ("violations", "notes"):
        known[key] = tuple(Remark(*remark) for remark in known[key])
    return Written(**known)
