"""`crossgate pack build`: write a pack as a folder and an archive that need nothing of this installation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from crossgate.gate.console import reason
from crossgate.gate.errors import CannotJudgeError, UsageError
from crossgate.packs import _build

if TYPE_CHECKING:
    import argparse

    from crossgate.gate.console import Console


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", help="the pack; `crossgate pack list` names them")
    parser.add_argument(
        "--output",
        metavar="DIR",
        type=Path,
        default=Path(),
        help="the folder to write NAME/ and NAME-VERSION.tar.gz into (default: the current one)",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Build the pack; say what was written and how to use it."""
    try:
        built = _build.build(options.name, options.output)
    except (LookupError, _build.NotOursError) as error:
        raise UsageError(str(error.args[0])) from None
    except _build.ImportGapError as error:
        raise CannotJudgeError(f"pack {options.name} cannot be built: {error}") from None
    except OSError as error:
        raise CannotJudgeError(f"{error.filename or options.output}: cannot be written: {reason(error)}") from None
    count = len(built.pack.entries)
    environment = built.folder / "venv"
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    console.write(
        f"{built.pack.name} {built.version}: {count} {'policy' if count == 1 else 'policies'} in {built.files} files\n"
        f"  {built.folder}\n"
        f"  {built.archive}\n"
        f"  sha256 {built.digest}\n"
        "use it, once it has a virtual environment of its own:\n"
        f"  python3 -m venv {environment}\n"
        f"  {python} -m pip install -r {built.folder / 'requirements.txt'}\n"
        f"  pulumi preview --policy-pack {built.folder}\n"
    )
    if _ignored_by_git(built.folder):
        console.say(
            f"git ignores {built.folder}: `pulumi policy publish` leaves out what a .gitignore above it names, "
            "and says nothing; publish from a folder outside"
        )
    return 0


def _ignored_by_git(folder: Path) -> bool:
    """Return whether git would ignore ``folder``; false where there is no git and no repository.

    The engine's archiver obeys every .gitignore from the pack's folder up to the root:
    https://github.com/pulumi/pulumi/blob/master/sdk/go/common/util/archive/archive.go
    """
    command = ["git", "check-ignore", "--quiet", str(folder.absolute() / "__main__.py")]
    try:
        answer = subprocess.run(command, cwd=folder, capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0
