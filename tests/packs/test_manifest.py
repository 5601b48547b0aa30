"""packs/<name>/manifest.json says what the pack's table says."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from crossgate.pack import Pack
from crossgate.packs import _build
from crossgate.packs._manifest import manifest, version_of

ROOT = Path(__file__).resolve().parents[2]
PACKS = _build.names()


def committed(pack: str) -> str:
    return (ROOT / "packs" / pack / "manifest.json").read_text(encoding="utf-8")


def policies(document: str) -> dict[str, dict[str, Any]]:
    return {policy["id"]: policy for policy in json.loads(document)["policies"]}


@pytest.mark.parametrize("pack", PACKS)
def test_the_committed_manifest_is_of_this_table(pack: str) -> None:
    """When it is not: `make golden`, a line in the pack's changelog, and where a stack may now be blocked a version."""
    assert manifest(_build.load(pack), _build.version(pack)) == committed(pack)


@pytest.mark.parametrize("pack", PACKS)
def test_it_holds_every_policy_with_its_level_and_severity(pack: str) -> None:
    table = _build.load(pack)
    found = policies(manifest(table, "1.2.3"))
    assert sorted(entry.rule.id for entry in table.entries) == list(found)
    for entry in table.entries:
        policy = found[entry.rule.id]
        assert (entry.level.value, entry.rule.severity.value) == (policy["level"], policy["severity"])
        assert entry.rule.title == policy["title"]
        assert set(entry.rule.types) == set(policy["types"])
        assert policy["url"].endswith(f"/{entry.rule.id}.md")


@pytest.mark.parametrize("pack", PACKS)
def test_each_default_fits_the_schema_beside_it(pack: str) -> None:
    for policy in policies(manifest(_build.load(pack), "1.2.3")).values():
        assert set(policy["defaults"]) <= set(policy["parameters"])
        assert set(policy["required"]) <= set(policy["parameters"])
        for name, schema in policy["parameters"].items():
            Draft202012Validator.check_schema(schema)
            if name in policy["defaults"]:
                Draft202012Validator(schema).validate(policy["defaults"][name])


def test_the_order_of_the_table_does_not_matter() -> None:
    pack = _build.load("baseline")
    turned = Pack(pack.name, pack.title, reversed(pack.entries))
    assert manifest(pack, "1.2.3") == manifest(turned, "1.2.3")


@pytest.mark.parametrize(
    "line", ["version: 1.2.3", 'version: "1.2.3"', "version: '1.2.3' # soon 2", "version:   1.2.3"]
)
def test_the_version_is_read_from_the_project(line: str) -> None:
    assert "1.2.3" == version_of(f"description: version: 0\nruntime:\n  version: 9\n{line}\n")


def test_a_project_without_a_version_is_refused() -> None:
    with pytest.raises(ValueError, match="states no version"):
        version_of("runtime:\n  version: 9\n")


@pytest.mark.parametrize("pack", PACKS)
def test_the_version_is_the_one_of_the_project(pack: str) -> None:
    assert json.loads(manifest(_build.load(pack), _build.version(pack)))["version"] == _build.version(pack)
    assert f"version: {_build.version(pack)}\n" in (ROOT / "packs" / pack / "PulumiPolicy.yaml").read_text()
