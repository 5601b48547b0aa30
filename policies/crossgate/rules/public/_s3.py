"""What stands beside an S3 bucket: ownership controls and public access blocks, joined to what asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, TRUE, Gap, Link, any_of, truth, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

BUCKETS: Final = ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2")
ACLS: Final = ("aws:s3/bucketAcl:BucketAcl", "aws:s3/bucketAclV2:BucketAclV2")
OWNERSHIP: Final = ("aws:s3/bucketOwnershipControls:BucketOwnershipControls",)
BLOCKS: Final = ("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",)
ACCOUNT_BLOCKS: Final = ("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock",)
_ACCOUNT_SETTINGS: Final = ("profile", "assumeRoles", "assumeRole", "allowedAccountIds")
SETTINGS: Final = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
"""The four settings of a public access block."""


def beside(resource: Resource, types: tuple[str, ...]) -> Iterator[Link]:
    """Yield the resources of ``types`` that stand beside ``resource`` on the same bucket.

    ``resource`` is a bucket, or refers to one through its input ``bucket``.
    """
    if resource.token in BUCKETS:
        yield from resource.related(types, "bucket", BUCKETS)
    else:
        yield from resource.stack.sharing(resource, "bucket", BUCKETS, types)


def acls_disabled(resource: Resource) -> Truth:
    """Is Object Ownership BucketOwnerEnforced on this bucket, so that S3 answers every public ACL with 400?

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-ownership-error-responses.html
    """
    return any_of(
        link.linked & link.resource["rule"]["objectOwnership"].equals("BucketOwnerEnforced")
        for link in beside(resource, OWNERSHIP)
    )


def ignores_public_acls(resource: Resource) -> Truth:
    """Does the bucket's own block, or the account's, have ``ignorePublicAcls``?"""
    return setting_on_bucket(resource, "ignorePublicAcls") | setting_on_account(resource, "ignorePublicAcls")


def setting_on_bucket(resource: Resource, setting: str) -> Truth:
    """Is a block setting known to be on for the bucket itself? A setting that is left out is off."""
    return any_of(link.linked & link.resource[setting].is_true() for link in beside(resource, BLOCKS))


def setting_on_account(resource: Resource, setting: str) -> Truth:
    """Is a block setting on for the account that holds the bucket?

    The account's block holds in all Regions. The same provider without ``accountId`` means the same account; another
    provider, or an explicit ``accountId``, may mean another one.
    """
    return any_of(link.linked & link.resource[setting].is_true() for link in account_blocks(resource))


def account_blocks(resource: Resource) -> Iterator[Link]:
    """Yield the account-level blocks of the stack, each with whether it holds for the account of ``resource``.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    """
    for block in resource.stack.of_type(*ACCOUNT_BLOCKS):
        yield Link(block, _same_account(block, resource))
    yield from resource.stack.unseen(ACCOUNT_BLOCKS)


def _same_account(block: Resource, resource: Resource) -> Truth:
    account = block["accountId"]
    if account.exists().is_true:
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
