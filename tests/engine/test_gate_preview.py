"""``crossgate preview`` with the real engine: what it finds, how it exits, and what it never says."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pulumi
import pytest
import yaml
from pulumi import automation

from crossgate.gate import preview as command
from crossgate.gate._live_engine import EngineRun, Events, stack_of
from crossgate.gate._live_failure import explain
from crossgate.gate._live_pack import stage
from crossgate.gate.errors import CannotJudgeError, GateError, UsageError
from crossgate.gate.report import Report, Result
from crossgate.judge import Outcome
from crossgate.pack import Effect
from crossgate.pulumi_cli import Version
from crossgate.supervise import descendants
from crossgate.testing.driver import PROJECT, STACK, Engine, Tools
from crossgate.testing.echo_provider import EchoProvider
from crossgate.testing.packs import stage_pack, stage_test_pack
from crossgate.testing.recorder import Answer, Diagnostic, Policy, Script, recording_pack

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = Path(__file__).parent / "projects"
SCHEMA = json.loads((ROOT / "policies/crossgate/gate/schema/report-v1.json").read_text(encoding="utf-8"))
SECONDS = 120

HUSH = "example" + "-hush-" + "6Yq2vPz81LmT"
PLAIN = "AKIA" + "Q3EGRNT7" + "XWLM4KPZ"

BUCKET = "aws:s3/bucket:Bucket"
FUNCTION = "aws:lambda/function:Function"


Projects = Callable[[str], "Project"]


def urn(type_: str, name: str, project: str = "shop") -> str:
    return f"urn:pulumi:{STACK}::{project}::{type_}::{name}"


SITE, UPLOADS = urn(BUCKET, "site"), urn(BUCKET, "uploads")
WORKER = urn(FUNCTION, "worker")
GRANT = urn("aws:s3/bucketPolicy:BucketPolicy", "grant")


@dataclass(frozen=True)
class Ran:
    """What the command did."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        jsonschema.validate(document, SCHEMA)
        return document


