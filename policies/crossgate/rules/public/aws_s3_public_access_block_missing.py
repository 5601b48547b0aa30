"""S3 bucket without a public access block.

Why: AWS switches all four settings on for every new bucket, but not for those made before April 2023, and whoever may
change a bucket may take them away unseen. A block that the program states is put back by the next update and can be
shown to an auditor. A full block of the account serves all its buckets.

Fix: add a ``BucketPublicAccessBlock`` with all four settings true for the bucket, or an ``AccountPublicAccessBlock``
for the account. Do not add a block that leaves settings out: it would switch them off.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://aws.amazon.com/blogs/aws/heads-up-amazon-s3-security-changes-are-coming-in-april-of-2023/
    https://docs.aws.amazon.com/securityhub/latest/userguide/s3-controls.html#s3-8
    https://www.pulumi.com/registry/packages/aws/api-docs/s3/bucketpublicaccessblock/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, all_of, any_of, ref, stack_rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_FULL: Final = dict.fromkeys(_s3.SETTINGS, True)
_BUCKET: Final = Part("aws:s3/bucket:Bucket", "data", {"bucket": "acme-data"})


def _block(bucket: object) -> Part:
    return Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "block", {"bucket": bucket, **_FULL})


def _account_block(settings: Any, *, provider: str = "", **more: object) -> Part:
    inputs = {**settings, **more}
    return Part("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", "account", inputs, provider=provider)


@stack_rule(
    types=_s3.BUCKETS,
    severity=Severity.MEDIUM,
    neighbours=(*_s3.BLOCKS, *_s3.ACCOUNT_BLOCKS),
    frameworks=("AWS FSBP 1.0 S3.8", "CIS AWS 5.0 2.1.4", "CIS AWS 3.0 2.1.4", "CIS AWS 1.4 2.1.5"),
    equivalents=("checkov:CKV2_AWS_6", "trivy:AVD-AWS-0094"),
    bad=[
        {},
        Part("aws:s3/bucketV2:BucketV2", "data", {"acl": "private"}),
        [_BUCKET, _block("another-bucket")],
        [_BUCKET, _account_block({**_FULL, "restrictPublicBuckets": False})],
        Part("aws-native:s3:Bucket", "native", {"bucketName": "acme-data"}),
    ],
    good=[
        [_BUCKET, _block(ref("data"))],
        [_BUCKET, _block("acme-data")],
        [Part("aws:s3/bucketV2:BucketV2", "data", {}), _block(ref("data"))],
        [_BUCKET, Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "b", {"bucket": ref("data")})],
        [_BUCKET, _account_block(_FULL)],
        Part("aws-native:s3:Bucket", "native", {_s3.INLINE_BLOCK: _FULL}),
        [Part("aws-native:s3:Bucket", "native", {"bucketName": "acme-data"}), _block("acme-data")],
    ],
    unsure=[
        [_BUCKET, _block(UNKNOWN)],
        [_BUCKET, _account_block(_FULL, accountId="111122223333")],
        [_BUCKET, _account_block(_FULL, provider="other"), Part("pulumi:providers:aws", "other", {"region": "x"})],
        [_BUCKET, _account_block({**_FULL, "restrictPublicBuckets": UNKNOWN})],
    ],
)
def aws_s3_public_access_block_missing(bucket: Resource) -> Iterator[Finding]:
    """Yield the bucket when neither it nor its whole account has a block; what a block leaves off is another rule's."""
    inline = bucket[_s3.INLINE_BLOCK].exists()
    stated = inline | any_of(link.linked for link in _s3.beside(bucket, _s3.BLOCKS))
    if stated.is_true:
        return
    account = all_of(_s3.setting_on_account(bucket, setting) for setting in _s3.SETTINGS)
    yield Finding(
        "no public access block is stated: only AWS's default for new buckets keeps the bucket closed",
        when=~(stated | account),
    )
