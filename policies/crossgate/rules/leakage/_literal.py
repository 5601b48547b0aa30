"""What a text is when it is no secret: a reference, a placeholder, a name, a path, prose. And what looks generated."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from typing import Final

from crossgate.rules.leakage._key_meaning import Strength, meaning_of, words_of

_LONGEST: Final = 4096
"""Characters of a text that are looked at to tell what it is."""

_MODES: Final = frozenset(
    "true false yes no on off none null nil undefined void empty required optional read write enabled disabled "
    "enable disable default auto automatic always never managed manual basic bearer digest oauth oauth2 oidc saml jwt "
    "ldap iam plain plaintext env file vault kubernetes string text number boolean secretsmanager secretmanager "
    "unset n/a na tbd tba any all opaque inherit prompt interactive random generated changed unchanged".split()
)
"""Words that a switch or a mode takes."""
_REFERENCE: Final = (
    r"\$\{|\$\(|\$\w+\Z|\{\{|\{\.|\{\w+\}|<%|%\{|#\{|@\{|@[\w.]+\(|%\w+%\Z"  # templates and substitutions
    r"|\{?resolve:|!\w+[ \[]|Fn::"  # CloudFormation
    r"|arn:|urn:|projects/[^/]+/(?:secrets|locations|serviceAccounts)/|/?subscriptions/"  # ids of the clouds
    r"|ref\+|vault:|op://|secret://|secretref:|keyvaultref:|sm://|ssm:|ssmps:|gcpsm:|akv:|env:|file:|kms:|pulumi:"
    r"|<path:|ENC\["  # plug-ins of other tools, SOPS
    r"|\$(?:\d|2[abxy]|y|gy|apr1|argon2\w*|pbkdf2\w*|sha1|md5)\$"  # a hash of the secret
)
"""How a text begins that points at a secret, or proves one, instead of being one."""
_EXPRESSION: Final = (
    r"(?:var|local|data|module|each|self|secrets|vars|inputs|parameters|process\.env|os\.environ|env|steps|github|"
    r"config|props|context|args|values|settings)\.[A-Za-z_][\w.\-\[\]\"'*]*\Z"  # a variable of some language
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(.*\)\Z"  # a call
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\[[^\]]*\][\]})\w.\"']*\Z"  # an element
    r"|[^?]* \? [^:]* : .*\Z|[^=!&|]* (?:===?|!==?|&&|\|\|) .*\Z"  # a condition
)
_DOTTED: Final = r"[A-Za-z_]+\d{0,2}(?:\.[A-Za-z_*]+\d{0,2}|\.\d{1,2})+\Z"
_PLACEHOLDER: Final = (
    r"(?i)[<\[{(].*[>\])}]\Z"  # <token>, [PASSWORD], {token}
    r"|\W*\Z"  # ********
    r"|.*(?:x{5}|\*{4}|\.{4}|_{4})"
    r"|.*(?:\b|_)(?:your|my-?own|insert|replace|enter|redacted|placeholder|dummy|todo|fixme|tbd|changeit)(?:\b|_)"
    r"|.*change[-_ ]?(?:me|this)|.*[-_ ]here\Z|.*fake|.*(?:\b|_)example(?:\b|_).*[-_ ]"
)
_PATH: Final = r"(?:[\w.~-]+|[A-Za-z]:)?(?:[/\\][\w.@+ -]+)+[/\\]?\Z"
_FILE: Final = (
    r"[\w./\\-]+\.(?:pem|key|crt|cer|cert|p12|pfx|p8|jks|json|ya?ml|txt|env|conf|cfg|ini|toml|properties|sh)\Z"
)
_CONSTANT: Final = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z"
_SLUG: Final = r"[a-z][a-z0-9]*(?:[-_./][a-z0-9]+)+\Z"
_MODE: Final = r"[a-z]{1,15}\Z|[A-Z]+(?:_[A-Z]+)*\Z"
_UUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z"
_URL: Final = r"[A-Za-z][A-Za-z0-9+.-]*://"
_SENTENCE: Final = (
    r"(?=[^\W\d_])[^a-z\s]\S*(?:[ ][^\W\d_]+(?:'\w+)?)+[.:?!…]?\Z|(?=[^\W\d_])[^a-z\s]\S*(?:[ ]\S+){3,}\Z"
)
"""Labels and messages: they begin with a capital, which phrases that serve as passwords do not."""
_LABEL: Final = r"[^\W\d_]+[:?…]\Z"
_TOKEN: Final = r"(?:(?:[Bb]asic|[Bb]earer|[Tt]oken) )?[^\s\"]+\Z"
"""No token holds a space or a quote."""
_WORDS: Final = r"(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+|\d{1,4}+(?!\d)|[-_./:@+=]|(?<![A-Za-z0-9])[A-Za-z](?![A-Za-z0-9]))++\Z"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.DOTALL)


def _is(pattern: str, text: str) -> bool:
    return _pattern(pattern).match(text) is not None


def is_reference(value: str) -> bool:
    """Return whether the text points at something instead of being it: a template, an ARN, a vault path."""
    value = value[:_LONGEST]
    return _is(_REFERENCE, value) or _is(_EXPRESSION, value)


def is_placeholder(value: str) -> bool:
    """Return whether the text only keeps a place: ``<token>``, ``xxxxxxxx``, ``YOUR_KEY_HERE``."""
    kinds = len(set(value))
    return kinds < 3 or (kinds < 5 and len(value) >= 20) or _is(_PLACEHOLDER, value[:_LONGEST])


def is_secret_literal(value: str, key: str, strength: Strength) -> bool:
    """Return whether ``value``, standing under a name of this ``strength``, is a secret in clear.

    Args:
        value: the text, without surrounding space.
        key: the name it stands under.
        strength: what the name says.

    """
    if len(value) < 4 or value.lower() in _MODES or (value.isdigit() and len(value) < 6):
        return False
    if is_reference(value) or is_placeholder(value) or _names_something(value[:_LONGEST], key):
        return False
    if strength is Strength.PASSWORD:
        return True
    if not _is(_TOKEN, value):
        return False
    return looks_generated(value) if strength is Strength.RANDOM else not _is_name(value)


def _names_something(value: str, key: str) -> bool:
    """Return whether the text is a path, a URL, prose, or repeats its own key."""
    if _is(_URL, value) or _is(_FILE, value):
        return True
    if is_path(value):
        return True
    if (" " in value and _is(_SENTENCE, value)) or _is(_LABEL, value):
        return True
    own = words_of(value)
    return own == words_of(key) or (_is(_CONSTANT, value) and any(meaning_of(word) is not None for word in own))


def is_path(value: str) -> bool:
    """Return whether the text is the path of a file or of a parameter, no part of which looks generated."""
    value = value[:_LONGEST]
    return ("/" in value or "\\" in value) and _is(_PATH, value) and not _has_generated_part(value)


def is_dotted(value: str) -> bool:
    """Return whether the text is a name of several parts: ``event.request.password``."""
    return _is(_DOTTED, value[:_LONGEST])


def _is_name(value: str) -> bool:
    """Return whether the text is an identifier: ``my-app-secret``, ``aws_vault.main.token``, ``AWS_IAM``."""
    if _is(_DOTTED, value) or _is(_MODE, value):
        return True
    return _is(_SLUG, value) and not _is(_UUID, value) and not _has_generated_part(value)


def _has_generated_part(value: str) -> bool:
    return any(looks_generated(part, least=12) for part in _pattern(r"[/\\.\-_ ]").split(value))


def looks_generated(value: str, *, least: int = 16) -> bool:
    """Return whether the text looks like the output of a generator: long, without words, of mixed characters."""
    if len(value) < least or " " in value or "\n" in value:
        return False
    value = value[:_LONGEST]
    if _is(_UUID, value):
        return True
    if _is(_WORDS, value) or is_sequence(value):
        return False
    return _entropy(value) >= (2.9 if len(value) < 24 else 3.2)


def _entropy(value: str) -> float:
    """Return Shannon's entropy in bits per character."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_DIGITS: Final = "0123456789"
_ALPHABETS: Final = (_LETTERS * 2 + _DIGITS * 2, _DIGITS * 2 + _LETTERS)


def is_sequence(value: str) -> bool:
    """Return whether the text runs through the alphabet or the digits."""
    plain = "".join(character for character in value.lower() if character.isalnum())
    return len(plain) > 5 and any(plain in alphabet for alphabet in _ALPHABETS)
