"""What the analyzer server tells from the engine's messages by their bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import json_format, struct_pb2
from pulumi.runtime.proto import analyzer_pb2

from crossgate.crossguard.wire import holds_marks
from crossgate.value import SECRET, SIGNATURE_KEY, UNKNOWN

_SECRET = {SIGNATURE_KEY: SECRET, "value": "hunter" + "2"}


def _request(**properties: Any) -> analyzer_pb2.AnalyzeRequest:
    return analyzer_pb2.AnalyzeRequest(urn="u", properties=json_format.ParseDict(properties, struct_pb2.Struct()))


@pytest.mark.parametrize(
    "value", [_SECRET, [{"a": _SECRET}], json.dumps({"nested": _SECRET})], ids=["top", "deep", "JSON"]
)
def test_a_mark_is_found_wherever_it_stands(value: Any) -> None:
    assert holds_marks(_request(name="db", password=value))


def test_a_mark_in_the_provider_counts() -> None:
    request = _request(name="db")
    request.provider.properties.CopyFrom(_request(token=_SECRET).properties)
    assert holds_marks(request)


def test_a_resource_without_marks_needs_no_walk() -> None:
    assert not holds_marks(_request(name="db", tags={"a": ["b"]}, later=UNKNOWN))
