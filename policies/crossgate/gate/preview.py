"""``crossgate preview``: judge what the real engine is about to do.

The engine runs the project's preview, with the packs beside it. So the rules see what no file shows: values that are
secret, all unchanged resources, and the settings of every provider.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from crossgate.config.engine import EngineConfig
from crossgate.gate.check import configured, deliver, policy_config
from crossgate.gate.errors import CannotJudgeError, UsageError
from crossgate.gate.output import OutputFile
from crossgate.gate.packs import DEFAULT, SHIPPED, pack_of
from crossgate.gate.render import FORMATS
from crossgate.gate.report import Report, Unreadable
from crossgate.pulumi_cli import OLDEST, Version, version_in, version_of
from crossgate.sources import SourceError, load

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

    from pulumi.automation import Stack

    from crossgate.gate.console import Console
    from crossgate.model import Position
    from crossgate.pack import Pack

_PROJECT: Final = "PulumiPolicy.yaml"

_OURS: Final = (
    "--client", "--cwd", "--event-log", "--exec-agent", "--exec-kind", "--help", "--json", "--policy-pack",
    "--policy-pack-config", "--stack", "-C", "-h", "-j", "-s",
)  # fmt: skip
"""Arguments of `pulumi preview` that this command sets itself, or that keep it from running."""
_NARROWING: Final = ("--exclude", "--exclude-dependents", "--target", "--target-dependents", "--target-replace", "-t")
_ELSEWHERE: Final = "--remote"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``crossgate preview``."""
    add = parser.add_argument
    add("--cwd", metavar="DIR", default=".", help="the project's folder (default: this one)")
    add("--stack", metavar="NAME", default="", help="the stack to preview (default: the one that is selected)")
    add(
        "--pack",
        action="append",
        metavar="NAME|PATH",
        help=f"judge by this pack, and by each other one that is named; a path is a pack's folder (default: {DEFAULT})",
    )
    add(
        "--policy-pack-config",
        metavar="FILE",
        help="levels, parameters and exceptions, as the engine reads them (version 2)",
    )
    add("--digest", metavar="FILE", help="what `pulumi preview --json` wrote, for the places in the source alone")
    add("--state", metavar="FILE", help="what `pulumi stack export` wrote, for the places in the source alone")
    add("--timeout", metavar="SECONDS", type=float, help="give up when the preview takes longer (default: never)")
    add("--format", choices=FORMATS, default=FORMATS[0], help=f"of the report (default: {FORMATS[0]})")
    add("--output", metavar="FILE", help="write the report there, and a line about it to standard error")
    add("-v", "--verbose", action="store_true", help="leave nothing out: every gap, URN and type")
    add("--no-color", action="store_true", help="no colours; there are none but on a terminal, or under NO_COLOR")
    add("arguments", nargs="*", metavar="-- ARGUMENT", help="more arguments for `pulumi preview`")


def run(options: argparse.Namespace, console: Console) -> int:
    """Preview, judge and report; return the exit code.

    Raises:
        UsageError: wrong usage or configuration; nothing was judged.
        CannotJudgeError: nothing at all could be judged.

    """
    _refuse_mistakes(options)
    names = tuple(options.pack or [DEFAULT])
    config = policy_config(options.policy_pack_config)
    packs = chosen(names, config, options.policy_pack_config)
    output = None if options.output is None else OutputFile(options.output)
    inputs = list(filter(None, [options.digest, options.state, options.policy_pack_config]))
    if output is not None and output.is_one_of(inputs):
        raise UsageError(f"--output {options.output}: that is one of the files to read")
    positions = _positions(options)
    cli, version = _cli()
    _need_live()
    from crossgate.gate._live_engine import stack_of

    stack = stack_of(Path(options.cwd), options.stack, cli, version)
    with _Progress() as progress:
        report = judge_preview(
            stack,
            packs,
            config=config,
            name=options.cwd,
            positions=positions,
            arguments=options.arguments,
            limit=options.timeout,
            on_progress=progress.resources,
        )
    if output is not None or options.format != FORMATS[0]:  # else the report on screen says it
        for each in report.unreadable:
            console.say(f"{each.file}: {each.why}")
    return deliver(report.redacted(console.redact), options, console, output)


