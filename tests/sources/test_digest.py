"""What a preview digest says, read from recorded ones."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from crossgate.model import Position
from crossgate.sources import Kind, Source, SourceError, Unjudged, load
from tests.sources.builders import BUCKET, DEFAULT_PROVIDER, FIXTURES, digest, record, stack_step, state, step, urn

EXISTING = urn("existing")
PAGES = "urn:pulumi:dev::shop::shop:site:Site$aws:s3/bucket:Bucket::site-pages"


def recorded(name: str, *, state: str = "") -> Source:
    return load(FIXTURES / f"{name}.json", state=FIXTURES / f"{state}.json" if state else None)


def names(source: Source) -> set[str]:
    return {resource.name for resource in source.stack.resources}


def refused(content: str, **options: Any) -> str:
    with pytest.raises(SourceError) as caught:
        load(content, **options)
    return str(caught.value)


def test_the_first_preview_is_the_whole_stack() -> None:
    source = recorded("preview-first")
    assert (Kind.PREVIEW, "dev", "shop") == (source.kind, source.name, source.project)
    assert {
        "shop-dev", "site", "site-pages", "logs", "abroad", "replica", "network", "private", "password", "orders",
        "existing", "default_7_51_1", "default_4_21_4",
    } == names(source)  # fmt: skip
    assert Unjudged(reads=(EXISTING,)) == source.unjudged
    assert 0 == source.stack.unseen_count
    assert 12 == source.changes  # all but the stack: the component and the explicit provider count


def test_what_is_only_read_is_listed_and_is_no_neighbour() -> None:
    source = recorded("preview-first")
    assert (EXISTING,) == source.unjudged.reads
    assert source.stack.get(EXISTING) is None


def test_an_unchanged_stack_is_all_unseen() -> None:
    source = recorded("preview-unchanged")
    assert {"shop-dev"} == names(source)
    assert 0 == source.changes
    # The engine counts the stack, the component and the explicit provider, not the default ones nor what is read.
    assert 12 == source.stack.unseen_count == source.unjudged.unseen


def test_show_sames_leaves_nothing_unseen() -> None:
    source = recorded("preview-show-sames")
    assert names(recorded("preview-first")) == names(source)
    assert 0 == source.stack.unseen_count
    assert 0 == source.changes


def test_an_update_hides_its_unchanged_neighbours() -> None:
    source = recorded("preview-update")
    assert {"shop-dev", "logs", "default_7_51_1"} == names(source)
    logs = source.stack.get(urn("logs"))
    assert logs is not None
    assert "public-read" == logs["acl"].text()  # the state that will be, not the one that is
    assert logs.id.startswith("logs-")  # the new state has none; an update keeps it
    assert (1, 11) == (source.changes, source.stack.unseen_count)


def test_a_state_fills_in_what_an_update_hides() -> None:
    source = recorded("preview-update", state="state")
    assert names(recorded("preview-first")) == names(source)
    assert 0 == source.stack.unseen_count == source.unjudged.unseen
    logs = source.stack.get(urn("logs"))
    assert logs is not None
    assert "public-read" == logs["acl"].text()


def test_a_state_does_not_bring_back_what_is_deleted() -> None:
    source = recorded("preview-delete", state="state")
    assert urn("orders", "aws:sqs/queue:Queue") not in {resource.urn for resource in source.stack.resources}
    assert 1 == source.unjudged.deleted
    assert 0 == source.stack.unseen_count


def test_an_unchanged_resource_that_is_shown_is_no_unseen_one() -> None:
    """The engine shows a resource of which only `protect` changes, and counts it as unchanged."""
    source = recorded("preview-protect")
    assert {"shop-dev", "logs", "default_7_51_1"} == names(source)
    assert (0, 11) == (source.changes, source.stack.unseen_count)


def test_a_replacement_counts_once() -> None:
    plain, with_steps = recorded("preview-replace"), recorded("preview-replace-steps")
    assert {"shop-dev", "network", "private", "default_7_51_1"} == names(plain) == names(with_steps)
    assert (2, 10) == (plain.changes, plain.stack.unseen_count) == (with_steps.changes, with_steps.stack.unseen_count)
    network = with_steps.stack.get(urn("network", "aws:ec2/vpc:Vpc"))
    assert network is not None
    assert ("10.1.0.0/16", "") == (network["cidrBlock"].text(), network.id)  # the new one has no id yet


def test_after_a_refresh_everything_is_there() -> None:
    source = recorded("preview-refresh")
    assert names(recorded("preview-first")) == names(source)
    assert 0 == source.stack.unseen_count
    logs = source.stack.get(urn("logs"))
    assert logs is not None
    assert "private" == logs["acl"].text()  # somebody opened it, and the update closes it


def test_a_destroy_leaves_nothing() -> None:
    source = recorded("destroy")
    assert [] == source.stack.resources
    assert (14, 0) == (source.unjudged.deleted, source.stack.unseen_count)
    assert ("dev", "shop") == (source.name, source.project)


def test_a_failed_preview_is_refused_although_it_looks_whole() -> None:
    assert json.loads((FIXTURES / "preview-failed.json").read_text())["changeSummary"]
    with pytest.raises(SourceError, match=r"^the preview itself failed, so the file may lack resources"):
        recorded("preview-failed")


def test_what_the_program_said_is_not_repeated() -> None:
    """A program's error may hold anything."""
    content = digest([stack_step()], diagnostics=[{"severity": "error", "message": "boom " + "hunter2"}])
    assert "hunter2" not in refused(content)


