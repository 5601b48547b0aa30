"""What stands beside an S3 bucket: ownership controls and public access blocks, in every provider's shape.

``aws`` states ownership and block as resources of their own, ``aws-native`` inside the bucket. Rules ask here and need
not know which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, TRUE, Gap, Link, any_of, truth, unknown
from crossgate.rules._given import is_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

NATIVE_BUCKETS: Final = ("aws-native:s3:Bucket",)
BUCKETS: Final = ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2", *NATIVE_BUCKETS)
ACLS: Final = ("aws:s3/bucketAcl:BucketAcl", "aws:s3/bucketAclV2:BucketAclV2")
OBJECTS: Final = (
    "aws:s3/bucketObject:BucketObject",
    "aws:s3/bucketObjectv2:BucketObjectv2",
    "aws:s3/objectCopy:ObjectCopy",
)
DIRECTORY_BUCKETS: Final = ("aws:s3/directoryBucket:DirectoryBucket",)
POLICIES: Final = ("aws:s3/bucketPolicy:BucketPolicy", "aws-native:s3:BucketPolicy")
OWNERSHIP: Final = ("aws:s3/bucketOwnershipControls:BucketOwnershipControls",)
BLOCKS: Final = ("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",)
ACCOUNT_BLOCKS: Final = ("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock",)
MULTI_REGION_ACCESS_POINTS: Final = (
    "aws:s3control/multiRegionAccessPoint:MultiRegionAccessPoint",
    "aws-native:s3:MultiRegionAccessPoint",
)
ACCESS_POINTS: Final = ("aws:s3/accessPoint:AccessPoint", "aws-native:s3:AccessPoint", *MULTI_REGION_ACCESS_POINTS)
SETTINGS: Final = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
"""The four settings of a public access block."""
INLINE_BLOCK: Final = "publicAccessBlockConfiguration"
"""Where an aws-native bucket states its block."""
_ACCOUNT_SETTINGS: Final = ("profile", "assumeRoles", "assumeRole", "allowedAccountIds")


def beside(resource: Resource, types: tuple[str, ...]) -> Iterator[Link]:
    """Yield the resources of ``types`` that stand beside ``resource`` on the same bucket.

    ``resource`` is a bucket, or refers to one through its input ``bucket``.
    """
    if resource.token in BUCKETS:
        yield from resource.related(types, "bucket", BUCKETS)
    else:
        yield from resource.stack.sharing(resource, "bucket", BUCKETS, types)


def object_ownership(resource: Resource) -> Iterator[tuple[Truth, Value]]:
    """Yield the Object Ownership settings that may hold for the bucket, each with whether it does.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
    """
    for link in beside(resource, OWNERSHIP):
        yield link.linked, link.resource["rule"]["objectOwnership"]
    for link in _native_bucket(resource):
        rules = list(link.resource["ownershipControls"]["rules"].each())
        rule = next((rule for rule in rules if rule.readable), rules[0] if rules else None)  # S3 takes exactly one
        if rule is not None:
            yield link.linked, rule["objectOwnership"]


def setting_on_bucket(resource: Resource, setting: str) -> Truth:
    """Is a block setting on for the bucket itself? A setting that is left out is off."""
    beside_it = any_of(link.linked & link.resource[setting].is_true() for link in beside(resource, BLOCKS))
    if beside_it.is_true:
        return beside_it
    return beside_it | any_of(
        link.linked & link.resource[INLINE_BLOCK][setting].is_true() for link in _native_bucket(resource)
    )


def setting_on_account(resource: Resource, setting: str) -> Truth:
    """Is a block setting on for the account that holds the bucket?

    The account's block holds in all Regions, and the stricter of bucket and account wins, setting by setting. The
    same provider without ``accountId`` means the same account; another provider, or an explicit ``accountId``, may
    mean another one.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    """
    return any_of(link.linked & link.resource[setting].is_true() for link in _account_blocks(resource))


def setting_in_force(resource: Resource, setting: str) -> Truth:
    """Is a block setting on, for the bucket or for its account?"""
    on_bucket = setting_on_bucket(resource, setting)
    return on_bucket if on_bucket.is_true else on_bucket | setting_on_account(resource, setting)


def in_directory_bucket(item: Resource) -> Truth:
    """Does an object belong to a directory bucket, in which ACLs are always off? Its name tells.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-security.html
    """
    bucket = item["bucket"]
    if bucket.comes_only_from(DIRECTORY_BUCKETS):
        return TRUE
    return bucket.test(lambda name: str(name).endswith("--x-s3"), never_from=BUCKETS)


def access_point_block(point: Resource) -> Value:
    """Return the block that an access point states for itself."""
    if point.token == MULTI_REGION_ACCESS_POINTS[0]:
        return point["details"]["publicAccessBlock"]
    return point[INLINE_BLOCK]


def setting_on_access_point(point: Resource, setting: str) -> Truth:
    """Is a block setting on for the access point itself? All are, unless the program switches them off.

    What S3 takes for a setting that an ``aws-native`` block leaves out is not documented; ``aws`` sends true.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-bpa-settings.html
    """
    block = access_point_block(point)
    value = block[setting]
    if point.token.startswith("aws-native:") and block.is_map and value.exists().is_false:
        return unknown(value.gap._replace(why="left out, and what S3 takes then is not documented: set it"))
    return value.is_true(absent=True)


def never_public(point: Resource) -> Truth:
    """Is an access point closed to the public by its nature: within a VPC, or of a directory bucket?

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-vpc.html
    """
    in_vpc = is_given(point["vpcConfiguration"]["vpcId"])
    return in_vpc if in_vpc.is_true else in_vpc | point["name"].test(lambda name: str(name).endswith("--xa-s3"))


def _native_bucket(resource: Resource) -> list[Link]:
    if resource.token in NATIVE_BUCKETS:
        return [Link(resource, TRUE)]
    return [] if resource.token in BUCKETS else resource.targets("bucket", NATIVE_BUCKETS)


def _account_blocks(resource: Resource) -> Iterator[Link]:
    """Yield the account-level blocks of the stack, each with whether it holds for the account of ``resource``."""
    for block in resource.stack.of_type(*ACCOUNT_BLOCKS):
        yield Link(block, _same_account(block, resource))
    yield from resource.stack.unseen(ACCOUNT_BLOCKS)


def _same_account(block: Resource, resource: Resource) -> Truth:
    account = block["accountId"]
    if is_given(account).is_true:
        provider = resource.provider
        allowed = provider["allowedAccountIds"].json() if provider is not None else None
        if allowed is not None and allowed[1].is_absent and allowed[0].is_text and account.is_text:
            return truth(allowed[0].text() == account.text())
        return unknown(Gap(block.urn, "accountId", "names an account, and the bucket's own account is not known"))
    if block.provider_urn == resource.provider_urn:
        return TRUE
    here, there = block.provider, resource.provider
    if here is not None and there is not None and any(_differ(here[key], there[key]) for key in _ACCOUNT_SETTINGS):
        return FALSE
    return unknown(Gap(block.urn, "", "is managed by another provider, which may work in another account"))


def _differ(left: Value, right: Value) -> bool:
    return left.is_text and right.is_text and left.text() != right.text()
