"""S3 ACL opens the bucket to strangers.

Why: a grant to AllUsers lets anyone on the internet list or change the bucket, or read the object, whatever the
policy says. ``authenticated-read`` is the trap: it means every AWS customer, not every member of your organisation. S3
refuses such an ACL while Object Ownership is BucketOwnerEnforced, the default of new buckets, and ignores it while the
bucket or the account has ``ignorePublicAcls``. A directory bucket takes no ACLs at all. ``blockPublicAcls`` alone is no
excuse: it does not touch an ACL that is set before it.

Fix: drop the ACL. Grant access with a bucket policy, or serve public files through CloudFront with an origin access
control. Keep Object Ownership at BucketOwnerEnforced.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-ownership-error-responses.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-bucket.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import UNKNOWN, Finding, Note, Part, Severity, any_of, ref, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

CANNED: Final = {
    "public-read": "anyone can read it",
    "public-read-write": "anyone can read and write it",
    "authenticated-read": "anyone with an AWS account can read it",
    "PublicRead": "anyone can read it",
    "PublicReadWrite": "anyone can read and write it",
    "AuthenticatedRead": "anyone with an AWS account can read it",
}
"""The public canned ACLs, as ``aws`` and as ``aws-native`` spell them."""
GROUPS: Final = {
    "/groups/global/AllUsers": "anyone",
    "/groups/global/AuthenticatedUsers": "anyone with an AWS account",
}
"""The end of a public group's URI, the same in every partition."""
PERMISSIONS: Final = {
    "READ": "read it",
    "WRITE": "write it",
    "READ_ACP": "read its permissions",
    "WRITE_ACP": "change its permissions",
    "FULL_CONTROL": "read and write it and change its permissions",
}

_ALL_USERS: Final = "http://acs.amazonaws.com/groups/global/AllUsers"
_PUBLIC: Final = {"acl": "public-read", "bucket": ref("site")}
_BUCKET: Final = Part("aws:s3/bucket:Bucket", "site", {})
_ACL: Final = Part("aws:s3/bucketAcl:BucketAcl", "acl", _PUBLIC)
_HALF_A_BLOCK: Final = Part(
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
    "half",
    {"bucket": ref("site"), "blockPublicAcls": True},
)


def _ownership(setting: object) -> Part:
    inputs = {"bucket": ref("site"), "rule": {"objectOwnership": setting}}
    return Part("aws:s3/bucketOwnershipControls:BucketOwnershipControls", "ownership", inputs)


def _block(setting: object) -> Part:
    inputs = {"bucket": ref("site"), "ignorePublicAcls": setting}
    return Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "block", inputs)


def _account_block(setting: object, **more: object) -> Part:
    inputs = {"ignorePublicAcls": setting, **more}
    return Part("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", "account", inputs)


def _grants(uri: object, **grantee: object) -> Part:
    inputs = {"bucket": "b", "accessControlPolicy": {"grants": [{"grantee": {"uri": uri, **grantee}}]}}
    return Part("aws:s3/bucketAcl:BucketAcl", "acl", inputs)


def _object(acl: object, bucket: object = "site", kind: str = "bucketObjectv2:BucketObjectv2") -> Part:
    return Part(f"aws:s3/{kind}", "object", {"bucket": bucket, "key": "index.html", "acl": acl})


def _native(acl: object, **more: object) -> Part:
    return Part("aws-native:s3:Bucket", "native", {"accessControl": acl, **more})


