"""Streams, terminals, and what may be shown."""

import io
import os
import re
import struct
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from crossgate.gate.console import Console, Span, View, harmless, painted, wrapped
from crossgate.gate.errors import CannotJudgeError, UsageError
from crossgate.gate.output import OutputFile
from tests.gate.conftest import EXAMPLE, INSTALLED, LIMIT, ROOT


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain büro \N{PILE OF POO} 漢字", "plain büro \N{PILE OF POO} 漢字"),
        ("\x00\x07\x1b\x7f", r"\x00\x07\x1b\x7f"),
        ("\x85\x9b", r"\x85\x9b"),
        ("\u200e\u200f\u061c\u202a\u202e\u2066\u2069", r"\u200e\u200f\u061c\u202a\u202e\u2066\u2069"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\U000e0041", r"\U000e0041"),
        ("\ud83d", r"\ud83d"),
        ("", ""),
    ],
)
def test_only_what_shows_is_shown(text: str, shown: str) -> None:
    assert shown == harmless(text)
    assert harmless(text).isprintable()


def test_painting() -> None:
    line = (Span("a", "1"), Span(" b\x1b"))
    assert "a b\\x1b\n" == painted([line], color=False)
    assert "\x1b[1ma\x1b[0m b\\x1b\n" == painted([line], color=True)
    assert "\n" == painted([()], color=True)


def test_wrapping_keeps_words_whole() -> None:
    lines = [
        "".join(span.text for span in line) for line in wrapped([Span("one two " + "x" * 30 + " three")], 12, 2, 4)
    ]
    assert ["  one two", "    " + "x" * 30, "    three"] == lines


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError


@pytest.mark.parametrize(
    ("env", "options", "expected"),
    [
        ({}, {}, True),
        ({}, {"color": False}, False),
        ({"NO_COLOR": "1"}, {}, False),
        ({"NO_COLOR": ""}, {}, True),  # https://no-color.org: set and not empty
        ({"TERM": "dumb"}, {}, False),
    ],
)
def test_colours_only_where_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch, env: Mapping[str, str], options: dict[str, bool], expected: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert expected == Console(Terminal(), io.StringIO()).view(**options).color
    assert View(100, color=False) == Console(io.StringIO(), io.StringIO()).view(**options)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("columns", "widest"), [(120, 120), (60, 60), (10, 60)])
def test_a_terminal_gets_a_report_of_its_width(columns: int, widest: int) -> None:
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = os.environ | {"TERM": "xterm", "NO_COLOR": ""}
    process = subprocess.Popen([INSTALLED, "check", EXAMPLE], stdout=theirs, cwd=ROOT, env=env)
    os.close(theirs)
    output = b""
    with suppress(OSError):  # raised when the other end is closed
        while part := os.read(ours, 65536):
            output += part
    os.close(ours)
    assert 1 == process.wait(LIMIT)
    assert b"\x1b[1;31mBLOCKED\x1b[0m" in output
    lines = re.sub(r"\x1b\[[0-9;]*m", "", output.decode()).splitlines()
    assert max(map(len, lines)) <= widest
    assert max(map(len, lines)) > widest / 2


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(CannotJudgeError, match=r"^the output cannot be written: no space left on device$"):
        Console(Full(), io.StringIO()).write("report")
    Console(io.StringIO(), Full()).say("nobody hears it")


def test_lines_to_standard_error_are_harmless() -> None:
    error = io.StringIO()
    Console(io.StringIO(), error).say("a\x1bb\nc")
    assert "crossgate: a\\x1bb\\x0ac\n" == error.getvalue()


def test_all_that_leaves_passes_the_redactor(tmp_path: Path) -> None:
    out, error, file = io.StringIO(), io.StringIO(), OutputFile(str(tmp_path / "report"))
    console = Console(out, error)
    console.redact.keep(["hunter" + "2"])
    console.write("hunter" + "2")
    console.say("hunter" + "2")
    console.write_file(file, "hunter" + "2")
    assert ["[secret]", "crossgate: [secret]\n", "[secret]"] == [
        out.getvalue(), error.getvalue(), (tmp_path / "report").read_text()
    ]  # fmt: skip


class TestOutputFile:
    def test_a_failure_leaves_what_was_there(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        target = tmp_path / "report.txt"
        target.write_text("earlier")
        file = OutputFile(str(target))

        def fail(self: Path, content: bytes) -> int:
            self.touch()
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", fail)
        with pytest.raises(CannotJudgeError, match=r"report\.txt: cannot be written: no space left on device$"):
            file.write("later")
        assert "earlier" == target.read_text()
        assert [target] == list(tmp_path.iterdir())

    def test_looking_whether_it_can_be_written_leaves_nothing(self, tmp_path: Path) -> None:
        OutputFile(str(tmp_path / "report.txt"))
        assert [] == list(tmp_path.iterdir())

    @pytest.mark.skipif(not Path("/proc/version").exists(), reason="a folder in which not even root can create a file")
    def test_a_folder_that_takes_no_file(self) -> None:
        with pytest.raises(UsageError, match=r"^--output /proc/report\.txt: cannot be written: "):
            OutputFile("/proc/report.txt")

    def test_a_name_with_a_lone_surrogate(self, tmp_path: Path) -> None:
        OutputFile(str(tmp_path / "a")).write("\ud800")
        assert b"\\ud800" == (tmp_path / "a").read_bytes()
