"""What the packaging tests install from: a copy of the checkout as git would hand it out."""

import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKS = sorted(path.parent.name for path in ROOT.glob("packs/*/PulumiPolicy.yaml"))

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def committed() -> list[str]:
    """Return the paths that git has or would add, below the root of the checkout."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    try:
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no git checkout")
    return [path for path in listed.split("\0") if path and os.path.lexists(ROOT / path)]


@pytest.fixture(scope="session")
def files() -> list[str]:
    return committed()


@pytest.fixture(scope="session")
def snapshot(files: Sequence[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository, tag `v0`, with what a clone of this checkout would hold after `git add`."""
    clone = tmp_path_factory.mktemp("snapshot")
    for path in files:
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, clone / path, follow_symlinks=False)
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "-m", "x"], ["tag", "v0"]):
        subprocess.run(["git", *arguments], cwd=clone, check=True, timeout=60, stdout=subprocess.DEVNULL)
    return clone


def bare_environment() -> Mapping[str, str]:
    """Return this process's environment less what could lend a package or a virtual environment to a child."""
    lenders = ("PYTHON", "VIRTUAL_ENV", "PYTEST", "MAKE", "MFLAGS")
    return {name: value for name, value in os.environ.items() if not name.startswith(lenders)}


NOBODY = "127.0.0.1:1"
"""The engine gives a pack its own address as the argument; nobody listens at this one."""


@contextmanager
def started(command: Sequence[str | Path], seconds: float = 30) -> Iterator[int]:
    """Start a pack from `/` with nothing borrowed, and yield the port that it prints first; end it afterwards."""
    with subprocess.Popen(
        command, cwd="/", env=bare_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        lines: queue.Queue[str] = queue.Queue()
        output = process.stdout
        assert output
        threading.Thread(target=lambda: lines.put(output.readline()), daemon=True).start()
        try:
            first = lines.get(timeout=seconds)
            if not first.strip().isdigit():
                process.kill()
                pytest.fail(f"the first line is {first!r}, not a port\n{process.communicate(timeout=10)[1]}")
            yield int(first)
        finally:
            process.kill()


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a command from `/` with nothing borrowed; it must succeed unless told otherwise."""

    def run(*command: str | Path, timeout: int = 300, ok: bool = True) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            command, cwd="/", env=bare_environment(), capture_output=True, text=True, timeout=timeout, check=False
        )
        assert not ok or done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done

    return run


@pytest.fixture(scope="session")
def new_venv(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Callable[[str], Path]:
    """Make an environment that holds nothing but pip; return its bin folder."""

    def new_venv(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name)
        run(sys.executable, "-m", "venv", folder)
        return folder / "bin"

    return new_venv
