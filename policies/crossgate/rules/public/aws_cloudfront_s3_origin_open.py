"""CloudFront fetches from an S3 bucket without signing.

Why: without an origin access control, or the older origin access identity, CloudFront asks S3 as anyone on the internet
does. The site works only while the bucket is open to everyone, and then everyone also reaches it past CloudFront: past
its firewall, its geographic limits and its signed URLs.

An origin with ``customOriginConfig``, also the website endpoint of a bucket, is no S3 origin and is not judged here.

Fix: create an ``OriginAccessControl``, give its id to the origin as ``originAccessControlId``, and let the bucket
policy allow ``cloudfront.amazonaws.com`` for this distribution alone.

Sources:
    https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
    https://docs.aws.amazon.com/config/latest/developerguide/cloudfront-s3-origin-access-control-enabled.html
    https://www.pulumi.com/registry/packages/aws/api-docs/cloudfront/distribution/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

NATIVE: Final = "aws-native:cloudfront:Distribution"
_GIVEN: Final = (
    "aws:cloudfront/originAccessControl:OriginAccessControl",
    "aws:cloudfront/originAccessIdentity:OriginAccessIdentity",
    "aws:cloudfront/vpcOrigin:VpcOrigin",
    "aws:lb/loadBalancer:LoadBalancer",
    "aws:alb/loadBalancer:LoadBalancer",
    "aws:lambda/functionUrl:FunctionUrl",
    "aws-native:cloudfront:OriginAccessControl",
    *_s3.BUCKETS,
)
"""Resources none of whose outputs is an empty text."""

_S3: Final = {"originId": "s3", "domainName": "acme-site.s3.eu-west-1.amazonaws.com"}
_CUSTOM: Final = {"originId": "app", "domainName": "app.example.com", "customOriginConfig": {"httpPort": 80}}


def _origins(*origins: Any) -> dict[str, Any]:
    return {"enabled": True, "origins": list(origins)}


def _native(*origins: Any) -> Part:
    return Part(NATIVE, "site", {"distributionConfig": _origins(*origins)})


@rule(
    types=("aws:cloudfront/distribution:Distribution", NATIVE),
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 CloudFront.13",),
    equivalents=("checkov:CKV2_AWS_46",),
    bad=[
        _origins(_S3),
        _origins({**_S3, "s3OriginConfig": {"originAccessIdentity": ""}}),
        _origins(_CUSTOM, {**_S3, "domainName": UNKNOWN}),
        _native({**_S3, "s3OriginConfig": {}}),
    ],
    good=[
        _origins({**_S3, "originAccessControlId": "E327GJI25M56DG"}),
        _origins(
            {**_S3, "s3OriginConfig": {"originAccessIdentity": "origin-access-identity/cloudfront/E127EXAMPLE51Z"}}
        ),
        _origins(_CUSTOM),
        _origins({"originId": "app", "domainName": UNKNOWN, "vpcOriginConfig": {"vpcOriginId": UNKNOWN}}),
        [
            Part(
                "aws:cloudfront/distribution:Distribution",
                "cdn",
                _origins({"originId": "s3", "domainName": ref("site"), "originAccessControlId": ref("access")}),
            ),
            Part("aws:s3/bucket:Bucket", "site", {}),
            Part("aws:cloudfront/originAccessControl:OriginAccessControl", "access", {}),
        ],
        _native({**_S3, "s3OriginConfig": {}, "originAccessControlId": "E327GJI25M56DG"}),
    ],
    unsure=[
        _origins(UNKNOWN),
        _origins({**_S3, "originAccessControlId": UNKNOWN}),
        _native(UNKNOWN),
    ],
)
def aws_cloudfront_s3_origin_open(distribution: Resource) -> Iterator[Finding]:
    """Yield each S3 origin for which CloudFront has neither an origin access control nor an identity."""
    native = distribution.token == NATIVE
    for origin in (distribution["distributionConfig"] if native else distribution.inputs)["origins"].each():
        other = origin["customOriginConfig"].exists() | origin["vpcOriginConfig"].exists()
        signs = any_of(
            map(_is_given, (origin["originAccessControlId"], origin["s3OriginConfig"]["originAccessIdentity"]))
        )
        yield Finding(
            "no origin access control: CloudFront gets only what everyone can read in the bucket, past CloudFront too",
            at=origin,
            when=~(other | signs),
        )


def _is_given(value: Value) -> Truth:
    return ~value.test(lambda content: content == "", absent=True, never_from=_GIVEN)
