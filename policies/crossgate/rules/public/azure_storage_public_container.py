"""Azure blob container is open to anonymous readers.

Why: access level ``blob`` lets anyone on the internet read a blob whose name they know or guess, ``container`` lets
them list the blobs as well. No key, no log-in. The account's switch, set to false, makes the level void; left out, it
is true with the classic provider and with older API versions, so only a false that is written down is an excuse.

Fix: leave the level at ``private`` (``None`` with azure-native), set ``allowNestedItemsToBePublic``
(``allowBlobPublicAccess``) to false on the account, and hand out SAS tokens or put a CDN in front.

Sources:
    https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-configure
    https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-prevent
    https://www.pulumi.com/registry/packages/azure/api-docs/storage/container/
    https://www.pulumi.com/registry/packages/azure-native/api-docs/storage/blobcontainer/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Note, Part, Severity, any_of, ref, rule
from crossgate.rules.public import _azure_storage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

REACH: Final = {"blob": "anyone can read its blobs", "container": "anyone can list and read its blobs"}


def _container(level: object, **more: object) -> Part:
    inputs = {"storageAccountName": ref("files"), "containerAccessType": level, **more}
    return Part("azure:storage/container:Container", "public", inputs)


def _account(**inputs: object) -> Part:
    return Part("azure:storage/account:Account", "files", inputs)


def _native_container(level: object) -> Part:
    inputs = {"accountName": ref("files"), "publicAccess": level}
    return Part("azure-native:storage:BlobContainer", "public", inputs)


def _native_account(version: str = "", **inputs: object) -> Part:
    return Part(f"azure-native:storage{version}:StorageAccount", "files", inputs)


@rule(
    types=_azure_storage.CONTAINERS,
    severity=Severity.CRITICAL,
    neighbours=_azure_storage.ACCOUNTS,
    frameworks=("CIS Azure 2.0 3.7",),
    equivalents=(
        "checkov:CKV_AZURE_34",
        "trivy:AVD-AZU-0007",
        "kics:a0ab985d-660b-41f7-ac81-70957ee8e627",
        "kics:dd5230f8-a577-4bbb-b7ac-f2c2fe7d5299",
    ),
    bad=[
        {"storageAccountName": "acmefiles", "containerAccessType": "blob"},
        [_container("container"), _account()],
        [_container("blob"), _account(allowNestedItemsToBePublic=True)],
        [
            Part(
                "azure:storage/container:Container",
                "c",
                {"storageAccountId": ref("files"), "containerAccessType": "blob"},
            ),
            _account(allowNestedItemsToBePublic=True),
        ],
        [_native_container("Container"), _native_account(allowBlobPublicAccess=True)],
        [_native_container("Blob"), _native_account("/v20230101")],
        Part("azure-native:storage/v20220901:BlobContainer", "c", {"accountName": "acmefiles", "publicAccess": "Blob"}),
    ],
    good=[
        {"storageAccountName": "acmefiles"},
        [_container("private"), _account()],
        [_container("blob"), _account(allowNestedItemsToBePublic=False)],
        [_container(UNKNOWN), _account(allowNestedItemsToBePublic=False)],
        [_native_container("None"), _native_account(allowBlobPublicAccess=True)],
        [_native_container("Container"), _native_account(allowBlobPublicAccess=False)],
        [
            Part("azure-native:storage:BlobContainer", "c", {"accountName": "acmefiles", "publicAccess": "Blob"}),
            _native_account(accountName="acmefiles", allowBlobPublicAccess=False),
        ],
    ],
    unsure=[
        {"storageAccountName": "acmefiles", "containerAccessType": UNKNOWN},
        [_container("blob"), _account(allowNestedItemsToBePublic=UNKNOWN)],
        [_container(UNKNOWN), _account()],
        [_native_container("Blob"), _native_account(allowBlobPublicAccess=UNKNOWN)],
    ],
)
def azure_storage_public_container(container: Resource) -> Iterator[Finding]:
    """Yield the access level that lets anonymous readers in while the account's switch does not forbid it."""
    native = container.token == _azure_storage.NATIVE_CONTAINER
    level = container["publicAccess" if native else "containerAccessType"]
    public = level.test(lambda content: str(content).lower() in REACH)
    if public.is_false:
        return
    closed = any_of(
        link.linked & _azure_storage.is_closed(link.resource) for link in _azure_storage.accounts(container)
    )
    name = (level.text() or "").lower() if public.is_true else ""
    words = f"access level {name}: {REACH[name]}" if name else "anonymous readers may be let in"
    yield Finding(words, at=level, when=public & ~closed)
    yield Note(f"{words}; Azure refuses it, since the account forbids anonymous access", at=level, when=public & closed)
