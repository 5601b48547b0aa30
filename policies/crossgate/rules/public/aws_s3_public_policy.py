"""S3 bucket policy lets strangers in.

Why: an Allow for ``Principal: "*"`` gives its actions to everyone on the internet, unless a condition compares who
asks, or from where, with fixed values. Most conditions do not: ``aws:SecureTransport``, ``aws:Referer``, a negated or
an ``IfExists`` operator, a value with a wildcard. ``NotPrincipal`` with Allow names everyone but a few. A Deny beside
it does not help: S3 asks whether the grants are limited.

While the bucket or its account has ``restrictPublicBuckets``, a public statement lets no stranger in, whatever was set
first: it is no violation then but a remark, since with ``blockPublicPolicy`` S3 refuses the policy, and without it the
one public statement cuts off every other account that the policy names.

A policy text that holds an output of a resource is unknown as a whole until the update, and then judged. Write it with
names that are known beforehand, and the preview can tell.

Fix: name the accounts, roles or services that need access. For a site, put CloudFront with an origin access control in
front. Where everyone of a network or an organisation may come, keep ``*`` and add a condition such as
``StringEquals`` on ``aws:PrincipalOrgID`` or ``aws:SourceVpce`` with fixed values to the same statement.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notprincipal.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
    https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Note, Part, Severity, ref, rule, unknown
from crossgate.rules._given import is_given
from crossgate.rules.public import _iam_policy, _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

CURE: Final = (
    "not known until the update, and judged there; write its ARNs with a known bucket name, "
    "or put a full public access block on the bucket"
)
RESTRICTED: Final = "restrictPublicBuckets keeps them out, and with them every other account that the policy names"
UNLISTED: Final = (
    "only a condition that S3 does not list as a limit keeps strangers out: blockPublicPolicy may refuse this policy"
)
LOOSE: Final = "a value with a wildcard or variable, or too wide a range"
READING: Final = ("*", "get", "list")
WRITING: Final = ("*", "put", "delete", "abort", "restore", "replicate")
READ_AND_WRITE: Final = {
    (True, True): "read and write it",
    (True, False): "read it",
    (False, True): "write it",
    (False, False): "use it",
}

_BUCKET: Final = Part("aws:s3/bucket:Bucket", "data", {})
_EVERYONE: Final = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::data/*"}
_ROLE: Final = "arn:aws:iam::111122223333:role/reader"


def _policy(*statements: Any) -> Part:
    document = {"Version": "2012-10-17", "Statement": list(statements)}
    return Part("aws:s3/bucketPolicy:BucketPolicy", "policy", {"bucket": ref("data"), "policy": document})


def _allow(principal: Any = "*", **condition: Any) -> dict[str, Any]:
    return {**_EVERYONE, "Principal": principal, **({"Condition": condition} if condition else {})}


def _text(*statements: Any) -> dict[str, Any]:
    return {"bucket": "data", "policy": json.dumps({"Statement": list(statements)})}


def _block(**settings: object) -> Part:
    inputs = {"bucket": ref("data"), **settings}
    return Part("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "block", inputs)


def _account_block(**settings: object) -> Part:
    return Part("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", "account", settings)


_FULL: Final = {"blockPublicPolicy": True, "restrictPublicBuckets": True}
_UNKNOWN: Final = Part("aws:s3/bucketPolicy:BucketPolicy", "policy", {"bucket": ref("data"), "policy": ref("data")})
_CLOUDFRONT: Final = _allow({"Service": "cloudfront.amazonaws.com"}, StringEquals={"AWS:SourceArn": UNKNOWN})


@rule(
    types=(*_s3.POLICIES, "aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2"),
    severity=Severity.CRITICAL,
    undetermined="warn",
    neighbours=(*_s3.BUCKETS, *_s3.BLOCKS, *_s3.ACCOUNT_BLOCKS),
    frameworks=("AWS FSBP 1.0 S3.2", "AWS FSBP 1.0 S3.3"),
    equivalents={
        "checkov:CKV_AWS_70": {},
        "kics:7af43613-6bb9-4a0e-8c4d-1314b799425e": {},
        "kics:a4966c4f-9141-48b8-a564-ffe9959945bc": {"message": "read and write"},
        "kics:1df37f4b-7197-45ce-83f8-9994d2fcf885": {"message": "read"},
        "kics:66c6f96f-2d9e-417e-a998-9058aeeecd44": {"message": "read"},
        "kics:d24c0755-c028-44b1-b503-8e719c898832": {"message": "write"},
        "kics:ffdf4b37-7703-4dfe-a682-9d2e99bc6c09": {"message": "write"},
    },
    bad=[
        _text(_allow()),
        _text(_allow({"AWS": [_ROLE, "*"]})),
        _text(_allow({"AWS": "arn:aws:iam::*:root"})),
        {"bucket": UNKNOWN, "policy": json.dumps({"Statement": _allow()})},
        [_policy(_allow({"AWS": ["*"]})), _BUCKET],
        [_policy(_allow({"*": "*"})), _BUCKET],
        [_policy({"Effect": "Allow", "NotPrincipal": {"AWS": _ROLE}, "Action": "*", "Resource": "*"}), _BUCKET],
        [_policy(_allow({"Federated": "graph.facebook.com"})), _BUCKET],
        [_policy(_CLOUDFRONT, _allow(Bool={"aws:SecureTransport": "true"})), _BUCKET],
        _text(_allow(StringLike={"aws:SourceVpc": "vpc-*"})),
        _text(_allow(StringEquals={"aws:SourceVpce": ["vpce-1a2b", "${aws:SourceVpce}"]})),
        _text(_allow(StringNotEquals={"aws:PrincipalOrgID": "o-a1b2c3d4e5"})),
        _text(_allow(StringEqualsIfExists={"aws:PrincipalOrgID": "o-a1b2c3d4e5"})),
        _text(_allow(**{"ForAllValues:StringEquals": {"aws:PrincipalOrgID": "o-a1b2c3d4e5"}})),
        _text(_allow(IpAddress={"aws:SourceIp": ["203.0.113.0/24", "0.0.0.0/1"]})),
        _text(_allow(IpAddress={"aws:VpcSourceIp": "10.0.0.0/8"})),
        _text(_allow(ArnLike={"aws:SourceArn": "arn:aws:cloudtrail:*:111122223333:trail/*"})),
        _text(
            _allow(), {**_EVERYONE, "Effect": "Deny", "Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}}
        ),
        [_policy(_allow()), _BUCKET, _block(blockPublicPolicy=True, restrictPublicBuckets=False)],
        [_policy(_allow()), _BUCKET, _account_block(blockPublicPolicy=True)],
        Part("aws:s3/bucket:Bucket", "inline", {"policy": json.dumps({"Statement": [_allow()]})}),
        Part("aws:s3/bucketV2:BucketV2", "inline", {"policy": {"Statement": _allow()}}),
        Part("aws-native:s3:BucketPolicy", "native", {"bucket": "data", "policyDocument": {"Statement": [_allow()]}}),
    ],
    good=[
        _text(_allow({"AWS": _ROLE})),
        _text(_allow({"AWS": ["111122223333", "arn:aws:iam::111122223333:root"]}), _allow({"CanonicalUser": "79a5"})),
        _text({**_EVERYONE, "Effect": "Deny", "Condition": {"Bool": {"aws:SecureTransport": "false"}}}),
        [_policy(_CLOUDFRONT), _BUCKET],
        [_policy({**_allow({"AWS": _ROLE}), "Action": UNKNOWN, "Resource": ref("data")}), _BUCKET],
        [
            _policy(_allow(StringEquals={"aws:SourceVpc": "vpc-91237329"}, Bool={"aws:SecureTransport": "true"})),
            _BUCKET,
        ],
        [_policy(_allow(StringEquals={"AWS:principalorgid": "o-a1b2c3d4e5", "s3:prefix": UNKNOWN})), _BUCKET],
        _text(_allow(IpAddress={"aws:SourceIp": ["203.0.113.7", "10.0.0.0/8", "2001:db8::/32"]})),
        _text(_allow(StringLike={"s3:DataAccessPointArn": "arn:aws:s3:us-west-2:111122223333:accesspoint/*"})),
        _text(_allow(**{"ForAnyValue:StringLike": {"aws:PrincipalOrgPaths": "o-a1b2c3d4e5/r-ab12/*"}})),
        _text(_allow(Bool={"aws:PrincipalIsAWSService": "true"})),
        [_policy(_allow()), _BUCKET, _block(**_FULL)],
        [_policy(_allow()), _BUCKET, _account_block(**_FULL)],
        [_UNKNOWN, _BUCKET, _block(**_FULL)],
        [_UNKNOWN, _BUCKET, _account_block(**_FULL)],
        [
            _policy(_allow({"AWS": ref("reader")}), _allow(StringEquals={"aws:SourceVpce": ref("endpoint")})),
            Part("aws:iam/role:Role", "reader"),
            Part("aws:ec2/vpcEndpoint:VpcEndpoint", "endpoint"),
            _BUCKET,
        ],
        Part("aws:s3/bucket:Bucket", "inline", {}),
        [
            Part("aws-native:s3:BucketPolicy", "native", {"bucket": ref("own"), "policyDocument": UNKNOWN}),
            Part("aws-native:s3:Bucket", "own", {_s3.INLINE_BLOCK: _FULL}),
        ],
    ],
    unsure=[
        [_UNKNOWN, _BUCKET],
        [_UNKNOWN, _BUCKET, _block(restrictPublicBuckets=UNKNOWN)],
        [_UNKNOWN, _BUCKET, _account_block(accountId="111122223333", **_FULL)],
        {"bucket": "data", "policy": "{not JSON"},
        {"bucket": "data", "policy": json.dumps(json.dumps({"Statement": [_allow()]}))},
        {"bucket": "data", "policy": json.dumps({"statement": [_allow()]})},
        _text([_allow()]),
        _text({**_EVERYONE, "Effect": "allow"}),
        _text(_allow({"aws": "*"})),
        [_policy(_allow({"AWS": UNKNOWN})), _BUCKET],
        [_policy(_allow(StringEquals={"aws:SourceVpce": UNKNOWN})), _BUCKET],
        [_policy(UNKNOWN, _allow({"AWS": _ROLE})), _BUCKET],
        [_policy({**_EVERYONE, "Effect": UNKNOWN}), _BUCKET],
        [_policy({**_EVERYONE, "Condition": UNKNOWN}), _BUCKET],
        [_policy(_allow(), _CLOUDFRONT), _BUCKET, _block(restrictPublicBuckets=UNKNOWN)],
    ],
)
def aws_s3_public_policy(resource: Resource) -> Iterator[Finding]:
    """Yield the statements that let strangers in while no public access block keeps them out."""
    document = resource["policyDocument" if resource.token.startswith("aws-native:") else "policy"]
    if is_given(document).is_false:
        return
    policy = document.json()
    if not policy.readable:
        gap = policy.gap._replace(why=CURE) if policy.is_unknown else policy.gap
        yield Finding("the policy may let strangers in", at=policy, when=unknown(gap) & ~_restricted(resource))
        return
    for gap in _iam_policy.misshapen(policy):
        yield Finding("the policy may let strangers in", at=policy, when=unknown(gap) & ~_restricted(resource))
    grants = list(_iam_policy.grants(policy, _iam_policy.S3))
    for grant in grants:
        unlisted = grant.names_everyone & grant.limit.works & ~grant.limit.listed
        yield Note(UNLISTED, at=grant.at, when=unlisted)
    grants = [grant for grant in grants if not grant.public.is_false]
    if not grants:
        return
    restricted = _restricted(resource)
    guarded = _iam_policy.denies_the_rest(policy)
    for grant in grants:
        words = _words(grant, guarded=guarded)
        yield Finding(words, at=grant.at, when=grant.public & ~restricted)
        yield Note(f"{words}; {RESTRICTED}", at=grant.at, when=grant.public & restricted)


def _restricted(resource: Resource) -> Truth:
    return _s3.setting_in_force(resource, "restrictPublicBuckets")


def _words(grant: _iam_policy.Grant, *, guarded: bool) -> str:
    if grant.statement["Condition"].is_empty().is_true:
        words = f"Allow for {grant.who} without a condition: strangers can"
    elif grant.limit.loose:
        words = f"Allow for {grant.who}, limited only by {LOOSE}, which S3 counts as public: whoever matches can"
    else:
        words = f"Allow for {grant.who}, with a condition that does not limit who: strangers can"
    guard = "; the Deny beside it does not count for S3: put its condition into this statement" if guarded else ""
    return f"{words} {_reach(grant.statement)}{guard}"


def _reach(statement: Value) -> str:
    actions = [item.text() or "" if item.is_text else "" for item in statement["Action"].each()]
    names = [action.lower().removeprefix("s3:") for action in actions]
    reads = any(name.startswith(READING) for name in names)
    writes = any(name.startswith(WRITING) for name in names)
    return READ_AND_WRITE[reads, writes]
