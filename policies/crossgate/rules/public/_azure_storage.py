"""Whether an Azure storage account lets its containers be read anonymously, in both providers' shapes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from crossgate import Gap, truth, unknown
from crossgate.rules._provider_version import provider_major

if TYPE_CHECKING:
    from crossgate import Link, Resource, Truth, Value

CLASSIC_ACCOUNT: Final = "azure:storage/account:Account"
NATIVE_ACCOUNT: Final = "azure-native:storage:StorageAccount"
ACCOUNTS: Final = (CLASSIC_ACCOUNT, NATIVE_ACCOUNT)
CLASSIC_CONTAINER: Final = "azure:storage/container:Container"
NATIVE_CONTAINER: Final = "azure-native:storage:BlobContainer"
CONTAINERS: Final = (CLASSIC_CONTAINER, NATIVE_CONTAINER)

_REFERENCES: Final = ("storageAccountName", "storageAccountId", "accountName")
_CLOSED_BY_DEFAULT_SINCE: Final = "20230101"
"""The first API version whose documentation says that a missing ``allowBlobPublicAccess`` means false."""
_CLOSED_BY_DEFAULT_MAJORS: Final = (1, 2, 3, 4)
"""The majors of the classic provider that send false when the switch is left out; since major 5 they send true."""
_CLOSED_BY_DEFAULT_MAJOR: Final = 3
"""The first major of azure-native whose unversioned StorageAccount uses such an API version (2024-01-01; 2022-09-01 in
major 2, 2021-02-01 in major 1)."""


def switch(account: Resource) -> Value:
    """Return the account's switch for anonymous access; absent means the default, see :func:`is_open`.

    Until its major 4 the classic provider named it as the API does.
    """
    older = account["allowBlobPublicAccess"]
    if account.token == CLASSIC_ACCOUNT and older.exists().is_false:
        return account["allowNestedItemsToBePublic"]
    return older


def is_open(account: Resource) -> Truth:
    """May a container of the account be opened to anonymous readers?

    Sources:
        https://www.pulumi.com/registry/packages/azure/api-docs/storage/account/
        https://www.pulumi.com/registry/packages/azure-native/api-docs/storage/storageaccount/
        https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-prevent
    """
    value = switch(account)
    if value.exists().is_false:
        if account.token != CLASSIC_ACCOUNT:
            return _native_default(account)
        return truth(provider_major(account) not in _CLOSED_BY_DEFAULT_MAJORS)
    return ~value.is_false()


def is_closed(account: Resource) -> Truth:
    """Is anonymous access switched off by the program itself? A default that is false today does not count."""
    return switch(account).is_false()


def accounts(container: Resource) -> list[Link]:
    """Return the storage accounts of the stack that hold, or may hold, the container."""
    return [link for reference in _REFERENCES for link in container.targets(reference, ACCOUNTS)]


def _native_default(account: Resource) -> Truth:
    version = re.search(r"v(\d{8})", account.type)
    if version is not None:
        return truth(version[1] < _CLOSED_BY_DEFAULT_SINCE)
    major = provider_major(account)
    if major is not None:
        return truth(major < _CLOSED_BY_DEFAULT_MAJOR)
    why = "left out, and what that means depends on the provider's version: write it out"
    return unknown(Gap(account.urn, "allowBlobPublicAccess", why))
