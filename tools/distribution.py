"""Build the distribution as a release does, and say what is in it."""

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = "tests/golden/wheel-files.txt"


def build(source: Path, output: Path, *arguments: str) -> Path:
    """Build the project at ``source`` into ``output`` and return the wheel.

    Without ``arguments`` for `python -m build`, the wheel is made from the sdist, which stays beside it.

    Raises:
        subprocess.CalledProcessError: the build failed; what it printed is in ``output`` of the error.

    """
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(output), *arguments, str(source)]
    subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    (wheel,) = output.glob("*.whl")
    return wheel


def listing(names: Iterable[str]) -> str:
    """Return the package's files among ``names``, one a line; the metadata, named by version, is left out."""
    return "".join(f"{name}\n" for name in sorted(names) if ".dist-info/" not in name)


def wheel_listing(wheel: Path) -> str:
    """Return the package's files in ``wheel``, one a line."""
    with zipfile.ZipFile(wheel) as archive:
        return listing(archive.namelist())


def golden() -> Mapping[str, str]:
    """Return the golden file list of the wheel that is built from the sdist of this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        return {GOLDEN: wheel_listing(build(ROOT, Path(folder)))}
