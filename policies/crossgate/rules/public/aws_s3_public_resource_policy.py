"""Policy of an S3 access point, table, vector bucket or file system lets strangers in.

Why: S3 reads resource policies on more than buckets: on access points of all kinds, on S3 Tables, S3 Vectors and S3
Files, on buckets on Outposts and on an Access Grants instance. An Allow for ``Principal: "*"`` there gives its actions
to everyone, unless a condition compares who asks, or from where, with fixed values. In the policy of an access point
the keys ``s3:DataAccessPointArn`` and ``s3:DataAccessPointAccount`` limit nobody: every request comes through it.

S3 refuses the policy of an access point, or keeps strangers out all the same, while the access point has its own block
on, as it has unless the program switches it off, or belongs to one VPC. That is remarked on. Tables, vector buckets and
Object Lambda access points cannot be made public either, but nothing in the program shows it, and a policy that means
everyone is wrong.

Fix: name the accounts, roles or services that need access. Where everyone of a network or an organisation may come,
keep ``*`` and add a condition such as ``StringEquals`` on ``aws:PrincipalOrgID`` or ``aws:SourceVpce`` with fixed
values.

Sources:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-bpa-settings.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/MultiRegionAccessPointPermissions.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-tables-buckets.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-bucket-policy.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-files-security-iam.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants-cross-accounts.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import FALSE, TRUE, UNKNOWN, Finding, Link, Note, Part, Severity, any_of, ref, rule, truth, unknown
from crossgate.rules.public import _iam_policy, _s3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value


class Place(NamedTuple):
    """Where a type of resource states its policy, and what that policy is about."""

    path: tuple[str, ...]
    what: str
    """Words for what strangers get to."""
    point: str = ""
    """The property that refers to the access point; ``.`` when it is the access point itself."""
    service: _iam_policy.Service = _iam_policy.S3


_POINT: Final = "the access point"
_MULTI: Final = "the Multi-Region Access Point"
_LAMBDA: Final = "the Object Lambda access point"
_TABLES: Final = "the tables"
_VECTORS: Final = "the vector bucket"
_FILES: Final = _iam_policy.S3._replace(switches=frozenset({"s3files:accessedviamounttarget"}))
_THROUGH: Final = _iam_policy.S3_ACCESS_POINT

PLACES: Final = {
    "aws:s3/accessPoint:AccessPoint": Place(("policy",), _POINT, ".", _THROUGH),
    "aws-native:s3:AccessPoint": Place(("policy",), _POINT, ".", _THROUGH),
    "aws:s3control/accessPointPolicy:AccessPointPolicy": Place(("policy",), _POINT, "accessPointArn", _THROUGH),
    "aws:s3control/multiRegionAccessPointPolicy:MultiRegionAccessPointPolicy": Place(
        ("details", "policy"), _MULTI, "details", _THROUGH
    ),
    "aws-native:s3:MultiRegionAccessPointPolicy": Place(("policy",), _MULTI, "mrapName", _THROUGH),
    "aws:s3control/objectLambdaAccessPointPolicy:ObjectLambdaAccessPointPolicy": Place(
        ("policy",), _LAMBDA, service=_THROUGH
    ),
    "aws-native:s3objectlambda:AccessPointPolicy": Place(("policyDocument",), _LAMBDA, service=_THROUGH),
    "aws:s3control/accessGrantsInstanceResourcePolicy:AccessGrantsInstanceResourcePolicy": Place(
        ("policy",), "the Access Grants instance"
    ),
    "aws:s3control/bucketPolicy:BucketPolicy": Place(("policy",), "the bucket on Outposts"),
    "aws-native:s3outposts:BucketPolicy": Place(("policyDocument",), "the bucket on Outposts"),
    "aws-native:s3express:BucketPolicy": Place(("policyDocument",), "the directory bucket"),
    "aws:s3tables/tableBucketPolicy:TableBucketPolicy": Place(("resourcePolicy",), _TABLES),
    "aws:s3tables/tablePolicy:TablePolicy": Place(("resourcePolicy",), "the table"),
    "aws-native:s3tables:TableBucketPolicy": Place(("resourcePolicy",), _TABLES),
    "aws-native:s3tables:TablePolicy": Place(("resourcePolicy",), "the table"),
    "aws:s3/vectorsVectorBucketPolicy:VectorsVectorBucketPolicy": Place(("policy",), _VECTORS),
    "aws-native:s3vectors:VectorBucketPolicy": Place(("policy",), _VECTORS),
    "aws:s3/filesFileSystemPolicy:FilesFileSystemPolicy": Place(("policy",), "the file system", service=_FILES),
    "aws-native:s3files:FileSystemPolicy": Place(("policy",), "the file system", service=_FILES),
}
CURE: Final = "not known until the update, and judged there; write its ARNs with names that are known"
CLOSED: Final = "the access point is closed to the public, so that S3 refuses this or lets no stranger in"

_EVERYONE: Final = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}
_OPEN: Final = {"blockPublicPolicy": False, "restrictPublicBuckets": False}
_ROLE: Final = "arn:aws:iam::111122223333:role/reader"


def _document(*statements: Any) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def _limited(**condition: Any) -> dict[str, Any]:
    return {**_EVERYONE, "Condition": condition}


def _named(principal: Any) -> dict[str, Any]:
    return {**_EVERYONE, "Principal": principal}


def _stated(token: str, *statements: Any, **more: Any) -> Part:
    """Return a resource of this type with a policy of these statements."""
    inputs: Any = _document(*statements)
    for key in reversed(PLACES[token].path):
        inputs = {key: inputs}
    return Part(token, "policy", {**inputs, **more})


def _point(block: Any = None, **more: Any) -> Part:
    block = {"publicAccessBlockConfiguration": block} if block is not None else {}
    return Part("aws:s3/accessPoint:AccessPoint", "point", {"bucket": "data", **block, **more})


def _multi(block: Any) -> Part:
    details = {"name": "reports", "publicAccessBlock": block}
    return Part("aws:s3control/multiRegionAccessPoint:MultiRegionAccessPoint", "multi", {"details": details})


def _multi_policy(*statements: Any, name: object = "reports") -> Part:
    details = {"name": name, "policy": json.dumps(_document(*statements))}
    return Part("aws:s3control/multiRegionAccessPointPolicy:MultiRegionAccessPointPolicy", "p", {"details": details})


def _multi_by_name(name: object) -> Part:
    """Return a policy of an ``aws-native`` Multi-Region Access Point."""
    inputs = {"mrapName": name, "policy": _document(_EVERYONE)}
    return Part("aws-native:s3:MultiRegionAccessPointPolicy", "p", inputs)


def _native_multi(name: str) -> Part:
    return Part("aws-native:s3:MultiRegionAccessPoint", "other", {"name": name})


_INLINE: Final = "aws:s3/accessPoint:AccessPoint"
_APART: Final = "aws:s3control/accessPointPolicy:AccessPointPolicy"
_VPCE: Final = {"StringEquals": {"aws:SourceVpce": "vpce-1a2b"}}
_OWN: Final = {"StringEquals": {"s3:DataAccessPointAccount": "111122223333"}}


@rule(
    types=tuple(PLACES),
    severity=Severity.CRITICAL,
    undetermined="warn",
    neighbours=(*_s3.ACCESS_POINTS, *_s3.BUCKETS, *_s3.BLOCKS, *_s3.ACCOUNT_BLOCKS),
    bad=[
        _stated(_INLINE, _EVERYONE, bucket="data", publicAccessBlockConfiguration=_OPEN),
        [_stated(_APART, _EVERYONE, accessPointArn=ref("point")), _point(_OPEN)],
        [_stated(_APART, _limited(**_OWN), accessPointArn=ref("point")), _point(_OPEN)],
        [_multi_policy(_EVERYONE), _multi(_OPEN)],
        [_multi_by_name(ref("multi")), _multi(_OPEN), _native_multi("other")],
        *(_stated(token, _EVERYONE) for token in PLACES if PLACES[token].point != "."),
        _stated("aws:s3/filesFileSystemPolicy:FilesFileSystemPolicy", _limited(Bool={"aws:SecureTransport": "true"})),
    ],
    good=[
        _stated(_INLINE, _named({"AWS": _ROLE}), bucket="data", publicAccessBlockConfiguration=_OPEN),
        _stated(_INLINE, _EVERYONE, bucket="data"),
        _stated(_INLINE, _EVERYONE, bucket="data", vpcConfiguration={"vpcId": "vpc-1a2b"}),
        _point(_OPEN),
        _point(_OPEN, policy="{}"),
        _point(_OPEN, policy=""),
        [_stated(_APART, _EVERYONE, accessPointArn=ref("point")), _point()],
        [_stated(_APART, _limited(**_VPCE), accessPointArn=ref("point")), _point(_OPEN)],
        [_multi_policy(_EVERYONE), _multi({})],
        [_multi_by_name(ref("multi")), _multi({}), _native_multi("other")],
        [_multi_by_name("reports"), _native_multi("reports")],
        *(_stated(token, _named({"AWS": _ROLE})) for token in PLACES),
        *(_stated(token, _limited(StringEquals={"aws:PrincipalOrgID": "o-a1b2c3d4e5"})) for token in PLACES),
        _stated(
            "aws:s3/filesFileSystemPolicy:FilesFileSystemPolicy",
            _limited(Bool={"s3files:AccessedViaMountTarget": "true"}),
        ),
    ],
    unsure=[
        _stated(_APART, UNKNOWN, accessPointArn="arn:aws:s3:eu-west-1:111122223333:accesspoint/reports"),
        [Part(_APART, "policy", {"accessPointArn": ref("point"), "policy": ref("point")}), _point(_OPEN)],
        [_stated(_APART, _EVERYONE, accessPointArn=ref("point")), _point({"restrictPublicBuckets": UNKNOWN})],
        [_multi_policy(_EVERYONE, name=UNKNOWN), _multi({})],
        Part("aws:s3tables/tableBucketPolicy:TableBucketPolicy", "policy", {"resourcePolicy": "{not JSON"}),
        Part("aws:s3tables/tableBucketPolicy:TableBucketPolicy", "policy", {"resourcePolicy": {"statement": []}}),
    ],
)
def aws_s3_public_resource_policy(resource: Resource) -> Iterator[Finding]:
    """Yield the statements that let strangers in while no access point's block keeps them out."""
    place = PLACES[resource.token]
    policy = resource.inputs
    for key in place.path:
        policy = policy[key]
    document = policy.json()
    if policy.is_empty().is_true or document.is_empty().is_true:  # "{}" takes the policy away
        return
    policy = document
    if policy.readable:
        gaps = list(_iam_policy.misshapen(policy))
        grants = [grant for grant in _iam_policy.grants(policy, place.service) if not grant.public.is_false]
    else:
        gaps = [policy.gap._replace(why=CURE) if policy.is_unknown else policy.gap]
        grants = []
    if not gaps and not grants:
        return
    closed = _closed(resource, place)
    for gap in gaps:
        yield Finding("the policy may let strangers in", at=policy, when=unknown(gap) & ~closed)
    for grant in grants:
        words = f"{grant.words} to {place.what}"
        yield Finding(words, at=grant.at, when=grant.public & ~closed)
        yield Note(f"{words}; {CLOSED}", at=grant.at, when=grant.public & closed)