def test_warnings_are_no_failure() -> None:
    load(digest([stack_step()], diagnostics=[{"severity": "warning", "message": "deprecated"}]))


def test_a_corrupt_preview_is_refused() -> None:
    assert refused(digest([stack_step()], maybeCorrupt=True)).startswith("the engine marked this preview")


def test_a_default_provider_has_what_the_configuration_sets_for_its_package() -> None:
    source = recorded("preview-first")
    logs = source.stack.get(urn("logs"))
    assert logs is not None
    assert logs.provider is not None
    assert DEFAULT_PROVIDER == logs.provider.urn
    # As the state of the same stack has it, where the engine shows the provider.
    in_state = recorded("state").stack.get(DEFAULT_PROVIDER)
    assert in_state is not None
    for setting in ("defaultTags", "region"):
        assert in_state[setting].text() == logs.provider[setting].text()
    assert "shop" == logs.provider["defaultTags"].json()["tags"]["owner"].text()
    assert logs.provider["greeting"].is_absent


def test_an_explicit_provider_is_the_one_of_the_program() -> None:
    replica = recorded("preview-first").stack.get(urn("replica"))
    assert replica is not None
    assert replica.provider is not None
    assert "abroad" == replica.provider["defaultTags"].json()["tags"]["owner"].text()


def test_nothing_is_made_up_for_a_provider_that_only_sounds_like_a_default_one() -> None:
    """The engine hides any provider whose name begins with `default`; what a program gave to this one is not known."""
    reference = f"{urn('default-eu', 'pulumi:providers:aws')}::id"
    source = load(digest([step("create", "logs", provider=reference)], config={"aws:region": "eu-west-1"}))
    logs = source.stack.get(urn("logs"))
    assert logs is not None
    assert logs.provider is None


def test_the_configuration_is_kept_with_secrets_hidden() -> None:
    source = recorded("preview-first")
    assert ("hello", "[secret]") == (source.config["shop:greeting"], source.config["shop:token"])


def test_a_secret_is_hidden_and_an_unknown_unknown() -> None:
    stack = recorded("preview-first").stack
    database, subnet = (
        stack.get(urn(*pair))
        for pair in (("orders", "aws:rds/instance:Instance"), ("private", "aws:ec2/subnet:Subnet"))
    )
    assert database is not None
    assert subnet is not None
    assert database["password"].is_hidden
    assert subnet["vpcId"].is_unknown
    assert [urn("network", "aws:ec2/vpc:Vpc")] == subnet.property_dependencies["vpcId"]


def test_a_component_is_none_of_the_cloud_s_own() -> None:
    site = recorded("preview-first").stack.get(urn("site", "shop:site:Site"))
    assert site is not None
    assert not site.custom
    pages = recorded("preview-first").stack.get(PAGES)
    assert pages is not None
    assert site.urn == pages.parent


def test_a_position_is_the_program_s_own_line() -> None:
    stack = recorded("preview-first").stack
    lines = (FIXTURES / "program" / "__main__.py").read_text().splitlines()
    logs, abroad = stack.get(urn("logs")), stack.get(urn("abroad", "pulumi:providers:aws"))
    assert logs is not None
    assert logs.position is not None
    assert "__main__.py" == logs.position.file
    assert "logs = aws.s3.Bucket(" == lines[logs.position.line - 1]
    # The provider registers itself in the SDK; the frame above that is the program's.
    assert abroad is not None
    assert abroad.position is not None
    assert lines[abroad.position.line - 1].startswith("abroad = aws.Provider(")


