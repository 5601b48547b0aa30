"""The one filter through which every rendered text passes: no secret of the run is left in it.

Text is built from paths and fixed words, so this is a second net. It knows the run's secret leaves: the texts of values
that are marked secret and readable in the input, and every text that a rule named as leaked. It replaces them, in clear
and in their usual encodings, by ``[secret]``: whole tokens of at least six characters, so that a word which merely
contains a secret stays as it is.

A text may be filtered before it is escaped and again afterwards: as JSON, in a URL, as HTML or XML.
"""

from __future__ import annotations

import binascii
import json
import re
from typing import TYPE_CHECKING, Any, Final

from crossgate.value import HIDDEN, OUTPUT_VALUE, SECRET, SIGNATURE_KEY, UNKNOWN, UNKNOWNS, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crossgate.judge import Verdict
    from crossgate.model import Resource, Stack

SHORTEST: Final = 6
"""Characters of the shortest secret that is looked for. Shorter ones occur by chance, and no value is put into text."""

_REMEMBERED: Final = 100_000
"""Lines without a secret that are remembered."""
_ESCAPE: Final = re.compile(r"(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\x1b\[[0-9;]*m)\Z")
"""What may stand before a token although it ends in a letter or a digit: an escaped or a terminal's character."""
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_=-]*")


def holds_marks(content: str | bytes) -> bool:
    """Return whether a file's content can hold a value that is marked secret and readable: it has to hold the mark."""
    if isinstance(content, bytes):
        return SECRET.encode() in content or OUTPUT_VALUE.encode() in content
    return SECRET in content or OUTPUT_VALUE in content


class Redactor:
    """Replaces the secrets of one run in any text.

    Nothing is walked and nothing is encoded before the first text asks for it.
    """

    def __init__(self, stack: Stack | None = None, verdicts: Iterable[Verdict] = (), *, marks: bool = True) -> None:
        """Know the secrets of ``stack`` and those that ``verdicts`` name.

        Args:
            stack: its resources, as they are when the first text comes.
            verdicts: of any rules.
            marks: False when the source of the stack holds no mark (see :func:`holds_marks`): it is not walked then.

        """
        self.masked = False
        """Something was replaced; whoever reads the text should be told."""
        self._stack = stack if marks else None
        self._waiting: set[str] = set()
        self._known: set[str] = set()
        self._tokens: dict[str, dict[tuple[int, bool], set[str]]] = {}
        self._clean: set[str] = set()
        self.learn_leaks(verdicts)

    def keep(self, texts: Iterable[str]) -> None:
        """Know more secrets: those of the stack's configuration, for instance."""
        self._waiting.update(texts)

    def learn(self, resource: Resource) -> None:
        """Know the values of ``resource`` that are marked secret and readable."""
        for properties in (resource.raw_inputs, resource.raw_outputs):
            self._waiting.update(_marked(properties))

    def learn_leaks(self, verdicts: Iterable[Verdict]) -> None:
        """Know what the findings of ``verdicts`` are about."""
        for verdict in verdicts:
            if verdict.leaks:
                self._waiting.update(leak.reveal() for leak in verdict.leaks)

    def __call__(self, text: str) -> str:
        """Return ``text`` without any secret; :attr:`masked` tells whether one was in it."""
        self._prepare()
        if not self._tokens or len(text) < SHORTEST:
            return text
        spans = _merged(self._spans(text))
        if not spans:
            return text
        self.masked = True
        pieces: list[str] = []
        done = 0
        for start, end in spans:
            pieces += (text[done:start], HIDDEN)
            done = end
        return "".join((*pieces, text[done:]))

    def _prepare(self) -> None:
        """Take in what came since the last text."""
        if self._stack is not None:
            stack, self._stack = self._stack, None
            for resource in stack.resources:
                self.learn(resource)
        if not self._waiting:
            return
        self._clean.clear()
        for leaf in self._waiting - self._known:
            for token, inside in _encodings(leaf):
                alike = self._tokens.setdefault(token[:SHORTEST], {})
                alike.setdefault((len(token), inside), set()).add(token)
        self._known |= self._waiting
        self._waiting.clear()

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where secrets stand in ``text``, overlapping ones too."""
        tokens = self._tokens
        masks = [match.span() for match in re.finditer(re.escape(HIDDEN), text)] if HIDDEN in text else []
        for start in self._beginnings(text):
            for (length, inside), alike in tokens[text[start : start + SHORTEST]].items():
                end = start + length
                if text[start:end] not in alike:
                    continue
                if any(first <= start and end <= last for first, last in masks):
                    continue
                if inside:
                    yield _whole_base64(text, start, end)
                elif _is_whole(text, start, end):
                    yield start, end

    def _beginnings(self, text: str) -> Iterator[int]:
        """Yield where a secret may begin in ``text``: where the first characters of one stand.

        A report says the same lines over and over, so those without such a place are remembered: each with what
        follows it, as far as the beginning of a secret may reach.
        """
        tokens, clean = self._tokens, self._clean
        begin = 0
        while begin < len(text):
            end = text.find("\n", begin) + 1 or len(text)
            line = text[begin : end + SHORTEST - 1]
            if line not in clean:
                found = [at for at in range(len(line) - SHORTEST + 1) if line[at : at + SHORTEST] in tokens]
                if not found and len(clean) < _REMEMBERED:
                    clean.add(line)
                yield from (begin + at for at in found)
            begin = end


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether ``text[start:end]`` is no part of a longer word."""
    if end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        return False
    if start == 0 or not (text[start].isalnum() and text[start - 1].isalnum()):
        return True
    return _ESCAPE.search(text, max(0, start - 12), start) is not None


