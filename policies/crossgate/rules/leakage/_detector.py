"""The one secret detector: by the meaning of the key first, then by providers' formats, then by what a text states.

A name, a path, an ARN or a reference is no secret. Entropy alone decides nothing here: :func:`looks_random` answers it
for whoever only wants to remark on it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from crossgate.rules.leakage._formats import find_formats, harmless_document, harmless_match
from crossgate.rules.leakage._key_meaning import Meaning, Strength, meaning_of, words_of
from crossgate.rules.leakage._literal import is_path, is_placeholder, is_reference, is_secret_literal, looks_generated
from crossgate.rules.leakage._text import decoded, find_in_text, tells

__all__ = ["Found", "decoded", "detect", "find", "looks_random"]

_SHORT: Final = 16
"""Shorter than every provider's format; a URL with a password, or an assignment, can be shorter."""
_SHORTEST: Final = 4
"""Shorter texts are no secret under any name."""
_REMEMBERED: Final = 100
_REMEMBERED_TEXTS: Final = 4096
HARMLESS: Final[set[str]] = set()
"""Texts that look harmless under a name that says nothing: most values stand in many resources."""
MEANINGLESS: Final[set[str]] = set()
"""Names that say nothing of what stands under them."""
_ENCODED: Final = ("LS0tLS1CRUdJTi", "eyJ", "ewo", "ew0K")
"""How base64 of a PEM block, or of a JSON object, begins."""
_RANDOM: Final = (
    r"(?!(?:[a-z]+-[0-9A-Fa-f]{8,17}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4,12}){4})\Z)[A-Za-z0-9+/_-]{20,}={0,2}\Z"
)
"""One token of base64 or the like, but no id of the kind ``i-0123456789abcdef0``, and no UUID."""
_DIGEST: Final = r"[0-9a-fA-F]+\Z"
_DIGEST_LENGTHS: Final = frozenset({32, 40, 56, 64, 96, 128})
_PUBLIC_WORDS: Final = frozenset(
    "public pub cert certificate ca crt hash digest sha sha1 sha256 md5 checksum commit revision rev version build "
    "etag fingerprint id ids arn uuid guid name url uri image tag path host bucket salt nonce".split()
)


class Found(NamedTuple):
    """A secret that was found. Shows its kind, never its text."""

    kind: str
    """Words for people: ``a password``, ``a GitHub token``."""
    text: str
    """The secret itself."""

    def __repr__(self) -> str:
        return f"<Found {self.kind}>"


def detect(key: str | None, value: str) -> str | None:
    """Return the kind of secret that ``value`` is, or holds, when it stands under ``key``; None when it is none."""
    found = find(key, value)
    return found[0].kind if found else None


def find(key: str | None, value: str, *, careful: bool = False) -> tuple[Found, ...]:
    """Return the secrets in ``value``, which stands under ``key``.

    Args:
        key: the name of the property, the variable or the file; None or empty when there is none.
        value: the text in clear: JSON, a script and a single token alike.
        careful: the key is the name of any property at all, so that only a password is taken at its word: what stands
            under the name of a key or a token has to look generated as well.

    """
    meaning = meaning_of(key) if key else None
    if careful and meaning is not None and meaning.strength is Strength.CREDENTIAL:
        meaning = Meaning(meaning.kind, Strength.RANDOM)
    text = value.strip()  # a line break at the end comes from the file that a value was read from
    if meaning is not None and "\n" not in text and is_secret_literal(text, key or "", meaning.strength):
        return (Found(meaning.kind, text),)
    if text.startswith(_ENCODED) and (plain := decoded(text)) is not text and (held := _search(plain)):
        return (*held, *(Found(kind, text) for kind in dict.fromkeys(found.kind for found in held)))
    if len(value) < _SHORT and "@" not in value and "=" not in value:
        return ()
    return () if harmless_match()(value) is not None else _search(value)


def find_forms(text: str) -> tuple[Found, ...]:
    """Return the secrets in ``text`` that show by their own form, whatever stands around them: it may be a program."""
    return tuple(dict.fromkeys(Found(span.kind, text[span.start : span.end]) for span in find_formats(text)))


def may_hold(key: str, value: str) -> bool:
    """Return whether a look at ``value`` is worth while: a quick answer, never a wrong no.

    The answer is no for a value of :data:`HARMLESS` under a key of :data:`MEANINGLESS`: whoever asks very often need
    not call for these.
    """
    says_nothing = key in MEANINGLESS or _says_nothing(key)
    if len(value) < _SHORT and "@" not in value and "=" not in value:
        if says_nothing or len(value) < _SHORTEST:
            _remember(HARMLESS, value)
            return False
        return True
    if value not in HARMLESS:
        if harmless_match()(value) is None and not _is_harmless_prose(value):
            return True
        _remember(HARMLESS, value)
    return not says_nothing


def _says_nothing(key: str) -> bool:
    if key and meaning_of(key) is not None:
        return False
    _remember(MEANINGLESS, key)
    return True


def _remember(texts: set[str], text: str) -> None:
    if len(text) <= _REMEMBERED:
        if len(texts) >= _REMEMBERED_TEXTS:
            texts.clear()
        texts.add(text)


def _is_harmless_prose(value: str) -> bool:
    """Return whether several short words, as in a description, neither name a secret nor hold its form."""
    return (
        " " in value
        and len(value) <= _REMEMBERED
        and harmless_document()(value) is not None
        and not value.startswith(_ENCODED)
        and not tells(value)
    )


def _search(value: str) -> tuple[Found, ...]:
    spans = find_formats(value)
    if "=" in value or ":" in value or "<" in value or " " in value:
        spans.extend(find_in_text(value))
    return tuple(dict.fromkeys(Found(span.kind, value[span.start : span.end]) for span in spans))


def looks_random(key: str, value: str) -> bool:
    """Return whether the text looks generated under a name that says nothing of it.

    Hashes, ids and public keys look the same: this is worth a second look and no more.
    """
    return (
        _random().match(value) is not None
        and not (len(value) in _DIGEST_LENGTHS and _digest().match(value) is not None)
        and looks_generated(value, least=20)
        and not is_reference(value)
        and not is_placeholder(value)
        and not is_path(value)
        and _PUBLIC_WORDS.isdisjoint(words_of(key))
    )


@cache
def _random() -> re.Pattern[str]:
    return re.compile(_RANDOM)


@cache
def _digest() -> re.Pattern[str]:
    return re.compile(_DIGEST)
