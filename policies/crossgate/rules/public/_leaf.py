"""Asks a single value, and trusts what it was computed from only where that can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from crossgate import Truth, Value


def test(item: Value, predicate: Callable[[Any], bool], *, never_from: tuple[str, ...]) -> Truth:
    """Return whether ``predicate`` holds for ``item``, knowing that no output of ``never_from`` makes it true.

    That settles an unknown which is an output itself, such as the ARN of a role in a list of principals. A value that
    is unknown because what it stands in is unknown proves nothing: a whole policy text that was computed from a
    bucket's name alone can hold any principal.
    """
    is_output = item.is_unknown and item.exists().is_true
    return item.test(predicate, never_from=never_from if is_output else ())
