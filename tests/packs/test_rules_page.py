"""The rules' pages tell everything about every rule, and tell it right."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from crossgate import UNKNOWN, Example, Part, ref, secret
from crossgate.config.engine import configure, read_engine_config
from crossgate.model import unversioned_type
from crossgate.pack import Entry
from crossgate.packs import _build
from crossgate.rules.leakage._detector import find
from crossgate.value import ARCHIVE, ASSET, OUTPUT_VALUE, SIGNATURE_KEY
from tools import migration, rules_page

ROOT = Path(__file__).resolve().parents[2]
TABLES = [_build.load(name) for name in _build.names()]
ENTRIES = {entry.rule.id: entry for pack in TABLES for entry in pack.entries}
PAGES = rules_page.pages(TABLES)
INDEX = PAGES[rules_page.INDEX]
SECTIONS = {rule_id: PAGES[entry.rule.url] for rule_id, entry in ENTRIES.items()}


@pytest.fixture(scope="module", params=ENTRIES)
def entry(request: pytest.FixtureRequest) -> Entry:
    return ENTRIES[request.param]


def test_the_committed_pages_are_of_these_rules() -> None:
    """When they are not: `make golden`."""
    assert [] == [path for path, text in rules_page.golden().items() if not _holds(ROOT / path, text)]


def _holds(file: Path, text: str | None) -> bool:
    return (file.read_text(encoding="utf-8") if file.exists() else None) == text


def test_every_rule_has_a_page_and_the_index_leads_to_all_of_them() -> None:
    assert set(PAGES) == {rules_page.INDEX, *(entry.rule.url for entry in ENTRIES.values())}
    linked = re.findall(r"^\| \[(\S+)\]\((\S+)\)", INDEX, re.MULTILINE)
    assert sorted(linked) == sorted((rule_id, f"rules/{rule_id}.md") for rule_id in ENTRIES)


@pytest.mark.parametrize("tool", migration.TOOLS, ids=lambda tool: tool.name)
def test_who_comes_from_another_tool_finds_every_check_that_is_asked_or_declined(tool: migration.Tool) -> None:
    asked = {name for entry in ENTRIES.values() for name in entry.rule.equivalents}
    declined = "| checkov CKV_X | taste |\n| trivy AVD-X | taste |\n| kics 0-0 | taste |\n"
    page = migration.pages(TABLES, declined)[f"docs/from-{tool.name}.md"]
    rows = re.findall(r"^\| (\S+) \|", page, re.MULTILINE)
    assert {check.partition(":")[2] for check in asked if check.startswith(f"{tool.name}:")} <= set(rows)
    assert page.endswith("| taste |\n")
    assert 1 == page.count("taste")


def test_a_section_holds_all_that_the_rule_states(entry: Entry) -> None:
    rule = entry.rule
    section = SECTIONS[rule.id]
    stated = [rule.severity.value, *rule.sources, *rule.frameworks, *rule.parameters]
    stated += [name.partition(":")[2] for name in rule.equivalents]
    stated += [f"`{pack.name}`" for pack in TABLES if pack.entry(rule.id)]
    stated += [level.level.value for pack in TABLES if (level := pack.entry(rule.id))]
    assert [] == [fact for fact in stated if fact not in section]
    plain = re.sub(r"\s+", " ", section.replace("`", "").lower())
    for text in (rule.title, rule.why, rule.fix):
        assert re.sub(r"\s+", " ", text.replace("`", "").lower()) in plain


def test_types_are_named_or_when_there_are_many_counted(entry: Entry) -> None:
    section = SECTIONS[entry.rule.id]
    if entry.rule.applies:
        assert "every type that this is a question for, such as `" in section
    elif len(entry.rule.types) <= 12:
        assert [] == [type_ for type_ in entry.rule.types if f"`{type_}`" not in section]
    else:
        assert f"{len(entry.rule.types)} types (" in section


def test_the_examples_are_yaml_and_of_the_rules_types(entry: Entry) -> None:
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", SECTIONS[entry.rule.id], re.DOTALL)]
    assert len(blocks) == 2
    for block in blocks:
        types = {resource["type"] for resource in block["resources"].values()}
        assert any(entry.rule.judges(unversioned_type(type_), entry.rule.bad[0].parameters) for type_ in types)


def test_the_bad_example_is_followed_by_what_the_rule_says(entry: Entry) -> None:
    bad, _, good = SECTIONS[entry.rule.id].partition("\nGood")
    assert re.search(r"^> \S", bad, re.MULTILINE)
    assert not re.search(r"^> ", good, re.MULTILINE)


def test_a_rule_that_must_be_configured_shows_lines_that_configure_it(entry: Entry) -> None:
    blocks = re.findall(r"```json\n(.*?)```", SECTIONS[entry.rule.id], re.DOTALL)
    assert len(blocks) == bool(entry.rule.required)
    for block in blocks:
        pack = next(pack for pack in TABLES if pack.entry(entry.rule.id))
        configured = configure(pack, read_engine_config(block).policies).entry(entry.rule.id)
        assert configured is not None
        assert entry.rule.configured(configured.parameters)


def test_no_line_of_a_page_looks_like_a_secret() -> None:
    """The examples' secrets are fake, but a scanner of this repository cannot tell."""
    lines = {path: text.splitlines() for path, text in PAGES.items()}
    assert [] == [(path, line) for path in lines for line in range(len(lines[path])) if find(None, lines[path][line])]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "minLength": 1}, "text"),
        ({"type": "array"}, "a list"),
        ({"type": "array", "items": {"type": "integer"}}, "a list, each a whole number"),
        ({"type": ["string", "number"]}, "text or a number"),
        ({"enum": ["ingress", 4]}, '`"ingress"` or `4`'),
        ({"anyOf": [{"type": "boolean"}, {"type": "object"}]}, "true or false, or an object"),
        (
            {"type": "object", "properties": {"key": {"type": "string", "description": "its key"}, "n": {"enum": [1]}}},
            "an object with `key` (its key), `n` (`1`)",
        ),
        ({}, "anything"),
    ],
)
def test_a_schema_is_told_in_words(schema: dict[str, Any], expected: str) -> None:
    assert expected == rules_page._accepts(schema)


