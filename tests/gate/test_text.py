"""The report for people. tests/golden/report*.txt show it whole; here is what must hold for any."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from crossgate.gate.console import View
from crossgate.gate.judging import stack_report
from crossgate.gate.render import render, summary_line
from crossgate.gate.render.text import _first_sentence, _short
from crossgate.gate.report import Report
from crossgate.packs.baseline import PACK as BASELINE
from crossgate.redact import Redactor
from crossgate.sources import load
from tests.gate.goldens import every_outcome
from tests.gate.outcomes import PACK
from tests.sources.builders import digest, record, stack_step, state, step

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"


def report(*steps: object, **fields: object) -> Report:
    source = load(digest([stack_step(), *steps], **fields))  # type: ignore[arg-type]
    return Report(("outcomes",), (stack_report("preview.json", source, PACK, Redactor()),))


def lines(content: Report, **view: object) -> list[str]:
    return render(content, "text", View(**view)).splitlines()  # type: ignore[arg-type]


def heads(text: list[str]) -> Iterator[str]:
    """The names of resources, in the order of the report."""
    return (line.split()[1] for line in text if line.startswith("aws:"))


def test_the_worst_resource_comes_first() -> None:
    text = lines(
        report(
            step("create", "advised", inputs={"size": 1}),
            step("create", "warned", "aws:sqs/queue:Queue", {}),
            step("create", "low", "aws:sqs/queue:Queue", {"fifo": True}),
            step("create", "critical", inputs={"outcome": "fail"}),
        )
    )
    assert ["critical", "low", "advised"] == list(heads(text))


def test_what_blocks_without_being_known_comes_before_advice() -> None:
    text = "\n".join(
        lines(
            report(
                step("create", "advised", inputs={"size": 1}),
                step("create", "unknown", inputs={"outcome": "maybe", "acl": UNKNOWN}),
            )
        )
    )
    assert text.index("BLOCKED  critical  bucket-outcome") < text.index("aws:s3:Bucket advised")


def test_advice_about_a_blocked_resource_stands_with_it() -> None:
    text = lines(report(step("create", "logs", inputs={"outcome": "fail", "size": 1})))
    assert ["logs"] == list(heads(text))
    assert ["BLOCKED", "ADVISORY"] == [line.split()[0] for line in text if line.startswith("  ") and line[2] != " "]


def test_why_and_fix_are_told_once_per_rule() -> None:
    text = lines(report(*(step("create", f"b{number}", inputs={"outcome": "fail"}) for number in range(5))))
    assert 1 == sum(line.strip().startswith("why ") for line in text)
    assert 4 == sum(line.endswith("bucket-outcome: why and fix stand above") for line in text)


def test_what_is_undetermined_is_told_once_per_rule() -> None:
    steps = [step("create", f"b{number}", inputs={"outcome": "maybe", "acl": UNKNOWN}) for number in range(100)]
    text = lines(report(*steps))
    assert 1 == sum("bucket-outcome:" in line for line in text)
    assert len(text) < 15
    assert "b3 and 96 more" in " ".join(" ".join(text).split())
    assert "b99" in " ".join(lines(report(*steps), verbose=True))


def test_rules_that_lack_the_same_share_the_reason() -> None:
    source = load(digest([stack_step(), step("create", "ci", "aws:iam/policy:Policy", {"policy": UNKNOWN})]))
    text = lines(Report(("baseline",), (stack_report("preview.json", source, BASELINE, Redactor()),)))
    assert (
        1 < sum(line.startswith("  WARNING") for line in text) == sum(line.strip().startswith("docs ") for line in text)
    )
    assert 1 == sum(line.strip().startswith("what ") for line in text)
    assert 1 == sum(line.strip().startswith("fix ") for line in text)


def test_one_more_than_is_shown_is_named_too() -> None:
    """`and 1 more` is as long as the name."""
    steps = [step("create", f"b{number}", inputs={"outcome": "maybe", "acl": UNKNOWN}) for number in range(5)]
    assert "b4" in " ".join(lines(report(*steps)))


@pytest.mark.parametrize("width", [40, 48, 60, 71, 72, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal_but_for_a_long_word(width: int) -> None:
    for line in lines(every_outcome(), width=width):
        assert len(line) <= width or len(line.split()) == 1 or max(map(len, line.split())) > width / 2, line


def test_colours_are_all_that_colour_adds() -> None:
    plain, coloured = (render(every_outcome(), "text", View(color=color)) for color in (False, True))
    without = "".join(part.partition("m")[2] if number else part for number, part in enumerate(coloured.split("\x1b[")))
    assert [line.rstrip() for line in plain.splitlines()] == [line.rstrip() for line in without.splitlines()]
    assert "\x1b[" not in plain


def test_names_cannot_command_a_terminal_nor_a_ci_system() -> None:
    names = [
        "\x1b]0;title\x07",
        "a\u202eb\u2066c",
        "\u200b\ufeff",
        "\x9b31m",
        "\r\n::set-output name=x::y",
        "\ud800",
        "##vso[x]",
    ]
    steps = [step("create", name, inputs={"outcome": "fail", name: 1}) for name in names]
    for width in (40, 100):
        text = render(report(*steps), "text", View(width))
        assert text.replace("\n", "").isprintable()
        assert not any(line.lstrip().startswith(("::", "##")) for line in text.splitlines())
        assert "##[" not in text
        for shown in (r"\x1b]0;title\x07", r"a\u202eb\u2066c", r"\u200b\ufeff", r"\x9b31m", r"\x0d\x0a", r"\ud800"):
            assert shown in text


def test_a_line_that_a_runner_would_obey_is_broken() -> None:
    """Wrapping may put any word of a name at the start of a line."""
    name = f"{'x' * 60} ::error::gone ##[error]gone"
    text = render(report(step("create", name, inputs={"outcome": "fail"})), "text", View(72))
    assert "\\::error::gone #\\#[error]gone" in text


def test_what_the_end_says() -> None:
    two = report(step("create", "a", inputs={"outcome": "fail"}), step("create", "b", inputs={"outcome": "fail twice"}))
    assert "blocked: 3 violations; judged 4 checks on 2 resources" == summary_line(two)
    one = report(step("create", "a"), step("create", "v", "aws:ec2/vpc:Vpc"))
    assert "compliant; judged 2 checks on 1 resource; 1 resource had no rule" == summary_line(one)
    crashed = report(step("create", "a", inputs={"outcome": "crash"}))
    assert "could not judge: 1 crashed rule; judged 2 checks on 1 resource" == summary_line(crashed)
    nothing = report(step("create", "v", "aws:ec2/vpc:Vpc"))
    assert "compliant; judged no checks on no resources; 1 resource had no rule" == summary_line(nothing)


def test_pending_operations_are_said() -> None:
    source = load(state([record("logs")], pending_operations=[{"resource": record("x"), "type": "creating"}]))
    content = Report(("outcomes",), (stack_report("state.json", source, PACK, Redactor()),))
    assert summary_line(content).endswith("; 1 operation of an interrupted update is pending")


def test_verbose_leaves_nothing_out() -> None:
    steps = [
        step("create", "logs", inputs={"outcome": "fail"}),
        step("create", "v", "aws:ec2/vpc:Vpc"),
        {"op": "read", "urn": "urn:pulumi:dev::shop::aws:ec2/vpc:Vpc::read"},
    ]
    quiet, verbose = (" ".join(lines(report(*steps), verbose=loud)) for loud in (False, True))
    for words in (
        "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs",
        "aws:ec2:Vpc (1): no rule",
        "Vpc::read: only read",
    ):
        assert words not in quiet
        assert words in verbose


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("aws:s3/bucket:Bucket", "aws:s3:Bucket"),
        ("aws:s3/bucketV2:BucketV2", "aws:s3:BucketV2"),
        ("kubernetes:apps/v1:Deployment", "kubernetes:apps/v1:Deployment"),
        ("azure-native:storage:StorageAccount", "azure-native:storage:StorageAccount"),
        ("random:index/randomPassword:RandomPassword", "random:index:RandomPassword"),
        ("shop:site:Site", "shop:site:Site"),
        ("odd", "odd"),
        ("a:b", "a:b"),
        ("", ""),
    ],
)
def test_types_are_shown_as_the_engine_shows_them(token: str, shown: str) -> None:
    assert shown == _short(token)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("Buckets, e.g. those of S3. Two.", "Buckets, e.g. those of S3."),
        ("CIS 2.1.4 wants it", "CIS 2.1.4 wants it"),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, sentence: str) -> None:
    assert sentence == _first_sentence(text)


def test_the_goldens_show_every_kind_of_line() -> None:
    """A golden that lacks a section protects nothing of it."""
    text = (Path(__file__).parents[1] / "golden" / "report.txt").read_text(encoding="utf-8")
    for words in (
        "BLOCKED", "CRASHED", "ADVISORY", "WARNING", "undetermined:", "crashed:", "exempted\n", "notes\n",
        "not judged:", "not configured:", "unused exception:", "nothing to report", " and 3 more",
        "why and fix stand above", "blocked: ",
    ):  # fmt: skip
        assert words in text