def _whole_base64(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the whole base64 text of which ``text[start:end]`` is a part."""
    while start and _BASE64.fullmatch(text, start - 1, start) is not None and text[start - 1] != "=":
        start -= 1
    rest = _BASE64.match(text, end)
    return start, end if rest is None else rest.end()


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans in order, overlapping ones as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


# -- encodings -------------------------------------------------------------------------------------------------------


def _encodings(leaf: str) -> Iterator[tuple[str, bool]]:
    """Yield the texts by which a secret gives itself away, and whether each may stand inside a longer base64 text."""
    for part in _parts(leaf):
        for token in _escaped(part):
            if len(token) >= SHORTEST:
                yield token, False
        for fragment in _fragments(part.encode("utf-8", "surrogatepass")):
            yield fragment, True


def _parts(leaf: str) -> set[str]:
    """Return the secret itself, and each line of one that has several."""
    parts = {leaf, leaf.strip(), *(line.strip() for line in leaf.splitlines())}
    return {part for part in parts if len(part) >= SHORTEST and part != HIDDEN and part not in UNKNOWNS}


def _escaped(part: str) -> set[str]:
    """Return what becomes of a text in JSON, a URL, HTML, XML and a command of a GitHub workflow."""
    if part.isalnum() and part.isascii():
        return {part}
    from urllib.parse import quote, quote_plus

    json_texts = {json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1]}
    json_texts |= {json.dumps(text)[1:-1] for text in json_texts}  # a document inside a document
    quoted = {quote(part, safe=safe, errors="surrogatepass", encoding="utf-8") for safe in ("", "/", "/:@!$&'()*+,;=~")}
    quoted.add(quote_plus(part, errors="surrogatepass", encoding="utf-8"))
    quoted |= {re.sub("%[0-9A-F]{2}", lambda escape: escape[0].lower(), text) for text in quoted}
    markup = part.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    quotes = [
        markup,
        *(markup.replace('"', "&quot;").replace("'", mark) for mark in ("'", "&#x27;", "&#39;", "&apos;")),
    ]
    command = part.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return {part, *json_texts, *quoted, *quotes, command}


def _fragments(content: bytes) -> Iterator[str]:
    """Yield what base64 makes of ``content`` wherever it stands in what is encoded: at each of three offsets.

    The first and the last character may hold bits of a neighbour; they are left out.
    """
    for offset in range(3):
        encoded = binascii.b2a_base64(bytes(offset) + content, newline=False).decode("ascii")
        fragment = encoded[(offset * 8 + 5) // 6 : (offset + len(content)) * 8 // 6]
        yield fragment
        safe = fragment.replace("+", "-").replace("/", "_")
        if safe != fragment:
            yield safe


# -- marked values ---------------------------------------------------------------------------------------------------


def _marked(properties: Any) -> Iterator[str]:
    """Yield the texts of what is marked secret and readable in ``properties``, in Pulumi's property encoding."""
    waiting: list[tuple[Any, bool]] = [(properties, False)]
    while waiting:
        value, secret = waiting.pop()
        kind = type(value)
        if kind is dict:
            if SIGNATURE_KEY in value:
                waiting.append(_unwrapped(value, secret))
            else:
                waiting += _worth_a_look(value.values(), secret)
        elif kind is list:
            waiting += _worth_a_look(value, secret)
        elif secret:
            if kind is str:
                yield value
            elif kind in {int, float}:
                yield from _number_texts(value)
        elif kind is str and SIGNATURE_KEY in value:  # nested settings of a provider are JSON text
            waiting.append((_parsed(value), secret))


def _worth_a_look(children: Iterable[Any], secret: bool) -> list[tuple[Any, bool]]:
    """Return ``children`` without the plain texts that hold no mark, each with whether it is secret itself."""
    return [(child, secret) for child in children if secret or type(child) is not str or SIGNATURE_KEY in child]


def _unwrapped(value: dict[str, Any], secret: bool) -> tuple[Any, bool]:
    """Return what an envelope holds, and whether it is secret; None when it cannot be read."""
    if value[SIGNATURE_KEY] == SECRET:
        return (value["value"] if "value" in value else _parsed(value.get("plaintext"))), True
    if value[SIGNATURE_KEY] == OUTPUT_VALUE:
        return value.get("value", UNKNOWN), secret or value.get("secret") is True
    return None, secret


def _parsed(text: Any) -> Any:
    if not isinstance(text, str):
        return None
    try:
        return parse_json(text)
    except ValueError:
        return None


def _number_texts(number: float) -> Iterator[str]:
    yield str(number)
    if float(number).is_integer():
        yield str(int(number))
