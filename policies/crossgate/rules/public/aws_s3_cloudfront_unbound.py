"""S3 bucket policy lets every CloudFront distribution in.

Why: ``cloudfront.amazonaws.com`` is the name of the whole service, which everyone with an AWS account uses. A statement
that allows it and does not say for whom it acts lets a stranger put the bucket behind a distribution of their own and
read it there. S3 does not count such a policy as public, so no public access block stops it.

Fix: bind the statement to your distribution: condition ``StringEquals`` on ``AWS:SourceArn`` with the distribution's
ARN, or on ``aws:SourceAccount`` with the account's id.

Sources:
    https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule, unknown
from crossgate.rules._given import is_given
from crossgate.rules.public import _iam_policy, _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

CLOUDFRONT: Final = "cloudfront.amazonaws.com"
ACTING: Final = _iam_policy.Service(
    federated_is_public=False,
    listed_keys=frozenset(),
    not_limiting=frozenset(
        {"aws:principalisawsservice", "aws:principalservicename", "aws:principalservicenameslist"},
    ),
    fixed_by_account=frozenset({"aws:sourcearn"}),
)
"""How conditions tell for whom a service acts: the service itself is the same for everyone."""
CURE: Final = "not known until the update, and judged there; write its ARNs with a known bucket name"
MAY: Final = "the policy may let every CloudFront distribution in"

_ARN: Final = "arn:aws:cloudfront::111122223333:distribution/EDFDVBD6EXAMPLE"


def _allow(principal: Any = CLOUDFRONT, **condition: Any) -> dict[str, Any]:
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": principal},
        "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::acme-site/*",
    }
    return {**statement, "Condition": condition} if condition else statement


def _text(*statements: Any) -> dict[str, Any]:
    document = {"Version": "2012-10-17", "Statement": list(statements)}
    return {"bucket": "acme-site", "policy": json.dumps(document)}


def _policy(*statements: Any) -> Part:
    document = {"Version": "2012-10-17", "Statement": list(statements)}
    return Part("aws:s3/bucketPolicy:BucketPolicy", "policy", {"bucket": "acme-site", "policy": document})


_DISTRIBUTION: Final = Part("aws:cloudfront/distribution:Distribution", "site", {})


@rule(
    types=(*_s3.POLICIES, "aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2"),
    severity=Severity.HIGH,
    undetermined="warn",
    bad=[
        _text(_allow()),
        _text(_allow([CLOUDFRONT, "logging.s3.amazonaws.com"])),
        _text(_allow(StringEquals={"aws:PrincipalServiceName": CLOUDFRONT}, Bool={"aws:SecureTransport": "true"})),
        _text(_allow(StringLike={"AWS:SourceArn": "arn:aws:cloudfront::*:distribution/*"})),
        _text(_allow(StringNotEquals={"aws:SourceAccount": "111122223333"})),
        [_policy(_allow(StringEquals={"AWS:SourceArn": ref("site")}), _allow()), _DISTRIBUTION],
        Part("aws:s3/bucket:Bucket", "inline", {"policy": json.dumps({"Statement": _allow()})}),
        Part("aws-native:s3:BucketPolicy", "native", {"bucket": "b", "policyDocument": {"Statement": [_allow()]}}),
    ],
    good=[
        _text(_allow(StringEquals={"AWS:SourceArn": _ARN})),
        _text(_allow(ArnLike={"aws:SourceArn": "arn:aws:cloudfront::111122223333:distribution/*"})),
        _text(_allow(StringEquals={"aws:SourceAccount": "111122223333"})),
        _text(_allow(StringEquals={"aws:SourceOrgID": "o-a1b2c3d4e5"})),
        [_policy(_allow(StringEquals={"AWS:SourceArn": ref("site")})), _DISTRIBUTION],
        _text(_allow("logging.s3.amazonaws.com")),
        _text({**_allow(), "Effect": "Deny"}),
        _text({**_allow(), "Principal": "*"}),
        _text({**_allow(), "Principal": {"AWS": "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E1"}}),
        Part("aws:s3/bucket:Bucket", "inline", {}),
    ],
    unsure=[
        {"bucket": "acme-site", "policy": UNKNOWN},
        {"bucket": "acme-site", "policy": "{not JSON"},
        _text({"effect": "Allow"}),
        [_policy(_allow(UNKNOWN))],
        [_policy(_allow(StringEquals={"AWS:SourceArn": UNKNOWN}))],
        [_policy(_allow(StringEquals={"AWS:SourceArn": _ARN}), UNKNOWN)],
    ],
)
def aws_s3_cloudfront_unbound(resource: Resource) -> Iterator[Finding]:
    """Yield the statements that let CloudFront in without saying for which distribution or account it acts."""
    document = resource["policyDocument" if resource.token.startswith("aws-native:") else "policy"]
    if is_given(document).is_false:
        return
    policy = document.json()
    if not policy.readable:
        yield Finding(MAY, at=policy, when=unknown(policy.gap._replace(why=CURE) if policy.is_unknown else policy.gap))
        return
    for gap in _iam_policy.misshapen(policy):
        yield Finding(MAY, at=policy, when=unknown(gap))
    for grant in _iam_policy.service_grants(policy, CLOUDFRONT, ACTING):
        yield Finding(
            f"Allow for {CLOUDFRONT}, which acts for everyone: a distribution of any AWS account can read the bucket",
            at=grant.at,
            when=grant.allowed & ~grant.limit.works,
        )
