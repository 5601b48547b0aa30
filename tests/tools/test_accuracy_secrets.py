"""The secret detector tells secrets from other texts as well as it has to, over labelled rows beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import accuracy_secrets
from tools.accuracy_secrets import CASES, GROUPS, score, score_of

LEAST = {"all": (0.97, 0.93), "checkov+kics": (0.95, 0.90)}
"""Precision and recall."""


@pytest.mark.parametrize("group", GROUPS)
def test_precision_and_recall_are_high_enough(group: str) -> None:
    if not CASES.exists():
        pytest.skip(f"the labelled rows are not beside this checkout ({CASES.parent.name}/{CASES.name})")
    found = score(CASES, GROUPS[group])
    assert found.precision >= LEAST[group][0]
    assert found.recall >= LEAST[group][1]


def test_what_disagrees_is_counted_and_contested_rows_are_left_out(tmp_path: Path) -> None:
    word = "hunter" + "2-Tr0ub4dor"
    rows = [
        ("DB_PASSWORD", word, "secret", "strong"),
        ("DB_PASSWORD", word, "not-secret", "strong"),
        ("STAGE", "prod", "secret", "strong"),
        ("STAGE", "prod", "not-secret", "strong"),
        ("STAGE", "prod", "secret", "weak"),
        (None, f"#!/bin/sh\nexport DB_PASSWORD={word}\n", "secret", "strong"),
    ]
    names = ("key", "value", "expected", "strength")
    lines = [json.dumps({**dict(zip(names, row, strict=True)), "source": "a", "kind": "b"}) for row in rows]
    cases = tmp_path / "rows.jsonl"
    cases.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = accuracy_secrets.read(cases)
    assert [row.line for row in found] == [1, 2, 3, 4, 6]
    assert score_of(found) == (2 / 3, 2 / 3, 1, 1, 5)
    assert score(cases, ("other",)).total == 0
    assert word not in repr(found)