def test_a_place_outside_the_project_is_none() -> None:
    stack = recorded("preview-first").stack.get(urn("shop-dev", "pulumi:pulumi:Stack"))
    assert stack is not None
    assert stack.position is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("project:///index.ts#10,5", Position("index.ts", 10)),
        ("project:///infra/my%20stack.py#7", Position("infra/my stack.py", 7)),
        ("project:///a%23b.py#7", Position("a#b.py", 7)),
        ("project:///../shared/vpc.py#7", None),
        ("project:///node_modules/@pulumi/aws/bucket.ts#7", None),
        ("project:///.venv/lib/python3.12/site-packages/pulumi/resource.py#7", None),
        ("project:////etc/passwd#7", None),
        ("project:///%2e%2e/x.py#7", None),
        ("file:///index.ts#10", None),
        ("project:///index.ts#0", None),
        ("project:///index.ts#-1", None),
        ("project:///index.ts#" + "9" * 20, None),
        ("project:///index.ts#\N{ARABIC-INDIC DIGIT FOUR}", None),
        ("project:///index.ts", None),
        ("project:///#3", None),
        ("", None),
    ],
)
def test_positions(text: str, expected: Position | None) -> None:
    source = load(digest([step("create", "logs", sourcePosition=text)]))
    assert expected == source.stack.resources[0].position


def test_a_renamed_resource_is_not_filled_in_under_its_former_name() -> None:
    renamed = step("update", "access-logs") | {"oldState": record("logs")}
    content = digest([stack_step("same"), renamed], changeSummary={"same": 1, "update": 1})
    source = load(content, state=state([record("logs")]))
    assert {"shop-dev", "access-logs"} == names(source)


def test_a_state_of_another_stack_is_refused() -> None:
    other = state([record("logs") | {"urn": urn("logs", stack="production")}])
    words = refused(digest([stack_step()]), state=other)
    assert "the state beside it is that of shop/production, and the preview that of shop/dev" == words


def test_a_broken_state_is_told_from_a_broken_preview() -> None:
    assert refused(digest([stack_step()]), state="{").startswith("the state beside it: not complete JSON")
    assert refused(digest([stack_step()]), state="{}").startswith("the state beside it: an empty JSON object")
    preview = digest([stack_step()])
    assert (
        refused(preview, state=preview) == "the state beside it: a preview; wanted: what `pulumi stack export` writes"
    )


def test_a_state_older_than_the_preview_leaves_some_unseen() -> None:
    content = digest([stack_step("same")], changeSummary={"same": 4})
    assert 2 == load(content, state=state([record("logs")])).stack.unseen_count


def test_a_preview_that_imports_and_replaces_shows_one_resource_twice() -> None:
    source = load(
        digest([step("import", "logs", inputs={"acl": "old"}), step("replace", "logs", inputs={"acl": "new"})])
    )
    (logs,) = source.stack.resources
    assert "new" == logs["acl"].text()


@pytest.mark.parametrize("first", ["create", "same", "update", "replace"])
@pytest.mark.parametrize("second", ["create", "same", "update"])
def test_two_resources_with_one_urn_are_refused(first: str, second: str) -> None:
    words = refused(digest([step(first, "logs"), step(second, "logs")]))
    assert f"steps[1]: a second resource with the URN {urn('logs')}" == words


def test_what_somebody_deleted_and_the_program_creates_again_is_there() -> None:
    gone = {"op": "refresh", "urn": urn("logs"), "oldState": record("logs")}
    assert ["logs"] == [each.name for each in load(digest([gone, step("create", "logs")])).stack.resources]
    assert [] == load(digest([stack_step(), gone])).stack.of_type(BUCKET)


def test_a_resource_that_the_program_drops_after_a_refresh_is_gone() -> None:
    deleted = {"op": "delete", "urn": urn("logs"), "oldState": record("logs")}
    source = load(digest([step("refresh", "logs"), deleted]))
    assert [] == source.stack.resources
    assert 1 == source.unjudged.deleted


def test_what_is_left_of_an_earlier_replacement_is_no_deletion() -> None:
    """A state may hold an old resource that still has to be deleted, beside the one that took its URN."""
    left_over = {"op": "delete", "urn": urn("logs"), "oldState": record("logs", delete=True)}
    source = load(digest([left_over, step("same", "logs")]))
    assert (["logs"], 0) == ([each.name for each in source.stack.resources], source.unjudged.deleted)


@pytest.mark.parametrize("op", ["create", "update", "replace", "import"])
def test_steps_that_the_summary_counts_and_the_file_lacks_are_missed(op: str) -> None:
    content = digest([stack_step("same"), step(op, "logs")], changeSummary={"same": 1, op: 2})
    assert f"not whole: its summary counts 2 of {op}, and it shows 1" == refused(content)


