"""What the public-access rules say, and what they find beside a resource. Their verdicts stand in their examples."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crossgate import UNKNOWN, Example, Part, Resource, Stack, ref
from crossgate.judge import Outcome, Verdict, judge
from crossgate.pack import Effect, Entry, Level
from crossgate.packs.public_access import PACK
from crossgate.rules.public import _azure_storage, _s3
from crossgate.rules.public.aws_s3_public_acl import aws_s3_public_acl
from crossgate.rules.public.aws_s3_public_policy import LOOSE, aws_s3_public_policy
from crossgate.rules.public.gcp_storage_public_member import gcp_storage_public_member
from crossgate.words import undetermined_text

BUCKET = Part("aws:s3/bucket:Bucket", "data", {})
EVERYONE = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}


def policy(*statements: Any) -> Part:
    text = json.dumps({"Statement": list(statements)})
    return Part("aws:s3/bucketPolicy:BucketPolicy", "policy", {"bucket": ref("data"), "policy": text})


def block(**settings: Any) -> Part:
    inputs = {"bucket": ref("data"), **settings}
    return Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "block", inputs)


def verdict(rule: Any, *parts: Part) -> Verdict:
    """Judge the first of the parts."""
    return judge(rule, Example(parts).stack().resources[0])


def message(rule: Any, *parts: Part) -> str:
    [violation] = verdict(rule, *parts).violations
    return violation.message


# -- S3 policies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ({}, "Allow for anyone without a condition: strangers can read it"),
        ({"Action": ["s3:*"]}, "Allow for anyone without a condition: strangers can read and write it"),
        (
            {"Action": ["s3:PutObject", "s3:DeleteObject"]},
            "Allow for anyone without a condition: strangers can write it",
        ),
        ({"Action": UNKNOWN}, "Allow for anyone without a condition: strangers can use it"),
        (
            {"Condition": {"Bool": {"aws:SecureTransport": "true"}}},
            "Allow for anyone, with a condition that does not limit who: strangers can read it",
        ),
        (
            {"Condition": {"StringLike": {"aws:SourceVpc": "vpc-*"}}},
            f"Allow for anyone, limited only by {LOOSE}, which S3 counts as public: whoever matches can read it",
        ),
        (
            {"Principal": {"Federated": "graph.facebook.com"}},
            "Allow for whoever the identity provider signs in without a condition: strangers can read it",
        ),
    ],
)
def test_a_public_statement_is_described(statement: dict[str, Any], words: str) -> None:
    assert message(aws_s3_public_policy, policy({**EVERYONE, **statement}), BUCKET) == words


def test_a_deny_that_does_not_help_is_mentioned() -> None:
    guard = {**EVERYONE, "Effect": "Deny", "Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}}
    said = message(aws_s3_public_policy, policy(EVERYONE, guard), BUCKET)
    assert said.endswith("; the Deny beside it does not count for S3: put its condition into this statement")
    tls = {**EVERYONE, "Effect": "Deny", "Condition": {"Bool": {"aws:SecureTransport": "false"}}}
    assert "Deny" not in message(aws_s3_public_policy, policy(EVERYONE, tls), BUCKET)


def test_an_unknown_policy_warns_at_preview_names_the_cure_and_is_judged_at_the_update() -> None:
    unknown = Part("aws:s3/bucketPolicy:BucketPolicy", "policy", {"bucket": ref("data"), "policy": ref("data")})
    before = verdict(aws_s3_public_policy, unknown, BUCKET)
    assert undetermined_text(before) == (
        "undetermined, so not a pass: policy is not known until the update, and judged there; write its ARNs with a "
        "known bucket name, or put a full public access block on the bucket"
    )
    entry = Entry(aws_s3_public_policy, Level.MANDATORY)
    assert entry.effect(before.outcome) is Effect.WARNS
    assert entry.effect(verdict(aws_s3_public_policy, policy(EVERYONE), BUCKET).outcome) is Effect.BLOCKS


def test_a_public_statement_that_a_block_makes_void_is_remarked_with_its_side_effect() -> None:
    found = verdict(aws_s3_public_policy, policy(EVERYONE), BUCKET, block(restrictPublicBuckets=True))
    assert found.outcome is Outcome.PASS
    [note] = found.notes
    assert note.message.endswith(
        "restrictPublicBuckets keeps them out, and with them every other account that the policy names"
    )


def test_a_limit_that_s3_does_not_list_is_remarked() -> None:
    limited = {**EVERYONE, "Condition": {"StringEquals": {"aws:PrincipalAccount": "111122223333"}}}
    found = verdict(aws_s3_public_policy, policy(limited), BUCKET)
    assert found.outcome is Outcome.PASS
    assert "does not list" in found.notes[0].message
    listed = {**EVERYONE, "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-a1b2c3d4e5"}}}
    assert verdict(aws_s3_public_policy, policy(listed), BUCKET).notes == ()


def test_no_part_of_a_policy_gets_into_the_words() -> None:
    mark = "Winter" + "Kettle93"
    statement = {
        "Sid": mark,
        "Effect": "Allow",
        "Principal": {"AWS": ["*", mark], "Federated": mark},
        "Action": [mark],
        "Resource": mark,
        "Condition": {"StringLike": {"aws:Referer": mark, "aws:SourceVpc": f"{mark}*"}},
    }
    found = verdict(aws_s3_public_policy, policy(statement), BUCKET, block(restrictPublicBuckets=False))
    assert found.outcome is Outcome.FAIL
    assert mark not in repr((found.violations, found.notes, found.gaps))


# -- S3 ACLs ---------------------------------------------------------------------------------------------------------

ACL = Part("aws:s3/bucketAcl:BucketAcl", "acl", {"bucket": ref("data"), "acl": "public-read"})


def ownership(setting: str) -> Part:
    inputs = {"bucket": ref("data"), "rule": {"objectOwnership": setting}}
    return Part("aws:s3/bucketOwnershipControls:BucketOwnershipControls", "ownership", inputs)


def test_object_ownership_is_named_where_the_program_does_not_state_it() -> None:
    assert message(aws_s3_public_acl, ACL, BUCKET).endswith("S3 refuses this unless Object Ownership is changed")
    assert message(aws_s3_public_acl, ACL, BUCKET, ownership("ObjectWriter")) == "ACL public-read: anyone can read it"


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        (ownership("BucketOwnerEnforced"), "S3 refuses it, since Object Ownership disables ACLs"),
        (block(ignorePublicAcls=True), "ignored, since ignorePublicAcls is on"),
    ],
)
def test_an_acl_that_is_void_is_remarked(beside: Part, words: str) -> None:
    found = verdict(aws_s3_public_acl, ACL, BUCKET, beside)
    assert found.outcome is Outcome.PASS
    assert [note.message for note in found.notes] == [f"ACL public-read: anyone can read it; {words}"]


@pytest.mark.parametrize(
    ("permission", "words"),
    [
        ("READ", "a grant lets anyone read it"),
        ("WRITE", "a grant lets anyone write it"),
        ("READ_ACP", "a grant lets anyone read its permissions"),
        ("FULL_CONTROL", "a grant lets anyone read and write it and change its permissions"),
        (UNKNOWN, "a grant lets anyone in"),
    ],
)
def test_a_grant_says_what_it_allows(permission: str, words: str) -> None:
    grantee = {"type": "Group", "uri": "http://acs.amazonaws.com/groups/global/AllUsers"}
    grants = {"grants": [{"grantee": grantee, "permission": permission}]}
    acl = Part("aws:s3/bucketAcl:BucketAcl", "acl", {"bucket": ref("data"), "accessControlPolicy": grants})
    assert message(aws_s3_public_acl, acl, BUCKET, ownership("ObjectWriter")) == words


# -- the account of a bucket -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bucket_provider", "block_provider", "account_id", "expected"),
    [
        (None, None, None, "on"),
        ({"profile": "a"}, {"profile": "b"}, None, "off"),
        ({"assumeRoles": "[1]"}, {"assumeRoles": "[2]"}, None, "off"),
        ({"region": "eu-west-1"}, {"region": "us-east-1"}, None, "unknown"),
        ({"profile": "a"}, {"profile": "a"}, None, "unknown"),
        ({"profile": "a"}, {"profile": UNKNOWN}, None, "unknown"),
        (None, None, "111122223333", "unknown"),
        (None, None, UNKNOWN, "unknown"),
        ({"allowedAccountIds": '["111122223333"]'}, None, "111122223333", "on"),
        ({"allowedAccountIds": '["111122223333"]'}, None, "444455556666", "off"),
        ({"allowedAccountIds": '["111122223333", "444455556666"]'}, None, "111122223333", "unknown"),
    ],
)
def test_whose_account_block_it_is(bucket_provider: Any, block_provider: Any, account_id: Any, expected: str) -> None:
    settings = {"ignorePublicAcls": True, **({"accountId": account_id} if account_id else {})}
    parts = [
        Part(BUCKET.type, "data", {}, provider="here" if bucket_provider else ""),
        Part(_s3.ACCOUNT_BLOCKS[0], "account", settings, provider="there" if block_provider else ""),
        Part("pulumi:providers:aws", "here", bucket_provider or {}),
        Part("pulumi:providers:aws", "there", block_provider or {}),
    ]
    answer = _s3.setting_on_account(Example(parts).stack().resources[0], "ignorePublicAcls")
    assert {"on": answer.is_true, "off": answer.is_false, "unknown": answer.is_unknown}[expected]


# -- Azure's default -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "provider", "expected"),
    [
        ("azure:storage/account:Account", "", "open"),
        ("azure-native:storage/v20210201:StorageAccount", "", "open"),
        ("azure-native:storage/v20220901:StorageAccount", "", "open"),
        ("azure-native:storage/v20230101:StorageAccount", "", "closed"),
        ("azure-native:storage/v20240101:StorageAccount", "", "closed"),
        ("azure-native_storage_v20220901:storage:StorageAccount", "", "open"),
        ("azure-native_storage_v20250101:storage:StorageAccount", "", "closed"),
        ("azure-native:storage:StorageAccount", "", "unknown"),
        ("azure-native:storage:StorageAccount", "default_1_104_0", "open"),
        ("azure-native:storage:StorageAccount", "default_2_92_3", "open"),
        ("azure-native:storage:StorageAccount", "default_3_29_0", "closed"),
        ("azure-native:storage:StorageAccount", "own", "unknown"),
    ],
)
def test_what_a_missing_switch_means(type_: str, provider: str, expected: str) -> None:
    reference = f"urn:pulumi:dev::p::pulumi:providers:azure-native::{provider}::id" if provider else ""
    account = Resource(f"urn:pulumi:dev::p::{type_}::a", type_, "a", {}, provider=reference)
    Stack([account])
    answer = _azure_storage.is_open(account)
    assert {"open": answer.is_true, "closed": answer.is_false, "unknown": answer.is_unknown}[expected]
    assert _azure_storage.is_closed(account).is_false


def test_the_undetermined_default_says_what_to_write() -> None:
    account = Resource("urn:pulumi:dev::p::t::a", _azure_storage.NATIVE_ACCOUNT, "a", {})
    Stack([account])
    [gap] = _azure_storage.is_open(account).gaps
    assert (gap.path, gap.why) == (
        "allowBlobPublicAccess",
        "left out, and what that means depends on the provider's version: write it out",
    )


# -- GCS -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "inputs", "words"),
    [
        ("bucketIAMMember:BucketIAMMember", {"member": "allUsers"}, "IAM grant to allUsers: anyone has access"),
        (
            "bucketIAMBinding:BucketIAMBinding",
            {"members": ["allAuthenticatedUsers"]},
            "IAM grant to allAuthenticatedUsers: anyone with a Google account has access",
        ),
        ("bucketACL:BucketACL", {"roleEntities": ["READER:allUsers"]}, "ACL grant to allUsers: anyone has access"),
        (
            "objectACL:ObjectACL",
            {"predefinedAcl": "publicRead"},
            "ACL grant to everyone by publicRead: anyone can read",
        ),
    ],
)
def test_a_member_that_is_everyone_is_named(kind: str, inputs: dict[str, Any], words: str) -> None:
    assert message(gcp_storage_public_member, Part(f"gcp:storage/{kind}", "grant", {"bucket": "b", **inputs})) == words


def test_only_what_is_known_to_be_dangerous_blocks() -> None:
    levels = {entry.rule.id: entry.level for entry in PACK.entries}
    advisory = {rule_id for rule_id, level in levels.items() if level is Level.ADVISORY}
    assert advisory >= {"aws-s3-public-access-block-missing", "azure-storage-public-account"}
    assert Level.REMEDIATE not in levels.values()
