"""Write the files that are made from others, or check that they are what would be written.

``python -m tools.golden`` writes those that differ and names them; ``--check`` only names them and ends with 1 when
there are any; names of generators after that limit the work to those. A generator returns the text of each file by its
path in the checkout; None for a file that should not be there any more. To add one, add a line to ``GENERATORS``.
"""

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

Generator = Callable[[], Mapping[str, str | None]]

# name: "module:function", imported when it is needed; in this order, since the wheel lists the manifests
GENERATORS: Mapping[str, str] = {
    "gate": "tests.gate.goldens:golden",
    "manifests": "tools.pack_manifests:golden",
    "rules": "tools.rules_page:golden",
    "wheel-files": "tools.distribution:golden",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.golden", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 when a file differs")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GENERATORS)}; all when left out")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(GENERATORS):
        parser.error(f"no such generator: {', '.join(sorted(unknown))}")
    stale = 0
    for name in options.names or GENERATORS:
        for path, text in differing(generator(name)()):
            stale += 1
            if options.check:
                print(f"{path}: differs from what `make golden` writes ({name})")
            elif text is None:
                (ROOT / path).unlink()
                print(f"removed {path}")
            else:
                (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
                (ROOT / path).write_text(text, encoding="utf-8", newline="\n")
                print(f"wrote {path}")
    return 1 if options.check and stale else 0


def generator(name: str) -> Generator:
    """Return the generator of that name."""
    module, _, function = GENERATORS[name].partition(":")
    found: Generator = getattr(importlib.import_module(module), function)
    return found


def differing(files: Mapping[str, str | None]) -> Iterator[tuple[str, str | None]]:
    """Yield path and text of each file that is missing, does not hold that text, or should be gone."""
    for path, text in sorted(files.items()):
        file = ROOT / path
        if (file.read_bytes() if file.is_file() else None) != (None if text is None else text.encode()):
            yield path, text


if __name__ == "__main__":
    sys.exit(main())
