"""S3 bucket serves a website itself.

Why: S3's website endpoint speaks plain HTTP only, and needs objects that everyone may read: whoever stands in between
can change the pages, and everything that gets into the bucket is public. An endpoint that only redirects serves
nothing and passes.

Fix: keep the bucket closed and serve it through CloudFront with an origin access control, which gives HTTPS. Leave the
website configuration out.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteEndpoints.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteAccessPermissionsReqd.html
    https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules._given import is_given
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Value

APART: Final = (
    "aws:s3/bucketWebsiteConfiguration:BucketWebsiteConfiguration",
    "aws:s3/bucketWebsiteConfigurationV2:BucketWebsiteConfigurationV2",
)
_PAGES: Final = ("indexDocument", "errorDocument")


def _apart(**inputs: Any) -> dict[str, Any]:
    return {"bucket": "site", **inputs}


def _inline(website: Any) -> Part:
    return Part("aws:s3/bucket:Bucket", "site", {"website": website})


def _native(website: Any) -> Part:
    return Part("aws-native:s3:Bucket", "site", {"websiteConfiguration": website})


@rule(
    types=(*APART, *_s3.BUCKETS),
    severity=Severity.LOW,
    equivalents=("kics:42bb6b7f-6d54-4428-b707-666f669d94fb",),
    bad=[
        _apart(indexDocument={"suffix": "index.html"}),
        _apart(indexDocument=UNKNOWN),
        _inline({"indexDocument": "index.html", "errorDocument": "error.html"}),
        Part("aws:s3/bucketV2:BucketV2", "site", {"websites": [{"indexDocument": "index.html"}]}),
        _native({"indexDocument": "index.html"}),
    ],
    good=[
        _apart(redirectAllRequestsTo={"hostName": "example.com", "protocol": "https"}),
        _inline({"redirectAllRequestsTo": "https://example.com"}),
        Part("aws:s3/bucket:Bucket", "site", {}),
        _native({"redirectAllRequestsTo": {"hostName": "example.com"}}),
        Part("aws-native:s3:Bucket", "site", {}),
    ],
    unsure=[
        _inline(UNKNOWN),
        _native(UNKNOWN),
    ],
)
def aws_s3_website_hosting(resource: Resource) -> Iterator[Finding]:
    """Yield the website configuration that serves pages."""
    for website in _websites(resource):
        serves = any_of(is_given(website[page]) for page in _PAGES)
        yield Finding("serves pages over plain HTTP, from objects that everyone may read", at=website, when=serves)


def _websites(resource: Resource) -> Iterator[Value]:
    if resource.token in APART:
        yield resource.inputs
    elif resource.token in _s3.NATIVE_BUCKETS:
        yield from resource["websiteConfiguration"].each()
    else:
        yield from resource["website"].each()
        yield from resource["websites"].each()
