"""What must hold for the files of the repository themselves."""

import re
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging.conftest import PACKS, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# Put together here, so that this file does not hold what it looks for.
REGISTRIES = [
    "pypi" + ".org",
    "python" + "hosted.org",
    "proxy.golang" + ".org",
    "sum.golang" + ".org",
    "registry.npmjs" + ".org",
    "registry.yarnpkg" + ".com",
    "crates" + ".io",
    "repo.maven.apache" + ".org",
    "repo1.maven" + ".org",
    "deb.debian" + ".org",
    "archive.ubuntu" + ".com",
]
MACHINE = [
    r"(?<![\w.])/" + r"(work|root|home/[a-z]\w*|Users/[A-Z]\w*)/(?!\.\.\.)",
    r"/opt/" + "wheels",
    "/tmp/" + r"(brief|bash_)",  # noqa: S108 -- looked for, not written to
    r"\bwork" + r"place\b",
    r"\bsub-?" + r"agents?\b",
    r"\bthe " + r"(brief|CEO)\b",
]


def found(patterns: Sequence[str], files: Sequence[str]) -> Iterator[str]:
    """Yield `path:line: text` of each match in a text file."""
    pattern = re.compile("|".join(patterns))
    for path in files:
        file = ROOT / path
        if file.is_symlink():
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if match := pattern.search(line):
                yield f"{path}:{number}: {match.group()}"


def test_no_file_names_a_package_registry(files: list[str]) -> None:
    """Whoever installs has an index set up; the repository names none."""
    assert [] == list(found([re.escape(host) for host in REGISTRIES], files))


def test_no_file_knows_the_machine_it_was_written_on(files: list[str]) -> None:
    assert [] == list(found(MACHINE, files))


def test_the_search_finds_what_it_looks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unreadable pattern would let everything pass."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a.txt").write_text("fine\nfrom " + "/ro" + "ot/.cache\nhttps://" + "py" + "pi.org/simple\n")
    assert ["a.txt:2: /" + "root/"] == list(found(MACHINE, ["a.txt"]))
    assert ["a.txt:3: py" + "pi.org"] == list(found([re.escape(host) for host in REGISTRIES], ["a.txt"]))


def test_no_ignore_line_could_hide_a_package_folder() -> None:
    """The engine's archiver obeys this file when a pack is published, and says nothing about what it leaves out."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    patterns = {line for line in lines if line and not line.startswith("#")}
    anywhere = {line for line in patterns if not line.startswith("/")}
    assert {"*.py[cod]", "__pycache__/"} == anywhere
    assert not [line for line in patterns - anywhere if re.match(r"/(policies|packs/\*/(?!venv/$)|packs/?$|\*)", line)]


def test_git_ignores_no_file_of_the_package() -> None:
    """Also those that exist in one checkout only because they are ignored."""
    files = [str(path.relative_to(ROOT)) for path in (ROOT / "policies").rglob("*") if path.suffix != ".pyc"]
    folders = [path for path in files if not path.endswith("__pycache__")]
    command = ["git", "check-ignore", "--no-index", "--stdin"]
    done = subprocess.run(
        command, cwd=ROOT, input="\n".join(folders), capture_output=True, text=True, check=False, timeout=60
    )
    assert ("", 1) == (done.stdout, done.returncode), done.stderr


def test_there_are_the_five_packs() -> None:
    assert ["baseline", "network-policy", "public-access", "required-tags", "secret-leakage"] == PACKS


@pytest.mark.parametrize("pack", PACKS)
def test_the_link_to_the_code_is_committed_as_a_link(pack: str, files: list[str]) -> None:
    assert f"packs/{pack}/crossgate" in files
    link = ROOT / "packs" / pack / "crossgate"
    assert link.is_symlink()
    assert Path("../../policies/crossgate") == link.readlink()
    command = ["git", "ls-files", "--stage", str(link)]
    staged = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60).stdout
    assert stat.S_IFLNK == int(staged.split()[0], 8)


def test_neither_source_root_is_a_package(files: list[str]) -> None:
    """With an `__init__.py` there, every module would have a second name."""
    assert not {"policies/__init__.py", "packs/__init__.py"} & set(files)
    assert [] == [path for path in files if re.fullmatch(r"packs/[^/]+/__init__\.py", path)]


ONE_OBJECT = """
import importlib, os, sys
folder, policies, pack = sys.argv[1:]
sys.path.insert(0, folder)
table = importlib.import_module("crossgate.packs." + pack).PACK
baseline = importlib.import_module("crossgate.packs.baseline").PACK

