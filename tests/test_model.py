"""Resources find their neighbours by edges or equal known names, and an incomplete stack says so."""

from __future__ import annotations

from typing import Any

import pytest

from crossgate import UNKNOWN, Resource, Stack
from crossgate.model import parse_urn, unversioned_type

BUCKET = "aws:s3/bucket:Bucket"
BLOCK = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"
ACL = "aws:s3/bucketAcl:BucketAcl"


def urn(name: str, type_: str) -> str:
    return f"urn:pulumi:dev::p::{type_}::{name}"


def bucket(name: str, **inputs: Any) -> Resource:
    return Resource(urn(name, BUCKET), BUCKET, name, inputs)


def child(name: str, type_: str, value: Any, *edges: Resource) -> Resource:
    dependencies = {"bucket": [edge.urn for edge in edges]}
    return Resource(urn(name, type_), type_, name, {"bucket": value}, property_dependencies=dependencies)


def links(found: Any) -> list[tuple[str, str]]:
    return [(link.resource.name, "yes" if link.linked.is_true else "unknown") for link in found]


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("azure-native:storage/v20230101:StorageAccount", "azure-native:storage:StorageAccount"),
        ("azure-native:storage/v20230101preview:StorageAccount", "azure-native:storage:StorageAccount"),
        ("azure-native_storage_v20230101:storage:StorageAccount", "azure-native:storage:StorageAccount"),
        ("azure-native:storage:StorageAccount", "azure-native:storage:StorageAccount"),
        ("kubernetes:apps/v1:Deployment", "kubernetes:apps/v1:Deployment"),
        ("aws:s3/bucket:Bucket", "aws:s3/bucket:Bucket"),
    ],
)
def test_only_azure_natives_api_version_is_cut_from_a_type(token: str, expected: str) -> None:
    assert unversioned_type(token) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("azure-native:cache:Redis", "azure-native:redis:Redis"),  # major 2
        ("azure-native:cache/v20230801:Redis", "azure-native:redis:Redis"),
        ("azure-native_redis_v20230801:redis:Redis", "azure-native:redis:Redis"),  # major 3
        ("azure-native:documentdb:DatabaseAccount", "azure-native:cosmosdb:DatabaseAccount"),
        ("azure-native:documentdb/v20240815:DatabaseAccount", "azure-native:cosmosdb:DatabaseAccount"),
        ("azure-native_cosmosdb_v20240815:cosmosdb:DatabaseAccount", "azure-native:cosmosdb:DatabaseAccount"),
        ("azure-native:dbforpostgresql:SingleServer", "azure-native:dbforpostgresql:Server"),
        ("azure-native:documentdb:SqlResourceSqlDatabase", "azure-native:documentdb:SqlResourceSqlDatabase"),
    ],
)
def test_what_majors_of_azure_native_call_otherwise_has_one_name(token: str, expected: str) -> None:
    assert unversioned_type(token) == expected


def test_a_urn_is_split_and_its_name_may_hold_colons() -> None:
    parts = parse_urn("urn:pulumi:dev::shop::my:mod:Comp$aws:s3/bucket:Bucket::a::b")
    assert (parts.stack, parts.project, parts.type, parts.name) == ("dev", "shop", BUCKET, "a::b")


@pytest.mark.parametrize("text", ["", "urn:pulumi:dev", "urn:pulumi:dev::p::t", "x:y::p::t::n", "urn:pulumi:d::p::t::"])
def test_what_is_no_urn_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="URN"):
        parse_urn(text)


@pytest.mark.parametrize("output", ["id", "arn", "selfLink"])
def test_a_known_output_joins_what_names_it(output: str) -> None:
    made = Resource(urn("logs", BUCKET), BUCKET, "logs", {}, outputs={output: "of-logs"})
    block = child("block", BLOCK, "of-logs")
    Stack([made, block])
    assert links(block.targets("bucket", (BUCKET,))) == [("logs", "yes")]


