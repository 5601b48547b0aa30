"""From an engine's run and the verdicts of its packs to a report.

The verdicts are those that the packs wrote down; the engine's events must agree with them. Where they do not, or where
verdicts are missing, the report says that the stack could not be judged. Of a pack that writes nothing down, one of
somebody else, the engine's events are all there is.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate.crossguard.journal import Policy
from crossgate.gate._live_engine import Reported
from crossgate.gate.report import Item, NotConfigured, StackReport, Subject
from crossgate.judge import Outcome
from crossgate.model import PROVIDER_PREFIX, STACK_TYPE, parse_urn
from crossgate.pack import Effect, Level
from crossgate.rule import Finding, Rule, Severity
from crossgate.sources import Unjudged
from crossgate.sources._digest import GOING, LOOKED_AT, PLANNED, SAME
from crossgate.sources._providers import is_internal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from crossgate.crossguard.journal import Journal, Written
    from crossgate.gate._live_engine import EngineRun
    from crossgate.gate.report import Exemption
    from crossgate.model import Position, Resource

_CHANGING: Final = PLANNED - {SAME}
_ITS_WORDS: Final = "violated, says the policy pack {pack}; `pulumi preview` shows its words"


class Live(NamedTuple):
    """What there is to report about one preview."""

    file: str
    """What was previewed, as it was named to the command."""
    run: EngineRun
    journals: Sequence[Journal]
    rules: Mapping[str, Rule]
    """Our own rules by id, where the gate knows more about them than a journal tells."""
    exemptions: Sequence[Exemption] = ()
    positions: Mapping[str, Position] = {}


def disagreement(live: Live, staged: str) -> str:
    """Return why the verdicts cannot be relied on; empty when they can.

    ``staged`` names the pack that must be among them; empty when none of ours is.
    """
    if staged and staged not in {found.pack for found in live.journals}:
        return "the policy pack wrote no verdicts down"
    if not all(found.whole for found in live.journals):
        return "the policy pack did not write all its verdicts down"
    left_out = max((found.left_out for found in live.journals), default=0)
    if left_out:
        return f"the preview leaves {left_out} resources out (--target), so they were not judged"
    told = Counter({report: count for report, count in live.run.events.reported.items() if report.pack in _ours(live)})
    if told != _written_down(live.journals):
        return "the engine's events are not what the policy pack wrote down"
    return ""


def _ours(live: Live) -> set[str]:
    return {found.pack for found in live.journals}


def _written_down(journals: Sequence[Journal]) -> Counter[Reported]:
    """Return the events that the verdicts must have led to."""
    expected: Counter[Reported] = Counter()
    for found in journals:
        for written in found.verdicts:
            if written.lines:
                expected[Reported(found.pack, written.policy, written.urn, written.reported_level)] += written.lines
    return expected


def stack_report(live: Live) -> StackReport:
    """Return what there is to say about the stack, in the order of URNs: the engine's own changes from run to run."""
    verdicts = sorted(_union(live.journals), key=lambda found: (found[1].urn, found[0].id))
    items = [item for policy, written in verdicts for item in _items(live, policy, written)]
    items.extend(_foreign(live))
    notes = [
        Item(
            _rule(live, policy), policy.level, Outcome.PASS, Effect.NOTHING, _subject(live, written), *remark
        )
        for policy, written in verdicts
        for remark in written.notes
    ]  # fmt: skip
    origin = live.run.events.origin
    kinds = [found.kinds for found in live.journals]
    tokens = sorted({token for found in kinds for token in found})
    judged = {token: [found[token] for found in kinds if token in found] for token in tokens}
    return StackReport(
        file=live.file,
        kind="preview",
        project=origin.project if origin else "",
        name=origin.stack if origin else "",
        items=tuple(items),
        notes=tuple(notes),
        checks=sum(kind.resources * kind.policies for found in judged.values() for kind in found),
        judged=sum(found[0].resources for found in judged.values() if any(kind.policies for kind in found)),
        changes=_changes(live.run),
        without_rule={
            token: found[0].managed
            for token, found in judged.items()
            if found[0].managed and not any(kind.policies for kind in found)
        },
        unjudged=_unjudged(live.run),
    )


def not_configured(live: Live) -> tuple[NotConfigured, ...]:
    """Return the rules that are switched on and lack parameters."""
    return tuple(
        NotConfigured(_rule(live, found.policies[id_]), level, missing)
        for found in live.journals
        for id_, (level, missing) in found.not_configured.items()
    )


