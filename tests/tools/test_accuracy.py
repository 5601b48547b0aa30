"""The labelled cases beside the checkout agree as well as they once did, and the measure itself can tell."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from crossgate import UNKNOWN
from tools import accuracy
from tools.accuracy import CASES, Accuracy

BUCKET = "aws:s3/bucket:Bucket"
BLOCK = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"

AGREEMENT = 97.0
"""Percent of the decided cases, without those whose label the vendor's documentation contradicts."""
DECLINED = 25.0
"""Percent of the checks of a category."""
FEW = 4
"""Of fewer checks than this, one that is declined is more than the share."""
UNDETERMINED = 5.0
RECORDED = 3.0


@pytest.fixture(scope="module")
def measured() -> Accuracy:
    if not CASES.exists():
        pytest.skip(f"the labelled cases are not beside this checkout ({CASES.parent.name}/{CASES.name})")
    return accuracy.measure()


def test_no_figure_falls_below_its_floor(measured: Accuracy) -> None:
    assert not accuracy.below(measured)


@pytest.mark.parametrize("category", accuracy.CATEGORIES)
def test_the_rules_answer_as_the_labels_do(measured: Accuracy, category: str) -> None:
    measures = measured.measures(category)
    assert measures["agreement without recorded"] >= AGREEMENT
    assert measures["declined"] <= DECLINED or len(measured.checks[category]) < FEW
    assert measures["undetermined"] <= UNDETERMINED


def test_a_labelled_violation_is_not_passed_over(measured: Accuracy) -> None:
    missed = [each.case.id for each in measured.answers if each.outcome == "missed" and not each.recorded]
    assert not missed


def test_few_labels_are_called_wrong(measured: Accuracy) -> None:
    recorded = sum(each.recorded for each in measured.answers)
    assert recorded <= RECORDED / 100 * len(measured.answers)


Resource = Mapping[str, Any]
Measure = Callable[..., Accuracy]


def resource(name: str, type_: str = BUCKET, inputs: Mapping[str, Any] | None = None, **fields: Any) -> Resource:
    urn = f"urn:pulumi:dev::shop::{type_}::{name}"
    known = {"urn": urn, "type": type_, "name": name, "custom": True, "inputs": dict(inputs or {})}
    return known | {"propertyDependencies": {}, "dependencies": []} | fields


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    """Measures cases of one check: (label, resources, the labelled one first)."""

    def run(check: str, *cases: tuple[str, list[Resource]], pages: tuple[str, str] = ("", "")) -> Accuracy:
        lines = [
            json.dumps(
                {
                    "id": f"case-{number}",
                    "source_repo": "bridgecrewio/checkov",
                    "check_id": check,
                    "category": "public-storage",
                    "provider": "aws",
                    "focus": resources[0]["urn"],
                    "expected": label,
                    "label_scope": "resource",
                    "resources": resources,
                }
            )
            for number, (label, resources) in enumerate(cases)
        ]
        (tmp_path / "resources.jsonl").write_text("\n".join(lines))
        return Accuracy(accuracy.read(tmp_path), *pages)

    return run


def outcomes(measured: Accuracy) -> list[str]:
    return [each.outcome for each in measured.answers]


def test_label_and_verdict_are_compared(measure: Measure) -> None:
    public, private = ([resource("b", inputs={"acl": acl})] for acl in ("public-read", "private"))
    measured = measure("CKV_AWS_20", ("fail", public), ("pass", private), ("fail", private), ("pass", public))
    assert ["agreed", "agreed", "missed", "false"] == outcomes(measured)
    assert {"cases": 4, "claimed": 4, "agreed": 2, "missed": 1, "false": 1, "undetermined": 0, "recorded": 0} == (
        measured.figures("public-storage")
    )


def test_an_unknown_of_the_case_is_neither_right_nor_wrong(measure: Measure) -> None:
    assert ["undetermined"] == outcomes(measure("CKV_AWS_20", ("fail", [resource("b", inputs={"acl": UNKNOWN})])))


def test_a_check_is_asked_as_narrowly_as_it_asks(measure: Measure) -> None:
    block = resource("b", BLOCK, {"blockPublicAcls": True, "blockPublicPolicy": False})
    assert ["agreed"] == outcomes(measure("CKV_AWS_53", ("pass", [block])))
    assert ["agreed"] == outcomes(measure("CKV_AWS_54", ("fail", [block])))


def test_a_finding_on_a_part_of_the_labelled_resource_counts_and_on_another_does_not(measure: Measure) -> None:
    bucket = resource("b", inputs={"bucket": "shop-assets"})
    acl = "aws:s3/bucketAcl:BucketAcl"
    of_it = resource("a", acl, {"bucket": "shop-assets", "acl": "public-read"})
    of_another = resource("a", acl, {"bucket": "shop-logs", "acl": "public-read"})
    assert ["agreed"] == outcomes(measure("CKV_AWS_20", ("fail", [bucket, of_it])))
    assert ["agreed"] == outcomes(measure("CKV_AWS_20", ("pass", [bucket, of_another])))


def test_what_the_documents_contradict_stands_apart(measure: Measure) -> None:
    page = "**checkov CKV_AWS_20 fails a bucket with `acl: private`; here it passes.**"
    case = ("fail", [resource("b", inputs={"acl": "private"})])
    measured = measure("CKV_AWS_20", case, pages=(page, ""))
    assert 0.0 == measured.measures("public-storage")["agreement"]
    assert 1 == measured.figures("public-storage")["recorded"]
    other = measure("CKV_AWS_20", case, pages=(page.replace("CKV_AWS_20", "CKV_AWS_57"), ""))
    assert 0 == other.figures("public-storage")["recorded"]


def test_a_check_that_no_rule_asks_is_named_unless_it_is_declined(measure: Measure) -> None:
    case = ("fail", [resource("b")])
    assert ["checkov:CKV_MADE_UP"] == measure("CKV_MADE_UP", case).unclaimed("public-storage")
    row = "| checkov CKV_MADE_UP | a matter of taste |"
    assert [] == measure("CKV_MADE_UP", case, pages=("", row)).unclaimed("public-storage")


def test_the_command_says_where_cases_are_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(accuracy, "CASES", tmp_path / "shared" / "cases")
    assert 0 == accuracy._run([])
    assert "not measured: the labelled cases are not beside this checkout (shared/cases)\n" == capsys.readouterr().out
