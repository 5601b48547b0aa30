"""What a user gets: the distribution installed into an empty environment, and each pack started from `/`."""

import socket
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.packaging.conftest import NOBODY, PACKS, ROOT, Run, started
from tools.distribution import GOLDEN, build, listing, wheel_listing

pytestmark = pytest.mark.slow

EXPECTED = (ROOT / GOLDEN).read_text(encoding="utf-8") if (ROOT / GOLDEN).exists() else ""
LIST_FILES = "import importlib.metadata as m; print(*m.files('crossgate'), sep='\\n')"


class Installed(NamedTuple):
    """An environment with the distribution in it, and what it was installed from."""

    bin: Path
    wheel: Path


@pytest.fixture(scope="module")
def installed(
    snapshot: Path, tmp_path_factory: pytest.TempPathFactory, new_venv: Callable[[str], Path], run: Run
) -> Installed:
    """Sdist, then the wheel from it, then an environment that had nothing in it before."""
    wheel = build(snapshot, tmp_path_factory.mktemp("dist"))
    folder = new_venv("wheel")
    run(folder / "python", "-m", "pip", "install", "--quiet", wheel)
    return Installed(folder, wheel)


@pytest.fixture(scope="module")
def live(new_venv: Callable[[str], Path], run: Run) -> Path:
    """The environment that the engine makes for a pack: its requirements.txt, and nothing of ours."""
    folder = new_venv("live")
    run(folder / "python", "-m", "pip", "install", "--quiet", "-r", ROOT / "packs" / "baseline" / "requirements.txt")
    assert run(folder / "python", "-c", "import crossgate", ok=False).returncode == 1
    return folder / "python"


def installed_files(python: Path, run: Run) -> str:
    """Return the package's files as pip recorded them, without those it compiled itself."""
    return listing(
        name
        for name in run(python, "-c", LIST_FILES).stdout.splitlines()
        if name.startswith("crossgate/") and "__pycache__" not in name
    )


def test_the_wheel_from_the_sdist_holds_what_it_should(installed: Installed) -> None:
    assert EXPECTED == wheel_listing(installed.wheel)


def test_the_wheel_built_directly_is_the_same(snapshot: Path, tmp_path: Path) -> None:
    """`pip install .` goes no way round an sdist."""
    assert EXPECTED == wheel_listing(build(snapshot, tmp_path, "--wheel"))


def test_the_sdist_holds_the_code_once(installed: Installed) -> None:
    """Through the links of the packs it would be there six times, or not at all."""
    (sdist,) = installed.wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    assert 1 == sum(name.endswith("/crossgate/judge.py") for name in names)


def test_pip_installs_the_same_files(installed: Installed, run: Run) -> None:
    assert EXPECTED == installed_files(installed.bin / "python", run)


def test_the_command_runs_from_anywhere(installed: Installed, run: Run) -> None:
    assert "crossgate 0.1.0\n" == run(installed.bin / "crossgate", "--version").stdout


def test_the_same_from_git(snapshot: Path, new_venv: Callable[[str], Path], run: Run) -> None:
    """As a team pins it: `pip install git+https://…@v0.1.0`."""
    folder = new_venv("git")
    run(folder / "python", "-m", "pip", "install", "--quiet", f"git+file://{snapshot}@v0")
    assert EXPECTED == installed_files(folder / "python", run)
    assert "crossgate 0.1.0\n" == run(folder / "crossgate", "--version").stdout


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_of_the_checkout_starts(pack: str, snapshot: Path, live: Path) -> None:
    """As `pulumi preview --policy-pack packs/NAME` starts it: the link brings the code."""
    with (
        started([live, snapshot / "packs" / pack, NOBODY]) as port,
        socket.create_connection(("127.0.0.1", port), timeout=10),
    ):
        pass


@pytest.mark.parametrize("pack", PACKS)
def test_a_built_pack_starts(pack: str, installed: Installed, live: Path, run: Run, tmp_path: Path) -> None:
    """The archive of a release is complete: no checkout, no installed crossgate."""
    run(installed.bin / "crossgate", "pack", "build", pack, "--output", tmp_path)
    (archive,) = tmp_path.glob("*.tar.gz")
    (tmp_path / "unpacked").mkdir()
    run("tar", "-xzf", archive, "-C", tmp_path / "unpacked")
    (manifest,) = (tmp_path / "unpacked").rglob("PulumiPolicy.yaml")
    with started([live, manifest.parent, NOBODY]) as port, socket.create_connection(("127.0.0.1", port), timeout=10):
        pass
