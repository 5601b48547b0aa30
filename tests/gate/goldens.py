"""The reports that are kept to be read: every outcome in every format, and the documentation's commands.

`make golden` writes them; tests/tools/test_golden.py holds that they are current.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crossgate.config.engine import PolicyException
from crossgate.gate import cli
from crossgate.gate.console import View
from crossgate.gate.judging import stack_report
from crossgate.gate.render import render
from crossgate.gate.report import NotConfigured, Report, Unreadable
from crossgate.pack import Level
from crossgate.redact import Redactor
from crossgate.sources import load
from tests.gate.outcomes import PACK, queue_name
from tests.sources.builders import BUCKET, digest, record, stack_step, state, step, urn

ROOT = Path(__file__).resolve().parents[2]
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
QUEUE = "aws:sqs/queue:Queue"
DOCUMENTS = ("README.md", "docs/gate.md")

EXEMPTIONS = (
    PolicyException(
        "SITE-7", "the site is public on purpose", ((frozenset({"bucket-outcome"}), frozenset({urn("site")})),)
    ),
    PolicyException("OLD-1", "the old site", ((frozenset({"bucket-outcome"}), frozenset({urn("gone")})),)),
)


def every_outcome() -> Report:
    """A report that has one of everything."""
    preview = load(
        digest(
            [
                stack_step("same"),
                _bucket("advice", "fine", 9, size=3),
                _bucket("assets", "fail", 12, size=3),
                _bucket("backups", "fail twice", 20),
                *(_bucket(f"maybe-{number}", "maybe", 30 + number, acl=UNKNOWN) for number in range(7)),
                _bucket("uploads", "maybe", 40, acl="[secret]"),
                _bucket("broken", "crash", 50, size=13),
                _bucket("half", "fail and crash", 51),
                _bucket("site", "fail", 60),
                _bucket("remarkable", "note", 70),
                step("create", "jobs", QUEUE),
                step("create", "\x1b[31mred\u202eder\n::error::hello", BUCKET, {"outcome": "fail"}),
                step("create", "network", "aws:ec2/vpc:Vpc"),
                step("create", "site", "shop:site:Site", custom=False),
                {"op": "read", "urn": urn("existing")},
            ],
            changeSummary={"same": 5, "create": 19},
        )
    )
    exported = load(state([record("assets", inputs={"outcome": "fine"}), record("old", delete=True)]))
    stacks = (
        stack_report("shop/preview.json", preview, PACK, Redactor(), EXEMPTIONS),
        stack_report("state.json", exported, PACK, Redactor(), EXEMPTIONS),
    )
    return Report(
        packs=("outcomes",),
        stacks=stacks,
        unreadable=(Unreadable("other.json", "not complete JSON: the file is cut off"),),
        not_configured=(NotConfigured(queue_name, Level.MANDATORY, ("names",)),),
        unused_exemptions=EXEMPTIONS[1:],
    )


def _bucket(name: str, outcome: str, line: int, **inputs: Any) -> dict[str, Any]:
    return step("create", name, BUCKET, {"outcome": outcome} | inputs, sourcePosition=f"project:///__main__.py#{line}")


def golden() -> Mapping[str, str]:
    """Return the files by their path in the checkout."""
    report = every_outcome()
    views = {"": View(), "-narrow": View(48), "-verbose": View(verbose=True), "-colour": View(120, color=True)}
    reports = {f"tests/golden/report{name}.txt": render(report, "text", view) for name, view in views.items()}
    reports["tests/golden/report.json"] = render(report, "json", View())
    documents = {path: with_output((ROOT / path).read_text(encoding="utf-8")) for path in DOCUMENTS}
    return reports | documents


_BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)


def with_output(document: str) -> str:
    """Return a document in which each `console` block shows what its commands print; `$ crossgate …` ones are run."""
    return _BLOCK.sub(lambda block: _replayed(block[0]), document)


def _replayed(block: str) -> str:
    lines: list[str] = []
    code = 0
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        lines.append(line)
        command = shlex.split(line[2:])
        if command == ["echo", "$?"]:
            lines.append(str(code))
            continue
        if command[0] != "crossgate":
            continue
        output = io.StringIO()
        with (
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
            contextlib.chdir(ROOT),
            _columns(),
        ):
            code = cli.main(command[1:])
        lines.extend(output.getvalue().splitlines())
    return "".join(f"{line}\n" for line in lines)


@contextlib.contextmanager
def _columns() -> Any:
    """Let argparse lay out its help as on a terminal of 100 columns, wherever this runs."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100"
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


if __name__ == "__main__":
    for path, text in golden().items():
        sys.stdout.write(f"==== {path}\n{text}")