def test_an_edge_joins_an_unknown_reference() -> None:
    one, two = bucket("one"), bucket("two")
    Stack([one, two, child("b1", BLOCK, UNKNOWN, one)])
    assert links(one.related((BLOCK,), "bucket")) == [("b1", "yes")]
    assert links(two.related((BLOCK,), "bucket")) == []


def test_an_equal_known_name_joins_without_an_edge() -> None:
    one, two = bucket("one", bucket="acme-one"), bucket("two", bucket="acme-two")
    Stack([one, two, child("b1", BLOCK, "acme-one")])
    assert links(one.related((BLOCK,), "bucket")) == [("b1", "yes")]
    assert links(two.related((BLOCK,), "bucket")) == []


def test_a_literal_reference_may_mean_the_one_whose_name_is_not_known_yet() -> None:
    one, two = bucket("one", bucket=UNKNOWN), bucket("two", bucket="acme-two")
    block = child("b1", BLOCK, "acme-one")
    Stack([one, two, bucket("three"), block])
    assert links(one.related((BLOCK,), "bucket")) == [("b1", "unknown")]
    assert links(two.related((BLOCK,), "bucket")) == []
    assert links(block.targets("bucket", (BUCKET,))) == [("one", "unknown")]


def test_siblings_that_give_one_name_meet_whatever_else_may_have_it() -> None:
    acl = child("acl", ACL, "elsewhere")
    stack = Stack([bucket("one", bucket=UNKNOWN), acl, child("b1", BLOCK, "elsewhere"), child("b2", BLOCK, "other")])
    assert ("b1", "yes") in links(stack.sharing(acl, "bucket", (BUCKET,), (BLOCK,)))


def test_azure_natives_and_aws_natives_own_name_joins() -> None:
    account = Resource(urn("a", "t:m:Account"), "t:m:Account", "a", {"accountName": "acmefiles"})
    files = Resource(urn("c", "t:m:Container"), "t:m:Container", "c", {"accountName": "acmefiles"})
    Stack([account, files])
    assert links(files.targets("accountName", ("t:m:Account",))) == [("a", "yes")]


def test_an_id_joins_when_the_resource_exists() -> None:
    one = Resource(urn("one", BUCKET), BUCKET, "one", {}, id_="one-a1b2")
    Stack([one, child("b1", BLOCK, "one-a1b2")])
    assert links(one.related((BLOCK,), "bucket")) == [("b1", "yes")]


def test_an_unknown_reference_without_an_edge_may_mean_any() -> None:
    one, two = bucket("one"), bucket("two")
    Stack([one, two, child("b1", BLOCK, UNKNOWN)])
    assert links(one.related((BLOCK,), "bucket")) == [("b1", "unknown")]
    assert links(two.related((BLOCK,), "bucket")) == [("b1", "unknown")]


def test_an_edge_to_several_names_candidates_not_one() -> None:
    one, two, three = bucket("one"), bucket("two"), bucket("three")
    Stack([one, two, three, child("b1", BLOCK, UNKNOWN, one, two)])
    assert links(one.related((BLOCK,), "bucket")) == [("b1", "unknown")]
    assert links(three.related((BLOCK,), "bucket")) == []


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        (urn("mine", BUCKET), "yes"),  # the same edge twice
        (urn("hidden", BUCKET), "unknown"),
        ("urn:pulumi:dev::p::my:mod:Comp$aws:s3/bucket:Bucket::hidden", "unknown"),
        (urn("pet", "random:index/randomPet:RandomPet"), "yes"),
        ("no urn", "yes"),
    ],
)
def test_an_edge_to_one_that_is_not_shown_is_a_candidate_too(beside: str, expected: str) -> None:
    mine = bucket("mine")
    block = child("block", BLOCK, UNKNOWN, mine)
    block.property_dependencies = {"bucket": [mine.urn, beside]}
    Stack([mine, block])
    assert links(mine.related((BLOCK,), "bucket")) == [("block", expected)]
    assert links(block.targets("bucket", (BUCKET,))) == [("mine", expected)]


