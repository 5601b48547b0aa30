"""judge(): the only place where exceptions become outcomes."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate.rule import Note
from crossgate.truth import Gap, Truth, Undetermined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from crossgate.model import Resource
    from crossgate.rule import Finding, Leak, Rule


class Outcome(enum.Enum):
    """What came of asking a rule about a resource. FAIL beats ERROR beats UNDETERMINED beats PASS."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    UNDETERMINED = "undetermined"
    ERROR = "error"


class Violation(NamedTuple):
    """A finding that stands: its words and the property it is about."""

    message: str
    path: str


class Verdict(NamedTuple):
    """The answer of one rule about one resource."""

    rule: Rule
    resource: Resource
    outcome: Outcome
    violations: tuple[Violation, ...] = ()
    gaps: tuple[Gap, ...] = ()
    """What would have to be known; filled when something was undetermined, also beside a violation."""
    notes: tuple[Violation, ...] = ()
    crash: str = ""
    """Where the rule crashed: exception type, file, line. Never the exception's text, which may hold a secret."""
    leaks: tuple[Leak, ...] = ()
    """The secrets that the findings are about, for the redactor alone."""


_NOTHING: Final[Mapping[str, Any]] = {}


def judge(rule: Rule, resource: Resource, parameters: Mapping[str, Any] = _NOTHING) -> Verdict:
    """Ask ``rule`` about ``resource``.

    Args:
        rule: the rule.
        resource: the resource, in its stack.
        parameters: the rule's parameters; the rule's defaults fill what is left out.

    Returns:
        One verdict. Findings that were made before a gap or a crash stand.

    """
    if rule.parameters:
        parameters = {**rule.defaults, **parameters} if parameters else rule.defaults
    violations: dict[Violation, None] = {}  # these hold each once, in the order of the rule
    gaps: dict[Gap, None] = {}
    leaks: dict[Leak, None] = {}
    notes: list[Violation] = []
    crash = ""
    try:
        for finding in rule.findings(resource, parameters):
            _weigh(finding, violations, gaps, notes)
            if finding.leaks and not finding.when.is_false:
                leaks.update(dict.fromkeys(finding.leaks))
    except Undetermined as stopped:
        gaps.update(dict.fromkeys(stopped.gaps))
    except Exception as error:  # noqa: BLE001 - this is the one place where a rule's crash becomes an outcome
        crash = _place_of(error)
    if not (violations or gaps or notes or crash):
        return Verdict(rule, resource, Outcome.PASS)
    if violations:
        outcome = Outcome.FAIL
    elif crash:
        outcome = Outcome.ERROR
    else:
        outcome = Outcome.UNDETERMINED if gaps else Outcome.PASS
    return Verdict(rule, resource, outcome, tuple(violations), tuple(gaps), tuple(notes), crash, tuple(leaks))


def _weigh(finding: Finding, violations: dict[Violation, None], gaps: dict[Gap, None], notes: list[Violation]) -> None:
    """Put a finding where its condition sends it."""
    when: Truth = finding.when
    if when.is_false:
        return
    if isinstance(finding, Note):
        if when.is_true:
            notes.append(Violation(finding.message, finding.path))
        return
    if when.is_true:
        violations[Violation(finding.message, finding.path)] = None
    else:
        gaps.update(dict.fromkeys(when.gaps))


def _place_of(error: BaseException) -> str:
    """Return the exception's type and where it was raised, without its text and without any path of this machine."""
    import traceback  # what it needs takes a tenth of a start, and rules hardly ever crash

    frames = traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in reversed(frames) if "/rules/" in frame.filename), frames[-1] if frames else None)
    if place is None:
        return type(error).__name__
    name = place.filename.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{type(error).__name__} at {name}:{place.lineno}"


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome that beats all others; PASS for none."""
    found = set(outcomes)
    return next((outcome for outcome in _ORDER if outcome in found), Outcome.PASS)


_ORDER: Final = (Outcome.FAIL, Outcome.ERROR, Outcome.UNDETERMINED)
