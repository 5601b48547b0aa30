"""The command as a user runs it, and in the test's own process."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from crossgate.gate import cli

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = "docs/examples/public-bucket/preview.json"
OUTCOMES = "tests.gate.outcomes"
LIMIT = 120

INSTALLED = Path(sys.executable).with_name("crossgate")


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def installed() -> Command:
    """The installed script, run from the top of the checkout, which is on Python's path."""

    def run(*arguments: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None, cwd: Path = ROOT) -> Ran:
        assert INSTALLED.exists(), "crossgate is not installed in this environment"
        done = subprocess.run(
            [INSTALLED, *arguments],
            input=b"" if stdin is None else stdin,
            capture_output=True,
            timeout=LIMIT,
            check=False,
            cwd=cwd,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | dict(env or {}),
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def crossgate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line in this process."""

    def run(*arguments: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = cli.main(arguments)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run
