"""`make golden` writes what differs, and `--check` names it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import golden

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one current and one stale file, one that is missing, and one too many."""
    monkeypatch.setattr(golden, "ROOT", tmp_path)
    files = {"current.txt": "as it is\n", "stale.txt": "new\n", "docs/missing.txt": "made\n", "old.txt": None}
    monkeypatch.setattr(golden, "GENERATORS", {"sample": "unused:unused", "idle": "unused:unused"})
    monkeypatch.setattr(golden, "generator", lambda name: lambda: files if name == "sample" else {})
    (tmp_path / "current.txt").write_text("as it is\n")
    (tmp_path / "stale.txt").write_text("old\n")
    (tmp_path / "old.txt").write_text("of something that is no more\n")
    return tmp_path


def test_check_names_what_differs_and_writes_nothing(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == golden.main(["--check"])
    lines = capsys.readouterr().out.splitlines()
    assert ["docs/missing.txt", "old.txt", "stale.txt"] == [line.partition(":")[0] for line in lines]
    assert "old\n" == (checkout / "stale.txt").read_text()
    assert not (checkout / "docs").exists()


def test_it_writes_what_differs_and_is_then_content(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == golden.main([])
    assert "wrote docs/missing.txt\nremoved old.txt\nwrote stale.txt\n" == capsys.readouterr().out
    assert "new\n" == (checkout / "stale.txt").read_text()
    assert 0 == golden.main(["--check"])


def test_a_name_limits_the_work(checkout: Path) -> None:
    assert 0 == golden.main(["--check", "idle"])
    with pytest.raises(SystemExit, match="2"):
        golden.main(["no-such"])


def test_every_generator_can_be_imported() -> None:
    assert all(callable(golden.generator(name)) for name in golden.GENERATORS)


@pytest.mark.slow
def test_the_committed_files_are_what_make_golden_writes() -> None:
    command = [sys.executable, "-m", "tools.golden", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert (0, "") == (done.returncode, done.stdout), done.stderr
