"""What the README promises a newcomer: a checkout, Python, make."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT

MAKE_VENV = ROOT / "tools" / "make-venv.sh"
DEMO = ROOT / "tools" / "demo.sh"


def program(path: Path, body: str) -> Path:
    """Write an executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def call(*command: str | Path, path: str = os.defpath, timeout: int = 60) -> "subprocess.CompletedProcess[str]":
    """Run a command with nothing in the environment but the PATH."""
    return subprocess.run(
        command, env={"PATH": path}, capture_output=True, text=True, timeout=timeout, check=False, cwd="/"
    )


def test_a_switched_off_python_is_passed_over(tmp_path: Path) -> None:
    """A version manager's shim is on the PATH and does not run; an old Python runs and is not enough."""
    program(tmp_path / "bin" / "python3", "echo 'command not found' >&2; exit 127")
    program(tmp_path / "bin" / "python3.14", "exit 1")
    program(tmp_path / "bin" / "python3.13", f'case "$1" in -c) exit 0;; esac; echo "$@" > {tmp_path}/made')
    done = call("/bin/sh", MAKE_VENV, tmp_path / "venv", path=str(tmp_path / "bin"))
    assert (0, "") == (done.returncode, done.stderr)
    assert f"-m venv {tmp_path}/venv\n" == (tmp_path / "made").read_text()


def test_without_a_python_it_says_so_in_one_line(tmp_path: Path) -> None:
    done = call("/bin/sh", MAKE_VENV, tmp_path / "venv", path=str(tmp_path))
    assert 1 == done.returncode
    assert 1 == done.stderr.count("\n")
    assert "make PYTHON=" in done.stderr


def test_a_named_python_that_is_too_old_is_refused(tmp_path: Path) -> None:
    old = program(tmp_path / "python3.9", "exit 1")
    done = call("/bin/sh", MAKE_VENV, tmp_path / "venv", old)
    assert (1, f"{old} is not a Python 3.11 or newer with the venv module\n") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("says", "status", "expected"),
    [("1 blocked", 0, 1), ("1 blocked", 1, 0), ("", 1, 1), ("blocked", 2, 1), ("", 3, 1)],
)
def test_the_demo_succeeds_only_when_the_gate_blocks(says: str, status: int, expected: int, tmp_path: Path) -> None:
    """A broken Python ends with 1 too, and blocks nothing."""
    gate = program(tmp_path / "gate", f'echo "$@: {says}"; exit {status}')
    done = call("/bin/sh", DEMO, gate, "preview.json")
    assert expected == done.returncode
    assert f"$ crossgate check preview.json\ncheck preview.json: {says}\n$ echo $?\n{status}\n" in done.stdout


def test_continuous_integration_runs_what_anyone_can() -> None:
    commands = [line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line and line[0] != "#"]
    assert ["set -eu", 'cd "$(dirname "$0")/.."', "exec make test"] == commands


@pytest.mark.slow
def test_the_demo_on_a_fresh_machine(snapshot: Path, tmp_path: Path) -> None:
    """Python and make, an empty environment and home; the target succeeds because the gate blocks."""
    home = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    environment = {**home, "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(
        ["make", "demo"], cwd=snapshot, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "blocked" in done.stdout
    assert "aws-s3-public-acl" in done.stdout
    assert not (snapshot / ".venv").exists()
