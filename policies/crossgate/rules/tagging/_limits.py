"""What each cloud takes as a tag or a label: how many, how long, and of which characters.

Sources:
    https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
    https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations
    https://cloud.google.com/resource-manager/docs/labels-overview
    https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Limits(NamedTuple):
    """What one cloud, or a kind of resource there, takes."""

    noun: str
    most: int
    key_length: int
    value_length: int
    key_form: str
    """Regular expression of a whole key."""
    key_words: str
    """What the form asks, for people."""
    value_form: str = ""
    value_words: str = ""
    reserved: tuple[str, ...] = ()
    """Beginnings of keys, in lower case, that the cloud keeps for itself."""


_ANY: Final = r"(?s:.+)"
_AWS_TEXT: Final = r"[\w\s.:/=+@-]*"
_AWS_WORDS: Final = "letters, digits, spaces and _ . : / = + - @ alone"
_AWS: Final = Limits("tag", 50, 128, 256, _ANY, "one character at least", reserved=("aws:",))
_AWS_STRICT: Final = _AWS._replace(
    key_form=_AWS_TEXT, key_words=_AWS_WORDS, value_form=_AWS_TEXT, value_words=_AWS_WORDS
)
_AZURE: Final = Limits("tag", 50, 512, 256, r"[^<>%&\\?/]+", "none of < > % & \\ ? /")
_GCP: Final = Limits(
    "label",
    64,
    63,
    63,
    r"(?:[^\W\d_])(?:\w|-)*",
    "a small letter first, then small letters, digits, _ and - alone",
    r"(?:\w|-)*",
    "small letters, digits, _ and - alone",
    ("goog-",),
)
_NAME: Final = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?"
_DOMAIN: Final = r"(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?/)?"
KUBERNETES: Final = Limits(
    "label",
    1 << 20,
    317,
    63,
    _DOMAIN + _NAME,
    "[domain/]name with a name of at most 63 letters, digits, - _ and ., a letter or a digit at both ends",
    rf"(?:{_NAME})?",
    "letters, digits, - _ and . alone, with a letter or a digit at both ends",
)
_REMEMBERED: Final = 4096
_STRICT_MODULES: Final = frozenset({"batch", "ecs", "emrserverless", "iam", "rds", "s3"})
_AZURE_FEW: Final = frozenset({"automation", "cdn", "dns", "privatedns"})


@lru_cache(maxsize=1024)
def limits_of(token: str, cloud: str) -> Limits:
    """Return what holds for resources of a type."""
    module = token.split(":")[1].partition("/")[0]
    if cloud == "azure":
        limits = _AZURE._replace(most=15) if module in _AZURE_FEW else _AZURE
        return limits._replace(key_length=128) if module == "storage" else limits
    if cloud == "gcp":
        return _GCP
    limits = _AWS_STRICT if module in _STRICT_MODULES else _AWS
    return limits._replace(most=10) if module == "s3" and "ject" in token else limits


class Known:
    """The tags of which it is known that one kind of resource takes them: most resources have the same few."""

    __slots__ = ("_keys", "_limits", "_longest", "_values")

    def __init__(self, limits: Limits) -> None:
        """Know nothing yet of what ``limits`` take."""
        self._limits = limits
        self._longest = 0 if limits.value_form else limits.value_length
        """Characters up to which any value is taken."""
        self._keys: set[str] = set()
        self._values: set[str] = set()

    def has_all(self, tags: object) -> bool:
        """Return whether there are no tags, or a plain map of them without a fault: a quick answer, no wrong yes."""
        if tags is None:
            return True
        if type(tags) is not dict or len(tags) > self._limits.most:
            return False
        keys, values = self._keys, self._values
        for key, value in tags.items():
            if type(value) is not str:
                return False
            if key not in keys and not _learned(keys, key, faults_of_key(key, self._limits)):
                return False
            is_sound = len(value) <= self._longest or value in values
            if not is_sound and not _learned(values, value, faults_of_value(value, self._limits)):
                return False
        return True


def _learned(sound: set[str], text: str, faults: Iterator[str]) -> bool:
    """Return whether there are no faults; then the text is remembered as sound."""
    if any(faults):
        return False
    if len(sound) >= _REMEMBERED:
        sound.clear()
    sound.add(text)
    return True


@lru_cache(maxsize=1024)
def known_to(token: str, cloud: str) -> Known:
    """Return what is known of the tags of resources of a type."""
    return Known(limits_of(token, cloud))


def faults_of_key(key: str, limits: Limits) -> Iterator[str]:
    """Yield what is wrong with a key."""
    if not key:
        yield "has no key"
        return
    if len(key) > limits.key_length:
        yield f"has a key of {len(key)} characters, at most {limits.key_length} are taken"
    if key.lower().startswith(limits.reserved):
        yield f"has a key that begins as those kept for the cloud itself do, {limits.reserved[0]}"
    elif not _fits(limits.key_form, key) or (limits is _GCP and key != key.lower()):
        yield f"has a key of another form: {limits.key_words}"


def faults_of_value(value: str, limits: Limits) -> Iterator[str]:
    """Yield what is wrong with a value."""
    if len(value) > limits.value_length:
        yield f"has a value of {len(value)} characters, at most {limits.value_length} are taken"
    elif limits.value_form and (not _fits(limits.value_form, value) or (limits is _GCP and value != value.lower())):
        yield f"has a value of another form: {limits.value_words}"


def _fits(form: str, text: str) -> bool:
    return re.fullmatch(form, text) is not None
