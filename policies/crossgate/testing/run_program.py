"""Run one Python program for the language host stand-in: a RunRequest on standard input, the exit status is the answer.

The Automation API's own language server does the work; it reports a program's error to the engine itself.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from pulumi.automation._server import LanguageServer
from pulumi.runtime.proto import language_pb2


def main() -> int:
    """Run the program; exit status 1 when it failed."""
    request = language_pb2.RunRequest.FromString(sys.stdin.buffer.read())
    program = Path(request.info.program_directory) / request.info.entry_point

    def run() -> None:
        runpy.run_path(str(program), run_name="__main__")

    sys.path.insert(0, request.info.program_directory)
    response = LanguageServer(run).Run(request, None)  # type: ignore[no-untyped-call]  # theirs
    return 1 if response.error else 0


if __name__ == "__main__":
    sys.exit(main())
