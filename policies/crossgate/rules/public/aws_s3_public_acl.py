"""S3 ACL opens the bucket to strangers.

Why: a grant to AllUsers lets anyone on the internet list or change the bucket, whatever its policy says.
``authenticated-read`` is the trap: it means every AWS customer, not every member of your organisation. S3 refuses
such an ACL while Object Ownership is BucketOwnerEnforced, the default of new buckets, and ignores it while the bucket
or the account has ``ignorePublicAcls``.

Fix: drop the ACL. Grant access with a bucket policy, or serve public files through CloudFront with an origin access
control. Keep Object Ownership at BucketOwnerEnforced.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-ownership-error-responses.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Note, Part, Severity, any_of, ref, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

REACH: Final = {
    "public-read": "anyone can read it",
    "public-read-write": "anyone can read and write it",
    "authenticated-read": "anyone with an AWS account can read it",
}
GROUPS: Final = {
    "/groups/global/AllUsers": "anyone",
    "/groups/global/AuthenticatedUsers": "anyone with an AWS account",
}

_BUCKET: Final = Part("aws:s3/bucket:Bucket", "site", {})
_PUBLIC: Final = {"acl": "public-read", "bucket": ref("site")}
_ALL_USERS: Final = "http://acs.amazonaws.com/groups/global/AllUsers"


def _ownership(setting: object) -> Part:
    return Part(
        "aws:s3/bucketOwnershipControls:BucketOwnershipControls",
        "ownership",
        {"bucket": ref("site"), "rule": {"objectOwnership": setting}},
    )


def _block(setting: object) -> Part:
    inputs = {"bucket": ref("site"), "ignorePublicAcls": setting}
    return Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "block", inputs)


@rule(
    types=(*_s3.BUCKETS, *_s3.ACLS),
    severity=Severity.CRITICAL,
    neighbours=(*_s3.BUCKETS, *_s3.OWNERSHIP, *_s3.BLOCKS, *_s3.ACCOUNT_BLOCKS),
    frameworks=("AWS FSBP 1.0 S3.2", "AWS FSBP 1.0 S3.3"),
    equivalents=("checkov:CKV_AWS_20", "checkov:CKV_AWS_57", "trivy:AVD-AWS-0092"),
    bad=[
        {"acl": "public-read"},
        {"acl": "public-read-write", "bucket": UNKNOWN},
        {"acl": "authenticated-read"},
        {"grants": [{"permissions": ["READ"], "type": "Group", "uri": _ALL_USERS}]},
        [Part("aws:s3/bucketAcl:BucketAcl", "acl", _PUBLIC), _BUCKET, _ownership("BucketOwnerPreferred")],
        [Part("aws:s3/bucketAclV2:BucketAclV2", "acl", _PUBLIC), Part("aws:s3/bucketV2:BucketV2", "site", {})],
        Part(
            "aws:s3/bucketAcl:BucketAcl",
            "acl",
            {"bucket": "b", "accessControlPolicy": {"grants": [{"grantee": {"type": "Group", "uri": _ALL_USERS}}]}},
        ),
    ],
    good=[
        {},
        {"acl": "private"},
        {"acl": "log-delivery-write"},
        {"acl": "aws-exec-read"},
        {"grants": [{"type": "CanonicalUser", "id": "0f1e", "permissions": ["READ"]}]},
        {"grants": [{"type": "Group", "uri": "http://acs.amazonaws.com/groups/s3/LogDelivery"}]},
        [Part("aws:s3/bucketAcl:BucketAcl", "acl", _PUBLIC), _BUCKET, _ownership("BucketOwnerEnforced")],
        [Part("aws:s3/bucketAcl:BucketAcl", "acl", _PUBLIC), _BUCKET, _block(setting=True)],
    ],
    unsure=[
        {"acl": UNKNOWN},
        [Part("aws:s3/bucketAcl:BucketAcl", "acl", _PUBLIC), _BUCKET, _ownership(UNKNOWN)],
    ],
)
def aws_s3_public_acl(resource: Resource) -> Iterator[Finding]:
    """Yield public canned ACLs and public grants that nothing beside them makes void."""
    refused = _s3.acls_disabled(resource)
    ignored = _s3.ignores_public_acls(resource)
    effective = ~(refused | ignored)
    hint = "" if refused.is_unknown else "; S3 refuses this unless Object Ownership is changed"
    for where, message, public in _public_grants(resource):
        yield Finding(f"{message}{hint}", at=where, when=public & effective)
        yield Note(f"{message}; S3 refuses it, since Object Ownership disables ACLs", at=where, when=public & refused)
        yield Note(f"{message}; ignored, since ignorePublicAcls is on", at=where, when=public & ignored)


def _public_grants(resource: Resource) -> Iterator[tuple[Value, str, Truth]]:
    """Yield each place that may grant access to strangers, its words, and whether it does."""
    acl = resource["acl"]
    if acl.is_unknown or acl.is_hidden:
        yield acl, "the ACL may be public", acl.is_in(REACH)
    else:
        for canned, reach in REACH.items():
            yield acl, f"ACL {canned}: {reach}", acl.equals(canned)
    for grant in resource["grants"].each():
        yield from _group_grant(grant["uri"])
    for grant in resource["accessControlPolicy"]["grants"].each():
        yield from _group_grant(grant["grantee"]["uri"])


def _group_grant(uri: Value) -> Iterator[tuple[Value, str, Truth]]:
    anyone = [_ends_with(uri, group) for group in GROUPS]
    who = next((who for who, granted in zip(GROUPS.values(), anyone, strict=True) if granted.is_true), "strangers")
    yield uri, f"a grant gives {who} access", any_of(anyone)


def _ends_with(uri: Value, group: str) -> Truth:
    return uri.test(lambda text: str(text).endswith(group))