@rule(
    types=(*_s3.BUCKETS, *_s3.ACLS, *_s3.OBJECTS),
    severity=Severity.CRITICAL,
    neighbours=(*_s3.BUCKETS, *_s3.DIRECTORY_BUCKETS, *_s3.OWNERSHIP, *_s3.BLOCKS, *_s3.ACCOUNT_BLOCKS),
    frameworks=("AWS FSBP 1.0 S3.2", "AWS FSBP 1.0 S3.3"),
    equivalents={
        "checkov:CKV_AWS_20": {"message": "read"},
        "checkov:CKV_AWS_57": {"message": "write"},
        "checkov:CKV_AWS_375": {"message": "permissions"},
        "checkov:CKV2_AWS_43": {"message": "anyone with an AWS account"},
        "trivy:AVD-AWS-0092": {},
        "trivy:AVD-AWS-0161": {},
        "kics:38c5ee0d-7f22-4260-ab72-5073048df100": {"message": "anyone can"},
        "kics:57b9893d-33b1-4419-bcea-a717ea87e139": {"message": "anyone with an AWS account can"},
    },
    bad=[
        {"acl": "public-read"},
        {"acl": "public-read-write", "bucket": UNKNOWN},
        {"acl": "authenticated-read"},
        {"grants": [{"permissions": ["READ"], "type": "Group", "uri": _ALL_USERS}]},
        {"grants": [{"permissions": ["WRITE_ACP"], "uri": _ALL_USERS.replace("amazonaws.com", "amazonaws.com.cn")}]},
        [_ACL, _BUCKET, _ownership("BucketOwnerPreferred")],
        [_ACL, _BUCKET, _block(setting=False), _HALF_A_BLOCK],
        [_ACL, _BUCKET, _account_block(setting=False)],
        [Part("aws:s3/bucketAclV2:BucketAclV2", "acl", _PUBLIC), Part("aws:s3/bucketV2:BucketV2", "site", {})],
        _grants("http://acs.amazonaws.com/groups/global/AuthenticatedUsers", type="Group"),
        _native("PublicRead", ownershipControls={"rules": [{"objectOwnership": "ObjectWriter"}]}),
        _object("public-read"),
        [_object("public-read", ref("site"), "bucketObject:BucketObject"), _BUCKET, _ownership("ObjectWriter")],
        Part(
            "aws:s3/objectCopy:ObjectCopy",
            "copy",
            {"bucket": "site", "grants": [{"permissions": ["READ"], "type": "Group", "uri": _ALL_USERS}]},
        ),
    ],
    good=[
        {},
        {"acl": "private"},
        {"acl": "log-delivery-write"},
        {"acl": "aws-exec-read"},
        {"acl": "bucket-owner-full-control"},
        {"grants": [{"type": "CanonicalUser", "id": "0f1e", "permissions": ["READ"]}]},
        {"grants": [{"type": "Group", "uri": "http://acs.amazonaws.com/groups/s3/LogDelivery"}]},
        _grants(UNKNOWN, type="CanonicalUser"),
        [_ACL, _BUCKET, _ownership("BucketOwnerEnforced")],
        [_ACL, _BUCKET, _block(setting=True)],
        [_ACL, _BUCKET, _account_block(setting=True)],
        [Part("aws:s3/bucketAcl:BucketAcl", "acl", {"acl": UNKNOWN, "bucket": ref("site")}), _BUCKET, _block(True)],
        _native("Private"),
        _native("PublicRead", ownershipControls={"rules": [{"objectOwnership": "BucketOwnerEnforced"}]}),
        _native("PublicRead", publicAccessBlockConfiguration={"ignorePublicAcls": True}),
        _object("private"),
        [_object("public-read", ref("site")), _BUCKET, _ownership("BucketOwnerEnforced")],
        [_object("public-read", ref("site"), "objectCopy:ObjectCopy"), _BUCKET, _block(setting=True)],
        _object("public-read", "site--use1-az5--x-s3"),
        [_object("public-read", ref("fast")), Part("aws:s3/directoryBucket:DirectoryBucket", "fast", {})],
    ],
    unsure=[
        {"acl": UNKNOWN},
        _grants(UNKNOWN, type="Group"),
        [_ACL, _BUCKET, _ownership(UNKNOWN)],
        [_ACL, _BUCKET, _block(UNKNOWN)],
        [_ACL, _BUCKET, _account_block(setting=True, accountId="111122223333")],
        _native("PublicRead", publicAccessBlockConfiguration={"ignorePublicAcls": UNKNOWN}),
        _object(UNKNOWN),
        _object("public-read", UNKNOWN),
    ],
)
def aws_s3_public_acl(resource: Resource) -> Iterator[Finding]:
    """Yield public canned ACLs and public grants that nothing beside them makes void."""
    grants = [grant for grant in _public_grants(resource) if not grant.public.is_false]
    if not grants:
        return
    ownership = list(_s3.object_ownership(resource))
    refused = any_of(linked & setting.equals("BucketOwnerEnforced") for linked, setting in ownership)
    if resource.token in _s3.OBJECTS:
        refused = refused | _s3.in_directory_bucket(resource)
    ignored = _s3.setting_in_force(resource, "ignorePublicAcls")
    stated = any_of(linked for linked, _ in ownership)
    hint = "; S3 refuses this unless Object Ownership is changed" if stated.is_false else ""
    for at, words, public in grants:
        yield Finding(f"{words}{hint}", at=at, when=public & ~(refused | ignored))
        yield Note(f"{words}; S3 refuses it, since Object Ownership disables ACLs", at=at, when=public & refused)
        yield Note(f"{words}; ignored, since ignorePublicAcls is on", at=at, when=public & ignored & ~refused)


class _Grant(NamedTuple):
    """A place that may grant access to strangers, its words, and whether it does."""

    at: Value
    words: str
    public: Truth


def _public_grants(resource: Resource) -> Iterator[_Grant]:
    for acl in (resource["acl"], resource["accessControl"]):
        public = acl.is_in(CANNED)
        words = f"ACL {acl.text()}: {CANNED[acl.text() or '']}" if public.is_true else "the ACL may be public"
        yield _Grant(acl, words, public)
    for grant in resource["grants"].each():
        yield _group_grant(grant, grant["permissions"])
    for grant in resource["accessControlPolicy"]["grants"].each():
        yield _group_grant(grant["grantee"], grant["permission"])


def _group_grant(grantee: Value, permissions: Value) -> _Grant:
    uri = grantee["uri"]
    anyone = [_ends_with(uri, group) for group in GROUPS]
    who = next((who for who, granted in zip(GROUPS.values(), anyone, strict=True) if granted.is_true), "strangers")
    named = grantee["type"].is_in(("CanonicalUser", "AmazonCustomerByEmail"))
    return _Grant(uri, f"a grant lets {who} {_allowed(permissions)}", any_of(anyone) & ~named)


def _ends_with(uri: Value, group: str) -> Truth:
    return uri.test(lambda text: str(text).endswith(group))


def _allowed(permissions: Value) -> str:
    known = [PERMISSIONS[name] for item in permissions.each() if item.is_text and (name := item.text()) in PERMISSIONS]
    return " and ".join(known) or "in"
