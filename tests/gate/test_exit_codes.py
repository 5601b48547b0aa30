"""The exit codes, for ever: 0 compliant, 1 blocked by policy, 2 wrong usage or configuration, 3 could not judge.

Each through the installed script, as a pipeline sees it.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.gate.conftest import EXAMPLE, INSTALLED, LIMIT, OUTCOMES, ROOT, Command
from tests.sources.builders import digest, stack_step, step

PASSWORD = "hunter" + "2"


@pytest.fixture
def preview(tmp_path: Path) -> Path:
    return tmp_path / "preview.json"


def test_0_compliant(installed: Command, preview: Path) -> None:
    preview.write_text(digest([stack_step(), step("create", "logs", inputs={"outcome": "fine"})]))
    ran = installed("check", str(preview), "--pack", OUTCOMES)
    assert (0, "") == (ran.code, ran.err)
    assert ran.out.endswith("compliant; judged 2 checks on 1 resource\n")


def test_1_blocked(installed: Command) -> None:
    ran = installed("check", EXAMPLE)
    assert (1, "") == (ran.code, ran.err)
    assert "BLOCKED" in ran.out


def test_2_wrong_usage(installed: Command) -> None:
    ran = installed("check", EXAMPLE, "--formt", "json")
    assert (2, "") == (ran.code, ran.out)
    assert "crossgate: unrecognized arguments: --formt json; see `crossgate check --help`\n" == ran.err


def test_2_wrong_configuration(installed: Command, tmp_path: Path) -> None:
    config = tmp_path / "policies.json"
    config.write_text('{"version": 2, "policies": {"no-such-rule": "advisory"}}')
    ran = installed("check", EXAMPLE, "--policy-pack-config", str(config))
    assert (2, "") == (ran.code, ran.out)
    assert f"crossgate: {config}: policies.no-such-rule: pack baseline has no such policy\n" == ran.err


def test_3_could_not_judge(installed: Command, preview: Path) -> None:
    preview.write_bytes((ROOT / EXAMPLE).read_bytes()[:1000])
    ran = installed("check", str(preview))
    assert (3, "") == (ran.code, ran.out)
    assert f"crossgate: {preview}: not complete JSON: the file is cut off\n" == ran.err


def test_130_interrupted(tmp_path: Path) -> None:
    """Ctrl-C while it waits for its input."""
    process = subprocess.Popen([INSTALLED, "check"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    try:
        deadline = time.monotonic() + LIMIT
        # It has opened nothing to look at: wait until it sleeps in the read of its standard input.
        while "pipe" not in _waits_in(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
    assert (130, b"crossgate: interrupted: nothing was judged\n") == (process.returncode, err)


def _waits_in(pid: int) -> str:
    """Return the kernel function a process sleeps in; where there is no such file, let a second pass."""
    try:
        return Path(f"/proc/{pid}/wchan").read_text()
    except OSError:
        time.sleep(1)
        return "pipe"


def test_a_rule_that_calls_exit_does_not_decide(installed: Command, tmp_path: Path) -> None:
    _pack(tmp_path, "import sys\n    sys.exit(1)")
    ran = installed("check", EXAMPLE, "--pack", "own.pack", env={"PYTHONPATH": str(tmp_path)})
    assert (3, "") == (ran.code, ran.out)
    assert ran.err.startswith("crossgate: internal error (SystemExit): nothing was judged;")


def test_an_exhausted_memory_is_said(installed: Command, tmp_path: Path) -> None:
    _pack(tmp_path, "import sys\n    sys.exit(MemoryError())").joinpath("own/out.py").write_text("raise MemoryError\n")
    ran = installed("check", EXAMPLE, "--pack", "own.out", env={"PYTHONPATH": str(tmp_path)})
    assert (3, "", "crossgate: pack own.out cannot be loaded: MemoryError in out.py:1\n") == ran


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_a_file_that_does_not_fit_into_memory(tmp_path: Path) -> None:
    preview = tmp_path / "large.json"
    preview.write_text(digest([step("create", f"b{number}", inputs={"text": "x" * 1000}) for number in range(40_000)]))
    limited = f"ulimit -v 90000; exec '{INSTALLED}' check '{preview}'"
    done = subprocess.run(["sh", "-c", limited], capture_output=True, timeout=LIMIT, check=False, text=True, cwd=ROOT)
    assert (3, "", "crossgate: out of memory: nothing was judged\n") == (done.returncode, done.stdout, done.stderr)


def _pack(folder: Path, statement: str) -> Path:
    """Write a pack of one rule, whose function consists of ``statement``."""
    (folder / "own").mkdir()
    (folder / "own" / "__init__.py").touch()
    (folder / "own" / "pack.py").write_text(
        textwrap.dedent('''\
            """Breaks.

            Why: x.

            Fix: x.

            Sources:
                https://example.com
            """
            from crossgate import Severity, rule
            from crossgate.pack import Level, Pack

            @rule(types=("aws:s3/bucket:Bucket",), severity=Severity.HIGH)
            def breaks(bucket):
                STATEMENT
                yield

            PACK = Pack("own", "Own", [(breaks, Level.MANDATORY)])
            ''').replace("STATEMENT", statement)
    )
    return folder


# -- a broken install ------------------------------------------------------------------------------------------------


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the package to break, to be found before the installed one."""
    shutil.copytree(ROOT / "policies" / "crossgate", tmp_path / "lib" / "crossgate")
    return tmp_path / "lib"


