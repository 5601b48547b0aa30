"""The report for programs, and its schema."""

import copy
import json
from importlib import resources
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from crossgate.gate.console import View
from crossgate.gate.render import render
from crossgate.gate.report import Report, Result, Unreadable
from tests.gate.conftest import EXAMPLE, ROOT, Command
from tests.gate.goldens import every_outcome
from tests.sources.builders import FIXTURES

SCHEMA = json.loads(resources.files("crossgate.gate").joinpath("schema/report-v1.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def document(report: Report) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(report, "json", View()))
    return found


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_report_fits_the_schema(crossgate: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    VALIDATOR.validate(document(every_outcome()))
    VALIDATOR.validate(document(Report(("baseline",), (), (Unreadable("a.json", "gone"),))))
    monkeypatch.chdir(ROOT)
    for file in [ROOT / EXAMPLE, *sorted(FIXTURES.glob("*.json"))]:
        out = crossgate("check", str(file), "--format", "json").out
        if out:
            VALIDATOR.validate(json.loads(out))


def objects(schema: Any, path: str = "") -> list[tuple[str, dict[str, Any]]]:
    if isinstance(schema, list):
        return [found for number, item in enumerate(schema) for found in objects(item, f"{path}[{number}]")]
    if not isinstance(schema, dict):
        return []
    here = [(path, schema)] if "properties" in schema and "type" in schema else []
    return here + [found for key, item in schema.items() for found in objects(item, f"{path}/{key}")]


def test_the_schema_is_closed_and_asks_for_every_field() -> None:
    """So that the test above bites: a field that is missing, misspelt or unknown to the schema fails it."""
    assert len(objects(SCHEMA)) >= 10
    for path, schema in objects(SCHEMA):
        assert set(schema["required"]) == set(schema["properties"]), path
        assert schema["additionalProperties"] is False, path


def test_a_report_of_another_form_does_not_fit() -> None:
    whole = document(every_outcome())
    for spoil in (
        lambda report: report.update(report=2),
        lambda report: report["stacks"][0]["findings"][0].update(severity="terrible"),
        lambda report: report["stacks"][0]["findings"][0].pop("docs"),
        lambda report: report["counts"]["blocking"].update(violations=-1),
    ):
        spoilt = copy.deepcopy(whole)
        spoil(spoilt)
        assert not VALIDATOR.is_valid(spoilt)


def test_every_finding_has_all_that_there_is_to_know() -> None:
    first = document(every_outcome())["stacks"][0]["findings"][1]
    assert {
        "outcome": "fail",
        "effect": "blocks",
        "rule": "bucket-outcome",
        "title": "Bucket does what its `outcome` says",
        "severity": "critical",
        "level": "mandatory",
        "urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets",
        "type": "aws:s3/bucket:Bucket",
        "name": "assets",
        "position": {"file": "__main__.py", "line": 12},
        "path": "outcome",
        "message": "it asks to fail",
        "undetermined": [],
        "docs": "docs/rules/bucket-outcome.md",
        "frameworks": ["TEST 1.0 A.1"],
        "exception": None,
    } == {key: value for key, value in first.items() if key != "fix"}
    assert first["fix"].startswith("set `outcome` to fine.")


def test_what_is_undetermined_names_what_is_missing() -> None:
    findings = document(every_outcome())["stacks"][0]["findings"]
    maybe = next(finding for finding in findings if finding["name"] == "maybe-0")
    assert ("undetermined", "blocks", "", "") == tuple(maybe[key] for key in ("outcome", "effect", "path", "message"))
    assert [{"urn": maybe["urn"], "path": "acl", "why": "not known until the update"}] == maybe["undetermined"]


def test_counts_add_up() -> None:
    report = document(every_outcome())
    counts = report["counts"]
    total = sum(counts["blocking"].values()) + sum(counts["notBlocking"].values()) + counts["exempted"]
    assert total == sum(len(stack["findings"]) for stack in report["stacks"])
    assert {"violations": 5, "undetermined": 8, "crashed": 2} == counts["blocking"]
    assert {"violations": 2, "undetermined": 1, "crashed": 1} == counts["notBlocking"]


def test_it_is_ascii_whatever_names_hold() -> None:
    text = render(every_outcome(), "json", View())
    assert text.isascii()
    assert "\x1b" not in text
    assert r"\u001b[31mred\u202eder\n::error::hello" in text


def test_the_result_and_the_exit_code_agree() -> None:
    assert {"compliant": 0, "blocked": 1, "could-not-judge": 3} == {each.value: each.exit_code for each in Result}
    assert set(SCHEMA["properties"]["result"]["enum"]) == {each.value for each in Result}
    assert set(SCHEMA["properties"]["exitCode"]["enum"]) == {each.exit_code for each in Result}
