"""S3 access point switches its block of public access off.

Why: S3 blocks public access through every new access point. One that is created with a setting off lets a policy of
the access point, together with the bucket's, open the data to strangers, and it stays so for good: the settings cannot
be changed later. A Multi-Region Access Point does it for buckets in several Regions at once.

An access point that takes requests from one VPC alone is never public, and a setting that the bucket's or the account's
block has on is in force all the same.

Fix: leave the four settings out of the access point, or set them to true. An access point that exists has to be
replaced. Where only a network may come, set ``vpcConfiguration``.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-bpa-settings.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-vpc.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/CreatingMultiRegionAccessPoints.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/s3-controls.html#s3-19
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

REACH: Final = {
    "blockPublicAcls": "public ACLs can be set through the access point",
    "blockPublicPolicy": "a policy that lets strangers in can be set on the access point",
    "ignorePublicAcls": "public ACLs are in force for requests through the access point",
    "restrictPublicBuckets": "an access point policy that lets strangers in is in force",
}

_FULL: Final = dict.fromkeys(_s3.SETTINGS, True)
_OFF: Final = dict.fromkeys(_s3.SETTINGS, False)
_VPC: Final = {"vpcConfiguration": {"vpcId": "vpc-1a2b3c"}}


def _point(block: Any, **more: Any) -> Part:
    inputs = {"bucket": ref("data"), "name": "reports", "publicAccessBlockConfiguration": block, **more}
    return Part("aws:s3/accessPoint:AccessPoint", "point", inputs)


def _multi(block: Any) -> Part:
    details = {"name": "reports", "publicAccessBlock": block, "regions": [{"bucket": "acme-reports"}]}
    return Part("aws:s3control/multiRegionAccessPoint:MultiRegionAccessPoint", "point", {"details": details})


def _native(block: Any, **more: Any) -> Part:
    return Part(
        "aws-native:s3:AccessPoint", "point", {"bucket": "data", "publicAccessBlockConfiguration": block, **more}
    )


def _bucket_block(settings: Any) -> Part:
    return Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "block", {"bucket": ref("data"), **settings})


def _account_block(settings: Any) -> Part:
    return Part("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", "account", settings)


_BUCKET: Final = Part("aws:s3/bucket:Bucket", "data", {})


@rule(
    types=_s3.ACCESS_POINTS,
    severity=Severity.HIGH,
    neighbours=(*_s3.BUCKETS, *_s3.BLOCKS, *_s3.ACCOUNT_BLOCKS),
    frameworks=("AWS FSBP 1.0 S3.19", "AWS FSBP 1.0 S3.24"),
    equivalents={"checkov:CKV_AWS_392": {"path": "publicAccessBlockConfiguration.restrictPublicBuckets"}},
    bad=[
        {"bucket": "data", "publicAccessBlockConfiguration": {"blockPublicPolicy": False}},
        {"bucket": UNKNOWN, "publicAccessBlockConfiguration": _OFF},
        *({"bucket": "data", "publicAccessBlockConfiguration": {**_FULL, name: False}} for name in _s3.SETTINGS),
        [_point(_OFF), _BUCKET],
        [_point(_OFF), _BUCKET, _bucket_block({**_FULL, "restrictPublicBuckets": False})],
        [_multi({**_FULL, "restrictPublicBuckets": False})],
        [_native(_OFF)],
        Part("aws-native:s3:MultiRegionAccessPoint", "point", {"publicAccessBlockConfiguration": _OFF}),
    ],
    good=[
        {"bucket": "data"},
        {"bucket": UNKNOWN, "publicAccessBlockConfiguration": {"blockPublicPolicy": True}},
        [_point(_OFF, **_VPC), _BUCKET],
        [_point(_OFF, vpcConfiguration={"vpcId": ref("vpc")}), _BUCKET, Part("aws:ec2/vpc:Vpc", "vpc", {})],
        [_point(_OFF), _BUCKET, _bucket_block(_FULL)],
        [_point(_OFF), _BUCKET, _account_block(_FULL)],
        [_multi({"blockPublicAcls": True})],
        [_multi(_OFF), _account_block(_FULL)],
        [_native(_FULL)],
        [_native(_OFF, **_VPC)],
        [_native(_OFF, name="reports--use1-az5--xa-s3")],
    ],
    unsure=[
        [_point({"restrictPublicBuckets": UNKNOWN}), _BUCKET],
        [_point(_OFF, vpcConfiguration=UNKNOWN), _BUCKET],
        [_point(_OFF), _BUCKET, _bucket_block(dict.fromkeys(_s3.SETTINGS, UNKNOWN))],
        [_native({"blockPublicPolicy": True})],
    ],
)
def aws_s3_access_point_unblocked(point: Resource) -> Iterator[Finding]:
    """Yield each setting that is off for the access point, its bucket and its account."""
    for setting, reach in REACH.items():
        on = _s3.setting_on_access_point(point, setting)
        if not on.is_true:
            in_force = on | _s3.never_public(point) | _s3.setting_in_force(point, setting)
            yield Finding(f"off: {reach}", at=_s3.access_point_block(point)[setting], when=~in_force)
