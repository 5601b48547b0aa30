"""Keys and values are spelled as each cloud has them, and a key that was meant is found."""

from __future__ import annotations

from typing import Any

import pytest

from crossgate.rules.tagging._keys import Required, label_text, near_misses, required


@pytest.mark.parametrize(
    ("tag", "cloud", "expected"),
    [
        ("CostCenter", "aws", Required("CostCenter")),
        ("CostCenter", "azure", Required("CostCenter")),
        ("CostCenter", "gcp", Required("costcenter")),
        ("acme:Cost Center", "gcp", Required("acme_cost_center")),
        ("*", "gcp", Required("*")),
        ({"key": "CostCenter", "gcp": "cost-center"}, "gcp", Required("cost-center", ignore_case=True)),
        ({"key": "CostCenter", "gcp": "cost-center"}, "aws", Required("CostCenter")),
        ({"key": "Env", "aws": "acme:Env", "azure": "env"}, "aws", Required("acme:Env")),
        ({"key": "Env", "aws": "acme:Env", "azure": "env"}, "azure", Required("env")),
        ({"key": "Env", "values": ["Prod", "Pre Prod"]}, "aws", Required("Env", ["Prod", "Pre Prod"])),
        (
            {"key": "Env", "values": ["Prod", "Pre Prod"]},
            "gcp",
            Required("env", ["prod", "pre_prod"], ignore_case=True),
        ),
    ],
)
def test_a_tag_is_asked_for_as_each_cloud_spells_it(tag: Any, cloud: str, expected: Required) -> None:
    assert list(required([tag], cloud)) == [expected]


def test_what_a_label_may_hold_is_left_as_it_is() -> None:
    assert label_text("größe_1-a") == "größe_1-a"


@pytest.mark.parametrize(
    ("tag", "value", "allowed"),
    [
        (Required("k", ["a", "4711", "true"]), "a", True),
        (Required("k", ["a", "4711", "true"]), "A", False),
        (Required("k", ["a", "4711", "true"]), 4711, True),
        (Required("k", ["a", "4711", "true"]), 4711.0, True),
        (Required("k", ["a", "4711", "true"]), True, True),
        (Required("k", ["a", "4711", "true"]), False, False),
        (Required("k", pattern="cc-[0-9]+"), "cc-1", True),
        (Required("k", pattern="cc-[0-9]+"), "cc-1x", False),
        (Required("k", pattern="cc-[0-9]+"), "CC-1", False),
        (Required("k", pattern="CC-[0-9]+", ignore_case=True), "cc-1", True),
        (Required("k", ["cc-1", "x"], "cc-[0-9]+"), "x", False),
        (Required("k"), {"odd": []}, True),
    ],
)
def test_values(tag: Required, value: Any, *, allowed: bool) -> None:
    assert tag.allows(value) is allowed


@pytest.mark.parametrize(
    ("key", "others", "expected"),
    [
        ("Owner", ["owner", "OWNER", "Team"], ["OWNER", "owner"]),
        ("CostCenter", ["cost-center", "cost center", "CostCentral"], ["cost center", "cost-center"]),
        ("CostCenter", ["CostCentre"], ["CostCentre"]),
        ("Owner", ["Onwer", "Owne", "Ownner", "Owmer"], ["Onwer", "Owmer", "Owne", "Ownner"]),
        ("Owner", ["Onwre", "Own", "Owners2", "Renwo"], []),
        ("Env", ["End", "Enc", "Environment"], []),
        ("Env", ["env"], ["env"]),
        ("Owner", ["", "_", "-"], []),
        ("Owner", [], []),
    ],
)
def test_the_key_that_was_meant(key: str, others: list[str], expected: list[str]) -> None:
    assert near_misses(key, others) == expected
