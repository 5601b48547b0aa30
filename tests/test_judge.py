"""judge() turns what a rule yields, raises or cannot know into one outcome; a pack turns outcomes into effects."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from crossgate import FALSE, UNKNOWN, Finding, Gap, Note, Resource, Rule, Severity, Stack, rule, truth, unknown
from crossgate.judge import Outcome, judge, worst
from crossgate.pack import Effect, Entry, Level, Pack, union
from crossgate.rule import ANY_TYPE
from crossgate.words import verdict_texts

HUSH = "hunter" + "2-hunter2"


def resource(**inputs: Any) -> Resource:
    one = Resource("urn:pulumi:dev::p::t:t:T::one", "t:t:T", "one", inputs)
    Stack([one])
    return one


def rule_of(severity: Severity, *steps: Any, **facts: Any) -> Rule:
    """Return a rule that yields findings, raises exceptions and calls functions of the resource, in this order."""

    def made_rule(subject: Resource) -> Iterator[Finding]:
        for step in steps:
            if isinstance(step, Exception):
                raise step
            yield step if isinstance(step, Finding) else step(subject)

    return rule(types=("t:t:T",), severity=severity, **facts)(made_rule)


def high(*steps: Any) -> Rule:
    return rule_of(Severity.HIGH, *steps)


def unknown_finding(subject: Resource) -> Finding:
    return Finding("may be bad", at=subject["a"], when=subject["a"].equals("bad"))


def reads_plainly(subject: Resource) -> Finding:
    return Finding("never reached", when=truth(answer=subject["a"].text() == "bad"))


def test_nothing_yielded_is_a_pass() -> None:
    assert judge(high(), resource()).outcome is Outcome.PASS
    assert judge(high(Finding("no", when=FALSE)), resource()).outcome is Outcome.PASS


def test_a_violation_stands_beside_an_unknown_in_either_order() -> None:
    for steps in ((Finding("bad"), unknown_finding), (unknown_finding, Finding("bad"))):
        verdict = judge(high(*steps), resource(a=UNKNOWN))
        assert verdict.outcome is Outcome.FAIL
        assert [each.message for each in verdict.violations] == ["bad"]
        assert [gap.path for gap in verdict.gaps] == ["a"]


def test_a_plain_read_of_an_unknown_ends_undetermined_and_keeps_what_was_found() -> None:
    assert judge(high(reads_plainly), resource(a=UNKNOWN)).outcome is Outcome.UNDETERMINED
    assert judge(high(Finding("bad"), reads_plainly), resource(a=UNKNOWN)).outcome is Outcome.FAIL


def test_fail_beats_error_beats_undetermined() -> None:
    crash = ValueError(HUSH)
    verdict = judge(high(Finding("bad"), crash), resource())
    assert verdict.outcome is Outcome.FAIL
    assert verdict.crash.startswith("ValueError at test_judge.py:")
    assert judge(high(unknown_finding, crash), resource(a=UNKNOWN)).outcome is Outcome.ERROR
    assert worst([Outcome.PASS, Outcome.UNDETERMINED, Outcome.ERROR]) is Outcome.ERROR
    assert worst([]) is Outcome.PASS


def test_a_crash_never_tells_the_exceptions_text() -> None:
    verdict = judge(high(KeyError(HUSH)), resource())
    assert HUSH not in repr(verdict)
    assert all(HUSH not in text for text in verdict_texts(verdict))


def test_a_recursion_without_end_is_a_crash_of_the_rule() -> None:
    def forever(subject: Resource) -> Finding:
        return forever(subject)

    assert judge(high(forever), resource()).outcome is Outcome.ERROR


def test_a_note_changes_no_verdict() -> None:
    verdict = judge(high(Note("by the way"), Note("not now", when=FALSE)), resource())
    assert verdict.outcome is Outcome.PASS
    assert [note.message for note in verdict.notes] == ["by the way"]


def test_the_same_violation_is_told_once() -> None:
    assert len(judge(high(Finding("bad", at="a"), Finding("bad", at="a")), resource()).violations) == 1


def test_the_words_collapse_paths_and_say_that_it_is_no_pass() -> None:
    def each(name: str) -> Any:
        return lambda subject: Finding("bad", at=subject[name], when=subject[name].equals("x"))

    inputs = dict.fromkeys("abcdef", UNKNOWN)
    verdict = judge(high(*map(each, inputs)), resource(**inputs))
    [text] = verdict_texts(verdict)
    assert text == "undetermined, so not a pass: a, b, c, d and 2 more are not known until the update"


EFFECTS = [
    (Level.MANDATORY, Severity.CRITICAL, Outcome.FAIL, Effect.BLOCKS),
    (Level.REMEDIATE, Severity.LOW, Outcome.FAIL, Effect.BLOCKS),
    (Level.ADVISORY, Severity.CRITICAL, Outcome.FAIL, Effect.ADVISES),
    (Level.MANDATORY, Severity.HIGH, Outcome.UNDETERMINED, Effect.BLOCKS),
    (Level.MANDATORY, Severity.MEDIUM, Outcome.UNDETERMINED, Effect.WARNS),
    (Level.ADVISORY, Severity.CRITICAL, Outcome.UNDETERMINED, Effect.WARNS),
    (Level.MANDATORY, Severity.LOW, Outcome.ERROR, Effect.CANNOT_JUDGE),
    (Level.ADVISORY, Severity.HIGH, Outcome.ERROR, Effect.ADVISES),
    (Level.MANDATORY, Severity.HIGH, Outcome.PASS, Effect.NOTHING),
]


@pytest.mark.parametrize(("level", "severity", "outcome", "effect"), EFFECTS)
def test_effects(level: Level, severity: Severity, outcome: Outcome, effect: Effect) -> None:
    assert Entry(rule_of(severity), level).effect(outcome) is effect


def test_a_rule_may_choose_what_an_undetermined_verdict_does() -> None:
    warned = rule_of(Severity.CRITICAL, undetermined="warn")
    assert Entry(warned, Level.MANDATORY).effect(Outcome.UNDETERMINED) is Effect.WARNS


def test_what_the_source_leaves_out_is_no_excuse_for_a_high_violation() -> None:
    """The rule warns of what is usually unknown; a file that shows too little is another matter."""
    left_out, unknown_value = (
        Gap("", "", "5 unchanged resources are not in this file"),
        Gap("urn", "policy", "not known"),
    )
    warned = Entry(rule_of(Severity.HIGH, undetermined="warn"), Level.MANDATORY)
    assert warned.effect(Outcome.UNDETERMINED, [left_out]) is Effect.BLOCKS
    assert warned.effect(Outcome.UNDETERMINED, [left_out, unknown_value]) is Effect.WARNS
    assert warned._replace(level=Level.ADVISORY).effect(Outcome.UNDETERMINED, [left_out]) is Effect.WARNS
    mild = Entry(rule_of(Severity.MEDIUM), Level.MANDATORY)
    assert mild.effect(Outcome.UNDETERMINED, [left_out]) is Effect.WARNS


def test_packs_are_a_union_at_the_highest_level() -> None:
    one = high()
    packs = [Pack("a", "", [(one, Level.ADVISORY)]), Pack("b", "", [(one, Level.MANDATORY)])]
    assert [entry.level for entry in union("c", "", packs).entries] == [Level.MANDATORY]
    with pytest.raises(ValueError, match="twice"):
        Pack("d", "", [(one, Level.ADVISORY), (one, Level.MANDATORY)])


def test_a_pack_judges_only_active_rules_and_names_those_not_configured() -> None:
    schema = {"names": {"type": "array"}}
    needs = rule_of(Severity.LOW, required=("names",), parameters=schema)
    pack = Pack("p", "", [(needs, Level.MANDATORY)])
    assert pack.active == ()
    assert [entry.rule for entry in pack.not_configured] == [needs]
    stack = Stack([resource()])
    assert list(pack.judge(stack)) == []
    assert Pack("p", "", [(high(), Level.DISABLED)]).active == ()
    [(entry, verdict)] = Pack("p", "", [(high(Finding("bad")), Level.MANDATORY)]).judge(stack)
    assert (entry.level, verdict.outcome) == (Level.MANDATORY, Outcome.FAIL)


def anywhere(asked: list[str]) -> Rule:
    """Return a rule about every type of the package ``t`` but those that its parameter exempts."""

    def applies(token: str, parameters: Any) -> bool:
        asked.append(token)
        return token.startswith("t:") and token not in parameters["exempt"]

    def found_anywhere(_subject: Resource, _parameters: Any) -> Iterator[Finding]:
        yield Finding("bad")

    parameters = {"exempt": {"type": "array", "default": ["t:t:Z"]}}
    return rule(types=(ANY_TYPE,), applies=applies, severity=Severity.LOW, parameters=parameters)(found_anywhere)


def test_a_rule_that_tells_its_types_by_a_function_gives_no_verdict_of_any_other() -> None:
    asked: list[str] = []
    everywhere = anywhere(asked)
    tokens = ("t:t:T", "x:x:X", "t:t:Z", "t:t:U", "t:t:T")
    stack = Stack(Resource(f"urn:pulumi:dev::p::{token}::{n}", token, str(n)) for n, token in enumerate(tokens))

    pack = Pack("p", "", [(high(), Level.ADVISORY), (everywhere, Level.ADVISORY)])
    judged = [f"{verdict.resource.name} {entry.rule.id}" for entry, verdict in pack.judge(stack)]
    assert judged == ["0 made-rule", "0 found-anywhere", "3 found-anywhere", "4 made-rule", "4 found-anywhere"]
    assert sorted(asked) == ["t:t:T", "t:t:U", "t:t:Z", "x:x:X"], "once per type, not per resource"
    assert [subject.name for subject in everywhere.subjects(stack)] == ["0", "4", "3"]
    assert [subject.name for subject in everywhere.subjects(stack, {"exempt": ["t:t:T"]})] == ["2", "3"]


def test_a_packs_parameters_reach_the_function_that_tells_the_types() -> None:
    pack = Pack("p", "", [(anywhere([]), Level.ADVISORY, {"exempt": ["t:t:T"]})])
    assert [len(pack.entries_for(token)) for token in ("t:t:T", "t:t:Z", "x:x:X")] == [0, 1, 0]


def test_any_type_is_that_of_no_provider() -> None:
    provider = Resource("urn:pulumi:dev::p::pulumi:providers:t::p", "pulumi:providers:t", "p")

    def everything(_subject: Resource) -> Iterator[Finding]:
        yield Finding("bad")

    made = rule(types=(ANY_TYPE,), applies=lambda _token, _parameters: True, severity=Severity.LOW)(everything)
    assert made.subjects(Stack([provider])) == []
    assert list(Pack("p", "", [(made, Level.ADVISORY)]).judge(Stack([provider]))) == []


@pytest.mark.parametrize(
    "facts",
    [
        {"types": (ANY_TYPE,)},
        {"types": ("t:t:T",), "applies": lambda _token, _parameters: True},
        {"types": (ANY_TYPE, "t:t:T"), "applies": lambda _token, _parameters: True},
    ],
    ids=["any without applies", "types with applies", "any beside types"],
)
def test_types_and_the_function_that_tells_them_belong_together(facts: Any) -> None:
    with pytest.raises(ValueError, match="applies"):
        rule(severity=Severity.LOW, **facts)(lambda _subject: iter(()))


def test_a_leak_that_a_finding_names_is_kept_for_the_redactor_and_shown_to_nobody() -> None:
    named = Finding("in clear", leaks=(HUSH, HUSH))
    perhaps = Finding("in clear, if", when=unknown(Gap("", "a", "not known")), leaks=("other" + HUSH,))
    ruled_out = Finding("never", when=FALSE, leaks=("third" + HUSH,))
    verdict = judge(high(named, perhaps, ruled_out), resource())
    assert [leak.reveal() for leak in verdict.leaks] == [HUSH, "other" + HUSH]
    assert HUSH not in f"{verdict!r} {verdict} {verdict.leaks[0]} {named.leaks!r}"
    for write in (pickle.dumps, copy.deepcopy, json.dumps):
        with pytest.raises(TypeError):
            write(verdict.leaks)