files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
ours = {name: file for name, file in files.items() if os.path.realpath(file).startswith(policies + os.sep)}
assert len(ours) > 5, ours
assert all(name.split(".")[0] == "crossgate" for name in ours), ours
assert all(file.startswith(folder + os.sep) for file in ours.values()), ours
assert len(set(map(os.path.realpath, ours.values()))) == len(ours), ours

rules = {entry.rule.id: entry.rule for entry in baseline.entries}
assert len(rules) == len(baseline.entries)
assert table.entries
assert all(rules[entry.rule.id] is entry.rule for entry in table.entries)
"""


@pytest.mark.parametrize("pack", PACKS)
def test_every_rule_of_a_pack_is_one_object(pack: str) -> None:
    """Through the pack's link no module is loaded twice: neither under two names nor from two paths."""
    arguments = [str(ROOT / "packs" / pack), str(ROOT / "policies"), pack.replace("-", "_")]
    done = subprocess.run(
        [sys.executable, "-c", ONE_OBJECT, *arguments], capture_output=True, text=True, check=False, timeout=60, cwd="/"
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_asks_for_an_environment_of_its_own(pack: str) -> None:
    """Its version stands in PulumiPolicy.yaml, and the changelog begins with it."""
    folder = ROOT / "packs" / pack
    project = yaml.safe_load((folder / "PulumiPolicy.yaml").read_text(encoding="utf-8"))
    assert {"name": "python", "options": {"toolchain": "pip", "virtualenv": "venv"}} == project["runtime"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", project["version"])
    assert project["description"].strip()
    releases = re.findall(r"^## \[(\d\S*)\]", (folder / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert project["version"] == releases[0]


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_needs_what_the_live_door_needs(pack: str) -> None:
    """The engine installs it from there: the pack carries the code, not the distribution."""
    lines = (ROOT / "packs" / pack / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["live"] == lines


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_that_lost_its_link_says_how_to_build_it(pack: str, tmp_path: Path) -> None:
    """A copied folder, or a checkout without symbolic links, where a link is a file with a path in it."""
    (tmp_path / "__main__.py").write_bytes((ROOT / "packs" / pack / "__main__.py").read_bytes())
    (tmp_path / "crossgate").write_text("../../policies/crossgate")
    command = [sys.executable, "-I", "-S", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    expected = (3, "", f"this folder lacks the rules' code; run: crossgate pack build {pack}\n")
    assert expected == (done.returncode, done.stdout, done.stderr)


def declared() -> Iterator[str]:
    yield from PROJECT["project"]["dependencies"]
    yield from PROJECT["project"]["optional-dependencies"]["sdk"]
    yield from PROJECT["project"]["optional-dependencies"]["live"]
    for group in PROJECT["dependency-groups"].values():
        yield from (item for item in group if isinstance(item, str))


def pins(lock: str) -> dict[str, str]:
    """Return version by name of a lock; every entry is pinned and hashed."""
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
    entries = re.findall(r"^([\w.-]+)==(\S+).*\\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^[^#\s]", text, re.MULTILINE))
    return {canonicalize_name(name): version for name, version, _ in entries}


def test_the_lock_holds_what_the_project_declares() -> None:
    """`make lock` was run after the last change of a dependency."""
    lock = pins("dev.txt")
    for requirement in map(Requirement, declared()):
        if requirement.name != "crossgate":
            assert requirement.specifier.contains(lock[canonicalize_name(requirement.name)]), requirement


def test_both_locks_agree() -> None:
    dev, test = pins("dev.txt"), pins("test.txt")
    assert {name: dev[name] for name in test} == test
    assert not {"grpcio", "protobuf", "pulumi"} & set(test)


def test_the_command_and_the_package_have_one_version() -> None:
    """The installed metadata is of this checkout; stale ones mean that `make venv` is due."""
    assert PROJECT["project"]["version"] == version("crossgate")
