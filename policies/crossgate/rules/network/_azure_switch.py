"""Azure's switch for public network access, which is a boolean in one provider and a word in the other.

Sources:
    https://learn.microsoft.com/azure/private-link/network-security-perimeter-concepts
    https://learn.microsoft.com/azure/private-link/private-endpoint-overview
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import unknown
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from crossgate import Truth, Value

_PERIMETER: Final = "securedbyperimeter"


def is_off(switch: Value, *, absent: bool = False) -> Truth:
    """Is public network access switched off? A network security perimeter decides elsewhere, so that is unknown."""
    if says(switch, _PERIMETER).is_true:
        return unknown(switch.gap._replace(why="the rules of a network security perimeter decide"))
    return switch.test(_says_off, absent=absent)


def _says_off(content: object) -> bool:
    return content is False or (isinstance(content, str) and content.lower() in ("disabled", "false"))
