"""What a stack export says, read from recorded ones."""

import json
from typing import Any

import pytest

from crossgate.sources import Kind, SourceError, Unjudged, load
from tests.sources.builders import FIXTURES, record, state, urn


def refused(content: str) -> str:
    with pytest.raises(SourceError) as caught:
        load(content)
    return str(caught.value)


def test_a_stack_export_is_the_whole_stack() -> None:
    source = load(FIXTURES / "state.json")
    assert (Kind.STATE, "dev", "shop", 0) == (source.kind, source.name, source.project, source.changes)
    assert Unjudged(reads=(urn("existing"),)) == source.unjudged
    assert 0 == source.stack.unseen_count
    assert {each.urn for each in load(FIXTURES / "preview-first.json").stack.resources} == {
        each.urn for each in source.stack.resources
    }


def test_secrets_are_unreadable_unless_the_export_shows_them() -> None:
    database = urn("orders", "aws:rds/instance:Instance")
    hidden, shown = (load(FIXTURES / f"{name}.json").stack.get(database) for name in ("state", "state-shown"))
    assert hidden is not None
    assert hidden["password"].is_hidden
    assert shown is not None
    assert shown["password"].secret
    assert shown["password"].is_text


def test_outputs_and_ids_are_there() -> None:
    logs = load(FIXTURES / "state.json").stack.get(urn("logs"))
    assert logs is not None
    assert logs.id == logs.outputs["bucket"].text()


def test_what_is_on_its_way_out_is_left_out() -> None:
    source = load(state([record("logs"), record("logs", delete=True), record("old", pendingReplacement=True)]))
    assert ["logs"] == [each.name for each in source.stack.resources]
    assert 2 == source.unjudged.deleted


def test_pending_operations_are_counted() -> None:
    pending = [{"resource": record("new"), "type": "creating"}]
    source = load(state([record("logs")], pending_operations=pending))
    assert (["logs"], 1) == ([each.name for each in source.stack.resources], source.unjudged.pending)


def test_a_state_of_reads_alone_is_one() -> None:
    source = load(state([record("logs", external=True)]))
    assert ([], (urn("logs"),), "dev") == (source.stack.resources, source.unjudged.reads, source.name)


def test_an_empty_state_is_refused() -> None:
    """An export of the wrong stack looks the same."""
    assert "resources" not in json.loads((FIXTURES / "state-destroyed.json").read_text())["deployment"]
    with pytest.raises(SourceError, match=r"^the state holds no resources, not even its stack: nothing to judge$"):
        load(FIXTURES / "state-destroyed.json")


def test_two_resources_with_one_urn_are_refused() -> None:
    words = refused(state([record("logs"), record("logs")]))
    assert f"deployment.resources[1]: a second resource with the URN {urn('logs')}" == words


@pytest.mark.parametrize("resource", [None, [], {}, {"urn": "x", "type": "y"}, {"urn": 1}])
def test_a_malformed_resource_is_named(resource: Any) -> None:
    document = {"deployment": {"resources": [record("logs"), resource]}}
    assert refused(json.dumps(document)).startswith("deployment.resources[1]: ")


@pytest.mark.parametrize("fields", [{"resources": {}}, {"pending_operations": 3}])
def test_lists_are_lists(fields: dict[str, Any]) -> None:
    assert "must be lists" in refused(json.dumps({"deployment": fields}))


def test_a_state_needs_no_state() -> None:
    with pytest.raises(SourceError, match="a stack export, which is complete"):
        load(FIXTURES / "state.json", state=FIXTURES / "state.json")