def gate(engine: Engine, project: Path, *arguments: str, env: dict[str, str] | None = None) -> Ran:
    done = subprocess.run(
        [sys.executable, "-m", "crossgate.gate", "preview", *arguments],
        cwd=engine.workdir(project),
        env=engine.environment(project) | {"PYTHONPATH": str(ROOT)} | (env or {}),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert HUSH not in done.stdout + done.stderr
    assert PLAIN not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def found(report: dict[str, Any]) -> set[tuple[str, str, str, str]]:
    [stack] = report["stacks"]
    return {(each["rule"], each["urn"], each["outcome"], each["effect"]) for each in stack["findings"]}


class Project:
    """A project's folder in an engine of its own, and its secret."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine = engine
        self.folder = PROJECTS / name
        secret = ["config", "set", "--secret", "databasePassword", HUSH]
        assert engine.pulumi(self.folder, *secret, f"--stack={STACK}").success

    def gate(self, *arguments: str, env: dict[str, str] | None = None) -> Ran:
        return gate(self.engine, self.folder, *arguments, env=env)


@pytest.fixture(scope="module")
def project(engine_tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Project]]:
    """The project of this name, set up once."""
    with ExitStack() as clouds:

        @cache
        def named(name: str) -> Project:
            cloud = clouds.enter_context(EchoProvider())  # it knows the types of one YAML project
            return Project(Engine(engine_tools, tmp_path_factory.mktemp(name), cloud), name)

        yield named


# A project that has something of everything, judged once.


@dataclass(frozen=True)
class Judged:
    report: dict[str, Any]
    ran: Ran


@pytest.fixture(scope="module")
def shop(project: Projects, tmp_path_factory: pytest.TempPathFactory) -> Judged:
    folder = tmp_path_factory.mktemp("shop")
    step = {"op": "create", "urn": SITE}
    state = {"urn": SITE, "type": BUCKET, "custom": True, "sourcePosition": "project:///Pulumi.yaml#10,3"}
    digest = folder / "preview.json"
    digest.write_text(json.dumps({"steps": [step | {"newState": state}], "changeSummary": {"create": 1}}))
    file = folder / "report.json"
    ran = project("shop").gate("--format", "json", "--output", str(file), "--digest", str(digest))
    text = file.read_text(encoding="utf-8")
    assert HUSH not in text
    assert PLAIN not in text
    return Judged(Ran(ran.code, text, ran.err).report, ran)


def test_a_bad_project_is_blocked_with_each_finding_on_its_resource(shop: Judged) -> None:
    assert 1 == shop.ran.code
    assert {
        ("aws-s3-public-acl", SITE, "fail", "blocks"),
        ("aws-s3-public-acl", UPLOADS, "undetermined", "blocks"),
        ("aws-s3-public-policy", GRANT, "undetermined", "warns"),
        ("secret-in-environment", WORKER, "fail", "blocks"),
        ("aws-s3-public-access-block-missing", SITE, "fail", "advises"),
        ("aws-s3-public-access-block-missing", UPLOADS, "fail", "advises"),
    } <= found(shop.report)
    assert ("blocked", 1) == (shop.report["result"], shop.report["exitCode"])


def test_what_is_undetermined_names_its_gaps(shop: Judged) -> None:
    [stack] = shop.report["stacks"]
    [finding] = [each for each in stack["findings"] if (each["rule"], each["urn"]) == ("aws-s3-public-acl", UPLOADS)]
    assert [{"urn": UPLOADS, "path": "acl", "why": "not known until the update"}] == finding["undetermined"]


def test_the_report_names_the_project_and_counts_what_was_not_judged(shop: Judged) -> None:
    [stack] = shop.report["stacks"]
    assert ("shop", STACK, "preview", ".") == (stack["project"], stack["stack"], stack["kind"], stack["file"])
    assert 6 == stack["changes"]
    assert [urn(BUCKET, "archive")] == stack["notJudged"]["read"]
    assert {} == stack["notJudged"]["withoutRule"]  # what stands in clear is asked of every type
    assert stack["checks"] > len(stack["findings"])


def test_places_come_from_a_digest(shop: Judged) -> None:
    [stack] = shop.report["stacks"]
    places = {each["urn"]: each["position"] for each in stack["findings"]}
    assert {"file": "Pulumi.yaml", "line": 10} == places[SITE]
    assert places[UPLOADS] is None


def test_beside_a_file_one_line_is_said_and_no_progress_where_there_is_no_terminal(shop: Judged) -> None:
    assert "" == shop.ran.out
    [line] = shop.ran.err.splitlines()
    assert line.startswith("crossgate: blocked: 2 violations, 1 undetermined;")


def placeless(stack: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings of a stack in a fixed order, without the places in the source."""
    findings = [each | {"position": None} for each in stack["findings"]]
    return sorted(findings, key=lambda each: (each["urn"], each["rule"], each["path"]))


COUNTS = ("checks", "resources", "changes", "notJudged")


def test_a_file_of_the_same_preview_says_the_same(shop: Judged, project: Projects, tmp_path: Path) -> None:
    digest = tmp_path / "preview.json"
    digest.write_text(project("shop").engine.digest(project("shop").folder))
    check = [sys.executable, "-m", "crossgate.gate", "check", str(digest), "--format", "json"]
    done = subprocess.run(check, capture_output=True, text=True, timeout=SECONDS, check=False)
    [expected], [stack] = json.loads(done.stdout)["stacks"], shop.report["stacks"]
    assert placeless(expected) == placeless(stack)
    assert {key: expected[key] for key in COUNTS} == {key: stack[key] for key in COUNTS}


def test_a_pack_in_a_folder_finds_the_same(shop: Judged, project: Projects, tmp_path: Path) -> None:
    pack = stage_pack("baseline", tmp_path)
    ran = project("shop").gate("--format", "json", "--pack", str(pack))
    assert 1 == ran.code
    [stack], [expected] = ran.report["stacks"], shop.report["stacks"]
    assert [each | {"position": None} for each in expected["findings"]] == stack["findings"]
    assert {key: expected[key] for key in COUNTS} == {key: stack[key] for key in COUNTS}
    assert shop.report["notConfigured"] == ran.report["notConfigured"]


def test_levels_and_exceptions_of_the_configuration_apply(project: Projects, tmp_path: Path) -> None:
    match = [{"policies": ["aws-s3-public-acl"], "targets": [SITE, UPLOADS]}]
    document = {
        "version": 2,
        "policies": {"secret-in-environment": "advisory", "missing-required-tag": {"tags": ["Note"]}},
        "exceptions": {
            "SITE-1": {"reason": "a public site until March", "match": match},
            "SITE-2": {"reason": "nobody needs it", "match": [match[0] | {"targets": [WORKER]}]},
        },
    }
    file = tmp_path / "policies.json"
    file.write_text(json.dumps(document))
    ran = project("shop").gate("--format", "json", "--policy-pack-config", str(file))
    effects = found(ran.report)
    assert ("aws-s3-public-acl", SITE, "fail", "exempted") in effects
    assert ("aws-s3-public-acl", UPLOADS, "undetermined", "exempted") in effects
    assert ("secret-in-environment", WORKER, "fail", "advises") in effects
    assert ("missing-required-tag", UPLOADS, "fail", "blocks") in effects
    assert ("missing-required-tag", SITE, "fail", "blocks") not in effects
    assert ["SITE-2"] == [each["id"] for each in ran.report["unusedExceptions"]]
    assert "missing-required-tag" not in [each["rule"] for each in ran.report["notConfigured"]]
    assert 1 == ran.code


# The other ways in which a preview ends.


def test_a_clean_project_passes_and_the_selected_stack_stays_selected(project: Projects) -> None:
    quiet = project("quiet")
    assert quiet.engine.pulumi(quiet.folder, "stack", "init", "other").success
    ran = quiet.gate("--stack", STACK, "--", "--parallel", "2")
    assert (0, "") == (ran.code, ran.err)
    assert "compliant; judged" in ran.out
    stacks = json.loads(quiet.engine.pulumi(quiet.folder, "stack", "ls", "--json").stdout)
    assert ["other"] == [each["name"] for each in stacks if each["current"]]


def test_a_program_that_fails_after_a_violation_is_blocked_and_both_are_told(project: Projects) -> None:
    ran = project("broken").gate("--format", "json")
    assert 1 == ran.code
    worker = urn(FUNCTION, "worker", "broken")
    assert {("secret-in-environment", worker, "fail", "blocks")} == found(ran.report)
    [unreadable] = ran.report["unreadable"]
    assert "." == unreadable["file"]
    assert "the preview failed: the program raised an error; run `pulumi preview` to see why" == unreadable["why"]
    assert f"crossgate: .: {unreadable['why']}\n" == ran.err


def test_a_program_that_fails_before_any_violation_could_not_be_judged(project: Projects) -> None:
    ran = project("broken").gate("--pack", "network-policy")
    line = "crossgate: the preview failed: the program raised an error; run `pulumi preview` to see why\n"
    assert (3, "", line) == (ran.code, ran.out, ran.err)


def test_a_pack_that_does_not_start_could_not_judge(project: Projects, tmp_path: Path) -> None:
    pack = stage_test_pack(tmp_path, f"raise ValueError({HUSH!r})\n")
    ran = project("quiet").gate("--stack", STACK, "--pack", str(pack))
    line = "crossgate: a policy pack did not start; run `pulumi preview --policy-pack PACK` to see why\n"
    assert (3, "", line) == (ran.code, ran.out, ran.err)


@pytest.mark.parametrize(
    ("arguments", "env", "code", "words"),
    [
        pytest.param(["--stack", "nowhere"], {}, 2, "there is no such stack", id="no such stack"),
        pytest.param(["--cwd", "/"], {}, 2, "there is no Pulumi project here", id="no project"),
        pytest.param(["--", "--no-such-flag"], {}, 2, "does not take the arguments after --", id="unknown flag"),
        pytest.param([], {"PULUMI_CONFIG_PASSPHRASE": "wrong"}, 3, "secrets cannot be read", id="wrong passphrase"),
        pytest.param(
            [], {"PULUMI_BACKEND_URL": "https://127.0.0.1:9", "PULUMI_ACCESS_TOKEN": ""}, 3, "not logged in", id="login"
        ),
    ],
)
def test_what_the_engine_gives_up_for_is_one_line(
    project: Projects, arguments: list[str], env: dict[str, str], code: int, words: str
) -> None:
    ran = project("broken").gate(*arguments, env=env)
    [line] = ran.err.splitlines()
    assert (code, "") == (ran.code, ran.out)
    assert words in line


SAID = [
    ("error: no stack selected; please select one", [], 2, "no stack is selected: name one by --stack"),
    (
        f"Logging in using access token from PULUMI_ACCESS_TOKEN\nerror: HTTP request: Get {HUSH}: dial tcp",
        [],
        3,
        "the backend cannot be reached; run `pulumi preview` to see why",
    ),
    ("error: no 'pulumi-language-python' found", [], 3, "the engine finds no `pulumi-language-python`"),
    ("error: invalid access token", [], 3, "not logged in; run `pulumi login`"),
    (f"error: the stack is currently locked by {HUSH}", [], 3, "another update of this stack is in progress"),
    ("error: [409] Conflict: Another update is in progress", [], 3, "another update of this stack is in"),
    (f"error: validating policy config: {HUSH}", [], 2, "the pack does not take what --policy-pack-config"),
    ("error: no resource plugin 'pulumi-resource-acme' found", [], 3, "a provider's plugin could not be had"),
    (f"warning: passphrase {HUSH}\nerror: another", [], 3, "the preview failed; run `pulumi preview` to see why"),
    ("", [("", "failed to run policy: gone")], 3, "the preview failed: a policy pack stopped while it judged"),
    ("", [(SITE, f"sdk-v2: {HUSH}")], 3, f"the preview failed: an error about {BUCKET} site;"),
    ("", [("", f"unhandled exception: {HUSH}")], 3, "the preview failed: the program raised an error;"),
    ("", [("", HUSH)], 3, "the preview failed: the engine could not run the program;"),
]  # fmt: skip


@pytest.mark.parametrize(("stderr", "errors", "code", "words"), SAID, ids=[words for *_, words in SAID])
def test_what_the_engine_says_is_told_in_words_of_ours(
    stderr: str, errors: list[tuple[str, str]], code: int, words: str
) -> None:
    events = Events(lambda _: None)
    events.errors += errors
    error = explain(EngineRun(1, stderr, events), None)
    assert (code, True) == (error.exit_code, str(error).startswith(words))
    assert HUSH not in str(error)


# Packs of others.


def test_a_pack_of_somebody_else_blocks_in_words_of_ours(project: Projects, tmp_path: Path) -> None:
    answers = (
        Answer("Analyze", FUNCTION, diagnostics=(Diagnostic("theirs", message=f"found {HUSH}"),)),
        Answer("Analyze", BUCKET, diagnostics=(Diagnostic("their-advice", "ADVISORY", message=HUSH),)),
    )
    script = Script(policies=(Policy("theirs"), Policy("their-advice")), answers=answers)
    pack = recording_pack(tmp_path / "pack", script)
    arguments = ["--stack", STACK, "--format", "json", "--pack", "secret-leakage", "--pack", str(pack)]
    ran = project("quiet").gate(*arguments)
    assert 1 == ran.code
    assert {
        ("theirs", urn(FUNCTION, "worker", "quiet"), "fail", "blocks"),
        ("their-advice", urn(BUCKET, "files", "quiet"), "fail", "advises"),
    } == found(ran.report)
    [stack] = ran.report["stacks"]
    message = "violated, says the policy pack recorder; `pulumi preview` shows its words"
    assert {message} == {each["message"] for each in stack["findings"]}


# Inline programs, by the Automation API.

Judge = Callable[..., Report]


@pytest.fixture
def judge(engine: Engine) -> Judge:
    """Judge an inline program by packs of these names."""

    def run(program: Callable[[], object], *packs: str, arguments: Sequence[str] = ()) -> Report:
        options = automation.LocalWorkspaceOptions(
            pulumi_command=automation.PulumiCommand(str(engine.tools.root)),
            env_vars=engine.environment(program),
            work_dir=str(engine.workdir(program)),
        )
        stack = automation.select_stack(STACK, PROJECT, program, opts=options)
        cli = stack.workspace.pulumi_command
        try:
            return command.judge_preview(stack, command.chosen(packs), arguments=arguments)
        finally:
            assert stack.workspace.pulumi_command is cli

    return run


def bucket(name: str, **inputs: Any) -> pulumi.CustomResource:
    return pulumi.CustomResource(BUCKET, name, inputs)


def test_a_rule_that_may_block_and_crashes_could_not_judge(judge: Judge) -> None:
    def program() -> None:
        bucket("crashing", outcome="crash")
        bucket("sized", size=3)

    report = judge(program, "tests.gate.outcomes")
    assert Result.COULD_NOT_JUDGE is report.result
    assert 3 == report.result.exit_code
    outcomes = {(item.rule.id, item.subject.name): (item.outcome, item.effect) for item in report.items()}
    assert {
        ("bucket-outcome", "crashing"): (Outcome.ERROR, Effect.CANNOT_JUDGE),
        ("bucket-size", "sized"): (Outcome.FAIL, Effect.ADVISES),
    } == outcomes
    [crash] = [item.message for item in report.items() if item.outcome is Outcome.ERROR]
    assert crash.startswith("RuntimeError at outcomes.py:")
    assert STACK == report.stacks[0].file


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        ("delete", "the policy pack wrote no verdicts down; nothing of it can be relied on"),
        ("forge", "the engine's events are not what the policy pack wrote down; nothing of it can be relied on"),
    ],
)
def test_verdicts_that_are_missing_or_differ_from_the_events_could_not_be_judged(
    judge: Judge, tamper: str, words: str
) -> None:
    with pytest.raises(CannotJudgeError) as refused:
        judge(lambda: bucket("b", tamper=tamper, advise=True), "tests.engine.tampering")
    assert words == str(refused.value)


