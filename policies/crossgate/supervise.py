"""Run a command so that nothing of its process tree outlives it, its time limit or its caller. Not for Windows.

``python -I -S supervise.py [--limit=SECONDS] [--grace=SECONDS] COMMAND ARG…`` passes standard streams and the exit
status through. The tree is ended when the command ends, when the time limit is over (:data:`TIME_LIMIT` in the
environment, unless the option states one), on SIGTERM, SIGINT or SIGHUP, and when the process that started this one
dies, however it dies. On Linux that last case needs no polling: the kernel signals this process
(``PR_SET_PDEATHSIG``), and as a *subreaper* it inherits every orphan of the tree, so that a plugin whose parent was
killed is still found.
https://man7.org/linux/man-pages/man2/PR_SET_CHILD_SUBREAPER.2const.html

With a grace, what is left of the tree is asked to end (SIGTERM) and killed only when that time is over.

This file imports only the standard library and is run by its path, because it starts before every engine call.
"""

# ruff: noqa: PTH100, PTH112, PTH119, PTH123, PTH208
# pathlib would be one more import before every engine call.

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from types import FrameType

TIME_LIMIT = "CROSSGATE_TIME_LIMIT"
TIMED_OUT = 124
"""Exit status when the time limit is over; the same that coreutils' ``timeout`` uses."""

_DEFAULT_TIME_LIMIT = 300.0
_LIMIT = "--limit="
_GRACE = "--grace="
_POLL = 0.2
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


class _Ended(Exception):
    """A signal asked to end; the argument is the exit status to report."""


def supervised(command: list[str], *, limit: float | None = None, grace: float = 0.0) -> list[str]:
    """The argument vector that runs ``command`` under supervision.

    ``limit`` and ``grace`` are seconds; infinity is no limit, None leaves it to the environment.
    """
    options = [*([] if limit is None else [f"{_LIMIT}{limit}"]), *([f"{_GRACE}{grace}"] if grace else [])]
    return [sys.executable, "-I", "-S", os.path.abspath(__file__), *options, *command]


def descendants(root: int) -> list[int]:
    """The process ids below ``root``, parents before children. Zombies are left out: they are dead already."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    queue = list(children.get(root, ()))
    while queue:
        pid = queue.pop(0)
        found.append(pid)
        queue.extend(children.get(pid, ()))
    return found


def _parents() -> list[tuple[int, int]]:
    if not os.path.isdir("/proc/self"):
        listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True)
        rows = [line.split() for line in listing.stdout.splitlines()]
        return [(int(pid), int(parent)) for pid, parent, state in rows if not state.startswith("Z")]
    pairs = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with suppress(OSError):  # it ended between the listing and the reading
            with open(f"/proc/{name}/stat", "rb") as stat:
                # The command name is in parentheses and may hold spaces and parentheses: read what follows the last.
                state, parent = stat.read().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                pairs.append((int(name), int(parent)))
    return pairs


def end_descendants(root: int, grace: float = 0.0) -> None:
    """Kill everything below ``root``, again until nothing is left: a process may start another while it is killed.

    With a ``grace`` (seconds) SIGTERM comes first, so that a tool can remove its lock files.
    """
    if grace:
        _signal_all(descendants(root), signal.SIGTERM)
        until = time.monotonic() + grace
        while descendants(root) and time.monotonic() < until:
            _reap()
            time.sleep(0.02)
    until = time.monotonic() + 10.0
    while (alive := descendants(root)) and time.monotonic() < until:
        _signal_all(alive, signal.SIGKILL)
        _reap()
        time.sleep(0.01)


def _signal_all(pids: list[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _die_with_parent(number: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _end(number: int, _frame: FrameType | None) -> None:
    raise _Ended(128 + number)


def main(arguments: list[str]) -> int:
    """Run the command to its end and return its exit status, :data:`TIMED_OUT`, or 128 plus a signal's number."""
    parent = os.getppid()
    options = {_LIMIT: float(os.environ.get(TIME_LIMIT, _DEFAULT_TIME_LIMIT)), _GRACE: 0.0}
    while name := next((each for each in options if arguments[0].startswith(each)), None):
        options[name] = float(arguments.pop(0).removeprefix(name))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _end)
    _die_with_parent(signal.SIGTERM)
    _adopt_orphans()
    try:
        if os.getppid() != parent:  # it died before the kernel was told to signal this process
            return 128 + signal.SIGTERM
        return _watch(arguments, parent, options[_LIMIT])
    except _Ended as ended:
        return int(ended.args[0])
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        end_descendants(os.getpid(), options[_GRACE])


def _watch(command: list[str], parent: int, limit: float) -> int:
    # Single-threaded here, so preexec_fn is safe: should this process be killed with SIGKILL, the command dies with it.
    child = subprocess.Popen(command, preexec_fn=lambda: _die_with_parent(signal.SIGKILL))  # noqa: PLW1509
    until = time.monotonic() + limit
    while (status := _wait(child)) is None:
        if os.getppid() != parent:
            return 128 + signal.SIGTERM
        if time.monotonic() > until:
            sys.stderr.write(f"{os.path.basename(command[0])}: no end after {limit:g} s, the time limit\n")
            return TIMED_OUT
    return status if status >= 0 else 128 - status


def _wait(child: subprocess.Popen[bytes]) -> int | None:
    """The exit status of ``child``, or None when it still runs after a short while."""
    if sys.platform == "linux":  # Popen.wait() with a timeout sleeps up to 50 ms too long; a pidfd wakes at once
        descriptor = os.pidfd_open(child.pid)
        try:
            select.select([descriptor], [], [], _POLL)
        finally:
            os.close(descriptor)
        return child.poll()
    try:
        return child.wait(timeout=_POLL)
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
