"""What ends the command with one clear line instead of a report."""

from __future__ import annotations

from typing import ClassVar


class GateError(Exception):
    """The command cannot go on. The text is one line; it never holds a property's value."""

    exit_code: ClassVar[int]


class UsageError(GateError):
    """Wrong usage or configuration: nothing was judged."""

    exit_code = 2


class CannotJudgeError(GateError):
    """Something that is needed to judge cannot be had: unreadable input, a pack that does not start."""

    exit_code = 3
