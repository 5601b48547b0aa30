"""Whatever the file holds: a source or a SourceError, never another exception."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from crossgate.sources import Source, SourceError, load
from tests.sources.builders import FIXTURES

KEYS = st.sampled_from(
    ["steps", "changeSummary", "config", "diagnostics", "duration", "maybeCorrupt", "op", "urn", "newState", "oldState",
     "type", "inputs", "outputs", "id", "parent", "provider", "dependencies", "propertyDependencies", "aliases",
     "custom",
     "external", "delete", "pendingReplacement", "sourcePosition", "stackTrace", "deployment", "resources",
     "pending_operations", "version", "severity", "same", "create", "checkpoint", "Resources", "$schema"]
)  # fmt: skip
TEXTS = st.sampled_from(
    ["create", "same", "update", "delete", "replace", "read", "refresh", "import", "discard", "error", "[secret]",
     "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "urn:pulumi:dev::shop::pulumi:providers:aws::default",
     "urn:pulumi:dev::shop::pulumi:providers:aws::default::id", "urn:pulumi:::::::", "aws:s3/bucket:Bucket",
     "project:///a.py#1", "project:///#", "::", ""]
)  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | TEXTS
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(), inner, max_size=6),
    max_leaves=8,
)
RECORDED = [
    json.loads((FIXTURES / f"{name}.json").read_text()) for name in ("preview-update", "preview-delete", "state")
]


def opened(content: bytes | str, **options: Any) -> Source | None:
    try:
        return load(content, **options)
    except SourceError:
        return None


def paths(value: Any, *above: str | int) -> list[tuple[str | int, ...]]:
    """Every place of a document but those inside of property values, which no source looks at."""
    found = [above]
    if isinstance(value, dict) and above[-1:] not in {("inputs",), ("outputs",)}:
        for key, item in value.items():
            found.extend(paths(item, *above, key))
    elif isinstance(value, list):
        for index, item in enumerate(value[:3]):
            found.extend(paths(item, *above, index))
    return found


def replaced(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    if not path:
        return value
    copy = document.copy()
    copy[path[0]] = replaced(document[path[0]], path[1:], value)
    return copy


PLACES = [(number, path) for number, document in enumerate(RECORDED) for path in paths(document)]


@given(JSON)
def test_any_json(document: Any) -> None:
    opened(json.dumps(document))


@settings(max_examples=settings().max_examples // 3)  # the others are quicker
@given(st.dictionaries(KEYS, JSON, max_size=4), st.lists(st.dictionaries(KEYS, JSON, max_size=6), max_size=3))
def test_anything_that_looks_like_ours(fields: dict[str, Any], rows: list[Any]) -> None:
    preview = opened(json.dumps(fields | {"steps": rows}))
    opened(json.dumps(fields | {"deployment": {"resources": rows} | fields}))
    opened(
        json.dumps({"steps": [], "changeSummary": {"same": 3}}), state=json.dumps({"deployment": {"resources": rows}})
    )
    if preview is not None:
        assert preview.stack.unseen_count == preview.unjudged.unseen >= 0


@given(st.sampled_from(PLACES), JSON)
def test_a_recorded_file_with_one_place_replaced(place: tuple[int, tuple[str | int, ...]], value: Any) -> None:
    number, path = place
    opened(json.dumps(replaced(RECORDED[number], path, value)))


@given(st.binary())
def test_any_bytes(content: bytes) -> None:
    opened(content)


@given(st.sampled_from(range(len(RECORDED))), st.integers(min_value=1), st.binary(max_size=3))
def test_a_recorded_file_with_some_bytes_replaced(number: int, offset: int, some: bytes) -> None:
    content = json.dumps(RECORDED[number]).encode()
    cut = offset % len(content)
    opened(content[:cut] + some + content[cut + len(some) :])


def test_the_fuzz_reaches_what_is_accepted() -> None:
    """A strategy that only ever makes refused files would test nothing."""
    assert all(opened(json.dumps(document)) for document in RECORDED)
    positions = [(number, path) for number, path in PLACES if path[-1:] == ("sourcePosition",)]
    assert all(opened(json.dumps(replaced(RECORDED[number], path, 7))) for number, path in positions[:20])
