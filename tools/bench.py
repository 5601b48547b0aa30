"""Hold the gate and the pack server against their budgets, each a ratio or a difference within one run.

Machines differ, and are noisy: what is compared runs in turns, and what counts is the time that the processor spent,
not the time that passed. Of what takes a moment the fastest run counts; of what takes longer, the middle one of the
ratios of neighbours in time, for a busy machine slows both. Python's compiled files are there, as they are of an
installed package: the first round makes them, in a folder of its own.

``python -m tools.bench`` prints a line for each budget and ends with 1 when one is exceeded; ``--quick`` leaves out the
100,000 resources.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from threading import Timer
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
CROSSGATE = str(Path(sys.executable).with_name("crossgate"))
BASELINE = ROOT / "packs" / "baseline"
LIMIT = 600
"""Seconds after which anything is given up."""
ROUNDS = 31
"""How often the two servers take turns; what they do for the first time counts for neither."""

READ = "import json, sys; json.load(open(sys.argv[1], encoding='utf-8'))"
IMPORTS = "import sys; from crossgate.gate.cli import main; sys.argv[0] = 'crossgate'; sys.exit(main())"

# The same work as that of a careful beginner: twenty policies that each read one input.
SDK_PACK = """
from pulumi_policy import EnforcementLevel, PolicyPack, ResourceValidationPolicy

def validate(args, report_violation):
    if args.props.get("acl") == "public-read":
        report_violation("public")

