"""`crossgate pack build` and `crossgate pack list`: what they print, and with which exit code they end."""

import shutil
import subprocess
from pathlib import Path

import pytest

from crossgate.gate import cli
from crossgate.gate.packs import SHIPPED
from crossgate.pack import Pack
from crossgate.packs import _build
from crossgate.packs._imports import ImportGapError


def test_a_build_says_what_it_wrote_and_how_to_use_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["pack", "build", "baseline", "--output", str(tmp_path / "new" / "folder")])
    folder = tmp_path / "new" / "folder" / "baseline"
    (archive,) = folder.parent.glob("*.tar.gz")
    printed = capsys.readouterr()
    version, policies = _build.version("baseline"), len(_build.load("baseline").entries)
    files = sum(path.is_file() for path in folder.rglob("*"))
    lines = printed.out.splitlines()
    assert [
        f"baseline {version}: {policies} policies in {files} files",
        f"  {folder}",
        f"  {archive}",
    ] == lines[:3]
    assert f"  sha256 {_build.build('baseline', tmp_path).digest}" == lines[3]
    assert [
        "use it, once it has a virtual environment of its own:",
        f"  python3 -m venv {folder}/venv",
        f"  {folder}/venv/bin/python -m pip install -r {folder}/requirements.txt",
        f"  pulumi preview --policy-pack {folder}",
    ] == lines[4:]
    assert "" == printed.err


def test_one_policy_is_called_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = Pack("small", "One rule", _build.load("baseline").entries[:1])
    built = _build.Built(one, "1.2.3", tmp_path, tmp_path / "small.tar.gz", "00", 9)
    monkeypatch.setattr(_build, "build", lambda _name, _output: built)
    assert 0 == cli.main(["pack", "build", "small"])
    assert capsys.readouterr().out.startswith("small 1.2.3: 1 policy in 9 files\n")


def test_without_an_output_it_builds_into_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert 0 == cli.main(["pack", "build", "public-access"])
    assert (tmp_path / "public-access" / "__main__.py").is_file()


def fails(code: int, *arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Build: it must end with ``code`` and one line, which is returned."""
    assert code == cli.main(["pack", "build", *arguments])
    printed = capsys.readouterr()
    assert "" == printed.out
    (line,) = printed.err.splitlines()
    return line


def test_an_unknown_pack_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = fails(2, "../baseline", "--output", str(tmp_path), capsys=capsys)
    assert line.startswith("crossgate: no pack is named '../baseline'; there are: baseline, ")
    assert [] == list(tmp_path.iterdir())


def test_a_folder_of_somebody_else_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "baseline").mkdir()
    (tmp_path / "baseline" / "notes.txt").write_text("mine")
    line = fails(2, "baseline", "--output", str(tmp_path), capsys=capsys)
    assert f"{tmp_path}/baseline/notes.txt was not written by `crossgate pack build`" in line


def test_a_place_that_cannot_be_written_is_no_fault_of_the_pack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    line = fails(3, "baseline", "--output", str(tmp_path / "file"), capsys=capsys)
    assert line.startswith(f"crossgate: {tmp_path}/file: cannot be written: ")
    assert "mine" == (tmp_path / "file").read_text()


def test_a_pack_whose_needs_cannot_be_told_is_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gap(program: Path, root: Path) -> None:
        raise ImportGapError("a.py imports crossgate.b, which is not there")

    monkeypatch.setattr(_build, "needs", gap)
    line = fails(3, "baseline", "--output", str(tmp_path), capsys=capsys)
    assert "crossgate: pack baseline cannot be built: a.py imports crossgate.b, which is not there" == line


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_folder_that_git_ignores_is_pointed_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Published from there, the pack would reach the organisation without its files."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True, timeout=60)
    (tmp_path / ".gitignore").write_text("/dist/\n")
    assert 0 == cli.main(["pack", "build", "baseline", "--output", str(tmp_path / "dist")])
    assert f"git ignores {tmp_path}/dist/baseline" in capsys.readouterr().err
    assert 0 == cli.main(["pack", "build", "baseline", "--output", str(tmp_path / "out")])
    assert "" == capsys.readouterr().err


def test_the_list_shows_every_pack_with_its_version_and_levels(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["pack", "list"])
    lines = capsys.readouterr().out.splitlines()
    assert _build.names() == [line.split()[0] for line in lines]
    for line in lines:
        name, version, rest = line.split(maxsplit=2)
        pack = _build.load(name)
        assert _build.version(name) == version
        assert rest.endswith(pack.title)
        for level in {entry.level for entry in pack.entries}:
            assert f"{sum(entry.level is level for entry in pack.entries)} {level.value}" in rest


def test_the_command_knows_the_packs_that_are_shipped() -> None:
    assert sorted(SHIPPED) == _build.names()
