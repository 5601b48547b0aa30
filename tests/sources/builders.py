"""Files of the engine's form, built in the test that needs them where no recorded one shows the case."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parents[1] / "fixtures"

BUCKET = "aws:s3/bucket:Bucket"
STACK = "pulumi:pulumi:Stack"
DEFAULT_PROVIDER = "urn:pulumi:dev::shop::pulumi:providers:aws::default_7_51_1"


def urn(name: str, type_: str = BUCKET, *, stack: str = "dev") -> str:
    return f"urn:pulumi:{stack}::shop::{type_}::{name}"


def record(name: str, type_: str = BUCKET, inputs: Mapping[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A resource as states and digests write it."""
    state = {"urn": urn(name, type_), "custom": True, "type": type_, "inputs": dict(inputs or {})}
    return state | fields


def step(
    op: str, name: str, type_: str = BUCKET, inputs: Mapping[str, Any] | None = None, **fields: Any
) -> dict[str, Any]:
    """A step with a new state."""
    state = record(name, type_, inputs, **fields)
    return {"op": op, "urn": state["urn"], "newState": state, "detailedDiff": None}


def stack_step(op: str = "create") -> dict[str, Any]:
    state = {"urn": urn("shop-dev", STACK), "custom": False, "type": STACK}
    return {"op": op, "urn": state["urn"], "newState": state, "detailedDiff": None}


def digest(steps: Iterable[Mapping[str, Any]], **fields: Any) -> str:
    """A digest with these steps and a summary that counts them."""
    listed = [dict(each) for each in steps]
    summary: dict[str, int] = {}
    for each in listed:
        if each["op"] not in {"read", "refresh", "create-replacement", "delete-replaced"}:
            summary[each["op"]] = summary.get(each["op"], 0) + 1
    return json.dumps({"config": {}, "steps": listed, "duration": 1, "changeSummary": summary} | fields)


def state(resources: Iterable[Mapping[str, Any]], **fields: Any) -> str:
    """A stack export of these resources."""
    deployment = {
        "manifest": {"time": "2026-01-01T00:00:00Z"},
        "resources": [dict(each) for each in resources],
    } | fields
    return json.dumps({"version": 3, "deployment": deployment})