policies = [ResourceValidationPolicy(f"trivial-{n}", "trivial", validate) for n in range(20)]
PolicyPack("twenty", policies, EnforcementLevel.ADVISORY)
"""


class Usage(NamedTuple):
    """What one process took."""

    seconds: float
    """Of the processor, in the process and in the system on its behalf."""
    peak: int
    """Bytes of memory."""


class Result(NamedTuple):
    """One budget: the work, what was measured, and the most it may be, in ``unit``."""

    work: str
    measured: float
    budget: float
    unit: str

    @property
    def kept(self) -> bool:
        """Whether the budget is kept."""
        return self.measured <= self.budget

    def __str__(self) -> str:
        """Return the line of the report."""
        mark = "ok  " if self.kept else "OVER"
        share = f"{self.measured / self.budget:6.0%}" if self.budget else ""
        return f"{mark}  {self.work:<64}{self.measured:8.3f}  of {f'{self.budget:g} {self.unit}':<11}{share}"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the 100,000 resources")
    options = parser.parse_args()
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for result in Bench(Path(folder)).results(quick=options.quick):
            print(result, flush=True)
            kept = kept and result.kept
    return 0 if kept else 1


class Bench:
    """The measurements of one run."""

    def __init__(self, folder: Path) -> None:
        """Keep files in ``folder``."""
        self._folder = folder
        self._environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        self._environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")

    def results(self, *, quick: bool) -> Iterator[Result]:
        """Measure everything."""
        yield from self.cold()
        yield from self.large()
        if not quick:
            yield from self.linear()
        yield from self.start()
        yield from self.live()

    # -- the command -------------------------------------------------------------------------------------------------

    def cold(self) -> Iterator[Result]:
        """Check one resource: what the command costs before it does anything."""
        preview = self._preview(1)
        ours, bare = self.in_turns(15, check(preview), [PYTHON, "-c", "pass"])
        yield Result("check of 1 resource, over `python -c pass`", fastest(ours) - fastest(bare), 0.25, "s")
        traced = [PYTHON, "-X", "importtime", "-c", IMPORTS, *check(preview)[1:]]
        done = subprocess.run(traced, capture_output=True, text=True, timeout=LIMIT, check=False, env=self._environment)
        expect(done.returncode, traced)
        modules = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
        yield Result(
            "check of 1 resource, imports of pulumi and grpc", len(modules & {"grpc", "pulumi"}), 0, "packages"
        )

    def large(self) -> Iterator[Result]:
        """Check 10,000 resources with the baseline pack."""
        preview = self._preview(10_000)
        as_json = [*check(preview), "--format", "json", "--output", str(self._folder / "report.json")]
        ours, read, json = self.in_turns(7, check(preview), [PYTHON, "-c", READ, str(preview)], as_json)
        peak = min(usage.peak for usage in ours)
        yield Result("check of 10,000 resources, to reading their JSON", middle(ours, read), 4, "times")
        yield Result("check of 10,000 resources, memory to the file", peak / preview.stat().st_size, 6, "times")
        yield Result("check of 10,000 resources, a JSON report to a text", middle(json, ours), 1.25, "times")

    def linear(self) -> Iterator[Result]:
        """Check 100,000 resources, and ten times 10,000 around it: long enough to meet the same noise."""
        few, many = check(self._preview(10_000)), check(self._preview(100_000))
        ratios = []
        for _ in range(2):
            before = [self.measured(few).seconds for _ in range(5)]
            seconds = self.measured(many).seconds
            after = [self.measured(few).seconds for _ in range(5)]
            ratios.append(seconds / mean([*before, *after]))
        yield Result("check of 100,000 resources, to 10,000", min(ratios), 11, "times")

    def in_turns(self, times: int, *commands: Sequence[str]) -> list[list[Usage]]:
        """Run the commands one after the other, ``times`` times over; return what each took, round by round.

        A round before them is not counted: it compiles.
        """
        rounds = [[self.measured(command) for command in commands] for _ in range(times + 1)]
        return [list(column) for column in zip(*rounds[1:], strict=True)]

    def measured(self, command: Sequence[str]) -> Usage:
        """Run a command to its end.

        Raises:
            RuntimeError: it ended with neither 0 nor 1, which are the gate's two verdicts.

        """
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self._environment)
        with limited(process):
            usage, status = ended(process)
        expect(status, command)
        return usage

    def _preview(self, size: int) -> Path:
        """Make the file, in a process of its own: the memory of this one counts as that of its children."""
        path = self._folder / f"preview-{size}.json"
        if not path.exists():
            command = [PYTHON, "-m", "tools.workload", str(size), str(path)]
            subprocess.run(command, cwd=ROOT, check=True, timeout=LIMIT)
        return path

    # -- the pack server ---------------------------------------------------------------------------------------------

    def start(self) -> Iterator[Result]:
        """Start the baseline pack, up to the line with its port."""
        starts = [(self._started(BASELINE), self.measured([PYTHON, "-c", "import pulumi"])) for _ in range(8)]
        ours, bare = zip(*starts[1:], strict=True)
        yield Result("start of the baseline pack, over `import pulumi`", fastest(ours) - fastest(bare), 0.3, "s")

    def live(self) -> Iterator[Result]:
        """Judge what the engine would send, beside a server of the SDK; see :mod:`tools.bench_pack`."""
        theirs = self._folder / "sdk"
        theirs.mkdir()
        (theirs / "__main__.py").write_text(SDK_PACK, encoding="utf-8")
        with self.judging(BASELINE, 100) as ours, self.judging(theirs, 20) as sdk:
            rounds = [(ours(), sdk()) for _ in range(ROUNDS)]
        own, other = map(sum, zip(*rounds[1:], strict=True))
        yield Result("judging a resource live, to the SDK with 20 trivial policies", own / other, 0.1, "times")

    @contextmanager
    def judging(self, pack: Path, count: int) -> Iterator[Callable[[], float]]:
        """Run a pack; yield what has it judge ``count`` more resources, and returns the seconds that each took."""
        command = [PYTHON, "-m", "tools.bench_pack", str(pack), str(ROUNDS), str(count)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=self._environment
        )

        def judge() -> float:
            print(file=process.stdin, flush=True)
            return float((process.stdout or sys.stdin).readline())

        with process, limited(process):
            yield judge
            process.kill()

    def _started(self, pack: Path) -> Usage:
        """Start a pack as the engine's language host does, and end it when it has told its port."""
        command = [PYTHON, "-u", "-m", "pulumi.policy", "127.0.0.1:1", str(pack)]
        process = subprocess.Popen(
            command, cwd=pack, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self._environment
        )
        with process, limited(process):
            port = (process.stdout or sys.stdin).readline()
            process.kill()
            usage, _ = ended(process)
        if not port.strip().isdecimal():
            raise RuntimeError(f"no port from {' '.join(command)}")
        return usage


# -- pieces ----------------------------------------------------------------------------------------------------------


def check(preview: Path) -> list[str]:
    """Return the command that gates ``preview`` with the baseline pack."""
    return [CROSSGATE, "check", str(preview)]


@contextmanager
def limited(process: subprocess.Popen[Any]) -> Iterator[None]:
    """End the process if it takes too long."""
    timer = Timer(LIMIT, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def ended(process: subprocess.Popen[Any]) -> tuple[Usage, int]:
    """Wait for the end of a process; return what it took and its exit status."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit), process.returncode


def expect(status: int, command: Sequence[str]) -> None:
    """Refuse an exit status that is none of the gate's two verdicts.

    Raises:
        RuntimeError: it is neither 0 nor 1.

    """
    if status not in {0, 1}:
        raise RuntimeError(f"ended with {status}: {' '.join(command)}")


def fastest(usages: Iterable[Usage]) -> float:
    """Return the seconds of the fastest run."""
    return min(usage.seconds for usage in usages)


def middle(ours: Sequence[Usage], theirs: Sequence[Usage]) -> float:
    """Return how many times the seconds of its neighbour a run takes, in the middle one of the rounds."""
    return median(own.seconds / other.seconds for own, other in zip(ours, theirs, strict=True))


if __name__ == "__main__":
    sys.exit(main())
