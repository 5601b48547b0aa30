"""A built pack: which files it holds, that they suffice, and what a build may overwrite."""

import gzip
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from crossgate.packs import _build
from crossgate.packs._imports import needs

ROOT = Path(__file__).resolve().parents[2]
PACKS = _build.names()


@pytest.fixture(scope="module", params=PACKS)
def pack(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def files(pack: str) -> dict[str, bytes]:
    """The files of the built pack."""
    return _build.contents(pack)


@pytest.fixture(scope="module")
def unpacked(pack: str, files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack's folder as it comes out of its archive."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(fileobj=io.BytesIO(_build.archive(pack, files))) as tar:
        tar.extractall(folder, filter="data")
    return folder / pack


def rule_modules(pack: str) -> set[str]:
    """Return the files of the pack's rules, by their path in a built pack."""
    modules = {entry.rule.check.__module__ for entry in _build.load(pack).entries}
    return {f"{module.replace('.', '/')}.py" for module in modules}


def test_the_shipped_packs_are_those_that_have_files() -> None:
    assert sorted(path.parent.name for path in ROOT.glob("packs/*/PulumiPolicy.yaml")) == PACKS
    assert "baseline" in PACKS


def test_there_is_a_table_for_every_pack(pack: str) -> None:
    assert pack == _build.load(pack).name


def test_an_unknown_pack_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(LookupError, match=r"^no pack is named 'basline'; there are: baseline, "):
        _build.load("basline")


# -- what is in it ---------------------------------------------------------------------------------------------------


def test_a_built_pack_holds_its_own_files_the_manifest_and_code(files: dict[str, bytes]) -> None:
    beside_the_code = [path for path in files if not path.startswith("crossgate/")]
    assert beside_the_code == [
        ".gitignore",
        "CHANGELOG.md",
        "PulumiPolicy.yaml",
        "SHA256SUMS",
        "__main__.py",
        "manifest.json",
        "requirements.txt",
    ]


def test_of_the_code_it_holds_what_serves_and_judges_and_nothing_else(pack: str, files: dict[str, bytes]) -> None:
    code = {path for path in files if path.startswith("crossgate/")}
    assert all(path.endswith(".py") for path in code)
    assert {"crossgate/judge.py", "crossgate/crossguard/server.py", "crossgate/__init__.py"} <= code
    assert not [path for path in code if path.split("/")[1] in {"gate", "sources", "testing"}]
    helpers = {path for path in code if path.rsplit("/", 1)[1].startswith("_")}
    rules = {path for path in code if path.startswith("crossgate/rules/")} - helpers
    assert rule_modules(pack) == rules
    assert not [path for path in helpers if path.startswith("crossgate/packs/_") and not path.endswith("__init__.py")]


def test_every_file_is_as_in_the_checkout(pack: str, files: dict[str, bytes]) -> None:
    for path, content in files.items():
        source = ROOT / "policies" / path if path.startswith("crossgate/") else ROOT / "packs" / pack / path
        if path not in {".gitignore", "SHA256SUMS", "manifest.json"}:
            assert source.read_bytes() == content, path


def test_the_digests_are_those_of_all_other_files(files: dict[str, bytes]) -> None:
    lines = [line.partition("  ") for line in files["SHA256SUMS"].decode().splitlines()]
    listed = {path: digest for digest, _, path in lines}
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    del digests["SHA256SUMS"]
    assert digests == listed


def test_its_requirements_bring_everything_else_that_it_imports(pack: str) -> None:
    """Each module of somebody else is of a distribution that requirements.txt names, or that one of those needs."""
    folder = ROOT / "packs" / pack
    brought = with_dependencies((folder / "requirements.txt").read_text(encoding="utf-8").splitlines())
    providers = packages_distributions()
    for module in needs(folder / "__main__.py", ROOT / "policies").outside:
        if module in providers:  # else it is not installed where only the fast tests run
            assert brought & set(map(canonicalize_name, providers[module])), module
        else:
            assert module in {"google", "grpc", "pulumi"}


def with_dependencies(lines: list[str]) -> set[str]:
    """Return the names of the distributions in ``lines`` and of all that they need, as far as they are installed."""
    to_read = list(map(Requirement, lines))
    found: set[str] = set()
    while to_read:
        requirement = to_read.pop()
        name = canonicalize_name(requirement.name)
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        try:
            to_read += map(Requirement, requires(name) or ())
        except ModuleNotFoundError:
            continue
    return found


JUDGE = """
import importlib, sys
name = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from crossgate.judge import Outcome, judge
pack = importlib.import_module("crossgate.packs." + name).PACK
for entry in pack.entries:
    rule = entry.rule
    for kind, expected in (("bad", Outcome.FAIL), ("good", Outcome.PASS), ("unsure", Outcome.UNDETERMINED)):
        for number, example in enumerate(getattr(rule, kind)):
            subjects = rule.subjects(example.stack(), example.parameters)
            found = [judge(rule, subject, example.parameters) for subject in subjects]
            assert expected in {verdict.outcome for verdict in found}, (rule.id, kind, number, found)
    print(rule.id)
foreign = [module for module in sys.modules if module.split(".")[0] in {"grpc", "pulumi", "yaml", "fastjsonschema"}]
assert not foreign, foreign
"""


def test_the_rules_judge_with_nothing_but_the_archive_and_the_standard_library(pack: str, unpacked: Path) -> None:
    """Also what a rule imports only when it is asked."""
    command = [sys.executable, "-I", "-S", "-B", "-c", JUDGE, pack.replace("-", "_"), str(unpacked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd="/")
    assert 0 == done.returncode, done.stderr
    assert [entry.rule.id for entry in _build.load(pack).entries] == done.stdout.split()


# -- the archive -----------------------------------------------------------------------------------------------------


def test_two_builds_are_the_same_bytes(pack: str, tmp_path: Path) -> None:
    first, second = (_build.build(pack, tmp_path / where) for where in ("one", "two"))
    assert first.archive.read_bytes() == second.archive.read_bytes()
    assert first.digest == hashlib.sha256(first.archive.read_bytes()).hexdigest()
    assert f"{pack}-{first.version}.tar.gz" == first.archive.name


def test_the_folder_and_the_archive_hold_the_same(
    pack: str, files: dict[str, bytes], unpacked: Path, tmp_path: Path
) -> None:
    built = _build.build(pack, tmp_path)
    assert tree(unpacked) == tree(built.folder) == files
    assert built.files == len(tree(built.folder))
    assert sorted([pack, built.archive.name]) == sorted(path.name for path in tmp_path.iterdir())


def tree(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_archive_tells_nothing_about_who_built_it_or_when() -> None:
    packed = _build.archive("baseline", _build.contents("baseline"))
    assert bytes(4) == packed[4:8], "gzip's own time"
    assert 0 == packed[3], "no file name in gzip's header"
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        entries = tar.getmembers()
    assert sorted(entry.name for entry in entries) == [entry.name for entry in entries]
    assert {entry.name.split("/")[0] for entry in entries} == {"baseline"}
    assert {(entry.uid, entry.gid, entry.uname, entry.gname, entry.mode) for entry in entries} == {
        (0, 0, "", "", 0o644)
    }
    assert all(entry.isfile() for entry in entries)
    assert 1 == len({entry.mtime for entry in entries})


def test_another_content_of_the_same_size_has_another_time() -> None:
    """Else Python would go on with the modules it compiled from the older archive."""
    files = _build.contents("baseline")
    judge = files["crossgate/judge.py"]
    changed = {**files, "crossgate/judge.py": judge.replace(b"Outcome", b"outcomE")}
    changed["SHA256SUMS"] = hashlib.sha256(changed["crossgate/judge.py"]).hexdigest().encode()
    assert len(judge) == len(changed["crossgate/judge.py"])
    assert time_of(files) != time_of(changed)


def time_of(files: dict[str, bytes]) -> float:
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(_build.archive("p", files)))) as tar:
        return tar.getmembers()[0].mtime


# -- what a build overwrites -----------------------------------------------------------------------------------------


def test_a_former_build_is_replaced_and_its_environment_stays(tmp_path: Path) -> None:
    folder = _build.build("baseline", tmp_path).folder
    (folder / "venv" / "bin").mkdir(parents=True)
    (folder / "venv" / "bin" / "python").write_text("the engine made it")
    (folder / "crossgate" / "__pycache__").mkdir()
    (folder / "crossgate" / "__pycache__" / "judge.cpython-311.pyc").write_bytes(b"stale")
    (folder / "crossgate" / "judge.py").unlink()
    _build.build("baseline", tmp_path)
    assert "the engine made it" == (folder / "venv" / "bin" / "python").read_text()
    assert not list(folder.rglob("*.pyc"))
    assert (folder / "crossgate" / "judge.py").is_file()


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "baseline").mkdir()
    assert (_build.build("baseline", tmp_path).folder / "__main__.py").is_file()


@pytest.mark.parametrize("there", ["PulumiPolicy.yaml", "crossgate/rules/of_their_own.py", "src/__pycache__.txt"])
def test_a_folder_with_a_file_of_somebody_else_is_refused(there: str, tmp_path: Path) -> None:
    theirs = tmp_path / "baseline" / there
    theirs.parent.mkdir(parents=True)
    theirs.write_text("mine")
    refused(tmp_path, f"{theirs} was not written by `crossgate pack build`")
    assert {there: b"mine"} == tree(tmp_path / "baseline")


def test_a_former_build_with_a_file_added_is_refused(tmp_path: Path) -> None:
    theirs = _build.build("baseline", tmp_path).folder / "crossgate" / "rules" / "of_their_own.py"
    theirs.write_text("mine")
    refused(tmp_path, f"{theirs} was not written by `crossgate pack build`")
    assert "mine" == theirs.read_text()


def test_a_former_build_that_was_edited_is_refused(tmp_path: Path) -> None:
    theirs = _build.build("baseline", tmp_path).folder / "CHANGELOG.md"
    theirs.write_text("mine")
    refused(tmp_path, f"{theirs} was changed since it was built")
    assert "mine" == theirs.read_text()


def test_a_former_build_in_which_a_file_is_now_a_link_is_refused(tmp_path: Path) -> None:
    theirs = _build.build("baseline", tmp_path).folder / "CHANGELOG.md"
    theirs.rename(tmp_path / "CHANGELOG.md")
    theirs.symlink_to(tmp_path / "CHANGELOG.md")
    refused(tmp_path, f"{theirs} was changed since it was built")


def test_the_packs_of_a_checkout_are_refused(tmp_path: Path) -> None:
    """Their folder has the name of the output; a link leads to the only copy of the code."""
    folder = tmp_path / "baseline"
    folder.mkdir()
    (folder / "crossgate").symlink_to(ROOT / "policies" / "crossgate")
    refused(tmp_path, f"{folder / 'crossgate'} was not written by `crossgate pack build`")
    assert (ROOT / "policies" / "crossgate" / "judge.py").is_file()


def test_a_link_or_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "baseline").symlink_to(tmp_path / "elsewhere")
    refused(tmp_path, f"{tmp_path / 'baseline'} is there and is no folder")
    (tmp_path / "baseline").unlink()
    (tmp_path / "baseline").write_text("mine")
    refused(tmp_path, f"{tmp_path / 'baseline'} is there and is no folder")


def refused(output: Path, message: str) -> None:
    """Build into ``output``: it must refuse with ``message`` and leave nothing behind."""
    before = sorted(path.name for path in output.iterdir())
    with pytest.raises(_build.NotOursError) as error:
        _build.build("baseline", output)
    assert f"{message}: move it away, or name another --output" == str(error.value)
    assert before == sorted(path.name for path in output.iterdir())


def test_a_build_that_cannot_write_leaves_the_former_one_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = _build.build("baseline", tmp_path)
    before = tree(tmp_path)

    def full(path: Path, content: bytes) -> None:
        raise OSError(28, os.strerror(28), str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        _build.build("baseline", tmp_path)
    monkeypatch.undo()
    assert before == tree(tmp_path)
    assert built.archive.is_file()


def test_the_wheel_brings_the_files_that_a_build_reads() -> None:
    """In the wheel, packs/ stands beside the tables, where a build looks first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "crossgate/packs/_files" == wheel["sources"]["packs"]
    for pack in PACKS:
        assert all((ROOT / "packs" / pack / name).is_file() for name in _build.OWN_FILES)
