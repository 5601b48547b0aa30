"""S3 bucket answers scripts of every website.

Why: CORS keeps a page in a visitor's browser from using the bucket in the visitor's name and place: with a presigned
URL that it got hold of, or from within a network that the bucket trusts. A rule for the origin ``*``, or for every
host of a scheme, lets the scripts of any website do it. For files that are public anyway, such as fonts, it is
harmless.

Fix: list the origins of your own pages in ``allowedOrigins``, with their scheme: ``https://www.example.com``. One
wildcard within the host, as in ``https://*.example.com``, is fine.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/cors.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Value

APART: Final = (
    "aws:s3/bucketCorsConfiguration:BucketCorsConfiguration",
    "aws:s3/bucketCorsConfigurationV2:BucketCorsConfigurationV2",
)
EVERY_ORIGIN: Final = ("*", "http://*", "https://*", "*://*")
WRITING: Final = frozenset({"PUT", "POST", "DELETE"})


def _cors(*origins: Any, methods: Any = ("GET",)) -> dict[str, Any]:
    return {"allowedOrigins": list(origins), "allowedMethods": list(methods)}


def _apart(*rules: Any) -> dict[str, Any]:
    return {"bucket": "data", "corsRules": list(rules)}


@rule(
    types=(*APART, *_s3.BUCKETS),
    severity=Severity.LOW,
    bad=[
        _apart(_cors("*", methods=("GET", "PUT"))),
        _apart(_cors("https://www.example.com"), _cors("https://*")),
        _apart(_cors(UNKNOWN, "*", methods=(UNKNOWN,))),
        Part("aws:s3/bucket:Bucket", "data", {"corsRules": [_cors("*")]}),
        Part("aws-native:s3:Bucket", "data", {"corsConfiguration": {"corsRules": [_cors("*")]}}),
    ],
    good=[
        _apart(_cors("https://www.example.com", methods=("GET", "PUT"))),
        _apart(_cors("https://*.example.com")),
        Part("aws:s3/bucket:Bucket", "data", {}),
        Part("aws-native:s3:Bucket", "data", {"corsConfiguration": {"corsRules": [_cors("https://example.com")]}}),
    ],
    unsure=[
        _apart(_cors(UNKNOWN)),
        {"bucket": "data", "corsRules": UNKNOWN},
    ],
)
def aws_s3_cors_any_origin(resource: Resource) -> Iterator[Finding]:
    """Yield each origin that stands for every website."""
    native = resource.token in _s3.NATIVE_BUCKETS
    rules = (resource["corsConfiguration"] if native else resource.inputs)["corsRules"]
    for cors in rules.each():
        for origin in cors["allowedOrigins"].each():
            reach = f"scripts of every website can {_allowed(cors)} in a visitor's place"
            yield Finding(reach, at=origin, when=origin.is_in(EVERY_ORIGIN))


def _allowed(cors: Value) -> str:
    writes = any(method.is_in(WRITING).is_true for method in cors["allowedMethods"].each())
    return "write to the bucket" if writes else "use the bucket"