def _closed(resource: Resource, place: Place) -> Truth:
    """Is the access point that the policy belongs to known to be closed to the public?"""
    return any_of(link.linked & _point_is_closed(link.resource) for link in _points(resource, place))


def _point_is_closed(point: Resource) -> Truth:
    setting = "restrictPublicBuckets"
    closed = _s3.setting_on_access_point(point, setting)
    return closed if closed.is_true else closed | _s3.never_public(point) | _s3.setting_in_force(point, setting)


def _points(resource: Resource, place: Place) -> Iterator[Link]:
    """Yield the access points that the policy may belong to, each with whether it does."""
    if place.point == ".":
        yield Link(resource, TRUE)
    elif place.point == "accessPointArn":
        yield from resource.targets(place.point, _s3.ACCESS_POINTS)
    elif place.point:
        for point in resource.stack.of_type(*_s3.MULTI_REGION_ACCESS_POINTS):
            yield Link(point, _is_named(resource, place.point, point))
        yield from resource.stack.unseen(_s3.MULTI_REGION_ACCESS_POINTS)


def _is_named(policy: Resource, key: str, point: Resource) -> Truth:
    """Does a policy name this Multi-Region Access Point? Either provider may have made either of them."""
    theirs, own = _name(policy, key), _name(point, "name")
    if theirs.is_text and own.is_text:
        return truth(theirs.text() == own.text())
    if theirs.is_unknown and policy.property_comes_only_from(key, _s3.MULTI_REGION_ACCESS_POINTS):
        edges = set(policy.property_dependencies[key])
        return truth(point.urn in edges) if len(edges) == 1 or point.urn not in edges else unknown(theirs.gap)
    return next((unknown(name.gap) for name in (theirs, own) if not name.readable), FALSE)


def _name(resource: Resource, key: str) -> Value:
    details = resource["details"]
    return resource[key] if details.exists().is_false else details["name"]