@pytest.mark.parametrize("summary", [None, {}])
def test_steps_without_a_summary_are_judged_and_nothing_is_said_of_what_they_may_leave_out(summary: Any) -> None:
    """The engine always writes one; another tool may have cut it off."""
    stack = load(digest([step("create", "logs")], changeSummary=summary)).stack
    assert not stack.is_complete
    assert stack.incomplete.why.startswith("this file does not tell which unchanged resources it leaves out")


def test_an_operation_that_only_the_summary_names_is_not_known_either() -> None:
    words = refused(digest([stack_step()], changeSummary={"create": 1, "teleport": 2}))
    assert "changeSummary: an operation that is not known; is there a newer crossgate?" == words


@pytest.mark.parametrize("count", [-1, True, 1.0, "1", None])
def test_a_summary_counts(count: Any) -> None:
    words = refused(digest([stack_step()], changeSummary={"create": 1, "same": count}))
    assert "changeSummary must be an object of counts" == words


def test_an_operation_that_is_not_known_is_refused() -> None:
    assert refused(digest([step("teleport", "logs")])).startswith("steps[0]: an operation that is not known")


def test_a_state_that_could_not_be_written_is_refused() -> None:
    assert "could not write this resource's new state" in refused(digest([{"op": "create", "urn": urn("logs")}]))


@pytest.mark.parametrize("content", ['{"steps": []}', '{"steps": [], "changeSummary": {}}', '{"changeSummary": {}}'])
def test_a_preview_of_nothing_is_refused(content: str) -> None:
    assert "a preview without any step, stack or summary: nothing to judge" == refused(content)


@pytest.mark.parametrize("summary", [{"same": 5}, {"delete": 3}, {"same": 2, "delete": 1}])
def test_a_summary_that_accounts_for_everything_is_no_bad_input(summary: dict[str, int]) -> None:
    source = load(json.dumps({"steps": [], "changeSummary": summary}))
    assert summary.get("same", 0) == source.stack.unseen_count
    assert ("", "") == (source.name, source.project)


def test_large_counts_of_unchanged_resources_are_no_work() -> None:
    assert 10**9 == load(json.dumps({"steps": [], "changeSummary": {"same": 10**9}})).stack.unseen_count


@pytest.mark.parametrize(
    "break_",
    [
        lambda each: each | {"urn": 7},
        lambda each: each | {"op": ["create"]},
        lambda each: each | {"op": None},
        lambda each: each | {"newState": []},
        lambda each: each | {"newState": each["newState"] | {"urn": ""}},
        lambda each: each | {"newState": each["newState"] | {"urn": "logs"}},
        lambda each: each | {"newState": each["newState"] | {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket"}},
        lambda each: each | {"newState": each["newState"] | {"type": None}},
        lambda each: each | {"newState": each["newState"] | {"inputs": []}},
        lambda each: each | {"newState": each["newState"] | {"outputs": "x"}},
        lambda each: each | {"newState": each["newState"] | {"parent": 1}},
        lambda each: each | {"newState": each["newState"] | {"provider": {}}},
        lambda each: each | {"newState": each["newState"] | {"dependencies": "x"}},
        lambda each: each | {"newState": each["newState"] | {"dependencies": [{}]}},
        lambda each: each | {"newState": each["newState"] | {"aliases": [None]}},
        lambda each: each | {"newState": each["newState"] | {"propertyDependencies": [1]}},
        lambda each: each | {"newState": each["newState"] | {"propertyDependencies": {"acl": {"a": 1}}}},
        lambda each: each | {"newState": each["newState"] | {"propertyDependencies": {"acl": [[]]}}},
        lambda each: each | {"oldState": "x"},
        lambda _: [],
        lambda _: None,
    ],
)
def test_a_malformed_step_is_named(break_: Callable[[dict[str, Any]], Any]) -> None:
    content = json.dumps({"steps": [stack_step(), break_(step("create", "logs"))]})
    assert refused(content).startswith("steps[1]")


def test_empty_and_missing_fields_are_fine() -> None:
    """The engine leaves out what is empty, and writes null for no edges."""
    bare = {"urn": urn("logs"), "type": BUCKET, "propertyDependencies": {"acl": None, "bucket": []}, "stackTrace": None}
    content = {"steps": [{"op": "create", "urn": urn("logs"), "newState": bare}], "changeSummary": {"create": 1}}
    (logs,) = load(json.dumps(content)).stack.resources
    assert ({}, {}, (), "", None) == (
        logs.raw_inputs, dict(logs.property_dependencies), logs.dependencies, logs.parent, logs.position
    )  # fmt: skip