# -- how an example is written ---------------------------------------------------------------------------------------

FAKE_KEY = "AKIA" + "Q7RW3ZKX5NPT6VMB"
FAKE_TOKEN = "ghp_" + "a8Zq3LmX9vT2kR7wB4nY6cJ1sD5fG0hPeUi3"


def written(inputs: dict[str, Any]) -> Any:
    text = rules_page.program(Example((Part("a:b:C", "it", inputs),)))
    return yaml.safe_load(text)["resources"]["it"].get("properties")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", "plain"),
        (22, 22),
        (True, True),
        ("true", "true"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        (None, None),
        (UNKNOWN, "${other.output}"),
        (ref("site"), "${site.id}"),
        ([ref("site"), {"deep": UNKNOWN}], ["${site.id}", {"deep": "${other.output}"}]),
        (secret({"user": "x"}), {"fn::secret": {"user": "x"}}),
        (secret(UNKNOWN), {"fn::secret": "${other.output}"}),
        ({SIGNATURE_KEY: OUTPUT_VALUE, "value": [1], "secret": True}, {"fn::secret": [1]}),
        ({SIGNATURE_KEY: OUTPUT_VALUE, "value": [1]}, [1]),
        ({SIGNATURE_KEY: OUTPUT_VALUE}, "${other.output}"),
        ({SIGNATURE_KEY: ASSET, "text": "hello"}, {"fn::stringAsset": "hello"}),
        ({SIGNATURE_KEY: ASSET, "hash": "00"}, {"fn::fileAsset": "./file"}),
        ({SIGNATURE_KEY: ARCHIVE, "path": "./app"}, {"fn::fileArchive": "./app"}),
        ('{"Statement": [{"Effect": "Allow"}]}', {"fn::toJSON": {"Statement": [{"Effect": "Allow"}]}}),
        ("{not json", "{not json"),
        ("#!/bin/sh\necho hello\n", "#!/bin/sh\necho hello\n"),
    ],
)
def test_a_value_is_written_as_pulumi_yaml_has_it(value: Any, expected: Any) -> None:
    assert {"key": expected} == written({"key": value})


def test_text_of_several_lines_is_a_block_and_no_value_is_an_alias() -> None:
    shared = {"a": 1}
    text = rules_page.program(Example((Part("a:b:C", "it", {"script": "one\ntwo\n", "x": shared, "y": shared}),)))
    assert "script: |\n" in text
    assert "&id" not in text


def test_options_name_resources() -> None:
    parts = (
        Part("a:b:C", "it", {}, provider="eu", parent="app"),
        Part("pulumi:providers:a", "eu"),
        Part("c:d:E", "app"),
    )
    resources = yaml.safe_load(rules_page.program(Example(parts)))["resources"]
    assert {"type": "a:b:C", "options": {"provider": "${eu}", "parent": "${app}"}} == resources["it"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"key {FAKE_KEY} here", "key <an AWS access key> here"),
        ([{"name": "GITHUB_TOKEN", "value": FAKE_TOKEN}], [{"name": "GITHUB_TOKEN", "value": "<a token>"}]),
        (json.dumps({"token": FAKE_TOKEN}), {"fn::toJSON": {"token": "<a token>"}}),
        (secret({"token": FAKE_TOKEN}), {"fn::secret": {"token": "<a token>"}}),
    ],
)
def test_a_secret_is_written_as_its_kind(value: Any, expected: Any) -> None:
    assert {"key": expected} == written({"key": value})


def test_what_a_rule_names_as_a_secret_is_not_written() -> None:
    """Also where nothing in the text gives it away."""
    text = "join the blue horse"
    inputs = {"note": f"say {text}!", "encoded": base64.b64encode(text.encode()).decode()}
    found = yaml.safe_load(rules_page.program(Example((Part("a:b:C", "it", inputs),)), ["blue horse"]))
    assert {"note": "say join the <a secret>!", "encoded": "<base64 of a text with a secret>"} == (
        found["resources"]["it"]["properties"]
    )


def test_an_encoded_secret_is_not_written_either() -> None:
    encoded = base64.b64encode(f"#!/bin/sh\nexport TOKEN={FAKE_TOKEN}\n".encode()).decode()
    assert "<base64 of a text with a GitHub token>" == written({"userData": encoded})["userData"]
