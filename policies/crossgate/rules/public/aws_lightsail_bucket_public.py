"""Lightsail bucket is open to everyone.

Why: with ``getObject`` at ``public`` every object of the bucket, also one that is stored later, can be read by anyone
on the internet who has its URL. ``allowPublicOverrides`` opens nothing by itself: it lets single objects be made
public, and is remarked on. A block of public access for the whole account holds for Lightsail's buckets too.

Fix: set ``getObject`` to ``private``. Serve what is meant for everyone through a Lightsail distribution, or keep it in
a bucket of its own.

Sources:
    https://docs.aws.amazon.com/lightsail/2016-11-28/api-reference/API_AccessRules.html
    https://docs.aws.amazon.com/lightsail/latest/userguide/amazon-lightsail-understanding-bucket-permissions.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Note, Part, Severity, all_of, rule
from crossgate.rules.public import _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_FULL: Final = dict.fromkeys(_s3.SETTINGS, True)


def _bucket(**rules: Any) -> Part:
    return Part("aws-native:lightsail:Bucket", "media", {"bucketName": "acme-media", "accessRules": rules})


def _account_block(**settings: Any) -> Part:
    return Part("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", "account", settings)


@rule(
    types=("aws-native:lightsail:Bucket",),
    severity=Severity.CRITICAL,
    neighbours=_s3.ACCOUNT_BLOCKS,
    bad=[
        _bucket(getObject="public"),
        _bucket(getObject="public", allowPublicOverrides=False),
        [_bucket(getObject="public"), _account_block(**{**_FULL, "restrictPublicBuckets": False})],
    ],
    good=[
        _bucket(getObject="private"),
        _bucket(getObject="private", allowPublicOverrides=True),
        {"bucketName": "acme-media"},
        [_bucket(getObject="public"), _account_block(**_FULL)],
    ],
    unsure=[
        _bucket(getObject=UNKNOWN),
        {"bucketName": "acme-media", "accessRules": UNKNOWN},
        [_bucket(getObject="public"), _account_block(**_FULL, accountId="111122223333")],
    ],
)
def aws_lightsail_bucket_public(bucket: Resource) -> Iterator[Finding]:
    """Yield the bucket when its rules open all objects and the account's block does not stop it."""
    rules = bucket["accessRules"]
    public = rules["getObject"].equals("public")
    if not public.is_false:
        blocked = all_of(_s3.setting_on_account(bucket, setting) for setting in _s3.SETTINGS)
        yield Finding(
            "public: anyone on the internet can read every object", at=rules["getObject"], when=public & ~blocked
        )
    single = rules["allowPublicOverrides"]
    yield Note("whoever may write an object can make it public", at=single, when=~public & single.is_true())
