"""Azure storage account serves a website itself.

Why: the website's address answers everyone, without a key or a log-in, with every file in the container ``$web``.
Neither the container's access level nor the account's switch for anonymous access changes that, so whatever lands in
the container is public.

Fix: leave the static website out and serve the files through Azure Static Web Apps, or through Front Door with a
private origin. A site that is meant for everyone is fine as it is: exempt it by name.

Sources:
    https://learn.microsoft.com/azure/storage/blobs/storage-blob-static-website
    https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-prevent
    https://www.pulumi.com/registry/packages/azure/api-docs/storage/accountstaticwebsite/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, rule
from crossgate.rules.network import _azure_services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_ACCOUNT: Final = "azure:storage/account:Account"
_NATIVE_ACCOUNT: Final = "azure-native:storage:StorageAccount"
_APART: Final = {
    "azure:storage/accountStaticWebsite:AccountStaticWebsite": "storageAccountId",
    "azure-native:storage:StorageAccountStaticWebsite": "accountName",
}
"""A website as a resource of its own, and the input by which it names its account."""
_WEBSITE, _NATIVE_WEBSITE = _APART
_ACCOUNTS: Final = (_ACCOUNT, _NATIVE_ACCOUNT)
_PAGES: Final = {"indexDocument": "index.html", "error404Document": "404.html"}


@rule(
    types=(_ACCOUNT, *_APART),
    severity=Severity.LOW,
    neighbours=(*_ACCOUNTS, _azure_services.STORAGE_RULES),
    bad=[
        {"staticWebsite": _PAGES},
        {"staticWebsite": {"indexDocument": UNKNOWN}},
        Part(_WEBSITE, "site", {"storageAccountId": "/storageAccounts/site", **_PAGES}),
        Part(_NATIVE_WEBSITE, "site", {"accountName": "site", **_PAGES}),
    ],
    good=[
        {"accountTier": "Standard"},
        {"staticWebsite": _PAGES, "publicNetworkAccessEnabled": False},
        [
            Part(_ACCOUNT, "files", {"staticWebsite": _PAGES}),
            Part(_azure_services.STORAGE_RULES, "rules", {"storageAccountId": ref("files"), "defaultAction": "Deny"}),
        ],
        [
            Part(_NATIVE_WEBSITE, "site", {"accountName": ref("files"), **_PAGES}),
            Part(_NATIVE_ACCOUNT, "files", {"publicNetworkAccess": "Disabled"}),
        ],
    ],
    unsure=[
        {"staticWebsite": UNKNOWN, "publicNetworkAccessEnabled": UNKNOWN},
        [
            Part(_WEBSITE, "site", {"storageAccountId": ref("files"), **_PAGES}),
            Part(_ACCOUNT, "files", {"publicNetworkAccessEnabled": UNKNOWN}),
        ],
    ],
)
def azure_storage_website_hosting(resource: Resource) -> Iterator[Finding]:
    """Yield the website, unless its account takes no requests from the internet."""
    if resource.token == _ACCOUNT:
        website = resource["staticWebsite"]
        if website.exists().is_false:
            return
        reached = website.exists() & _azure_services.account_is_open(resource)
    else:
        website = resource["indexDocument"]
        links = resource.targets(_APART[resource.token], _ACCOUNTS)
        reached = ~any_of(link.linked & ~_azure_services.account_is_open(link.resource) for link in links)
    yield Finding("everyone may read every file in the container $web", at=website, when=reached)