def _union(journals: Sequence[Journal]) -> Iterator[tuple[Policy, Written]]:
    """Yield each (policy, resource) once, at the highest level that any of the packs gives the policy."""
    best: dict[tuple[str, str], tuple[Policy, Written]] = {}
    for found in journals:
        for written in found.verdicts:
            policy = found.policies[written.policy]
            key = (written.policy, written.urn)
            if key not in best or policy.level.rank > best[key][0].level.rank:
                best[key] = (policy, written)
    yield from best.values()


def _items(live: Live, policy: Policy, written: Written) -> Iterator[Item]:
    """Yield the violations of a verdict, its crash, and, when there is nothing worse, what is undetermined."""
    rule, subject = _rule(live, policy), _subject(live, written)
    exemption = next((each for each in live.exemptions if each.covers(policy.id, written.urn)), None)
    for path, message in written.violations:
        yield Item(
            rule, policy.level, Outcome.FAIL, written.effect, subject, path, message, written.gaps, exemption
        )  # fmt: skip
    if written.crash:
        effect = Effect.CANNOT_JUDGE if policy.level.blocks else Effect.ADVISES
        yield Item(rule, policy.level, Outcome.ERROR, effect, subject, "", written.crash, (), exemption)
    if written.outcome is Outcome.UNDETERMINED:
        yield Item(
            rule, policy.level, Outcome.UNDETERMINED, written.effect, subject, "", "", written.gaps, exemption
        )  # fmt: skip


def _subject(live: Live, written: Written) -> Subject:
    return Subject(written.shown_urn, written.type, written.name, live.positions.get(written.urn))


def _rule(live: Live, policy: Policy) -> Rule:
    return live.rules.get(policy.id) or _Told(policy)


class _Told(Rule):
    """A rule of which only that is known what its pack tells."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(
            _nothing, "", over_stack=False, types=(), severity=policy.severity, frameworks=policy.frameworks
        )
        self.id, self.title, self.why, self.fix = policy.id, policy.title, policy.why, policy.fix
        self._docs = policy.docs

    @property
    def url(self) -> str:
        return self._docs


def _nothing(_: Resource) -> Iterator[Finding]:
    yield from ()


# -- what the engine's events alone tell -------------------------------------------------------------------------------


class _EngineException(NamedTuple):
    """An exception that the engine applied by itself: a preview that succeeds has no other mandatory violation."""

    id: str = "engine"
    reason: str = "excepted by the engine, which let the preview succeed"

    def covers(self, policy: str, urn: str) -> bool:
        return bool(policy and urn)


def _foreign(live: Live) -> Iterator[Item]:
    """Yield the violations that packs of others report."""
    ours = _ours(live)
    for report in sorted(live.run.events.reported):
        if report.pack in ours:
            continue
        mandatory = report.level == "mandatory"
        exemption = next((each for each in live.exemptions if each.covers(report.policy, report.urn)), None)
        if mandatory and live.run.status == 0:
            exemption = exemption or _EngineException()
        level = Level.MANDATORY if mandatory else Level.ADVISORY
        title = f"A policy of the pack {report.pack}"
        policy = Policy(report.policy, title, Severity.MEDIUM, level, "", "", "", ())
        yield Item(
            _Told(policy),
            level,
            Outcome.FAIL,
            Effect.BLOCKS if mandatory else Effect.ADVISES,
            _named(live, report.urn),
            message=_ITS_WORDS.format(pack=report.pack),
            exemption=exemption,
        )


def _named(live: Live, urn: str) -> Subject:
    try:
        parts = parse_urn(urn)
    except ValueError:
        return Subject(urn, "", urn, None)
    return Subject(urn, parts.type, parts.name, live.positions.get(urn))


def _changes(run: EngineRun) -> int:
    """Return how many resources the update touches; the stack and the engine's own providers are none."""
    return sum(
        not operations.isdisjoint(_CHANGING)
        for urn, operations in run.events.operations.items()
        if not is_internal(urn) and parse_urn(urn).type != STACK_TYPE
    )


def _unjudged(run: EngineRun) -> Unjudged:
    operations = run.events.operations
    reads = sorted(urn for urn, found in operations.items() if not found.isdisjoint(LOOKED_AT))
    deleted = sum(
        not found.isdisjoint(GOING) and found.isdisjoint(PLANNED)
        for urn, found in operations.items()
        if not parse_urn(urn).type.startswith(PROVIDER_PREFIX)
    )
    return Unjudged(tuple(reads), deleted)
