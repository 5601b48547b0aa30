"""Recognise a file by its content and read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossgate.redact import holds_marks
from crossgate.sources import _digest, _foreign, _state
from crossgate.sources._source import SourceError
from crossgate.sources._text import decode, parse, read_bytes

if TYPE_CHECKING:
    from crossgate.sources._source import Source


def load(content: Path | bytes | str, *, state: Path | bytes | str | None = None) -> Source:
    """Read a preview digest or a stack export.

    Args:
        content: the file's path, or what stands in it.
        state: for a digest, the export of the same stack: it fills in the unchanged resources that the digest leaves
            out.

    Raises:
        SourceError: the file cannot be judged; see there.

    """
    document, marks = _document(content)
    if _digest.is_digest(document):
        if state is None:
            return _digest.read(document, marks=marks)
        filling, more_marks = _filling(state)
        return _digest.read(document, filling, marks=marks or more_marks)
    if _state.is_state(document):
        if state is not None:
            raise SourceError("a stack export, which is complete: a state beside it has nothing to fill in")
        return _state.read(document, marks=marks)
    raise SourceError(_foreign.describe(document))


def _filling(content: Path | bytes | str) -> tuple[_state.State, bool]:
    """Return the state that completes a digest, and whether it can hold marks."""
    try:
        document, marks = _document(content)
        if _digest.is_digest(document):
            raise SourceError("a preview; wanted: what `pulumi stack export` writes")
        if not _state.is_state(document):
            raise SourceError(_foreign.describe(document))
        return _state.records(document), marks
    except SourceError as error:
        raise SourceError(f"the state beside it: {error}") from None


def _document(content: Path | bytes | str) -> tuple[Any, bool]:
    """Return the JSON document, and whether it can hold a value that is marked secret and readable."""
    text = (
        content if isinstance(content, str) else decode(read_bytes(content) if isinstance(content, Path) else content)
    )
    return parse(text), holds_marks(text)
