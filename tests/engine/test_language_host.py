"""The stand-in for pulumi-language-python treats a pack as the real one does: as a proxy with habits."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pulumi_aws as aws
import pytest

from crossgate.testing.driver import PROJECT, STACK, Engine, Run
from crossgate.testing.language_host import HostError, interpreter
from crossgate.testing.recorder import Answer, Diagnostic, Policy, Script, recording, recording_pack

BUCKET = "aws:s3/bucket:Bucket"
POLICIES = (Policy("of-resource"),)

OBSERVE = """\
import json, os, sys
from pathlib import Path

names = ("PULUMI_ORGANIZATION", "PULUMI_PROJECT", "PULUMI_STACK", "PULUMI_DRY_RUN", "PULUMI_CONFIG", "VIRTUAL_ENV")
environment = {name: os.environ.get(name) for name in names}
seen = {"argv": sys.argv, "cwd": os.getcwd(), "prefix": sys.prefix, "path": sys.path[0], "env": environment}
Path(__file__).with_name("seen.json").write_text(json.dumps(seen))
"""

SPEAK = """\
import sys, threading, time
from pathlib import Path


def speak():
    while not Path(__file__).with_name("recording.jsonl").exists():  # the first call comes after the port
        time.sleep(0.01)
    print("to stdout", flush=True)
    print("to stderr", file=sys.stderr, flush=True)


threading.Thread(target=speak, daemon=True).start()
"""

SDK_PACK = """\
from pulumi_policy import EnforcementLevel, PolicyPack, ReportViolation
from pulumi_policy import ResourceValidationArgs, ResourceValidationPolicy


def private(arguments: ResourceValidationArgs, report: ReportViolation) -> None:
    if arguments.resource_type == "aws:s3/bucket:Bucket" and arguments.props.get("acl") != "private":
        report("not private")


PolicyPack(
    "sdk-pack",
    enforcement_level=EnforcementLevel.MANDATORY,
    policies=[ResourceValidationPolicy("private-acl", "Buckets are private.", private)],
)
"""


def bucket() -> None:
    aws.s3.Bucket("first", acl="public-read")


def with_main(pack: Path, before: str, after: str = "") -> Path:
    """Put code around the recorder in the pack's ``__main__.py``."""
    main = pack / "__main__.py"
    main.write_text(f"{before}\n{main.read_text()}\n{after}")
    return pack


def observed(engine: Engine, pack: Path, **options: Any) -> dict[str, Any]:
    with_main(pack, OBSERVE)
    run = engine.preview(bucket, policy_packs=[pack], **options)
    assert run.success, run.errors
    seen: dict[str, Any] = json.loads((pack / "seen.json").read_text())
    return seen


# What the pack meets.


def test_the_pack_runs_in_its_folder_with_the_stack_in_its_environment(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES))
    seen = observed(engine, pack, config={"project:plain": "shown"}, secret_config={"project:hidden": "word"})
    assert seen["cwd"] == seen["argv"][0] == seen["argv"][2] == seen["path"] == str(pack)
    assert seen["argv"][1].startswith("127.0.0.1:")
    config = json.loads(seen["env"].pop("PULUMI_CONFIG"))
    assert config == {"project:plain": "shown", "project:hidden": "word"}
    assert seen["env"] == {
        "PULUMI_ORGANIZATION": "organization",
        "PULUMI_PROJECT": PROJECT,
        "PULUMI_STACK": STACK,
        "PULUMI_DRY_RUN": "true",
        "VIRTUAL_ENV": None,
    }


def test_the_pack_is_configured_but_never_greeted(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES))
    assert engine.up(bucket, policy_packs=[pack]).success
    calls = recording(pack)
    assert calls[0].rpc == "ConfigureStack"
    assert calls[0].request == {"stack": STACK, "project": PROJECT, "organization": "organization"}
    assert "Handshake" not in {call.rpc for call in calls}


