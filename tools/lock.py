"""Resolve requirements/*.txt anew from pyproject.toml: pinned, hashed, for every supported Python and platform.

``python -m tools.lock`` keeps what still fits; ``--upgrade`` takes the newest. The files hold hashes and no address, so
that they install from whatever index the machine is set up with (a ``uv.lock`` would name the host of each file).
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEST = "requirements/test.txt"
DEV = "requirements/dev.txt"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.lock", description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    options = parser.parse_args()
    upgrade = ["--upgrade"] if options.upgrade else []
    compile_lock(DEV, "--extra", "sdk", "--group", "dev", *upgrade)
    compile_lock(TEST, "--group", "test", "--constraint", DEV, *upgrade)
    return 0


def compile_lock(output: str, *arguments: str) -> None:
    """Write one lock; what is in it already is preferred."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--quiet", "--universal"]
    plain = ["--generate-hashes", "--no-annotate", "--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    subprocess.run([*command, *plain, *arguments, "--output-file", output], cwd=ROOT, check=True)
    head = "# Written by `make lock` from pyproject.toml.\n"
    path = ROOT / output
    path.write_text(head + path.read_text(encoding="utf-8").removeprefix(head), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
