"""What the name of a property, variable or parameter says about its value: a secret, the name of one, or nothing.

A name is read as English reads it: the noun at the end decides. ``DB_PASSWORD`` is a password, ``db_password_file`` a
file, ``passwordMinLength`` a length. Names repeat a lot, so each is read once.
"""

from __future__ import annotations

import enum
import re
from functools import cache, lru_cache
from typing import Final, NamedTuple


class Strength(enum.Enum):
    """How much the name asks of the value."""

    PASSWORD = "a password"
    """Anything that stands here literally is the secret, however simple."""
    CREDENTIAL = "a credential"
    """A literal is the secret, unless it reads like a name, a mode or prose."""
    RANDOM = "random"
    """Only a literal that looks generated is a secret: ``oktaKey``, ``token_prod``."""


class Meaning(NamedTuple):
    """What a name says."""

    kind: str
    """Words for people: ``a password``."""
    strength: Strength


_WORD: Final = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+"

_PASSWORD: Final = ("a password", Strength.PASSWORD)
_SECRET: Final = ("a secret", Strength.CREDENTIAL)
_TOKEN: Final = ("a token", Strength.CREDENTIAL)
_API_KEY: Final = ("an API key", Strength.CREDENTIAL)
_KEY: Final = ("a secret key", Strength.CREDENTIAL)
_SECRET_ACCESS_KEY: Final = ("a secret access key", Strength.CREDENTIAL)
_PRIVATE_KEY: Final = ("a private key", Strength.CREDENTIAL)
_CREDENTIALS: Final = ("credentials", Strength.CREDENTIAL)

_NOUNS: Final[dict[str, tuple[str, Strength]]] = {
    "password": _PASSWORD,
    "passwd": _PASSWORD,
    "pwd": _PASSWORD,
    "pass": _PASSWORD,
    "pw": _PASSWORD,
    "passphrase": _PASSWORD,
    "passcode": _PASSWORD,
    **dict.fromkeys("passwort kennwort senha contrasena wachtwoord motdepasse parola haslo heslo".split(), _PASSWORD),
    "secret": _SECRET,
    "token": _TOKEN,
    "jwt": _TOKEN,
    "bearer": _TOKEN,
    "pat": ("a token", Strength.RANDOM),
    "apikey": _API_KEY,
    "secretkey": _KEY,
    "accesskey": _KEY,
    "masterkey": _KEY,
    "authkey": _KEY,
    "privatekey": _PRIVATE_KEY,
    "credential": _CREDENTIALS,
    "credentials": ("credentials", Strength.RANDOM),
    "creds": ("credentials", Strength.RANDOM),
    "cred": ("credentials", Strength.RANDOM),
    "auth": ("credentials", Strength.RANDOM),
    "oauth": ("credentials", Strength.RANDOM),
    "authorization": _CREDENTIALS,
    "dockerconfigjson": ("registry credentials", Strength.RANDOM),
    "dockercfg": ("registry credentials", Strength.RANDOM),
    "secretkeybase": _KEY,
}
"""Nouns of one word. A word that ends in one of them counts too: ``pgpassword``, ``authtoken``."""
_ENDINGS: Final = (
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
)
_KEY_KINDS: Final[dict[str, tuple[str, Strength]]] = {
    "api": _API_KEY,
    "secret": _KEY,
    "access": ("an access key", Strength.CREDENTIAL),
    "private": _PRIVATE_KEY,
    **dict.fromkeys(
        (
            "account admin app application auth client cluster deploy encryption function functions hmac ingest "
            "ingestion integration license license master registration sas service session shared signing storage "
            "subscription token webhook write"
        ).split(),
        _KEY,
    ),
}
"""``<word> key`` and what it is."""
_PLAIN_KEYS: Final = frozenset(
    "bucket cache column config cookie data dedup dict feature field flag foreign form format group hash header host "
    "i18n id idempotency image index instrumentation item join json key kms cmk label list lookup map message meta "
    "metadata name natural object order param parameter partition path primary pub public query range redis registry "
    "route routing row s3 schema selector sequence setting site sort ssh store surrogate tag translation unique user "
    "vault yaml".split()
)
"""``<word> key`` that is no credential: a database's, a map's, a public one, a reference to a key."""
_ATTRIBUTES: Final = frozenset(
    "active age algo algorithm allow allowed api arn arns attempt attempts audience authentication authority "
    "backend bucket bytes cert certificate change changed char character characters check class client code "
    "config configmap configuration confirm confirmation container count created credential criteria days "
    "description digest dir directory disable disabled domain driver duration email enable enabled encoding "
    "endpoint engine env error etag event exists expiration expire expired expires expiry field fields file "
    "filename fingerprint folder format from function generator group groups hash hashed hashes header help hint "
    "history host hostname hours id identifier ids index info interval issuer key keys kid kind label labels last "
    "length lengths level lifetime limit limits link list location login lookup manager map max maximum message "
    "metadata method min minimum minutes mode module mount name names namespace number object operation operator "
    "option options owner param parameter parameters params path paths pattern period pin placeholder plugin "
    "policies policy port ports prefix property protection provider purpose queue reader ref reference references "
    "refresh regex region repo repository request required requirement requirements requires reset resource "
    "retention review reviewer role rotate rotated rotation rule rules scope scopes seconds selector server "
    "service setting settings signature size source spec status store strategy strength subject suffix sync table "
    "tag tags target template text time timeout timestamp title ttl type types update updated uri uris url urls "
    "usage use used user username users valid validate validation validator validity var variable verification "
    "verify version versions volume webhook window wo".split()
)
"""Nouns after which a name means something *about* a secret, or where it is kept."""
_NEUTRAL: Final = frozenset(
    "value values plain plaintext raw data default prod production dev development stage staging test testing uat qa "
    "live old new current previous primary secondary base pem b64 base64 decoded string main temp tmp long short "
    "backup master slave read write ro rw".split()
)
"""Words after the noun that leave its meaning alone: ``PASSWORD_PROD``, ``private_key_pem``."""
_QUALIFIERS: Final = frozenset(
    "public pub csrf xsrf allow allows enable enabled disable disabled use uses has is require requires required "
    "max min num count total enforce ignore skip show hide forgot forgotten reset expired expires invalid wrong "
    "validate generate rotate automount force supports without missing publishable hashed encrypted sealed "
    "existing".split()
)
"""Words before the noun that make it a switch, a count, a label or something public."""
_BUNDLE: Final = (
    r"BUNDLE_(?!(?:BUILD|LOCAL|MIRROR|FLIPPER)__)[A-Z0-9]+(?:_{2,3}[A-Z0-9]+)*__(?:COM|ORG|NET|IO|DEV|APP)\Z"
)
"""Bundler's credentials for the host of a gem source (https://bundler.io/man/bundle-config.1.html)."""


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def words_of(text: str) -> list[str]:
    """Return the words of a name in lower case: ``dbPassword``, ``DB_PASSWORD`` and ``db-password`` are the same."""
    return [word.lower() for word in _pattern(_WORD).findall(text)]