def test_without_configuration_the_pack_starts_on_the_first_other_call(engine: Engine, tmp_path: Path) -> None:
    assert engine.up(bucket).success
    state = tmp_path / "state.json"
    state.write_text(json.dumps(engine.export(bucket)))
    pack = with_main(recording_pack(tmp_path / "pack", Script(policies=POLICIES)), OBSERVE)
    run = engine.analyze(state, [pack])
    assert run.success, run.errors
    assert recording(pack)[0].rpc == "GetPluginInfo"
    seen = json.loads((pack / "seen.json").read_text())
    assert {value for name, value in seen["env"].items() if name.startswith("PULUMI_")} == {None}


def test_what_the_pack_prints_after_its_port_reaches_the_user(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES))
    run = engine.preview(bucket, policy_packs=[with_main(pack, SPEAK)])
    assert run.success, run.errors
    shown = {event["message"].strip() for event in run.of("diagnosticEvent")}
    assert {"to stdout", "to stderr"} <= shown


def test_a_message_larger_than_grpc_allows_by_itself_passes(engine: Engine, tmp_path: Path) -> None:
    def large() -> None:
        aws.s3.Bucket("first", tags={"text": "x" * 5_000_000})

    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES))
    run = engine.preview(large, policy_packs=[pack])
    assert run.success, run.errors
    (stack,) = [call for call in recording(pack) if call.rpc == "AnalyzeStack"]
    assert len(json.dumps(stack.request)) > 5_000_000


def test_an_error_of_the_pack_keeps_its_text_and_code(engine: Engine, tmp_path: Path) -> None:
    script = Script(policies=POLICIES, answers=(Answer("Analyze", BUCKET, error="FAILED_PRECONDITION"),))
    run = engine.preview(bucket, policy_packs=[recording_pack(tmp_path / "pack", script)])
    assert run.errors.splitlines()[0] == "failed to run policy: scripted error in Analyze"


def test_two_packs_are_served_side_by_side(engine: Engine, tmp_path: Path) -> None:
    def violating(name: str) -> Path:
        answer = Answer("Analyze", BUCKET, diagnostics=(Diagnostic(name, "ADVISORY"),))
        return recording_pack(tmp_path / name, Script(name=name, policies=(Policy(name),), answers=(answer,)))

    run = engine.preview(bucket, policy_packs=[violating("one"), violating("two")])
    assert run.success, run.errors
    assert {(event.pack, event.policy) for event in run.policy_events} == {("one", "one"), ("two", "two")}


def test_a_pack_of_the_sdk_runs(engine: Engine, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "PulumiPolicy.yaml").write_text("runtime: python\nversion: 2.0.0\n")
    (pack / "__main__.py").write_text(SDK_PACK)
    run = engine.preview(bucket, policy_packs=[pack])
    assert run.status == 1
    (event,) = run.policy_events
    assert (event.pack, event.version, event.policy, event.level) == ("sdk-pack", "2.0.0", "private-acl", "mandatory")
    assert event.message == "Buckets are private.\nnot private\n"


# What goes wrong.


def failed(engine: Engine, pack: Path) -> Run:
    run = engine.preview(bucket, policy_packs=[pack])
    assert run.status == 1
    assert run.of("resourcePreEvent") == [], "nothing is done with a pack that did not start"
    return run


def test_a_pack_that_prints_before_its_port_does_not_start(engine: Engine, tmp_path: Path) -> None:
    pack = with_main(recording_pack(tmp_path / "pack", Script(policies=POLICIES)), 'print("hello")')
    assert "could not read policy pack port: 'hello'" in failed(engine, pack).stderr


def test_a_pack_that_crashes_shows_its_traceback(engine: Engine, tmp_path: Path) -> None:
    pack = with_main(recording_pack(tmp_path / "pack", Script(policies=POLICIES)), "import no_such_module")
    run = failed(engine, pack)
    assert "could not read policy pack port: EOF" in run.stderr
    shown = "".join(event["message"] for event in run.of("diagnosticEvent"))
    assert "No module named 'no_such_module'" in shown


