"""S3 public access block leaves settings off.

Why: a block that leaves a setting out sets it to false, and so takes away what AWS switches on for every new bucket:
worse than no block at all. Two of the settings stop new public grants, the other two make standing ones void, so
all four are needed. A setting that the account's block has on is in force all the same.

Fix: set ``blockPublicAcls``, ``blockPublicPolicy``, ``ignorePublicAcls`` and ``restrictPublicBuckets`` to true. For a
public site, keep the bucket closed and serve it through CloudFront with an origin access control.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/API/API_PublicAccessBlockConfiguration.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://www.pulumi.com/registry/packages/aws/api-docs/s3/bucketpublicaccessblock/
    https://docs.aws.amazon.com/securityhub/latest/userguide/s3-controls.html#s3-8
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

REACH: Final = {
    "blockPublicAcls": "a public ACL can be set on the bucket and its objects",
    "blockPublicPolicy": "a bucket policy that lets strangers in can be set",
    "ignorePublicAcls": "public ACLs on the bucket and its objects are in force",
    "restrictPublicBuckets": "a bucket policy that lets strangers in is in force",
}

_FULL: Final = dict.fromkeys(_s3.SETTINGS, True)
_HALF: Final = {"blockPublicAcls": True, "blockPublicPolicy": True}


def _block(settings: Any, *, provider: str = "") -> Part:
    inputs = {"bucket": "data", **settings}
    return Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "block", inputs, provider=provider)


def _account_block(settings: Any, *, provider: str = "", **more: object) -> Part:
    inputs = {**settings, **more}
    return Part("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", "account", inputs, provider=provider)


def _provider(name: str, **inputs: object) -> Part:
    return Part("pulumi:providers:aws", name, inputs)


def _native(settings: object) -> Part:
    return Part("aws-native:s3:Bucket", "native", {_s3.INLINE_BLOCK: settings})


@rule(
    types=(*_s3.BLOCKS, *_s3.NATIVE_BUCKETS),
    severity=Severity.HIGH,
    neighbours=_s3.ACCOUNT_BLOCKS,
    frameworks=("AWS FSBP 1.0 S3.8", "CIS AWS 5.0 2.1.4", "CIS AWS 3.0 2.1.4", "CIS AWS 1.4 2.1.5"),
    equivalents={
        "checkov:CKV2_AWS_6": {"path": ("blockPublicAcls", "blockPublicPolicy")},
        "checkov:CKV_AWS_53": {"path": "blockPublicAcls"},
        "checkov:CKV_AWS_54": {"path": "blockPublicPolicy"},
        "checkov:CKV_AWS_55": {"path": "ignorePublicAcls"},
        "checkov:CKV_AWS_56": {"path": "restrictPublicBuckets"},
        "trivy:AVD-AWS-0086": {"path": "blockPublicAcls"},
        "trivy:AVD-AWS-0087": {"path": "blockPublicPolicy"},
        "trivy:AVD-AWS-0091": {"path": "ignorePublicAcls"},
        "trivy:AVD-AWS-0093": {"path": "restrictPublicBuckets"},
        "kics:d0cc8694-fcad-43ff-ac86-32331d7e867f": {"path": "blockPublicAcls"},
        "kics:1a4bc881-9f69-4d44-8c9a-d37d08f54c50": {"path": "blockPublicPolicy"},
        "kics:4fa66806-0dd9-4f8d-9480-3174d39c7c91": {"path": "ignorePublicAcls"},
        "kics:1ec253ab-c220-4d63-b2de-5b40e0af9293": {"path": "restrictPublicBuckets"},
    },
    bad=[
        {"bucket": UNKNOWN},
        {"bucket": "data", **_HALF},
        *({"bucket": "data", **_FULL, setting: False} for setting in _s3.SETTINGS),
        [_block(_HALF), _account_block(_HALF)],
        [
            _block(_HALF, provider="here"),
            _account_block(_FULL, provider="there"),
            _provider("here", profile="shop"),
            _provider("there", profile="audit"),
        ],
        _native(_HALF),
        _native({}),
    ],
    good=[
        {"bucket": "data", **_FULL},
        {"bucket": UNKNOWN, **_FULL},
        [_block(_HALF), _account_block(_FULL)],
        [_block(_HALF), _account_block({"ignorePublicAcls": True, "restrictPublicBuckets": True})],
        [
            _block({}, provider="here"),
            _account_block(_FULL, accountId="111122223333"),
            _provider("here", allowedAccountIds='["111122223333"]'),
        ],
        Part("aws-native:s3:Bucket", "native", {}),
        _native(_FULL),
    ],
    unsure=[
        {"bucket": "data", **_FULL, "ignorePublicAcls": UNKNOWN},
        [_block(_HALF), _account_block({**_FULL, "restrictPublicBuckets": UNKNOWN})],
        [_block(_HALF), _account_block(_FULL, accountId="111122223333")],
        [_block(_HALF, provider="here"), _account_block(_FULL), _provider("here", region="eu-west-1")],
        _native(UNKNOWN),
    ],
)
def aws_s3_public_access_block_weakened(resource: Resource) -> Iterator[Finding]:
    """Yield each setting that the block does not switch on and the account's block does not either."""
    native = resource.token in _s3.NATIVE_BUCKETS
    block = resource[_s3.INLINE_BLOCK] if native else resource.inputs
    if block.exists().is_false:
        return
    for setting, reach in REACH.items():
        value = block[setting]
        on = value.is_true()
        if not on.is_true:
            state = "left out, and so off" if value.exists().is_false else "off"
            in_force = on | _s3.setting_on_account(resource, setting)
            yield Finding(f"{state}: {reach}", at=value, when=~in_force)
