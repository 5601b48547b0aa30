"""The command's guard: whatever goes wrong, no failure of ours leaves with 1, which blames the change.

Only the standard library is imported before the guard stands, so that it also holds for a broken install.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

COULD_NOT_JUDGE: Final = 3
INTERRUPTED: Final = 130
"""128 and the number of SIGINT, as shells have it."""

_REPORT_AT: Final = "please report it, with the lines that -v adds"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 0, 1, 2 or 3, and 130 for Ctrl-C.

    ``arguments`` are those of the process unless given.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        from crossgate.gate.cli import main as run

        return _delivered(run(arguments))
    except KeyboardInterrupt:
        _say("interrupted: nothing was judged")
        return INTERRUPTED
    except MemoryError:
        _say("out of memory: nothing was judged")
    except BaseException as error:  # noqa: BLE001 - also SystemExit: a rule may call sys.exit, and its code means nothing
        _tell(error, verbose=not {"-v", "--verbose"}.isdisjoint(arguments))
    return COULD_NOT_JUDGE


def _delivered(code: int) -> int:
    """Return ``code`` when standard output could be written; a report that nobody can read is none."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        _drop_output()
    except OSError as error:
        _drop_output()
        _say(f"the output cannot be written: {(error.strerror or 'unknown reason').lower()}")
        return code or COULD_NOT_JUDGE
    return code


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter's own last flush does not fail with 120."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _tell(error: BaseException, *, verbose: bool) -> None:
    """Say that something broke. Not what the exception says: that may hold a value."""
    kind = type(error).__name__
    if isinstance(error, ImportError) and (error.name or "").partition(".")[0] == "crossgate":
        _say(f"crossgate is not installed completely ({kind}): install it anew")
    elif isinstance(error, ModuleNotFoundError) and error.name:
        _say(f"the module {error.name} is not installed: install crossgate anew")
    else:
        _say(f"internal error ({kind}): nothing was judged; {_REPORT_AT}")
    if verbose:
        from traceback import walk_tb

        for frame, line in walk_tb(error.__traceback__):
            _say(f"  {frame.f_code.co_filename}:{line} in {frame.f_code.co_name}")


def _say(text: str) -> None:
    """Write one line to standard error, if there is one."""
    try:
        sys.stderr.write(f"crossgate: {text}\n")
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # closed, or none at all: the exit code still tells
        pass