def test_a_narrowed_preview_could_not_be_judged_however_it_came_about(judge: Judge) -> None:
    target = f"urn:pulumi:{STACK}::{PROJECT}::{BUCKET}::first"
    with pytest.raises(CannotJudgeError, match=r"leaves 1 resources out \(--target\), so they were not judged"):
        judge(lambda: (bucket("first"), bucket("second")), "baseline", arguments=["--target", target])


# The engine's process tree.

SLEEPING = "import time\n\ntime.sleep(600)\n"


@pytest.fixture
def sleeping(engine: Engine, tmp_path: Path) -> Path:
    """A project whose program does not end."""
    project = tmp_path / "sleeping"
    project.mkdir()
    (project / "Pulumi.yaml").write_text("name: sleeping\nruntime: python\n")
    (project / "__main__.py").write_text(SLEEPING)
    engine.workdir(project)
    return project


def start(engine: Engine, project: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "crossgate.gate", "preview", *arguments],
        cwd=engine.workdir(project),
        env=engine.environment(project),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def started(engine: Engine, project: Path) -> tuple[subprocess.Popen[str], set[int]]:
    """Start the command, and wait until the program runs; its process and those below it."""
    process = start(engine, project)
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        below = descendants(process.pid)
        if any("crossgate.testing.run_program" in command_line(pid) for pid in below):
            return process, set(below)
        time.sleep(0.1)
    process.kill()
    pytest.fail(f"the program did not start: {process.communicate(timeout=10)}")


