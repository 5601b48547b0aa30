"""Run the engine's preview of a stack, by the Automation API, and take from its events what a gate needs.

What the engine prints, and the words of its diagnostics, may hold anything: they are looked at and never shown.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pulumi import automation
from pulumi.automation import CommandResult, PulumiCommand
from semver import VersionInfo

from crossgate.crossguard import journal
from crossgate.model import Urn, parse_urn
from crossgate.supervise import TIMED_OUT, supervised

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pulumi.automation.events import EngineEvent

    from crossgate.pulumi_cli import Version

FAILED: Final = "preview failed"
"""What the engine says at the end of a preview with mandatory violations, and of no other."""
_GRACE_SECONDS: Final = 5.0
_ENDING_SECONDS: Final = 20.0
_KEPT_BYTES: Final = 65536


class Reported(NamedTuple):
    """A policy event: what a pack reported about a resource."""

    pack: str
    policy: str
    urn: str
    level: str
    """``advisory`` or ``mandatory``."""


class Events:
    """What the engine told during one run. Filled in another thread; complete when the engine has ended."""

    def __init__(self, on_progress: Callable[[int], None]) -> None:
        """Call ``on_progress`` with the number of resources so far, for each new one."""
        self.reported: Counter[Reported] = Counter()
        self.operations: dict[str, set[str]] = {}
        """By URN: ``create``, ``same``, ``read`` and so on."""
        self.errors: list[tuple[str, str]] = []
        """URN (empty for none) and message of each diagnostic that is an error. The message is never shown."""
        self.ended = False
        """The engine has summed the run up."""
        self._on_progress = on_progress

    def take(self, event: EngineEvent) -> None:
        """Take in one event."""
        if event.policy_event is not None:
            told = event.policy_event
            urn, level = told.resource_urn or "", told.enforcement_level
            self.reported[Reported(told.policy_pack_name, told.policy_name, urn, level)] += 1
        elif event.resource_pre_event is not None:
            metadata = event.resource_pre_event.metadata
            self.operations.setdefault(metadata.urn, set()).add(metadata.op.value)
            self._on_progress(len(self.operations))
        elif event.diagnostic_event is not None:
            if event.diagnostic_event.severity == "error":
                self.errors.append((event.diagnostic_event.urn or "", event.diagnostic_event.message.strip()))
        elif event.summary_event is not None:
            self.ended = not event.summary_event.maybe_corrupt

    @property
    def origin(self) -> Urn | None:
        """The parts of the URN of some resource."""
        for urn in self.operations:
            with suppress(ValueError):
                return parse_urn(urn)
        return None


class EngineRun(NamedTuple):
    """How one preview went."""

    status: int
    """The engine's exit status."""
    stderr: str
    """The end of what the engine printed as errors. Never shown."""
    events: Events
    timed_out: bool = False

    @property
    def errors(self) -> list[tuple[str, str]]:
        """The errors other than that there were violations."""
        return [error for error in self.events.errors if error[1] != FAILED]

    @property
    def went_through(self) -> bool:
        """The program ran to its end, and the engine has nothing to complain of but violations."""
        mandatory = any(report.level == "mandatory" for report in self.events.reported)
        return self.events.ended and not self.errors and (self.status == 0 or mandatory)


class _Stopped(Exception):
    """The engine did not succeed. The argument is the exit status."""


