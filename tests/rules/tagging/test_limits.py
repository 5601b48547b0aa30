"""What each cloud takes as a tag, at its limits."""

from __future__ import annotations

from typing import Any

import pytest

from crossgate import Example, Part
from crossgate.judge import Outcome, judge
from crossgate.rules.tagging.forbidden_tag import forbidden_tag
from crossgate.rules.tagging.invalid_tag import invalid_tag
from crossgate.rules.tagging.kubernetes_missing_label import kubernetes_missing_label

QUEUE = "aws:sqs/queue:Queue"
ROLE = "aws:iam/role:Role"
OBJECT = "aws:s3/bucketObject:BucketObject"
ZONE = "azure:dns/zone:Zone"
ACCOUNT = "azure:storage/account:Account"
BUCKET = "gcp:storage/bucket:Bucket"


def taken(type_: str, tags: Any, at: str = "tags") -> bool:
    (subject,) = Example([Part(type_, "one", {at: tags})]).stack().resources
    return judge(invalid_tag, subject).outcome is Outcome.PASS


def many(count: int) -> dict[str, str]:
    return {f"k{number}": "x" for number in range(count)}


@pytest.mark.parametrize(
    ("type_", "at", "most"),
    [
        (QUEUE, "tags", 50),
        (OBJECT, "tags", 10),
        (ACCOUNT, "tags", 50),
        (ZONE, "tags", 15),
        (BUCKET, "labels", 64),
    ],
)
def test_as_many_as_the_cloud_takes(type_: str, at: str, most: int) -> None:
    assert taken(type_, many(most), at)
    assert not taken(type_, many(most + 1), at)


@pytest.mark.parametrize(
    ("type_", "at", "key", "value"),
    [
        (QUEUE, "tags", 128, 256),
        ("azure:sql/server:Server", "tags", 512, 256),
        (ACCOUNT, "tags", 128, 256),
        (BUCKET, "labels", 63, 63),
    ],
)
def test_as_long_as_the_cloud_takes(type_: str, at: str, key: int, value: int) -> None:
    assert taken(type_, {"k" * key: "v" * value}, at)
    assert not taken(type_, {"k" * (key + 1): "v"}, at)
    assert not taken(type_, {"k": "v" * (value + 1)}, at)


@pytest.mark.parametrize("key", ["aws:x", "AWS:x", ""])
def test_keys_that_aws_keeps_for_itself_or_that_are_none(key: str) -> None:
    assert not taken(QUEUE, {key: "x"})
    assert taken(QUEUE, {"awsome": "x", "x:aws:y": "aws:z"})


def test_characters_are_asked_where_the_service_documents_them() -> None:
    assert taken(ROLE, {"Größe": "a b_c.d:e/f=g+h-i@j"})
    assert not taken(ROLE, {"a": "b;c"})
    assert taken("aws:ec2/instance:Instance", {"a": "b;c"})


@pytest.mark.parametrize("key", ["a<b", "a>b", "a%b", "a&b", "a\\b", "a?b", "a/b"])
def test_characters_of_names_on_azure(key: str) -> None:
    assert not taken(ACCOUNT, {key: "x"})
    assert taken(ACCOUNT, {"a": key})


@pytest.mark.parametrize("key", ["Owner", "1st", "_a", "a b", "a.b", "goog-x"])
def test_keys_that_are_no_labels_on_google_cloud(key: str) -> None:
    assert not taken(BUCKET, {key: "x"}, "labels")


@pytest.mark.parametrize("key", ["owner", "a1_b-c", "größe", "日本"])
def test_keys_that_are_labels_on_google_cloud(key: str) -> None:
    assert taken(BUCKET, {key: "1-a_b"}, "labels")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({"app.kubernetes.io/name": "web"}, True),
        ({"a" * 63: "b" * 63}, True),
        ({"a" * 64: "b"}, False),
        ({"a": "b" * 64}, False),
        ({"a/b/c": "d"}, False),
        ({"a": "b/c"}, False),
        ({"a": ".b"}, False),
        ({"A_b.c-D": ""}, True),
    ],
)
def test_labels_in_kubernetes(labels: dict[str, str], expected: bool) -> None:
    assert taken("kubernetes:core/v1:Namespace", {"labels": labels}, "metadata") is expected


def test_a_message_names_no_value() -> None:
    (subject,) = Example([Part(BUCKET, "one", {"labels": {"owner": "Some Body"}})]).stack().resources
    assert "Body" not in repr(judge(invalid_tag, subject).violations)


def test_a_tag_that_is_given_twice_is_told_once() -> None:
    parts = [
        Part(QUEUE, "one", {"tags": {"old": "x"}}, provider="eu"),
        Part("pulumi:providers:aws", "eu", {"defaultTags": '{"tags": {"old": "y"}}'}),
    ]
    subject = Example(parts).stack().resources[0]
    found = judge(forbidden_tag, subject, {"keys": ["old"]})
    assert [violation.message for violation in found.violations] == ["tag old is not allowed"]


def test_a_blank_label_counts_as_missing_and_patches_and_charts_are_not_asked() -> None:
    parameters = {"labels": ["team"]}
    (subject,) = (
        Example([Part("kubernetes:core/v1:Namespace", "n", {"metadata": {"labels": {"team": " "}}})]).stack().resources
    )
    assert judge(kubernetes_missing_label, subject, parameters).outcome is Outcome.FAIL
    for token in (
        "kubernetes:core/v1:NamespacePatch",
        "kubernetes:helm.sh/v3:Release",
        "kubernetes:yaml:ConfigFile",
        "aws:s3/bucket:Bucket",
    ):
        assert not kubernetes_missing_label.judges(token, parameters)
    assert not kubernetes_missing_label.judges(
        "kubernetes:core/v1:Namespace", {**parameters, "exemptTypes": ["kubernetes:core/*"]}
    )
