"""Calico's selector expressions: ``app == 'web' && has(tier)``, judged against labels that may not be known.

Source: https://docs.tigera.io/calico/latest/reference/resources/networkpolicy#selector
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from crossgate import FALSE, TRUE, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from crossgate import Truth
    from crossgate.rules.kubernetes._selectors import Labels

Expression: TypeAlias = "All | Test | Group"


class All(NamedTuple):
    """``all()``, or with ``wanted`` false its opposite."""

    wanted: bool = True


class Test(NamedTuple):
    """A question about one label, or with ``wanted`` false its opposite."""

    key: str
    holds: Callable[[str], bool] | None
    """None: any value will do."""
    wanted: bool = True


class Group(NamedTuple):
    """Several expressions of which all must hold, or one."""

    every: bool
    parts: tuple[Expression, ...]


def judge(expression: Expression, labels: Labels) -> Truth:
    """Does ``expression`` hold? Where ``labels`` stand for many objects: does it hold for every one of them?"""
    if isinstance(expression, All):
        return truth(expression.wanted)
    if isinstance(expression, Group):
        answers = [judge(part, labels) for part in expression.parts]
        result = TRUE if expression.every else FALSE
        for answer in answers:
            result = result & answer if expression.every else result | answer
        return result
    label = labels(expression.key)
    if label is None:
        return FALSE
    holds = expression.holds
    met = label.exists() if holds is None else label.test(lambda text: isinstance(text, str) and holds(text))
    return met if expression.wanted else ~met


class NotUnderstood(ValueError):
    """The text is no selector that is understood here."""


_LEXEME: Final = r"""\s*(?:(&&|\|\||!=|==|[!(){},])|"([^"]*)"|'([^']*)'|([A-Za-z0-9_./-]+))"""
_MAX_LENGTH: Final = 20_000


@lru_cache(maxsize=512)
def parse(text: str) -> Expression:
    """Parse a selector. An empty one selects everything.

    Raises:
        NotUnderstood: it is not written in the language, or is nested too deeply.

    """
    if not text.strip():
        return All()
    parser = _Parser(text)
    try:
        expression = parser.either(wanted=True)
    except RecursionError:
        raise NotUnderstood from None
    if parser.tokens:
        raise NotUnderstood
    return expression


class _Parser:
    """Recursive descent; ``wanted`` false pushes a negation down to the single questions."""

    def __init__(self, text: str) -> None:
        if len(text) > _MAX_LENGTH:
            raise NotUnderstood
        self.tokens: list[tuple[str, bool]] = []
        """What is still to be read, last first; with each whether it stood in quotes."""
        pattern, at = re.compile(_LEXEME), 0
        text = text.rstrip()
        while at < len(text):
            match = pattern.match(text, at)
            if match is None:
                raise NotUnderstood
            mark, double, single, word = match.groups()
            quoted = double if double is not None else single
            self.tokens.append((quoted, True) if quoted is not None else (mark or word, False))
            at = match.end()
        self.tokens.reverse()

    def take(self, *expected: str) -> str:
        """Return the next token, which must be one of ``expected``, or any word when none is named."""
        if not self.tokens:
            raise NotUnderstood
        token, quoted = self.tokens.pop()
        if quoted or (expected and token not in expected):
            raise NotUnderstood
        return token

    def next_is(self, token: str) -> bool:
        """Take the next token if it is ``token``."""
        if self.tokens and self.tokens[-1] == (token, False):
            self.tokens.pop()
            return True
        return False

    def literal(self) -> str:
        """Return the next token, which must stand in quotes."""
        if not self.tokens or not self.tokens[-1][1]:
            raise NotUnderstood
        return self.tokens.pop()[0]

    def either(self, *, wanted: bool) -> Expression:
        """Read parts with ``||`` between them."""
        parts = [self.both(wanted=wanted)]
        while self.next_is("||"):
            parts.append(self.both(wanted=wanted))
        return parts[0] if len(parts) == 1 else Group(not wanted, tuple(parts))

    def both(self, *, wanted: bool) -> Expression:
        """Read parts with ``&&`` between them."""
        parts = [self.single(wanted=wanted)]
        while self.next_is("&&"):
            parts.append(self.single(wanted=wanted))
        return parts[0] if len(parts) == 1 else Group(wanted, tuple(parts))

    def single(self, *, wanted: bool) -> Expression:
        """Read one question, with what negates it, or a bracket."""
        if self.next_is("!"):
            return self.single(wanted=not wanted)
        if self.next_is("("):
            inner = self.either(wanted=wanted)
            self.take(")")
            return inner
        word = self.take()
        if word in ("all", "global", "has") and self.next_is("("):
            key = "" if word != "has" else self.take()
            self.take(")")
            if word == "global":
                return All(wanted=not wanted)  # endpoints without a namespace: no pod is one
            return All(wanted) if word == "all" else Test(key, None, wanted)
        return self.comparison(word, wanted=wanted)

    def comparison(self, key: str, *, wanted: bool) -> Expression:
        """Read what is asked of the label ``key``."""
        operator = self.take("==", "!=", "in", "not", "contains", "starts", "ends")
        if operator in ("starts", "ends"):
            self.take("with")
            part = self.literal()
            return Test(
                key, lambda text: text.startswith(part) if operator == "starts" else text.endswith(part), wanted
            )
        if operator == "contains":
            part = self.literal()
            return Test(key, lambda text: part in text, wanted)
        if operator in ("==", "!="):
            values = {self.literal()}
        else:
            if operator == "not":
                self.take("in")
            values = self.values()
        if operator in ("!=", "not"):
            wanted = not wanted
        return Test(key, lambda text: text in values, wanted)

    def values(self) -> set[str]:
        """Read a set of values in braces."""
        self.take("{")
        values: set[str] = set()
        while not self.next_is("}"):
            values.add(self.literal())
            if not self.next_is(","):
                self.take("}")
                break
        return values