@lru_cache(maxsize=8192)
def meaning_of(name: str) -> Meaning | None:
    """Return what ``name`` says about its value; None when it says nothing, or that it is something public."""
    words = words_of(name[-120:].replace("ñ", "n"))
    if _pattern(_BUNDLE).match(name) is not None:
        return Meaning(*_CREDENTIALS)
    while words and (words[-1].isdigit() or words[-1] in _NEUTRAL) and len(words) > 1:
        if words[-1] == "master" and words[-2] == "key":
            break
        words.pop()
    if not words or not _QUALIFIERS.isdisjoint(words):
        return None
    for place in range(len(words) - 1, -1, -1):
        found = _noun(words, place)
        if found is not None:
            kind, strength = found
            return Meaning(kind, strength if place == len(words) - 1 else Strength.RANDOM)
        if words[place] in _ATTRIBUTES:
            return None
    return None


def _noun(words: list[str], place: int) -> tuple[str, Strength] | None:
    """Return what the word at ``place`` says, together with the word before it."""
    word = words[place]
    before = words[place - 1] if place else ""
    if before.isdigit() and place > 1:
        before = words[place - 2] + before  # s3_key
    if word in {"key", "keys"}:
        if before == "access" and "secret" in words[:place]:
            return _SECRET_ACCESS_KEY
        if before in _KEY_KINDS:
            return _KEY_KINDS[before]
        last = place == len(words) - 1
        return ("a key", Strength.RANDOM) if last and before and before not in _PLAIN_KEYS and word == "key" else None
    if word in _NOUNS:
        return _NOUNS[word]
    if word == "passe" and words[max(0, place - 2) : place] == ["mot", "de"]:
        return _PASSWORD
    for ending in _ENDINGS:
        if word.endswith(ending):
            return _NOUNS[ending]
    return None
