"""Where the command's words go: standard output, standard error, files. The one place that makes them safe to show."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from crossgate.gate.errors import CannotJudgeError
from crossgate.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crossgate.gate.output import OutputFile

PIPE_WIDTH: Final = 100
"""Columns of text that goes to no terminal: the same report everywhere."""
_NARROWEST: Final = 40

BOLD: Final = "1"
DIM: Final = "2"
RED: Final = "31"
GREEN: Final = "32"
YELLOW: Final = "33"


class View(NamedTuple):
    """How text is shown."""

    width: int = PIPE_WIDTH
    color: bool = False
    verbose: bool = False


class Span(NamedTuple):
    """Words in one style: ANSI's numbers, joined by semicolons."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


def harmless(text: str) -> str:
    """Return ``text`` with everything escaped that does not simply show as a character.

    Names come from programs and files: control characters, terminal sequences, and marks that turn the direction of
    writing would show a reader something else than what is there.
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def painted(lines: Iterable[Line], *, color: bool) -> str:
    """Return the lines as text that is harmless to a terminal and to the log of a CI system."""
    return "".join(f"{_painted(line, color=color)}\n" for line in lines)


def _painted(line: Line, *, color: bool) -> str:
    spans = [Span(harmless(span.text).replace("##[", "#\\#["), span.style) for span in line]
    text = "".join(span.text for span in spans)
    if text.lstrip().startswith(("::", "##")):
        # Such a line is a command to a runner, even when it is indented:
        # https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
        # https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
        indent = len(text) - len(text.lstrip())
        return f"{text[:indent]}\\{text[indent:]}"
    if not color:
        return text.rstrip()
    return "".join(f"\x1b[{span.style}m{span.text}\x1b[0m" if span.style else span.text for span in spans)


def wrapped(spans: Iterable[Span], width: int, indent: int = 0, hanging: int | None = None) -> Iterator[Line]:
    """Yield the words of ``spans`` in lines of ``width`` columns, all but the first indented by ``hanging``.

    Words stay whole, even those that are longer than a line: URNs and paths are there to be copied.
    """
    line: list[Span] = []
    used = start = indent
    for span in spans:
        for space, word in _WORDS.findall(span.text):
            gap = space if line else ""
            if line and used + len(gap) + len(word) > width:
                yield (Span(" " * start), *line)
                start = indent if hanging is None else hanging
                line, used, gap = [], start, ""
            if line and line[-1].style == span.style:
                line[-1] = Span(line[-1].text + gap + word, span.style)
            else:
                line.append(Span(gap + word, span.style))
            used += len(gap) + len(word)
    yield (Span(" " * start), *line)


_WORDS: Final = re.compile(r"(\s*)(\S+)")


class Console:
    """The streams of the process, and the files that reports go to."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        """Use the given streams, or those of the process."""
        self.redact = Redactor()
        """All that leaves passes it; whoever reads an input tells it the secrets there."""
        self._out = sys.stdout if out is None else out
        self._err = sys.stderr if err is None else err
        for stream in (self._out, self._err):
            if hasattr(stream, "reconfigure"):  # a name that the terminal's encoding lacks must not end the command
                stream.reconfigure(errors="backslashreplace")

    def view(self, *, verbose: bool = False, color: bool = True) -> View:
        """Return how standard output shows text: colour on a terminal alone, unless NO_COLOR forbids it."""
        if self._out is None or not self._out.isatty():
            return View(verbose=verbose)
        plain = not color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        try:
            width = os.get_terminal_size(self._out.fileno()).columns
        except OSError:
            width = 0
        return View(max(width, _NARROWEST) if width else PIPE_WIDTH, not plain, verbose)

    @staticmethod
    def file_view(*, verbose: bool = False) -> View:
        """Return how a file shows text."""
        return View(verbose=verbose)

    def write(self, text: str) -> None:
        """Write to standard output.

        Raises:
            CannotJudgeError: it cannot be written. A closed pipe is no error: its reader has seen enough.

        """
        if self._out is None:
            raise CannotJudgeError("there is no standard output to write to")
        try:
            self._out.write(self.redact(text))
        except BrokenPipeError:
            pass
        except OSError as error:
            raise CannotJudgeError(f"the output cannot be written: {reason(error)}") from None

    def write_file(self, file: OutputFile, text: str) -> None:
        """Write a report's file.

        Raises:
            CannotJudgeError: it cannot be written.

        """
        file.write(self.redact(text))

    def say(self, text: str) -> None:
        """Write a line to standard error; nothing when there is none."""
        if self._err is not None:
            try:
                self._err.write(painted([(Span(f"crossgate: {self.redact(text)}"),)], color=False))
                self._err.flush()
            except OSError:
                pass


def reason(error: Exception) -> str:
    """Return why a file could not be used, in the system's words."""
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else "not a path"