class Packs(NamedTuple):
    """What to judge by."""

    names: tuple[str, ...]
    """As they were named, for the report."""
    tables: tuple[str, ...]
    """Those that are tables: shipped ones, and a team's own."""
    table: Pack | None
    """Their union, configured; None for none."""
    folders: tuple[Path, ...]
    """Those that are folders, with a program for the engine to start."""


def chosen(names: Sequence[str], config: EngineConfig | None = None, config_file: str | None = None) -> Packs:
    """Return the packs of these names: tables as `crossgate check` takes them, and folders.

    Raises:
        UsageError: there is no such pack, or ``config`` does not fit it.
        CannotJudgeError: a pack does not start.

    """
    folders = [name for name in names if _is_path(name)]
    tables = [name for name in names if name not in folders]
    table = pack_of(tables) if tables else None
    if config is not None and config.policies:
        if len(folders) + bool(tables) > 1:
            raise UsageError(f"{config_file}: a configuration belongs to one pack; name one --pack PATH, or only names")
        if table is not None:
            table = configured(table, config, config_file)
    return Packs(tuple(names), tuple(tables), table, tuple(_folder(name) for name in folders))


def _is_path(name: str) -> bool:
    return name not in SHIPPED and ("/" in name or "\\" in name or Path(name).is_dir())


def _folder(name: str) -> Path:
    path = Path(name).absolute()
    if path.is_dir() and not (path / _PROJECT).is_file():
        raise UsageError(f"--pack {name}: no policy pack: there is no {_PROJECT} in it")
    if not path.exists():
        raise UsageError(f"--pack {name}: there is no such folder")
    return path


