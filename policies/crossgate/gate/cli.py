"""The command line: a table of subcommands, each a module of its own that is loaded only when it is called.

A subcommand's module has ``arguments(parser)``, which declares its arguments, and ``run(options, console)``, which
returns the exit code and raises :class:`~crossgate.gate.errors.GateError` for what ends it with one line.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from crossgate.gate.console import Console
from crossgate.gate.errors import GateError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Command(NamedTuple):
    """A subcommand: what is typed, what it does in a line, and the module that does it."""

    words: str
    summary: str
    module: str


COMMANDS: Final = (
    Command("check", "judge previews and states that are files", "crossgate.gate.check"),
    Command("preview", "judge what the engine is about to do, with its own preview", "crossgate.gate.preview"),
    Command("rules", "list the rules, or explain one", "crossgate.gate.rules"),
    Command("pack build", "write a pack that needs no checkout and no crossgate", "crossgate.gate.pack_build"),
    Command("pack list", "list the shipped packs", "crossgate.gate.pack_list"),
)

_EXIT_CODES: Final = """\
exit codes:
  0  compliant
  1  blocked by policy
  2  wrong usage or configuration
  3  could not judge
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; ``arguments`` are those of the process unless given."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    console = Console()
    try:
        return _run(arguments, console)
    except GateError as error:
        console.say(str(error))
        return error.exit_code


def _run(arguments: Sequence[str], console: Console) -> int:
    command = _called(arguments)
    if command is None:
        return _without_command(arguments, console)
    module = import_module(command.module)
    parser = _Parser(prog=f"crossgate {command.words}", description=command.summary, epilog=_EXIT_CODES)
    module.arguments(parser)
    try:
        options = parser.parse_args(arguments[len(command.words.split()) :])
    except _HelpShown:
        return 0
    return int(module.run(options, console))


def _called(arguments: Sequence[str]) -> Command | None:
    """Return the subcommand that the first words name; one of several words stands for itself alone."""
    for command in COMMANDS:
        words = command.words.split()
        if list(arguments[: len(words)]) == words:
            return command
    return None


def _without_command(arguments: Sequence[str], console: Console) -> int:
    first = arguments[0] if arguments else "--help"
    if first in {"-h", "--help", "help"}:
        console.write(_help())
        return 0 if arguments else UsageError.exit_code
    if first == "--version":
        from importlib.metadata import version

        console.write(f"crossgate {version('crossgate')}\n")
        return 0
    raise UsageError(f"there is no command {first}; there are: {', '.join(each.words for each in COMMANDS)}")


def _help() -> str:
    width = max(len(command.words) for command in COMMANDS) + 2
    lines = [f"  {command.words:<{width}}{command.summary}" for command in COMMANDS]
    return "\n".join(
        [
            "usage: crossgate COMMAND [ARGUMENTS]",
            "",
            "Judges Pulumi previews and states by policy.",
            "",
            "commands:",
            *lines,
            "",
            "`crossgate COMMAND --help` explains one; `crossgate --version` prints the version.",
            "",
            _EXIT_CODES,
        ]
    )


class _HelpShown(Exception):
    """The parser has printed its help."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of leaving, and takes no abbreviated options: they change meaning with new ones."""

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=f"{description[0].upper()}{description[1:]}.",
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see `{self.prog} --help`")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise _HelpShown(status, message)
