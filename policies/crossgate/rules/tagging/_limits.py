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

    def __hash__(self) -> int:
        """Return one by identity: there are few, and a hash of every field costs more than a look at a tag."""
        return id(self)


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


def are_sound(tags: object, limits: Limits) -> bool:
    """Return whether there are no tags, or a plain map of them without a fault: a quick answer, never a wrong yes."""
    if tags is None:
        return True
    if type(tags) is not dict or len(tags) > limits.most:
        return False
    return all(type(value) is str and _is_sound(key, value, limits) for key, value in tags.items())


@lru_cache(maxsize=8192)
def _is_sound(key: str, value: str, limits: Limits) -> bool:
    return not any(faults_of_key(key, limits)) and not any(faults_of_value(value, limits))


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
