"""How a required key, and a value, is spelled in each cloud, and which other key was probably meant to be it.

Sources:
    https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html (keys are case-sensitive)
    https://cloud.google.com/resource-manager/docs/labels-overview (lower case, digits, ``_``, ``-``)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ANY_KEY: Final = "*"
_TYPO_FROM: Final = 4
"""Letters and digits from which one wrong letter makes a typo; ``env`` and ``end`` are two words."""


class Required(NamedTuple):
    """A tag that is asked for, as one cloud spells it."""

    key: str
    values: Sequence[str] | None = None
    pattern: str | None = None
    ignore_case: bool = False

    def allows(self, value: Any) -> bool:
        """Return whether a tag's known value is allowed."""
        text = _text_of(value)
        if self.values is not None and text not in self.values:
            return False
        flags = re.IGNORECASE if self.ignore_case else 0
        return self.pattern is None or re.fullmatch(self.pattern, text, flags) is not None

    @property
    def is_restricted(self) -> bool:
        """Return whether not every value is allowed."""
        return self.values is not None or self.pattern is not None


def required(tags: Iterable[Any], cloud: str) -> Iterator[Required]:
    """Yield what the parameter ``tags`` asks for in ``cloud``: keys, or objects with what is asked of their values."""
    lower = cloud == "gcp"
    for tag in tags:
        if isinstance(tag, str):
            yield Required(label_text(tag) if lower else tag)
            continue
        key, values = tag["key"], tag.get("values")
        spelled = tag.get(cloud) or (label_text(key) if lower else key)
        if lower and values is not None:
            values = [label_text(value) for value in values]
        yield Required(spelled, values, tag.get("pattern"), lower)


@lru_cache(maxsize=256)
def label_text(text: str) -> str:
    """Return ``text`` as a Google Cloud label can hold it: ``Cost Center`` is ``cost_center``."""
    return text if text == ANY_KEY else re.sub(r"[^\w-]", "_", text.lower())


def near_misses(key: str, others: Iterable[str]) -> list[str]:
    """Return those of ``others`` that differ from ``key`` in case or punctuation alone, or by one typing error."""
    bare = _bare(key)
    return sorted(
        other
        for other in others
        if (there := _bare(other)) == bare or (len(bare) >= _TYPO_FROM and _is_typo(bare, there))
    )


@lru_cache(maxsize=4096)
def _bare(key: str) -> str:
    return "".join(filter(str.isalnum, key.casefold()))


def _is_typo(one: str, other: str) -> bool:
    """Return whether one letter is missing, too many, wrong, or two neighbours have changed places."""
    if abs(len(one) - len(other)) > 1:
        return False
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    rest, there = one[same:], other[same:]
    if rest[1:] == there[1:] or rest[1:] == there or rest == there[1:]:
        return True
    return rest[2:] == there[2:] and rest[:2] == there[1::-1]


def _text_of(value: Any) -> str:
    """Return a tag's value as the provider writes it; numbers and switches are given without quotes now and then."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