def judge_preview(
    stack: Stack,
    packs: Packs,
    *,
    config: EngineConfig | None = None,
    name: str = "",
    positions: Mapping[str, Position] | None = None,
    arguments: Sequence[str] = (),
    limit: float | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Preview a stack of the Automation API with ``packs``, and return what they say.

    Args:
        stack: the stack; its program may be an inline one.
        packs: what to judge by; see :func:`chosen`.
        config: levels and parameters for the one pack, and exceptions.
        name: what the report calls the preview; the stack's name unless given.
        positions: where the program registers each resource, by URN.
        arguments: more of them for ``pulumi preview``.
        limit: seconds that the engine may take.
        on_progress: called with the number of resources so far.

    Raises:
        UsageError: the engine was asked for something that is not there.
        CannotJudgeError: the engine, or a pack, failed, and nothing that blocks was found before.

    """
    from crossgate.crossguard import journal
    from crossgate.gate import _live_engine, _live_report
    from crossgate.gate._live_failure import explain
    from crossgate.gate._live_pack import NAME, engine_config, stage

    cli = stack.workspace.pulumi_command
    _refuse_old(cli.command, version_in(str(cli.version)))
    config = config or EngineConfig()
    name = name or stack.name
    with tempfile.TemporaryDirectory(prefix="crossgate-") as made:
        folder = Path(made)
        verdicts = folder / "verdicts"
        verdicts.mkdir()
        started = [*([stage(packs.tables, folder)] if packs.tables else []), *packs.folders]
        configs = []
        if config.policies:
            configs = [folder / "policy-config.json"]
            engine_config(config.policies, configs[0])
        done = _live_engine.preview(
            stack,
            packs=started,
            configs=configs,
            verdicts=verdicts,
            arguments=arguments,
            limit=limit,
            on_progress=on_progress,
        )
        try:
            journals = journal.read(verdicts)
            unreadable = ""
        except journal.JournalError as error:
            journals, unreadable = [], str(error)
    rules = {entry.rule.id: entry.rule for entry in packs.table.entries} if packs.table else {}
    live = _live_report.Live(name, done, journals, rules, config.exceptions, positions or {})
    failure = None
    if not done.went_through:
        failure = explain(done, limit)
    elif why := unreadable or _live_report.disagreement(live, NAME if packs.tables else ""):
        failure = CannotJudgeError(f"{why}; nothing of it can be relied on")
    judged = _live_report.stack_report(live)
    if failure is not None and not any(item.blocks for item in judged.items):
        raise failure
    used = {item.exemption.id for item in judged.items if item.exemption is not None}
    return Report(
        packs=packs.names,
        stacks=(judged,),
        unreadable=() if failure is None else (Unreadable(name, str(failure), "incomplete preview"),),
        not_configured=_live_report.not_configured(live),
        unused_exemptions=tuple(each for each in config.exceptions if each.id not in used),
    )


def _refuse_mistakes(options: argparse.Namespace) -> None:
    if options.timeout is not None and not options.timeout > 0:
        raise UsageError("--timeout: must be more than 0 seconds")
    if not Path(options.cwd).is_dir():
        raise UsageError(f"--cwd {options.cwd}: there is no such folder")
    if options.digest is not None and options.state is not None:
        raise UsageError("--digest and --state both tell the places in the source: name one")
    if options.arguments and not options.arguments[0].startswith("-"):
        raise UsageError(f"{options.arguments[0]}: name a stack by --stack, and a folder by --cwd")
    for argument in options.arguments:
        flag = argument.partition("=")[0] if argument.startswith("--") else argument[:2]
        if flag in _OURS or argument == "--" or flag.startswith(_ELSEWHERE):
            raise UsageError(f"{flag}: `pulumi preview` cannot be given that by this command")
        if flag in _NARROWING:
            raise UsageError(f"{flag}: a preview that leaves resources out is not judged")


def _positions(options: argparse.Namespace) -> Mapping[str, Position]:
    """Return where the program registers each resource, as far as a file tells it.

    Raises:
        CannotJudgeError: the file cannot be read.

    """
    file = options.digest or options.state
    if file is None:
        return {}
    try:
        resources = load(Path(file)).stack.resources
    except SourceError as error:
        raise CannotJudgeError(f"{file}: {error}") from None
    return {resource.urn: resource.position for resource in resources if resource.position is not None}


def _cli() -> tuple[str, Version]:
    """Return the path of the Pulumi CLI and its version.

    Raises:
        CannotJudgeError: there is none that runs.

    """
    found = shutil.which("pulumi")
    if found is None:
        raise CannotJudgeError("`pulumi` is not on PATH; `crossgate check` judges files without it")
    try:
        return found, version_of([found, "version"])
    except (OSError, subprocess.TimeoutExpired):
        raise CannotJudgeError(f"{found} does not run") from None


def _refuse_old(cli: str, version: Version) -> None:
    """Refuse an engine whose events do not tell enough.

    Raises:
        CannotJudgeError: with the numbers.

    """
    if version < OLDEST:
        is_version = f"is version {version}" if version != Version() else "does not tell its version"
        raise CannotJudgeError(f"{cli} {is_version}; `crossgate preview` needs {OLDEST} or newer")


def _need_live() -> None:
    try:
        import pulumi.automation  # noqa: F401
    except ModuleNotFoundError as error:
        raise CannotJudgeError(
            f"the module {error.name} is missing: install crossgate with what previews need, crossgate[live]"
        ) from None


class _Progress:
    """A line on a terminal's standard error while the engine works; nothing anywhere else."""

    def __init__(self) -> None:
        err = sys.stderr
        self._terminal = err if err is not None and err.isatty() and os.environ.get("TERM") != "dumb" else None

    def __enter__(self) -> Self:
        self._show("previewing")
        return self

    def resources(self, count: int) -> None:
        """Show how far the engine is."""
        self._show(f"previewing, {count} resource{'' if count == 1 else 's'} so far")

    def __exit__(self, *_: object) -> None:
        self._show("")

    def _show(self, text: str) -> None:
        if self._terminal is not None:
            with suppress(OSError):
                self._terminal.write(f"\r\x1b[K{text}")
                self._terminal.flush()
