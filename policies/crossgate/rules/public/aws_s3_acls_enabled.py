"""S3 bucket has ACLs switched on.

Why: with Object Ownership at ``BucketOwnerPreferred`` or ``ObjectWriter`` each object carries a list of its own of who
may read it, which no bucket policy shows and which whoever writes the object decides. With ``BucketOwnerEnforced``, the
default of new buckets, policies alone decide, and S3 refuses public ACLs.

Fix: set ``objectOwnership`` to ``BucketOwnerEnforced``. Some services that deliver logs, such as CloudFront's older
ones, still need ACLs: exempt their bucket.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/s3-controls.html#s3-12
    https://www.pulumi.com/registry/packages/aws/api-docs/s3/bucketownershipcontrols/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

ON: Final = ("BucketOwnerPreferred", "ObjectWriter")


def _owned(setting: object) -> dict[str, Any]:
    return {"bucket": "data", "rule": {"objectOwnership": setting}}


def _native(*settings: object) -> Part:
    rules = [{"objectOwnership": setting} for setting in settings]
    return Part("aws-native:s3:Bucket", "native", {"ownershipControls": {"rules": rules}})


@rule(
    types=(*_s3.OWNERSHIP, *_s3.NATIVE_BUCKETS),
    severity=Severity.LOW,
    frameworks=("AWS FSBP 1.0 S3.12",),
    equivalents=("checkov:CKV2_AWS_65",),
    bad=[
        _owned("BucketOwnerPreferred"),
        _owned("ObjectWriter"),
        _native("ObjectWriter"),
    ],
    good=[
        _owned("BucketOwnerEnforced"),
        _native("BucketOwnerEnforced"),
        Part("aws-native:s3:Bucket", "native", {}),
    ],
    unsure=[
        _owned(UNKNOWN),
        _native(UNKNOWN),
    ],
)
def aws_s3_acls_enabled(resource: Resource) -> Iterator[Finding]:
    """Yield the ownership setting that leaves ACLs in force."""
    if resource.token in _s3.NATIVE_BUCKETS:
        rules = resource["ownershipControls"]["rules"].each()
    else:
        rules = resource["rule"].each()
    for owned in rules:
        setting = owned["objectOwnership"]
        yield Finding(
            "ACLs are in force: whoever writes an object decides who may read it", at=setting, when=setting.is_in(ON)
        )