def run_broken(lib: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the entry point as the installed script does, with the broken package."""
    script = "import sys; from crossgate.gate.entry import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        timeout=LIMIT,
        check=False,
        text=True,
        cwd=lib,
        env=os.environ | {"PYTHONPATH": str(lib)},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("missing", ["model.py", "pack.py", "redact.py"])
def test_a_module_of_ours_is_missing(broken: Path, missing: str) -> None:
    (broken / "crossgate" / missing).unlink()
    code, out, err = run_broken(broken, "check", str(ROOT / EXAMPLE))
    assert (3, "", "crossgate: crossgate is not installed completely (ModuleNotFoundError): install it anew\n") == (
        code,
        out,
        err,
    )


@pytest.mark.parametrize("missing", ["gate/cli.py", "gate/render", "sources"])
def test_a_part_of_the_command_is_missing(broken: Path, missing: str) -> None:
    path = broken / "crossgate" / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    code, out, err = run_broken(broken, "check", str(ROOT / EXAMPLE))
    assert (3, "") == (code, out)
    assert err.startswith("crossgate: crossgate is not installed completely (")


def test_half_of_a_file_is_missing(broken: Path) -> None:
    file = broken / "crossgate" / "value.py"
    file.write_text(file.read_text()[: len(file.read_text()) // 2] + "\n(")
    code, out, err = run_broken(broken, "check", str(ROOT / EXAMPLE), "-v")
    assert (3, "") == (code, out)
    assert err.startswith("crossgate: internal error (SyntaxError): nothing was judged; please report it")
    assert "crossgate/gate/entry.py:" in err


def test_a_rule_file_of_a_shipped_pack_is_broken(broken: Path) -> None:
    file = broken / "crossgate" / "rules" / "public" / "aws_s3_public_acl.py"
    file.write_text(f"raise ValueError('{PASSWORD}')\n")
    ran = run_broken(broken, "check", str(ROOT / EXAMPLE))
    assert (3, "", "crossgate: pack baseline cannot be loaded: ValueError in aws_s3_public_acl.py:1\n") == ran


def test_a_rule_file_of_a_shipped_pack_is_missing(broken: Path) -> None:
    (broken / "crossgate" / "rules" / "public" / "aws_s3_public_acl.py").unlink()
    code, out, err = run_broken(broken, "check", str(ROOT / EXAMPLE))
    assert (3, "") == (code, out)
    assert (
        "crossgate: pack baseline cannot be loaded: the module crossgate.rules.public.aws_s3_public_acl is missing\n"
        == err
    )


def test_the_trace_holds_places_and_no_values(broken: Path) -> None:
    """An exception's text, its arguments and the lines of code around it may hold anything."""
    file = broken / "crossgate" / "gate" / "judging.py"
    text = file.read_text()
    file.write_text(text.replace("    checks = 0\n", f"    raise ValueError('{PASSWORD}')\n"))
    assert text != file.read_text()
    code, out, err = run_broken(broken, "check", str(ROOT / EXAMPLE), "--verbose")
    assert (3, "") == (code, out)
    assert PASSWORD not in err
    head, *frames = err.splitlines()
    assert head.startswith("crossgate: internal error (ValueError)")
    line = file.read_text().partition("raise ValueError")[0].count("\n") + 1
    assert frames[-1].endswith(f"judging.py:{line} in stack_report")
    code, out, err = run_broken(broken, "check", str(ROOT / EXAMPLE))
    assert [head] == err.splitlines()


# -- output that cannot be written -----------------------------------------------------------------------------------


def shell(command: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, timeout=LIMIT, check=False, text=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
class TestOutput:
    @pytest.mark.parametrize("command", [f"check {EXAMPLE}", f"check {EXAMPLE} --format json"])
    def test_a_closed_pipe_keeps_the_verdict(self, command: str) -> None:
        """`| head -1` has seen enough; with pipefail the pipeline still has to stop."""
        code, _, err = shell(f"'{INSTALLED}' {command} | true; exit ${{PIPESTATUS[0]}}")
        assert (1, "") == (code, err)

    def test_a_closed_pipe_of_a_long_report(self, tmp_path: Path) -> None:
        preview = tmp_path / "preview.json"
        many = [step("create", f"b{number}", inputs={"outcome": "fail"}) for number in range(3000)]
        preview.write_text(digest(many))
        code, out, err = shell(f"'{INSTALLED}' check '{preview}' --pack {OUTCOMES} | head -1; exit ${{PIPESTATUS[0]}}")
        assert (1, "") == (code, err)
        assert out.startswith("shop/dev  preview")

    def test_a_list_cut_short_is_no_failure(self) -> None:
        code, _, err = shell(f"'{INSTALLED}' rules | true; exit ${{PIPESTATUS[0]}}")
        assert (0, "") == (code, err)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    def test_a_report_that_cannot_be_written_is_no_green(self, tmp_path: Path) -> None:
        preview = tmp_path / "preview.json"
        preview.write_text(digest([stack_step(), step("create", "logs")]))
        code, _, err = shell(f"'{INSTALLED}' check '{preview}' --pack {OUTCOMES} > /dev/full")
        assert (3, "crossgate: the output cannot be written: no space left on device\n") == (code, err)
        code, _, err = shell(f"'{INSTALLED}' check {EXAMPLE} > /dev/full")
        assert (1, "crossgate: the output cannot be written: no space left on device\n") == (code, err)

    def test_without_standard_output(self) -> None:
        code, _, err = shell(f"'{INSTALLED}' check {EXAMPLE} >&-")
        assert (1, "crossgate: there is no standard output to write to\n") == (code, err)
        code, _, err = shell(f"'{INSTALLED}' rules >&-")
        assert (3, "crossgate: there is no standard output to write to\n") == (code, err)

    def test_without_standard_error(self) -> None:
        assert 2 == shell(f"'{INSTALLED}' check {EXAMPLE} --formt 2>&-")[0]

    def test_without_standard_input(self) -> None:
        assert (3, "", "crossgate: -: there is no standard input\n") == shell(f"'{INSTALLED}' check - <&-")

    def test_names_that_the_terminal_cannot_show(self, tmp_path: Path) -> None:
        preview = tmp_path / "preview.json"
        preview.write_text(digest([step("create", "büro-\N{PILE OF POO}", inputs={"outcome": "fail"})]))
        code, out, err = shell(f"PYTHONIOENCODING=ascii '{INSTALLED}' check '{preview}' --pack {OUTCOMES}")
        assert (1, "") == (code, err)
        assert "aws:s3:Bucket b\\xfcro-\\U0001f4a9\n" in out


def test_a_preview_comes_through_standard_input(installed: Command) -> None:
    content = (ROOT / EXAMPLE).read_bytes()
    first, second = installed("check", stdin=content), installed("check", "-", stdin=content)
    assert first == second
    assert (1, True) == (first.code, first.out.startswith("site/dev  preview -\n"))


def test_the_module_is_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "crossgate.gate", "check", EXAMPLE, "--format", "json"],
        capture_output=True,
        timeout=LIMIT,
        check=False,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "policies")},
    )
    assert (1, 1) == (done.returncode, json.loads(done.stdout)["exitCode"])
