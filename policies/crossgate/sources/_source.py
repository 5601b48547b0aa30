"""What a file holds, whichever kind of file it is."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

from crossgate.model import Stack

if TYPE_CHECKING:
    from collections.abc import Mapping


class SourceError(Exception):
    """A file that cannot be judged. The text is one line: what is the matter, and what to do; never a value."""


class Kind(enum.Enum):
    """The kinds of files that can be judged."""

    PREVIEW = "preview"
    """What ``pulumi preview --json`` writes: the stack as it will be."""
    STATE = "state"
    """What ``pulumi stack export`` writes: the stack as it is."""


class Unjudged(NamedTuple):
    """What stands in a file and is not judged, and what the file leaves out."""

    reads: tuple[str, ...] = ()
    """URNs of resources that the program only reads: another stack, or a person, manages them."""
    deleted: int = 0
    """Resources that will be gone, or are already on their way out."""
    pending: int = 0
    """Operations that an interrupted update began: what became of them is not known."""
    unseen: int = 0
    """Unchanged resources that are not in the file."""


class Source(NamedTuple):
    """A file's content as the model has it."""

    kind: Kind
    stack: Stack
    name: str
    """The stack's name, such as ``dev``; empty where no URN tells it."""
    project: str
    config: Mapping[str, str]
    """The stack's configuration by full key, such as ``aws:region``; a secret one is ``[secret]``. Empty in a state."""
    unjudged: Unjudged
    holds_marks: bool
    """The file can hold a value that is marked secret and readable."""
    changes: int = 0
    """Resources that the update creates, changes, replaces or imports; a state changes nothing."""
