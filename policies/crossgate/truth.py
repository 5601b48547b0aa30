"""Three-valued answers: yes, no, or "cannot know, because of these gaps".

A rule asks questions of values that may not be known yet. A question answers with a :class:`Truth`; answers are
combined with ``&``, ``|`` and ``~`` by Kleene's strong logic, so an unknown matters only where it could change the
result. Asking a Truth for a plain ``bool`` while it is unknown raises :class:`Undetermined`, which the judge turns
into an undetermined verdict: a plain ``if`` is therefore always safe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Gap(NamedTuple):
    """Something that could not be read: where it is, and why. Never holds a value."""

    urn: str
    """URN of the resource that holds the gap; empty when the gap belongs to the input as a whole."""
    path: str
    """Property path, such as ``ingress[0].cidrBlocks``; empty when no single property is meant."""
    why: str
    """Words for people: ``not known until the update``."""

    @property
    def is_of_the_source(self) -> bool:
        """The source leaves something out: whoever runs the gate can bring it in, the author of the stack cannot."""
        return not self.urn and not self.path


class Undetermined(Exception):
    """A rule needs a fact that is not known. Carries the gaps that stand in the way."""

    def __init__(self, gaps: tuple[Gap, ...]) -> None:
        """Keep ``gaps``, the places that would have to be known."""
        super().__init__("undetermined")
        self.gaps = gaps


class Truth:
    """Yes, no, or unknown with its gaps. Immutable; use ``TRUE``, ``FALSE`` or :func:`unknown`."""

    __slots__ = ("_state", "gaps")

    def __init__(self, state: bool | None, gaps: tuple[Gap, ...] = ()) -> None:
        """Hold ``state`` (None: unknown) and, when unknown, the ``gaps`` that make it so."""
        self._state = state
        self.gaps = gaps

    @property
    def is_true(self) -> bool:
        """Known to be true."""
        return self._state is True

    @property
    def is_false(self) -> bool:
        """Known to be false."""
        return self._state is False

    @property
    def is_unknown(self) -> bool:
        """Neither: some filling of the gaps gives yes, or might, and another no."""
        return self._state is None

    def __and__(self, other: Truth) -> Truth:
        """Both: false beats unknown beats true."""
        if self._state is False or other._state is True:
            return self
        if other._state is False or self._state is True:
            return other
        return _unsure((self, other))

    def __or__(self, other: Truth) -> Truth:
        """Either: true beats unknown beats false."""
        if self._state is True or other._state is False:
            return self
        if other._state is True or self._state is False:
            return other
        return _unsure((self, other))

    def __invert__(self) -> Truth:
        """Return the opposite; the opposite of unknown is unknown for the same reasons."""
        if self._state is None:
            return self
        return FALSE if self._state else TRUE

    def __bool__(self) -> bool:
        """Return the known answer.

        Raises:
            Undetermined: the answer is not known.

        """
        if self._state is None:
            raise Undetermined(self.gaps)
        return self._state

    def __repr__(self) -> str:
        """Show the state, never a value."""
        return f"Truth({'unknown' if self._state is None else self._state})"


TRUE = Truth(state=True)
FALSE = Truth(state=False)


def truth(answer: bool) -> Truth:
    """Return the Truth of a plain, known answer."""
    return TRUE if answer else FALSE


def unknown(*gaps: Gap) -> Truth:
    """Return an unknown answer with its reasons."""
    return Truth(None, gaps)


def any_of(answers: Iterable[Truth]) -> Truth:
    """Return true when one is true, unknown when none is true but one is unknown. Of nothing: false."""
    unsure = []
    for answer in answers:
        if answer.is_true:
            return TRUE
        if answer.is_unknown:
            unsure.append(answer)
    return _unsure(unsure) if unsure else FALSE


def all_of(answers: Iterable[Truth]) -> Truth:
    """Return false when one is false, unknown when none is false but one is unknown. Of nothing: true."""
    unsure = []
    for answer in answers:
        if answer.is_false:
            return FALSE
        if answer.is_unknown:
            unsure.append(answer)
    return _unsure(unsure) if unsure else TRUE


def _unsure(answers: Iterable[Truth]) -> Truth:
    """Return one unknown answer for all the reasons of ``answers``, each once."""
    return Truth(None, tuple(dict.fromkeys(gap for answer in answers for gap in answer.gaps)))
