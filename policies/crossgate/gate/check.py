"""``crossgate check``: judge previews and states that are files."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate.config.engine import ConfigError, EngineConfig, configure, read_engine_config
from crossgate.gate.console import reason
from crossgate.gate.errors import CannotJudgeError, UsageError
from crossgate.gate.judging import stack_report
from crossgate.gate.output import OutputFile
from crossgate.gate.packs import DEFAULT, pack_of
from crossgate.gate.render import FORMATS, render, summary_line
from crossgate.gate.report import NotConfigured, Report, Unreadable
from crossgate.sources import SourceError, load
from crossgate.value import HIDDEN

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from crossgate.gate.console import Console
    from crossgate.gate.report import StackReport
    from crossgate.pack import Entry, Pack
    from crossgate.redact import Redactor

STANDARD_INPUT: Final = "-"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``crossgate check``."""
    add = parser.add_argument
    add(
        "files",
        nargs="*",
        metavar="FILE",
        help="what `pulumi preview --json` or `pulumi stack export` wrote; - or nothing: standard input",
    )
    add(
        "--pack",
        action="append",
        metavar="NAME",
        help=f"judge by this pack, and by each other one that is named (default: {DEFAULT})",
    )
    add("--state", metavar="FILE", help="a stack export that fills in what a preview leaves out: unchanged resources")
    add(
        "--policy-pack-config",
        metavar="FILE",
        help="levels, parameters and exceptions, as the engine reads them (version 2)",
    )
    add("--format", choices=FORMATS, default=FORMATS[0], help=f"of the report (default: {FORMATS[0]})")
    add("--output", metavar="FILE", help="write the report there, and a line about it to standard error")
    add("-v", "--verbose", action="store_true", help="leave nothing out: every gap, URN and type")
    add("--no-color", action="store_true", help="no colours; there are none but on a terminal, or under NO_COLOR")


def run(options: argparse.Namespace, console: Console) -> int:
    """Judge the files and report; return the exit code.

    Raises:
        UsageError: wrong usage or configuration; nothing was judged.
        CannotJudgeError: nothing at all could be judged.

    """
    config = policy_config(options.policy_pack_config)
    pack = configured(pack_of(options.pack or [DEFAULT]), config, options.policy_pack_config)
    files = options.files or [STANDARD_INPUT]
    _refuse_mistakes(options, files)
    output = None if options.output is None else OutputFile(options.output)
    if output is not None and output.is_one_of([*files, *filter(None, [options.state, options.policy_pack_config])]):
        raise UsageError(f"--output {options.output}: that is one of the files to read")

    judge = _Judge(pack, config, console.redact)
    report = judge.report(files, options.state, tuple(options.pack or [DEFAULT])).redacted(console.redact)
    if not report.stacks or output is not None or options.format != FORMATS[0]:  # else the report on screen says it
        for file in report.unreadable:
            console.say(f"{file.file}: {file.why}")
    if not report.stacks:
        return report.result.exit_code
    return deliver(report, options, console, output)


def _refuse_mistakes(options: argparse.Namespace, files: Sequence[str]) -> None:
    if files.count(STANDARD_INPUT) > 1:
        raise UsageError("standard input can be read once")
    if STANDARD_INPUT in files and not options.files and sys.stdin is not None and sys.stdin.isatty():
        raise UsageError("name a file, or send one to standard input; see `crossgate check --help`")
    if options.state is not None and len(files) > 1:
        raise UsageError("--state belongs to one preview: name one file")


def policy_config(path: str | None) -> EngineConfig:
    """Read the policy configuration file.

    Raises:
        UsageError: it cannot be read, or is wrong.

    """
    if path is None:
        return EngineConfig()
    try:
        return read_engine_config(Path(path).read_text(encoding="utf-8"))
    except ConfigError as error:
        raise UsageError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {reason(error)}") from None


def configured(pack: Pack, config: EngineConfig, path: str | None) -> Pack:
    """Return ``pack`` with the levels and parameters of ``config``, which came from the file ``path``.

    Raises:
        UsageError: they do not fit.

    """
    try:
        return configure(pack, config.policies)
    except ConfigError as error:
        raise UsageError(f"{path}: {error}") from None


_LARGE: Final = 1000
"""Resources from which the memory of a file is worth a thought."""


class _Judge(NamedTuple):
    """What files are judged by."""

    pack: Pack
    config: EngineConfig
    redact: Redactor

    def report(self, files: Sequence[str], state: str | None, packs: tuple[str, ...]) -> Report:
        """Judge the files, one after the other: one that cannot be judged does not keep the others from it."""
        stacks: list[StackReport] = []
        unreadable: list[Unreadable] = []
        for number, file in enumerate(files):
            if number:
                _forget_earlier_file()
            try:
                stacks.append(self._stack(file, state))
            except SourceError as error:
                unreadable.append(Unreadable(file, str(error)))
        used = {item.exemption.id for stack in stacks for item in stack.items if item.exemption is not None}
        return Report(
            packs=packs,
            stacks=tuple(stacks),
            unreadable=tuple(unreadable),
            not_configured=tuple(_not_configured(entry) for entry in self.pack.not_configured),
            unused_exemptions=tuple(each for each in self.config.exceptions if each.id not in used),
        )

    def _stack(self, file: str, state: str | None) -> StackReport:
        """Read and judge one file.

        Raises:
            SourceError: it cannot be judged.

        """
        gc.disable()  # a document is a tree: nothing in it is garbage before the end
        try:
            content = _standard_input() if file == STANDARD_INPUT else Path(file)
            source = load(content, state=None if state is None else Path(state))
            if len(source.stack.resources) >= _LARGE:
                gc.freeze()  # to take the last file apart would cost a third of the run: it ends with the process
        finally:
            gc.enable()
        return stack_report(file, source, self.pack, self.redact, self.config.exceptions)


def _forget_earlier_file() -> None:
    """Free the memory of the file that was judged before, if it was large."""
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise SourceError("there is no standard input")
    return sys.stdin.buffer.read()


def _not_configured(entry: Entry) -> NotConfigured:
    given = {**entry.rule.defaults, **entry.parameters}
    missing = tuple(name for name in entry.rule.required if given.get(name) in (None, [], {}, ""))
    return NotConfigured(entry.rule, entry.level, missing)


def deliver(report: Report, options: argparse.Namespace, console: Console, output: OutputFile | None) -> int:
    """Write the report; what could not be delivered is no green."""
    code = report.result.exit_code
    try:
        if output is None:
            view = console.view(verbose=options.verbose, color=not options.no_color)
            console.write(render(report, options.format, view))
        else:
            console.write_file(output, render(report, options.format, console.file_view(verbose=options.verbose)))
            console.say(f"{summary_line(report)} ({options.output})")
    except CannotJudgeError as error:
        console.say(str(error))
        return code or error.exit_code
    if console.redact.masked:
        console.say(f"a secret stood in the report and was replaced by {HIDDEN}")
    return code
