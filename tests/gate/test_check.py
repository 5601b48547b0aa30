"""`crossgate check`: what it reads, what it refuses, what it reports and where to."""

import gc
import json
import subprocess
import sys
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossgate.config.engine import EngineConfig
from crossgate.gate.check import _forget_earlier_file
from crossgate.gate.cli import COMMANDS
from crossgate.gate.console import View
from crossgate.gate.judging import stack_report
from crossgate.gate.render import FORMATS, render
from crossgate.gate.report import Report
from crossgate.packs.baseline import PACK as BASELINE
from crossgate.redact import Redactor
from crossgate.sources import SourceError, load
from tests.gate.conftest import EXAMPLE, INSTALLED, OUTCOMES, ROOT, Command
from tests.sources.builders import BUCKET, FIXTURES, digest, record, stack_step, state, step, urn

QUEUE = "aws:sqs/queue:Queue"
SECRET_MARK = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}
PASSWORD = "correct horse battery staple"


@pytest.fixture(autouse=True)
def _from_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def preview(tmp_path: Path) -> Path:
    return tmp_path / "preview.json"


def bucket(outcome: str, name: str = "logs", **inputs: Any) -> dict[str, Any]:
    return step("create", name, inputs={"outcome": outcome} | inputs)


def checked(
    crossgate: Command, preview: Path, *steps: Mapping[str, Any], options: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The JSON report of a preview of these steps, judged by the rules of `outcomes.py`."""
    preview.write_text(digest([stack_step(), *steps]))
    ran = crossgate("check", str(preview), "--pack", OUTCOMES, "--format", "json", *options)
    report: dict[str, Any] = json.loads(ran.out)
    assert ran.code == report["exitCode"]
    return report


def findings(report: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(each["rule"], each["outcome"], each["effect"]) for stack in report["stacks"] for each in stack["findings"]]


# -- outcomes and the exit code ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "code", "result", "expected"),
    [
        ([bucket("fine")], 0, "compliant", []),
        ([bucket("note")], 0, "compliant", []),
        ([bucket("fail")], 1, "blocked", [("bucket-outcome", "fail", "blocks")]),
        ([bucket("maybe", acl="04da6b54-80e4-46f7-96ec-b56ff0331ba9")], 1, "blocked",
         [("bucket-outcome", "undetermined", "blocks")]),
        ([bucket("crash")], 3, "could-not-judge", [("bucket-outcome", "error", "cannot judge")]),
        ([bucket("fail and crash")], 1, "blocked",
         [("bucket-outcome", "fail", "blocks"), ("bucket-outcome", "error", "cannot judge")]),
        ([bucket("crash"), bucket("fail", "other")], 1, "blocked",
         [("bucket-outcome", "error", "cannot judge"), ("bucket-outcome", "fail", "blocks")]),
        ([bucket("fine", size=3)], 0, "compliant", [("bucket-size", "fail", "advises")]),
        ([bucket("fine", size=13)], 0, "compliant", [("bucket-size", "error", "advises")]),
        ([step("create", "q", QUEUE)], 0, "compliant", [("queue-order", "undetermined", "warns")]),
        ([step("create", "q", QUEUE, {"fifo": True})], 1, "blocked", [("queue-order", "fail", "blocks")]),
        ([bucket("crash"), step("create", "q", QUEUE)], 3, "could-not-judge",
         [("bucket-outcome", "error", "cannot judge"), ("queue-order", "undetermined", "warns")]),
    ],
)  # fmt: skip
def test_every_outcome_has_its_effect(
    crossgate: Command, preview: Path, steps: list[Any], code: int, result: str, expected: list[Any]
) -> None:
    report = checked(crossgate, preview, *steps)
    assert (code, result, expected) == (report["exitCode"], report["result"], findings(report))


def test_both_are_said_when_something_blocks_beside_a_crash(crossgate: Command, preview: Path) -> None:
    preview.write_text(digest([bucket("fail"), bucket("crash", "other")]))
    ran = crossgate("check", str(preview), "--pack", OUTCOMES)
    assert 1 == ran.code
    assert "blocked: 1 violation, 1 crashed rule; judged 4 checks on 2 resources" in ran.out


def test_a_crash_never_shows_the_exception_s_text(crossgate: Command, preview: Path) -> None:
    preview.write_text(digest([bucket("crash")]))
    for options in ([], ["-v"], ["--format", "json"]):
        ran = crossgate("check", str(preview), "--pack", OUTCOMES, *options)
        assert "hunter" + "2" not in ran.out + ran.err
        assert "RuntimeError at outcomes.py:" in ran.out


def test_what_was_not_judged_is_counted(crossgate: Command) -> None:
    ran = crossgate("check", str(FIXTURES / "preview-first.json"), "--pack", OUTCOMES, "--format", "json")
    (stack,) = json.loads(ran.out)["stacks"]
    assert {
        "aws:ec2/subnet:Subnet": 1,
        "aws:ec2/vpc:Vpc": 1,
        "aws:rds/instance:Instance": 1,
        "aws:s3/bucketAcl:BucketAcl": 1,
        "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": 1,
        "random:index/randomPassword:RandomPassword": 1,
    } == stack["notJudged"]["withoutRule"]  # no component, no provider
    assert [urn("existing")] == stack["notJudged"]["read"]
    assert (7, 4, 12) == (stack["checks"], stack["resources"], stack["changes"])


def test_nothing_changes(crossgate: Command) -> None:
    ran = crossgate("check", str(FIXTURES / "preview-unchanged.json"), "--pack", OUTCOMES)
    assert (0, "") == (ran.code, ran.err)
    assert (
        "compliant; nothing changes; 1 resource is only read; 12 unchanged resources are not in this file"
        == " ".join(ran.out.replace("not configured: queue-name needs names (--policy-pack-config)", "").split())
    )


def test_only_deletions(crossgate: Command) -> None:
    ran = crossgate("check", str(FIXTURES / "destroy.json"))
    assert 0 == ran.code
    assert "compliant; nothing changes but 14 deleted resources; judged no checks on no resources" in ran.out


def test_a_summary_alone(crossgate: Command, preview: Path) -> None:
    preview.write_text('{"steps": [], "changeSummary": {"same": 5}}')
    ran = crossgate("check", str(preview))
    assert 0 == ran.code
    assert "compliant; nothing changes; 5 unchanged resources are not in this file\n" in ran.out


def test_a_state_fills_in_what_the_preview_leaves_out(crossgate: Command) -> None:
    update, whole = str(FIXTURES / "preview-update.json"), str(FIXTURES / "state.json")
    alone = crossgate("check", update, "--pack", "public-access")
    assert "11 unchanged resources are not in this file: add --show-sames or --state" in " ".join(alone.out.split())
    assert "undetermined" in alone.out
    completed = crossgate("check", update, "--pack", "public-access", "--state", whole)
    assert 1 == completed.code
    assert "acl: ACL public-read: anyone can read it" in completed.out
    assert "undetermined" not in completed.out


# -- several files -----------------------------------------------------------------------------------------------------


def test_several_files_are_several_stacks_of_one_report(crossgate: Command, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_text(digest([bucket("fine")]))
    second.write_text(state([record("logs", inputs={"outcome": "fail"})]))
    ran = crossgate("check", str(first), str(second), "--pack", OUTCOMES, "--format", "json")
    report = json.loads(ran.out)
    assert [(str(first), "preview"), (str(second), "state")] == [
        (each["file"], each["kind"]) for each in report["stacks"]
    ]
    assert (1, 1, 1) == (ran.code, report["exitCode"], report["counts"]["blocking"]["violations"])


def test_an_earlier_file_is_free_to_go_before_the_next_is_read() -> None:
    class Node:
        def __init__(self) -> None:
            self.itself = self

    earlier = weakref.ref(Node())
    gc.freeze()
    gc.collect()
    assert earlier() is not None
    _forget_earlier_file()
    assert earlier() is None
    assert gc.get_freeze_count() == 0


def test_a_file_that_cannot_be_judged_does_not_hide_the_others(crossgate: Command, tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "missing.json"
    bad.write_text("{")
    for outcome, code, result in (("fine", 3, "could-not-judge"), ("fail", 1, "blocked")):
        good.write_text(digest([bucket(outcome)]))
        ran = crossgate("check", str(bad), str(good), str(missing), "--pack", OUTCOMES, "--format", "json")
        report = json.loads(ran.out)
        assert (code, code, result) == (ran.code, report["exitCode"], report["result"])
        assert [
            {"file": str(bad), "why": "not complete JSON: the file is cut off"},
            {"file": str(missing), "why": "there is no such file"},
        ] == report["unreadable"]
        assert ran.err.splitlines() == [f"crossgate: {each['file']}: {each['why']}" for each in report["unreadable"]]
    text = crossgate("check", str(bad), str(good), "--pack", OUTCOMES)
    assert f"not judged: {bad}: not complete JSON: the file is cut off" in " ".join(text.out.split())


def test_nothing_but_bad_files_makes_no_report(crossgate: Command, tmp_path: Path) -> None:
    output = tmp_path / "report.json"
    for options in ([], ["--format", "json"], ["--output", str(output)]):
        ran = crossgate("check", str(tmp_path), "missing.json", *options)
        assert (3, "") == (ran.code, ran.out)
        assert [f"crossgate: {tmp_path}: a folder, not a file", "crossgate: missing.json: there is no such file"] == (
            ran.err.splitlines()
        )
    assert not output.exists()


# -- usage and configuration -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "-", "-"], "standard input can be read once"),
        (["check", "a.json", "b.json", "--state", "c.json"], "--state belongs to one preview: name one file"),
        (["check", EXAMPLE, "--format", "yaml"], "argument --format: invalid choice: 'yaml'"),
        (["check", EXAMPLE, "--pack", "nonsense"], "no pack is named nonsense; there are baseline, "),
        (["check", EXAMPLE, "--pack", "no.such.pack"], "pack no.such.pack: there is no module no on Python's path"),
        (
            ["check", EXAMPLE, "--policy-pack-config", "missing.json"],
            "missing.json: cannot be read: no such file or dir",
        ),
        (["check", EXAMPLE, "--policy-pack-config", "docs"], "docs: cannot be read: is a directory"),
        (["check", EXAMPLE, "--policy-pack-config", "a\0b"], r"a\x00b: cannot be read: not a path"),
        (["check", EXAMPLE, "--output", "docs"], "--output docs: a folder, not a file"),
        (["check", EXAMPLE, "--output", ""], "--output : a folder, not a file"),
        (
            ["check", EXAMPLE, "--output", "no/such/folder/x"],
            "--output no/such/folder/x: cannot be written: no such file",
        ),
        (["check", EXAMPLE, "--output", "a\0b"], r"--output a\x00b: cannot be written: not a path"),
        (["check", EXAMPLE, "--output", EXAMPLE], f"--output {EXAMPLE}: that is one of the files to read"),
        (["check", EXAMPLE, "--outp", "x"], "unrecognized arguments: --outp x"),
        (["chekc", EXAMPLE], f"there is no command chekc; there are: {', '.join(each.words for each in COMMANDS)}"),
        (["check", "\x1b[31mred"], r"\x1b[31mred: there is no such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(crossgate: Command, arguments: list[str], words: str) -> None:
    ran = crossgate(*arguments)
    assert "" == ran.out
    (line,) = ran.err.splitlines()
    assert line.startswith(f"crossgate: {words}")
    assert (3 if "\x1b" in arguments[1] else 2) == ran.code


def test_without_a_file_a_terminal_is_no_input(crossgate: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    ran = crossgate("check")
    assert (2, "crossgate: name a file, or send one to standard input; see `crossgate check --help`\n") == (
        ran.code,
        ran.err,
    )


def test_an_empty_standard_input(crossgate: Command) -> None:
    ran = crossgate("check", stdin=b"")
    assert (3, "crossgate: -: empty: the command that should have written it did not\n") == (ran.code, ran.err)


def config(tmp_path: Path, **content: Any) -> tuple[str, str]:
    file = tmp_path / "policies.json"
    file.write_text(json.dumps({"version": 2} | content))
    return "--policy-pack-config", str(file)


def test_a_configuration_changes_levels(crossgate: Command, preview: Path, tmp_path: Path) -> None:
    options = config(
        tmp_path, policies={"bucket-outcome": "advisory", "bucket-size": "mandatory", "queue-order": "disabled"}
    )
    report = checked(crossgate, preview, bucket("fail", size=3), step("create", "q", QUEUE), options=options)
    assert [("bucket-outcome", "fail", "advises"), ("bucket-size", "fail", "blocks")] == findings(report)
    assert {QUEUE: 1} == report["stacks"][0]["notJudged"]["withoutRule"]


def test_a_rule_without_its_parameter_is_named(crossgate: Command, preview: Path, tmp_path: Path) -> None:
    queue = step("create", "q", QUEUE, {"name": "orders"})
    report = checked(crossgate, preview, queue)
    assert [{"rule": "queue-name", "level": "mandatory", "missing": ["names"]}] == report["notConfigured"]
    options = config(tmp_path, policies={"queue-name": {"names": ["orders"]}})
    report = checked(crossgate, preview, queue, options=options)
    assert [] == report["notConfigured"]
    assert ("queue-name", "fail", "blocks") in findings(report)


def test_an_exception_exempts_and_is_shown(crossgate: Command, preview: Path, tmp_path: Path) -> None:
    exceptions = {
        "SITE-1": {"reason": "a public site", "match": [{"policies": ["bucket-outcome"], "targets": [urn("logs")]}]},
        "OLD-2": {"reason": "long gone", "match": [{"policies": ["bucket-outcome"], "targets": [urn("gone")]}]},
    }
    options = config(tmp_path, exceptions=exceptions)
    report = checked(crossgate, preview, bucket("fail"), options=options)
    assert (0, [("bucket-outcome", "fail", "exempted")]) == (report["exitCode"], findings(report))
    assert {"id": "SITE-1", "reason": "a public site"} == report["stacks"][0]["findings"][0]["exception"]
    assert [{"id": "OLD-2", "reason": "long gone"}] == report["unusedExceptions"]
    assert 1 == report["counts"]["exempted"]
    text = crossgate("check", str(preview), "--pack", OUTCOMES, *options)
    assert "by SITE-1: a public site" in text.out
    assert "unused exception: OLD-2 matched nothing" in text.out


def test_an_exception_is_for_one_resource(crossgate: Command, preview: Path, tmp_path: Path) -> None:
    exceptions = {"SITE-1": {"reason": "known", "match": [{"policies": ["bucket-outcome"], "targets": [urn("logs")]}]}}
    report = checked(
        crossgate, preview, bucket("fail"), bucket("fail", "other"), options=config(tmp_path, exceptions=exceptions)
    )
    assert ["exempted", "blocks"] == [effect for _, _, effect in findings(report)]
    assert 1 == report["exitCode"]


def test_an_exception_also_covers_what_cannot_be_known_and_what_crashes(
    crossgate: Command, preview: Path, tmp_path: Path
) -> None:
    exceptions = {"ALL-1": {"reason": "known", "match": [{"policies": ["bucket-outcome"], "targets": [urn("logs")]}]}}
    for outcome in ("maybe", "crash"):
        steps = bucket(outcome, acl="04da6b54-80e4-46f7-96ec-b56ff0331ba9")
        report = checked(crossgate, preview, steps, options=config(tmp_path, exceptions=exceptions))
        assert (0, ["exempted"]) == (report["exitCode"], [effect for _, _, effect in findings(report)])


def test_packs_are_a_union(crossgate: Command) -> None:
    once = json.loads(crossgate("check", EXAMPLE, "--pack", "public-access", "--format", "json").out)
    arguments = ["--pack", "public-access", "--pack", "network-policy", "--pack", "public-access"]
    both = json.loads(crossgate("check", EXAMPLE, *arguments, "--format", "json").out)
    assert ["public-access", "network-policy", "public-access"] == both["packs"]
    assert {each["rule"] for each in once["stacks"][0]["findings"]} < {
        each["rule"] for each in both["stacks"][0]["findings"]
    }


# -- where the report goes ---------------------------------------------------------------------------------------------


def test_an_output_file_is_written_and_a_line_says_so(crossgate: Command, tmp_path: Path) -> None:
    output = tmp_path / "report.json"
    ran = crossgate("check", EXAMPLE, "--format", "json", "--output", str(output))
    assert (1, "") == (ran.code, ran.out)
    assert "blocked" == json.loads(output.read_text())["result"]
    assert ran.err.startswith("crossgate: blocked: ")
    assert ran.err.endswith(f" ({output})\n")
    assert [output] == list(tmp_path.iterdir())


def test_the_output_of_an_earlier_run_stands_until_there_is_a_new_one(crossgate: Command, tmp_path: Path) -> None:
    output = tmp_path / "report.txt"
    output.write_text("earlier")
    assert 3 == crossgate("check", "missing.json", "--output", str(output)).code
    assert "earlier" == output.read_text()
    assert 1 == crossgate("check", EXAMPLE, "--output", str(output)).code
    assert output.read_text().startswith("site/dev  preview")
    assert [output] == list(tmp_path.iterdir())


def test_an_output_that_is_a_link_stays_one(crossgate: Command, tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    crossgate("check", EXAMPLE, "--output", str(link))
    assert link.is_symlink()
    assert target.read_text().startswith("site/dev")


@pytest.mark.skipif(sys.platform == "win32", reason="devices are files")
def test_an_output_that_is_a_device_is_written_to(installed: Command) -> None:
    ran = installed("check", EXAMPLE, "--output", "/dev/stdout")
    assert (1, True) == (ran.code, ran.out.startswith("site/dev"))


def test_the_report_is_the_same_every_time(crossgate: Command) -> None:
    for format_ in FORMATS:
        runs = {crossgate("check", EXAMPLE, str(FIXTURES / "state.json"), "--format", format_).out for _ in range(3)}
        assert 1 == len(runs)


def test_hash_seeds_change_nothing(installed: Command) -> None:
    arguments = ["check", EXAMPLE, str(FIXTURES / "preview-first.json"), str(FIXTURES / "state.json")]
    for format_ in FORMATS:
        runs = {installed(*arguments, "--format", format_, env={"PYTHONHASHSEED": seed}).out for seed in ("1", "2")}
        assert 1 == len(runs)


# -- secrets -----------------------------------------------------------------------------------------------------------


def test_a_secret_in_a_name_is_masked_even_where_its_words_are_wrapped(crossgate: Command, tmp_path: Path) -> None:
    """The second net: no text holds a value, but a program may give one to a name."""
    shown = record("logs", inputs={"outcome": "fail", "token": SECRET_MARK | {"plaintext": json.dumps(PASSWORD)}})
    named = record(f"a bucket with a name that is long, to fill the line up to {PASSWORD}", inputs={"outcome": "fail"})
    file = tmp_path / "state.json"
    file.write_text(state([shown, named]))
    for options in ([], ["-v"], ["--format", "json"], ["--output", str(tmp_path / "report.txt")]):
        ran = crossgate("check", str(file), "--pack", OUTCOMES, *options)
        written = (tmp_path / "report.txt").read_text() if "--output" in options else ran.out
        assert 1 == ran.code
        assert "battery" not in written + ran.err
        assert "[secret]" in written
        assert "crossgate: a secret stood in the report and was replaced by [secret]\n" in ran.err


def test_what_a_rule_calls_leaked_is_masked(crossgate: Command, preview: Path, tmp_path: Path) -> None:
    options = config(tmp_path, policies={"queue-name": {"names": ["queue-of-secrets"]}})
    steps = step("create", "queue-of-secrets", QUEUE, {"name": "queue-of-secrets"})
    report = checked(crossgate, preview, steps, options=options)
    assert "[secret]" == report["stacks"][0]["findings"][-1]["name"]


def test_no_other_text_is_touched(crossgate: Command) -> None:
    assert "was replaced" not in crossgate("check", str(FIXTURES / "state-shown.json")).err


# -- what it costs -----------------------------------------------------------------------------------------------------

NEVER = {"pulumi", "pulumi_policy", "grpc", "google", "click", "yaml", "jsonschema", "fastjsonschema", "hypothesis"}


def test_it_imports_nothing_that_it_does_not_need() -> None:
    script = (
        "import sys; from crossgate.gate.entry import main; code = main(sys.argv[1:]); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, 'policies'); {script}", "check", EXAMPLE],
        capture_output=True, check=False, text=True, timeout=120, cwd=ROOT,
    )  # fmt: skip
    assert 1 == done.returncode
    imported = set(done.stderr.split())
    assert {"crossgate", "json", "argparse"} <= imported
    assert set() == imported & NEVER
    assert set() == imported & {
        "dataclasses",
        "inspect",
        "logging",
        "tempfile",
        "subprocess",
        "importlib.metadata",
        "asyncio",
    }


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures the peak as Linux does")
def test_a_file_of_300_megabytes_is_judged_in_bounded_memory(preview: Path) -> None:
    tags = {str(number): "x" * 15 for number in range(1000)}
    row = json.dumps(step("create", "NAME", inputs={"outcome": "fine", "tags": tags}))
    with preview.open("w") as file:
        file.write('{"steps": [')
        file.writelines(f"{',' if number else ''}{row.replace('NAME', f'b{number}')}" for number in range(14_000))
        file.write('], "changeSummary": {"create": 14000}}')
    size = preview.stat().st_size
    assert 300e6 < size < 400e6
    script = (
        "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024); sys.exit(code)"
    )
    command = [sys.executable, "-c", script, str(INSTALLED), "check", str(preview), "--output", "/dev/null"]
    done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=300, cwd=ROOT)
    assert 0 == done.returncode, done.stderr
    assert int(done.stdout) < 6 * size


# -- whatever the file holds -------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.sampled_from(["public-read", "0.0.0.0/0", "*", "[secret]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.just("acl"), inner, max_size=4),
    max_leaves=6,
)
TYPES = sorted({token for entry in BASELINE.entries for token in entry.rule.types})
STEPS = st.builds(
    step,
    st.sampled_from(["create", "same"]),
    st.text(min_size=1),
    st.sampled_from([BUCKET, *TYPES]),
    st.dictionaries(st.sampled_from(["acl", "bucket", "policy", "ingress", "tags", "member"]), VALUES, max_size=4),
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=4), st.sampled_from([40, 60, 100]))
def test_any_stack_gives_a_report_in_every_format(steps: list[Any], width: int) -> None:
    try:
        source = load(digest(steps) if steps else digest([stack_step()]))
    except SourceError:  # two resources may have got one name
        return
    stack = stack_report("preview.json", source, BASELINE, Redactor(), EngineConfig().exceptions)
    report = Report(("baseline",), (stack,))
    for format_ in FORMATS:
        text = render(report, format_, View(width, verbose=True))
        assert text.replace("\n", "").isprintable()
    assert report.result.exit_code in {0, 1}, "a shipped rule crashed"
