"""Three-valued logic: an unknown matters only where it could change the answer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossgate import FALSE, TRUE, Gap, Truth, all_of, any_of, truth, unknown
from crossgate.truth import Undetermined

MAYBE = unknown(Gap("urn", "a", "not known"))
OTHER = unknown(Gap("urn", "b", "not known"))
ALL = (TRUE, FALSE, MAYBE)

truths = st.sampled_from(ALL)


def name(answer: Truth) -> str:
    return "T" if answer.is_true else "F" if answer.is_false else "?"


AND = {"TT": "T", "TF": "F", "T?": "?", "FT": "F", "FF": "F", "F?": "F", "?T": "?", "?F": "F", "??": "?"}
OR = {"TT": "T", "TF": "T", "T?": "T", "FT": "T", "FF": "F", "F?": "?", "?T": "T", "?F": "?", "??": "?"}


@pytest.mark.parametrize(("left", "right"), list(itertools.product(ALL, ALL)), ids=name)
def test_the_tables_are_kleenes(left: Truth, right: Truth) -> None:
    assert AND[name(left) + name(right)] == name(left & right)
    assert OR[name(left) + name(right)] == name(left | right)


def test_not_turns_the_known_and_leaves_the_unknown() -> None:
    assert (~TRUE).is_false
    assert (~FALSE).is_true
    assert (~MAYBE).gaps == MAYBE.gaps


def test_the_gaps_of_both_sides_are_kept_once() -> None:
    assert ((MAYBE & OTHER) | MAYBE).gaps == (*MAYBE.gaps, *OTHER.gaps)


def test_a_side_that_does_not_matter_leaves_no_gap() -> None:
    assert (MAYBE & FALSE).gaps == ()
    assert (MAYBE | TRUE).gaps == ()


@given(st.lists(truths))
def test_any_and_all_are_the_fold_of_the_operators(answers: list[Truth]) -> None:
    some, every = FALSE, TRUE
    for answer in answers:
        some, every = some | answer, every & answer
    assert name(any_of(answers)) == name(some)
    assert name(all_of(answers)) == name(every)


@pytest.mark.parametrize("combined", [any_of, all_of])
def test_any_and_all_keep_each_gap_once_in_the_order_of_the_answers(
    combined: Callable[[Iterable[Truth]], Truth],
) -> None:
    assert combined([OTHER, MAYBE, OTHER & MAYBE, MAYBE]).gaps == (*OTHER.gaps, *MAYBE.gaps)


@given(st.lists(truths))
def test_a_determined_answer_holds_for_every_filling(answers: list[Truth]) -> None:
    holes = [index for index, answer in enumerate(answers) if answer.is_unknown][:6]
    for filling in itertools.product([TRUE, FALSE], repeat=len(holes)):
        filled = list(answers)
        for index, answer in zip(holes, filling, strict=True):
            filled[index] = answer
        for fold in (any_of, all_of):
            assert name(fold(answers)) in ("?", name(fold(filled))) or len(holes) == 6


def test_asking_an_unknown_for_a_bool_raises_with_its_gaps() -> None:
    with pytest.raises(Undetermined) as raised:
        bool(MAYBE)
    assert raised.value.gaps == MAYBE.gaps
    assert bool(TRUE)
    assert not FALSE


def test_truth_of_a_plain_answer() -> None:
    assert truth(answer=True) is TRUE
    assert truth(answer=False) is FALSE