def command_line(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    return ""


def left_of(pids: set[int]) -> list[str]:
    """The command lines of those that still run after a while."""
    until = time.monotonic() + 10
    while (alive := [line for pid in pids if (line := command_line(pid))]) and time.monotonic() < until:
        time.sleep(0.1)
    return alive


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes by /proc")
def test_ctrl_c_ends_all_that_was_started(engine: Engine, sleeping: Path) -> None:
    process, below = started(engine, sleeping)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert [] == left_of(below)
    assert (130, "", "crossgate: interrupted: nothing was judged\n") == (process.returncode, out, err)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes by /proc")
def test_a_time_limit_ends_all_that_was_started(engine: Engine, sleeping: Path) -> None:
    process = start(engine, sleeping, "--timeout", "4")
    below: set[int] = set()
    while process.poll() is None:
        below.update(descendants(process.pid))
        time.sleep(0.05)
    out, err = process.communicate(timeout=60)
    assert below
    assert [] == left_of(below)
    line = "crossgate: the preview did not end within 4 seconds (--timeout)\n"
    assert (3, "", line) == (process.returncode, out, err)


# What needs no engine.


def pulumi_that_prints(folder: Path, text: str) -> dict[str, str]:
    """The environment in which ``pulumi`` prints ``text``, whatever it is asked."""
    file = folder / "pulumi"
    file.write_text(f"#!/bin/sh\necho '{text}'\n")
    file.chmod(0o755)
    return os.environ | {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("v3.100.0", "{0} is version 3.100.0; `crossgate preview` needs 3.229.0 or newer"),
        ("v3.228.9", "{0} is version 3.228.9; `crossgate preview` needs 3.229.0 or newer"),
        ("", "{0} does not tell its version; `crossgate preview` needs 3.229.0 or newer"),
        (None, "`pulumi` is not on PATH; `crossgate check` judges files without it"),
    ],
)
def test_an_engine_that_is_too_old_or_none_is_refused_by_number(
    tmp_path: Path, printed: str | None, words: str
) -> None:
    env = os.environ | {"PATH": str(tmp_path)} if printed is None else pulumi_that_prints(tmp_path, printed)
    done = subprocess.run(
        [sys.executable, "-m", "crossgate.gate", "preview"],
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    expected = f"crossgate: {words.format(tmp_path / 'pulumi')}\n"
    assert (3, "", expected) == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--timeout", "0"], "--timeout: must be more than 0 seconds"),
        (["--timeout", "nan"], "--timeout: must be more than 0 seconds"),
        (["--timeout", "soon"], "argument --timeout: invalid float value: 'soon'; see `crossgate preview --help`"),
        (["--cwd", "nowhere"], "--cwd nowhere: there is no such folder"),
        (["--digest", "a", "--state", "b"], "--digest and --state both tell the places in the source: name one"),
        (["dev"], "dev: name a stack by --stack, and a folder by --cwd"),
        (["--", "--target", "x"], "--target: a preview that leaves resources out is not judged"),
        (["--", "-tx"], "-t: a preview that leaves resources out is not judged"),
        (["--", "--exclude=x"], "--exclude: a preview that leaves resources out is not judged"),
        (["--", "--json"], "--json: `pulumi preview` cannot be given that by this command"),
        (["--", "--stack=x"], "--stack: `pulumi preview` cannot be given that by this command"),
        (["--", "-r", "--policy-pack", "x"], "--policy-pack: `pulumi preview` cannot be given that by this command"),
        (["--", "--remote-git-branch=x"], "--remote-git-branch: `pulumi preview` cannot be given that by this command"),
        (["--pack", "nothing"], "no pack is named nothing;"),
        (["--pack", "./nowhere"], "--pack ./nowhere: there is no such folder"),
        (["--pack", "/"], "--pack /: no policy pack: there is no PulumiPolicy.yaml in it"),
        (["--policy-pack-config", "nowhere.json"], "nowhere.json: cannot be read: no such file or directory"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_line_before_anything_runs(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from crossgate.gate import cli

    monkeypatch.setenv("PATH", str(tmp_path))
    assert UsageError.exit_code == cli.main(["preview", *arguments])
    shown = capsys.readouterr()
    assert "" == shown.out
    [line] = shown.err.splitlines()
    assert line.startswith(f"crossgate: {words}")


def test_one_configuration_is_not_given_to_several_packs(tmp_path: Path) -> None:
    from crossgate.config.engine import read_engine_config

    config = read_engine_config(json.dumps({"aws-s3-public-acl": "advisory"}))
    pack = stage_pack("baseline", tmp_path)
    with pytest.raises(GateError, match="a configuration belongs to one pack"):
        command.chosen(["baseline", str(pack)], config, "p.json")
    assert "aws-s3-public-acl" in str(command.chosen(["baseline", "public-access"], config, "p.json").table.entries)  # type: ignore[union-attr]  # there is one


def test_a_places_file_that_cannot_be_read_is_no_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from crossgate.gate import cli

    assert 3 == cli.main(["preview", "--state", str(tmp_path / "none.json")])
    assert f"crossgate: {tmp_path / 'none.json'}: there is no such file\n" == capsys.readouterr().err


def virtual_environment(folder: Path) -> Path:
    """The virtual environment of a pack that is staged in ``folder``."""
    project = yaml.safe_load((stage(["baseline"], folder) / "PulumiPolicy.yaml").read_text(encoding="utf-8"))
    assert "pip" == project["runtime"]["options"]["toolchain"]
    return Path(project["runtime"]["options"]["virtualenv"])


def test_the_engine_starts_packs_with_the_python_that_runs_here(tmp_path: Path) -> None:
    assert Path(sys.prefix) == virtual_environment(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_where_that_python_is_in_no_environment_one_hands_over_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "usr"))
    python = virtual_environment(tmp_path) / "bin" / "python"
    code = "import sys; print(sys.executable, sys.argv[1:])"
    done = subprocess.run([python, "-c", code, "a b"], capture_output=True, text=True, timeout=SECONDS, check=True)
    assert f"{sys.executable} ['a b']\n" == done.stdout


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pulumi.automation", None)
    with pytest.raises(CannotJudgeError, match=r"the module pulumi.automation is missing: .* crossgate\[live\]"):
        command._need_live()


def test_an_automation_api_stack_of_an_old_engine_is_refused_too(tmp_path: Path) -> None:
    cli = stack_of(tmp_path, STACK, "/old/pulumi", Version(3, 100))
    with pytest.raises(CannotJudgeError, match=r"^/old/pulumi is version 3\.100\.0; "):
        command.judge_preview(cli, command.chosen(["baseline"]))


class Terminal(io.StringIO):
    """A stream that is a terminal, or is none."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("terminal", "term", "shown"),
    [
        (
            True,
            "xterm",
            "\r\x1b[Kpreviewing\r\x1b[Kpreviewing, 1 resource so far\r\x1b[Kpreviewing, 2 resources so far\r\x1b[K",
        ),
        (True, "dumb", ""),
        (False, "xterm", ""),
    ],
)
def test_progress_is_for_terminals_and_leaves_nothing_there(
    monkeypatch: pytest.MonkeyPatch, *, terminal: bool, term: str, shown: str
) -> None:
    stream = Terminal(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", term)
    with command._Progress() as progress:
        progress.resources(1)
        progress.resources(2)
    assert shown == stream.getvalue()
