"""How the oldest and the newest Python are found."""

import sys
from pathlib import Path

import pytest

from tools import pythons


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_shim_that_does_not_run_is_no_python(tmp_path: Path) -> None:
    assert pythons.probe(script(tmp_path / "python3.12", "echo not found >&2; exit 127")) is None
    assert pythons.probe(tmp_path / "python3.13") is None
    assert (3, 12) == pythons.probe(script(tmp_path / "python3.12", "echo 3 12"))


def test_pythons_are_found_on_the_path_and_at_pyenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too old is left out; of two of one version the first counts."""
    first = script(tmp_path / "bin" / "python3.97", "echo 3 97")
    script(tmp_path / "bin" / "python3.9", "echo 3 9")
    script(tmp_path / "bin" / "python3.97-config", "echo 3 1")
    script(tmp_path / "pyenv" / "versions" / "3.97.1" / "bin" / "python3.97", "echo 3 97")
    other = script(tmp_path / "pyenv" / "versions" / "3.98.0" / "bin" / "python3.98", "echo 3 98")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{tmp_path / 'missing'}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    expected = {sys.version_info[:2]: Path(sys.executable), (3, 97): first, (3, 98): other}
    assert expected == pythons.found()


@pytest.mark.parametrize(
    ("own", "expected"),
    [((3, 11), [(3, 11), (3, 14)]), ((3, 12), [(3, 11), (3, 12), (3, 14)]), ((3, 14), [(3, 11), (3, 14)])],
)
def test_our_own_is_always_among_them(own: pythons.Version, expected: list[pythons.Version]) -> None:
    """It alone has pulumi, and runs the tests that need it."""
    versions = {(3, minor): Path(f"python3.{minor}") for minor in (11, 12, 13, 14)}
    assert expected == list(pythons.ends(versions, own))
