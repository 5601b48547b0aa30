"""What a pack writes down is what is read, and nothing of a journal that is not whole passes for one that is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossgate import UNKNOWN, Finding, Note, Resource, Severity, rule
from crossgate.crossguard import journal
from crossgate.crossguard.session import Session
from crossgate.judge import Outcome
from crossgate.model import Stack
from crossgate.pack import Effect, Level, Pack
from crossgate.truth import Gap

BUCKET = "aws:s3/bucket:Bucket"
HUSH = "hunter" + "2-hunter2"


@rule(types=(BUCKET,), severity=Severity.HIGH, frameworks=("CIS AWS 3.0 2.1.4",))
def open_bucket(bucket: Resource) -> Iterator[Finding]:
    """An open bucket."""
    yield Finding(f"open to {bucket['to'].text()}", at=bucket["open"], when=bucket["open"].is_true())


@rule(types=(BUCKET,), severity=Severity.LOW)
def odd_bucket(bucket: Resource) -> Iterator[Finding]:
    """A remark, or a crash."""
    yield Note("odd", at="label", when=bucket["odd"].is_true())
    if bucket["crash"].exists().is_true:
        raise ValueError(HUSH)


@rule(types=(BUCKET,), severity=Severity.LOW, required=("names",), parameters={"names": {"type": "array"}})
def named_bucket(bucket: Resource, parameters: object) -> Iterator[Finding]:
    """Needs parameters."""
    yield Finding("named", when=bucket["named"].is_true())


PACK = Pack("test", "", [(open_bucket, Level.MANDATORY), (odd_bucket, Level.ADVISORY), (named_bucket, Level.ADVISORY)])


def urn(name: str) -> str:
    return f"urn:pulumi:dev::p::{BUCKET}::{name}"


def bucket(name: str, **inputs: object) -> Resource:
    return Resource(urn(name), BUCKET, name, inputs, provider="urn:pulumi:dev::p::pulumi:providers:aws::default::id")


def redact(text: str) -> str:
    return text.replace(HUSH, "[secret]")


@pytest.fixture
def writer(tmp_path: Path) -> journal.Writer:
    found = journal.writer({journal.FOLDER: str(tmp_path)})
    assert found is not None
    return found


def written(writer: journal.Writer, *resources: Resource, end: bool = True) -> None:
    session = Session(PACK)
    session.preview = True
    for resource in resources:
        list(session.analyze(resource, None))
    stack = Stack(resources)
    session._reported.clear()
    writer.begin(PACK)
    for report in {id(each.verdict): each for each in session.analyze_stack(stack)}.values():
        writer.verdict(report.entry, report.verdict, redact)
    for report in session.noted:
        writer.verdict(report.entry, report.verdict, redact)
    if end:
        writer.end(session.kinds(stack), session.left_out)


def test_what_is_written_is_read(writer: journal.Writer, tmp_path: Path) -> None:
    written(
        writer,
        bucket("open", open=True, to=HUSH, odd=True),
        bucket("unknown", open=UNKNOWN, to="us"),
        bucket("crashing", crash=1, open=False, to="us"),
    )
    [found] = journal.read(tmp_path)
    assert ("test", True, 0) == (found.pack, found.whole, found.left_out)
    assert {BUCKET: journal.Kind(3, 3, 2)} == found.kinds
    assert {"named-bucket": (Level.ADVISORY, ("names",))} == found.not_configured
    policy = found.policies["open-bucket"]
    assert (open_bucket.title, Severity.HIGH, Level.MANDATORY) == (policy.title, policy.severity, policy.level)
    assert ("CIS AWS 3.0 2.1.4",) == policy.frameworks
    by_name = {(each.name, each.policy): each for each in found.verdicts}
    failed = by_name["open", "open-bucket"]
    assert (Outcome.FAIL, Effect.BLOCKS, "mandatory", 1) == (
        failed.outcome,
        failed.effect,
        failed.reported_level,
        failed.lines,
    )
    assert (journal.Remark("open", "open to [secret]"),) == failed.violations
    unknown = by_name["unknown", "open-bucket"]
    assert (Gap(urn("unknown"), "open", "not known until the update"),) == unknown.gaps
    crash = by_name["crashing", "odd-bucket"]
    assert (Outcome.ERROR, Effect.ADVISES, "advisory") == (crash.outcome, crash.effect, crash.reported_level)
    assert "ValueError at test_journal.py" in crash.crash
    noted = by_name["open", "odd-bucket"]
    assert (Outcome.PASS, 0, (journal.Remark("label", "odd"),)) == (noted.outcome, noted.lines, noted.notes)
    assert 4 == len(found.verdicts)


def test_no_secret_is_written_and_nobody_else_may_read_it(writer: journal.Writer, tmp_path: Path) -> None:
    written(writer, bucket("open", open=True, to=HUSH), bucket("crashing", crash=HUSH, open=False, to="us"))
    [file] = tmp_path.iterdir()
    assert HUSH not in file.read_text()
    assert 0o600 == file.stat().st_mode & 0o777


def test_without_its_end_it_is_not_whole(writer: journal.Writer, tmp_path: Path) -> None:
    written(writer, bucket("open", open=True, to="us"), end=False)
    [found] = journal.read(tmp_path)
    assert not found.whole
    assert ["open-bucket"] == [each.policy for each in found.verdicts]


def test_cut_off_anywhere_it_is_not_whole_or_cannot_be_read(writer: journal.Writer, tmp_path: Path) -> None:
    written(writer, bucket("open", open=True, to="us"))
    [file] = tmp_path.iterdir()
    content = file.read_bytes()
    for length in (*range(0, len(content), 7), len(content) - 1):
        file.write_bytes(content[:length])
        assert not any(found.whole for found in journal.read(tmp_path)), length
    file.write_bytes(content)
    assert [True] == [found.whole for found in journal.read(tmp_path)]


@pytest.mark.parametrize(
    "lines",
    [
        ['{"journal": 1'],
        ["[]"],
        ['{"journal": 1, "pack": "p", "policies": [{}], "notConfigured": []}'],
        ['{"journal": 2, "pack": "p", "policies": [], "notConfigured": []}'],
        ['{"journal": 1, "pack": "p", "policies": [], "notConfigured": []}', '{"policy": "x"}'],
        ['{"journal": 1, "pack": "p", "policies": [], "notConfigured": []}', "null"],
    ],
)
def test_what_no_pack_of_this_version_writes_is_refused(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "1.verdicts").write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(journal.JournalError) as refused:
        journal.read(tmp_path)
    assert json.dumps(lines) not in str(refused.value)


def test_a_pack_that_was_shown_nothing_has_no_journal(writer: journal.Writer, tmp_path: Path) -> None:
    assert [f"{os.getpid()}.verdicts"] == [file.name for file in tmp_path.iterdir()]
    assert [] == journal.read(tmp_path)


def test_nobody_asks_nobody_writes() -> None:
    assert journal.writer({}) is None


def test_a_journal_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        journal.writer({journal.FOLDER: str(tmp_path / "nowhere")})