def test_a_missing_virtualenv_is_one_clear_line(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES), options="virtualenv: absent")
    (line,) = failed(engine, pack).stderr.strip().splitlines()
    assert f"the virtualenv {pack / 'absent'} does not exist" in line


# Which Python runs the pack.


def test_a_virtualenv_of_the_pack_is_used_and_activated(engine: Engine, tmp_path: Path) -> None:
    pack = recording_pack(tmp_path / "pack", Script(policies=POLICIES), options="virtualenv: venv")
    (pack / "venv").symlink_to(sys.prefix)
    seen = observed(engine, pack)
    assert seen["prefix"] == seen["env"]["VIRTUAL_ENV"] == str(pack / "venv")


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, str]:
    """An environment with a ``python3`` and a ``uv`` on PATH; the latter writes down how it was called."""
    folder = tmp_path / "commands"
    folder.mkdir()
    for name, text in {
        "python3": "",
        "other": "",
        "uv": f'echo "$UV_PROJECT_ENVIRONMENT $@" >> {tmp_path}/uv.log',
    }.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


def project(folder: Path, *files: str) -> Path:
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_the_default_is_the_first_python_on_path(tmp_path: Path, commands: dict[str, str]) -> None:
    pack = project(tmp_path / "pack", "PulumiPolicy.yaml")
    assert interpreter(pack, pack, {}, commands) == (Path(commands["PATH"]) / "python3", commands)
    named = commands | {"PULUMI_PYTHON_CMD": "other"}
    assert interpreter(pack, pack, {}, named)[0] == Path(commands["PATH"]) / "other"
    with pytest.raises(HostError, match="none of python3, python is on PATH"):
        interpreter(pack, pack, {}, {"PATH": str(tmp_path)})


def test_a_lock_file_above_the_pack_makes_uv_the_toolchain(tmp_path: Path, commands: dict[str, str]) -> None:
    root = project(
        tmp_path / "checkout", "uv.lock", "pyproject.toml", ".venv/bin/python", "packs/mine/PulumiPolicy.yaml"
    )
    pack = root / "packs" / "mine"
    python, env = interpreter(pack, pack, {}, commands)
    assert python == root / ".venv" / "bin" / "python"
    assert env["VIRTUAL_ENV"] == str(root / ".venv")
    assert env["PATH"].split(os.pathsep) == [str(root / ".venv" / "bin"), commands["PATH"]]
    assert (tmp_path / "uv.log").read_text() == f"{root / '.venv'} sync --inexact\n"
    with pytest.raises(HostError, match="no `uv` on PATH"):
        interpreter(pack, pack, {}, {"PATH": str(tmp_path)})


def test_naming_the_toolchain_overrides_lock_files(tmp_path: Path, commands: dict[str, str]) -> None:
    pack = project(tmp_path / "pack", "uv.lock", "venv/bin/python")
    assert interpreter(pack, pack, {"toolchain": "pip"}, commands)[0] == Path(commands["PATH"]) / "python3"
    with_virtualenv = interpreter(pack, pack, {"toolchain": "pip", "virtualenv": "venv"}, commands)
    assert with_virtualenv[0] == pack / "venv" / "bin" / "python"
    assert not (tmp_path / "uv.log").exists()


def test_a_folder_that_is_no_virtualenv_is_refused(tmp_path: Path, commands: dict[str, str]) -> None:
    pack = project(tmp_path / "pack", "venv/README")
    with pytest.raises(HostError, match="is not a virtual environment"):
        interpreter(pack, pack, {"virtualenv": "venv"}, commands)


def test_what_the_stand_in_cannot_do_it_refuses(tmp_path: Path, commands: dict[str, str]) -> None:
    pack = project(tmp_path / "pack", "poetry.lock")
    with pytest.raises(HostError, match="does not know the toolchain 'poetry'"):
        interpreter(pack, pack, {}, commands)