class _Command(PulumiCommand):
    """The CLI, run so that nothing of it outlives its caller, and so that nothing it prints gets anywhere."""

    def __init__(
        self,
        command: str,
        version: VersionInfo | None,
        *,
        env: Mapping[str, str],
        arguments: Sequence[str],
        limit: float,
    ) -> None:
        # The base class would ask the CLI for its version: that is known by now.
        self.command = command
        self.version = version
        self.stderr = ""
        self._env = env
        self._arguments = arguments
        self._limit = limit

    def run(self, args: list[str], cwd: str, additional_env: Mapping[str, str], *_: Any, **__: Any) -> CommandResult:
        """Run the CLI to its end.

        Raises:
            _Stopped: its exit status is not 0.

        """
        command, *rest = args
        words = [self.command, command, *self._arguments, *rest, "--non-interactive"]
        env = {**os.environ, **additional_env, **self._env, "PULUMI_AUTOMATION_API": "true"}
        if os.path.isabs(self.command):  # noqa: PTH117 - a text; its plugins lie beside it
            env["PATH"] = os.pathsep.join([str(Path(self.command).parent), env.get("PATH", os.defpath)])
        with tempfile.TemporaryFile() as stderr:
            status = _run(words, cwd, env, stderr, self._limit)
            stderr.seek(max(0, stderr.tell() - _KEPT_BYTES))
            self.stderr = stderr.read().decode(errors="replace")
        if status:
            raise _Stopped(status)
        return CommandResult("", "", 0)


def _run(words: list[str], cwd: str, env: Mapping[str, str], stderr: Any, limit: float) -> int:
    """Run a command in a session of its own: a Ctrl-C reaches it by way of this process, which ends all of it."""
    windows = sys.platform == "win32"
    process = subprocess.Popen(
        words if windows else supervised(words, limit=limit, grace=_GRACE_SECONDS),
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        start_new_session=not windows,
    )
    try:
        return process.wait(limit if windows and limit != float("inf") else None)
    except subprocess.TimeoutExpired:
        _end(process)
        return TIMED_OUT
    except BaseException:  # a KeyboardInterrupt, mostly
        _end(process)
        raise
    finally:
        stderr.seek(0, os.SEEK_END)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it started; a second Ctrl-C does not hurry it, the supervisor's grace is short."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    else:
        process.terminate()
    while True:
        with suppress(KeyboardInterrupt):
            try:
                process.wait(_ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
            return


class _Folder(automation.LocalWorkspace):
    """A project's folder in which selecting a stack selects nothing: what the user has selected stays so."""

    def select_stack(self, stack_name: str) -> None:
        """Do nothing: every command names the stack."""


def stack_of(folder: Path, name: str, cli: str, version: Version) -> automation.Stack:
    """Return the stack ``name`` of the project in ``folder``; an empty name stands for the one that is selected."""
    command = _Command(cli, VersionInfo(*version), env={}, arguments=(), limit=0.0)
    return automation.Stack.select(name, _Folder(work_dir=str(folder.absolute()), pulumi_command=command))


def preview(
    stack: automation.Stack,
    *,
    packs: Sequence[Path],
    configs: Sequence[Path],
    verdicts: Path,
    arguments: Sequence[str] = (),
    limit: float | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> EngineRun:
    """Preview ``stack`` with ``packs``, which write their verdicts into the folder ``verdicts``.

    Args:
        stack: a stack of the Automation API; its program may be an inline one.
        packs: folders of policy packs.
        configs: a configuration file for each of them, or none at all.
        verdicts: an empty folder.
        arguments: more of them for ``pulumi preview``.
        limit: seconds that the engine may take.
        on_progress: called with the number of resources so far.

    """
    workspace = stack.workspace
    cli = workspace.pulumi_command
    command = _Command(
        cli.command,
        cli.version,
        env={journal.FOLDER: str(verdicts)},
        arguments=arguments,
        limit=float("inf") if limit is None else limit,
    )
    events = Events(on_progress)
    status = 0
    workspace.pulumi_command = command
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the Automation API warns of an event that it cannot read by printing it
            stack.preview(
                policy_packs=[str(pack) for pack in packs],
                policy_pack_configs=[str(config) for config in configs],
                color="never",
                on_event=events.take,
            )
    except _Stopped as stopped:
        status = stopped.args[0]
    except RuntimeError:  # no event summed the run up; it is not `ended`
        pass
    finally:
        workspace.pulumi_command = cli
    return EngineRun(status, command.stderr, events, timed_out=limit is not None and status == TIMED_OUT)
