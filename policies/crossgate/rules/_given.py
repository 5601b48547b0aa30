"""Whether a program sets a property, where it may fill in every one and leave blank what it does not mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import FALSE

if TYPE_CHECKING:
    from crossgate import Truth, Value


def is_given(value: Value) -> Truth:
    """Is something set here? An empty text is nothing, as it is for the bridged providers; an unknown is something."""
    return FALSE if value.is_text and not value.text() else value.exists()
