"""Run a command on the oldest and on the newest Python of this machine that the project supports, and on this one.

``python -m tools.pythons list`` shows them; ``python -m tools.pythons run -- -m pytest`` gives each the arguments.
The interpreter that runs this module serves its own version, from the environment it is in. Another version gets an
environment of its own, ``.venv-3.13`` say, with the few packages of requirements/test.txt: the fast tests need no more.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "test.txt"
OLDEST = (3, 11)

Version = tuple[int, int]


def main() -> int:
    """Run the command line; return 0, or the first exit status that is not."""
    parser = argparse.ArgumentParser(prog="python -m tools.pythons", description=__doc__)
    parser.add_argument("action", choices=["list", "run"])
    parser.add_argument("arguments", nargs="*", help="what each Python is given")
    options = parser.parse_args()
    for version, python in ends(found(), sys.version_info[:2]).items():
        print(f"-- Python {version[0]}.{version[1]}: {python}", flush=True)
        if options.action == "run":
            status = subprocess.call([environment(version, python), *options.arguments], cwd=ROOT)
            if status:
                return status
    return 0


def found() -> dict[Version, Path]:
    """Return an interpreter for each supported minor version here, our own first."""
    versions = {sys.version_info[:2]: Path(sys.executable)}
    for path in candidates():
        version = probe(path)
        if version and version >= OLDEST:
            versions.setdefault(version, path)
    return versions


def ends(versions: dict[Version, Path], own: Version) -> dict[Version, Path]:
    """Return the oldest and the newest of ``versions``, and our own, which alone holds every package."""
    return {version: versions[version] for version in sorted({min(versions), own, max(versions)})}


def candidates() -> Iterator[Path]:
    """Yield what may be an interpreter: on the PATH, and where pyenv keeps those that it does not show there."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders += sorted(pyenv.glob("versions/*/bin"))
    for folder in folders:
        yield from sorted(path for path in _entries(folder) if re.fullmatch(r"python3\.\d+", path.name))


def probe(python: Path) -> Version | None:
    """Return the version of ``python``, or None when it does not run or cannot make environments."""
    code = "import ensurepip, sys, venv; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=30, check=True)
        major, minor = answer.stdout.split()
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return int(major), int(minor)


def environment(version: Version, python: Path) -> Path:
    """Return the interpreter of an environment that holds the test packages and the project; make it when missing."""
    if python == Path(sys.executable):
        return python
    folder = ROOT / f".venv-{version[0]}.{version[1]}"
    inside, stamp = folder / "bin" / "python", folder / "installed"
    if not stamp.exists() or stamp.stat().st_mtime < max(map(_changed, (LOCK, ROOT / "pyproject.toml"))):
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        pip = [str(inside), "-m", "pip", "install", "--quiet", "--no-compile"]
        subprocess.run([*pip, "--require-hashes", "-r", str(LOCK)], check=True)
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True)
        stamp.touch()
    return inside


def _changed(path: Path) -> float:
    return path.stat().st_mtime


def _entries(folder: Path) -> Iterable[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


if __name__ == "__main__":
    sys.exit(main())
