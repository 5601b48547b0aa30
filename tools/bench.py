"""Time the gate and the pack server against their budgets, each a ratio within one run: machines differ, and are noisy.

``python -m tools.bench`` prints a line for each budget and ends with 1 when one is exceeded; ``--quick`` leaves out the
100,000 resources. Of repeated measurements the fastest counts, and what is compared is measured in turns.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools import workload

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
CROSSGATE = str(Path(sys.executable).with_name("crossgate"))
LIMIT = 600
RESOURCES = 300

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


class Sample(NamedTuple):
    """What one process took."""

    seconds: float
    peak: int  # bytes


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
        return f"{mark}  {self.work:<62}{self.measured:8.2f}  of {self.budget:g} {self.unit}"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the 100,000 resources")
    options = parser.parse_args()
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for result in results(Path(folder), quick=options.quick):
            print(result, flush=True)
            kept = kept and result.kept
    return 0 if kept else 1


def results(folder: Path, *, quick: bool) -> Iterator[Result]:
    """Measure everything; the server last, for what it imports counts as memory of later children."""
    yield from cold(folder)
    yield from large(folder, quick=quick)
    yield from server(folder)


# --- The command ------------------------------------------------------------------------------------------------------


def cold(folder: Path) -> Iterator[Result]:
    """Check one resource: what the command costs before it does anything."""
    preview = _preview(folder, 1)
    ours, bare = in_turns(9, check(preview), [PYTHON, "-c", "pass"])
    yield Result("check of 1 resource, over `python -c pass`", ours.seconds - bare.seconds, 0.25, "s")
    traced = [PYTHON, "-X", "importtime", "-c", IMPORTS, "check", str(preview)]
    done = subprocess.run(traced, capture_output=True, text=True, timeout=LIMIT, check=False)
    _expect(done.returncode, traced)
    modules = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    yield Result("check of 1 resource, imports of pulumi and grpc", len(modules & {"grpc", "pulumi"}), 0, "packages")


def large(folder: Path, *, quick: bool) -> Iterator[Result]:
    """Check 10,000 and 100,000 resources with the baseline pack."""
    preview = _preview(folder, 10_000)
    ours, read = in_turns(3, check(preview), [PYTHON, "-c", READ, str(preview)])
    yield Result("check of 10,000 resources, to reading their JSON", ours.seconds / read.seconds, 4, "times")
    yield Result("check of 10,000 resources, memory to the file", ours.peak / preview.stat().st_size, 6, "times")
    if not quick:
        (more,) = in_turns(1, check(_preview(folder, 100_000)))
        yield Result("check of 100,000 resources, to 10,000", more.seconds / ours.seconds, 11, "times")


def check(preview: Path) -> list[str]:
    """Return the command that gates ``preview`` with the baseline pack."""
    return [CROSSGATE, "check", str(preview)]


def in_turns(times: int, *commands: Sequence[str]) -> list[Sample]:
    """Run the commands one after the other, ``times`` times over; return the fastest run of each."""
    rounds = [[timed(command) for command in commands] for _ in range(times)]
    return [min(samples) for samples in zip(*rounds, strict=True)]


def timed(command: Sequence[str]) -> Sample:
    """Run a command to its end.

    Raises:
        RuntimeError: it ended with neither 0 nor 1, which are the gate's two verdicts.

    """
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    _expect(process.returncode, command)
    unit = 1 if sys.platform == "darwin" else 1024
    return Sample(seconds, usage.ru_maxrss * unit)


# --- The pack server --------------------------------------------------------------------------------------------------


def server(folder: Path) -> Iterator[Result]:
    """Start the baseline pack, and send it what the engine would, beside a server of the SDK."""
    ours = ROOT / "packs" / "baseline"
    theirs = folder / "sdk"
    theirs.mkdir()
    (theirs / "__main__.py").write_text(SDK_PACK, encoding="utf-8")

    starts = []
    for _ in range(7):
        start = time.perf_counter()
        with started(ours):
            seconds = time.perf_counter() - start
        starts.append((seconds, timed([PYTHON, "-c", "import pulumi"]).seconds))
    own, bare = map(min, zip(*starts, strict=True))
    yield Result("start of the baseline pack, over `import pulumi`", own - bare, 0.3, "s")

    with started(ours) as our_port, started(theirs) as their_port:
        rounds = [(*calls(our_port), *calls(their_port)) for _ in range(5)]
    own, own_empty, sdk, sdk_empty = map(min, zip(*rounds, strict=True))
    yield Result(
        "judging a resource live, to the SDK with 20 trivial policies",
        (own - own_empty) / (sdk - sdk_empty),
        0.1,
        "times",
    )


@contextmanager
def started(pack: Path) -> Iterator[int]:
    """Start a pack as the engine's language host does; yield its port and end it afterwards."""
    command = [PYTHON, "-u", "-m", "pulumi.policy", "127.0.0.1:1", str(pack)]
    with subprocess.Popen(command, cwd=pack, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int((process.stdout or sys.stdin).readline())
        finally:
            process.kill()


def calls(port: int) -> tuple[float, float]:
    """Send the server at ``port`` some resources; return the seconds one takes, and those of a call without work."""
    import grpc
    from google.protobuf import empty_pb2
    from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc

    requests = []
    for made in workload.resources(RESOURCES):
        kind = workload.TYPES[made.kind]
        request = analyzer_pb2.AnalyzeRequest(type=kind, name=made.name, urn=f"{workload.URN}{kind}::{made.name}")
        request.properties.update(workload.recorded(made, "preview"))
        requests.append(request)
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = analyzer_pb2_grpc.AnalyzerStub(channel)
        empty = [empty_pb2.Empty()] * len(requests)
        return _each(stub.Analyze, requests), _each(stub.GetPluginInfo, empty)


def _each(call: Callable[..., object], requests: Sequence[object]) -> float:
    call(requests[0], timeout=LIMIT)
    start = time.perf_counter()
    for request in requests:
        call(request, timeout=LIMIT)
    return (time.perf_counter() - start) / len(requests)


def _preview(folder: Path, size: int) -> Path:
    """Make the file in a process of its own: the memory of this one counts as that of its children."""
    path = folder / f"preview-{size}.json"
    subprocess.run([PYTHON, "-m", "tools.workload", str(size), str(path)], cwd=ROOT, check=True, timeout=LIMIT)
    return path


def _expect(status: int, command: Sequence[str]) -> None:
    if status not in {0, 1}:
        raise RuntimeError(f"ended with {status}: {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main())