def test_each_of_a_list_is_referred_to() -> None:
    one, two = bucket("one"), bucket("two")
    Stack([one, two, child("b1", BLOCK, [UNKNOWN, UNKNOWN], one, two)])
    assert links(two.related((BLOCK,), "bucket")) == [("b1", "yes")]


def test_siblings_meet_at_their_parent_or_at_its_name() -> None:
    one = bucket("one")
    acl = child("acl", ACL, UNKNOWN, one)
    stack = Stack([one, acl, child("b1", BLOCK, UNKNOWN, one)])
    assert links(stack.sharing(acl, "bucket", (BUCKET,), (BLOCK,))) == [("b1", "yes")]
    acl = child("acl", ACL, "elsewhere")
    stack = Stack([acl, child("b1", BLOCK, "elsewhere"), child("b2", BLOCK, "other")])
    assert links(stack.sharing(acl, "bucket", (BUCKET,), (BLOCK,))) == [("b1", "yes")]


def test_what_a_reference_means_outside_the_stack_is_nothing() -> None:
    acl = child("acl", ACL, "elsewhere")
    Stack([acl, bucket("one", bucket="acme-one")])
    assert links(acl.targets("bucket", (BUCKET,))) == []


def test_a_reference_that_cannot_be_followed_may_mean_any() -> None:
    acl = child("acl", ACL, UNKNOWN)
    Stack([acl, bucket("one")])
    [link] = acl.targets("bucket", (BUCKET,))
    assert link.linked.is_unknown
    assert link.linked.gaps == ((acl.urn, "bucket", "not known until the update"),)
    assert link.resource["anything"].exists().is_unknown


def test_an_incomplete_stack_adds_a_neighbour_of_which_nothing_is_known() -> None:
    one = bucket("one")
    Stack([one], unseen=5)
    [link] = one.related((BLOCK,), "bucket")
    assert link.linked.is_unknown
    assert link.resource["blockPublicAcls"].is_true().is_unknown
    [gap] = link.linked.gaps
    assert gap.why == "5 unchanged resources are not in this file: add --show-sames or --state"


def test_the_same_urn_twice_is_one_resource() -> None:
    stack = Stack([bucket("one", acl="a"), bucket("one", acl="b")])
    assert [resource["acl"].text() for resource in stack.resources] == ["b"]
    assert len(stack.of_type(BUCKET)) == 1


def test_ancestors_end_in_a_cycle() -> None:
    one = Resource(urn("one", BUCKET), BUCKET, "one", parent=urn("two", BUCKET))
    two = Resource(urn("two", BUCKET), BUCKET, "two", parent=one.urn)
    Stack([one, two])
    assert [resource.name for resource in one.ancestors()] == ["two"]


def test_the_provider_is_found_by_its_urn() -> None:
    provider = Resource("urn:pulumi:dev::p::pulumi:providers:aws::eu", "pulumi:providers:aws", "eu", {"region": "x"})
    one = Resource(urn("one", BUCKET), BUCKET, "one", provider=f"{provider.urn}::{UNKNOWN}")
    Stack([one, provider])
    assert one.provider is provider


def test_joining_ten_thousand_is_not_quadratic() -> None:
    buckets = [bucket(f"b{number}") for number in range(5000)]
    blocks = [child(f"p{number}", BLOCK, UNKNOWN, each) for number, each in enumerate(buckets)]
    Stack([*buckets, *blocks])
    assert all(len(each.related((BLOCK,), "bucket")) == 1 for each in buckets)


def test_what_is_derived_from_a_stack_is_built_once_and_again_after_an_addition() -> None:
    built: list[int] = []

    def count(stack: Stack) -> int:
        built.append(len(stack.resources))
        return len(stack.resources)

    stack = Stack([bucket("a")])
    assert (stack.derived(count), stack.derived(count)) == (1, 1)
    stack.add(bucket("b"))
    assert stack.derived(count) == 2
    assert built == [1, 2]
