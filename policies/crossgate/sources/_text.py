"""From bytes to a JSON document, with one clear line for each way in which that fails."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NoReturn

from crossgate.sources._foreign import describe, is_event_log
from crossgate.sources._source import SourceError

if TYPE_CHECKING:
    from pathlib import Path

_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
"""Byte order marks, the longer ones first. Windows PowerShell 5 writes UTF-16 with one when output is redirected:
https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding
"""

NO_JSON: Final = "not JSON"
EMPTY: Final = "empty: the command that should have written it did not"
CUT_OFF: Final = "not complete JSON: the file is cut off"
NOT_UTF8: Final = "not UTF-8 text"
TOO_DEEP: Final = "nested too deeply to be a file of the engine"
TEXT_BEFORE: Final = "text stands before the JSON: was standard error redirected into the file?"
SEVERAL: Final = "text stands after the JSON document"


def read_bytes(path: Path) -> bytes:
    """Return the content of the file at ``path``.

    Raises:
        SourceError: it cannot be read; the text says why.

    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SourceError("there is no such file") from None
    except IsADirectoryError:
        raise SourceError("a folder, not a file") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a null byte
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a path"
        raise SourceError(f"cannot be read: {reason.lower()}") from None


def decode(content: bytes) -> str:
    """Return the text of a file: UTF-8, or whatever its byte order mark announces.

    Raises:
        SourceError: it is neither.

    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            try:
                return str(memoryview(content)[len(mark) :], encoding)
            except UnicodeDecodeError:
                raise SourceError(f"not the {encoding.upper()} text that its first bytes announce") from None
    if b"\0" in content[:4]:  # UTF-16 or UTF-32 without its mark; no JSON text of ours begins so
        raise SourceError(NOT_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise SourceError(NOT_UTF8) from None


def parse(text: str) -> Any:
    """Return the JSON document that ``text`` is.

    Raises:
        SourceError: it is none. The text never repeats any of the file's.

    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise SourceError(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise SourceError(_why_no_json(text, error)) from None
    except ValueError:  # a number with more digits than Python converts
        raise SourceError(f"{NO_JSON}: a number with too many digits") from None


def _refuse_constant(name: str) -> NoReturn:
    raise SourceError(f"{NO_JSON}: {name} is no number there")


def _why_no_json(text: str, error: json.JSONDecodeError) -> str:
    start = text.lstrip()
    if not start:
        return EMPTY
    at_end = not text[error.pos :].strip() or error.msg.startswith("Unterminated string")
    if start[0] in "{[":
        if error.msg == "Extra data":
            first, _ = json.JSONDecoder().raw_decode(start)
            return describe(first) if is_event_log(first) else SEVERAL
        return CUT_OFF if at_end else f"{NO_JSON}: line {error.lineno}, column {error.colno}"
    if "\n{" in text:
        return TEXT_BEFORE
    return NO_JSON
