"""Azure storage account lets containers be opened to anonymous readers.

Why: the account's switch decides whether anyone may ever open one of its containers to the internet. While it is on, a
changed access level or a careless click is enough. The classic provider sends true when it is left out; azure-native
leaves the answer to the API version, which says true up to 2022-09-01 and false from 2023-01-01.

Fix: set ``allowNestedItemsToBePublic`` (classic) or ``allowBlobPublicAccess`` (azure-native) to false.

Sources:
    https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-prevent
    https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-configure
    https://www.pulumi.com/registry/packages/azure/api-docs/storage/account/
    https://www.pulumi.com/registry/packages/azure-native/api-docs/storage/storageaccount/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _azure_storage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def _native(version: str = "", *, provider: str = "", **inputs: object) -> Part:
    return Part(f"azure-native:storage{version}:StorageAccount", "files", inputs, provider=provider)


def _provider(name: str, **inputs: object) -> Part:
    return Part("pulumi:providers:azure-native", name, inputs)


_LOCAL_PACKAGE: Final = "azure-native_storage_v20220901:storage:StorageAccount"


@rule(
    types=_azure_storage.ACCOUNTS,
    severity=Severity.MEDIUM,
    frameworks=("CIS Azure 2.0 3.7",),
    equivalents=("checkov:CKV_AZURE_190", "checkov:CKV2_AZURE_47"),
    bad=[
        {},
        {"allowNestedItemsToBePublic": True},
        _native(allowBlobPublicAccess=True),
        _native("/v20230101", allowBlobPublicAccess=True),
        _native("/v20220901"),
        _native("/v20210201"),
        Part(_LOCAL_PACKAGE, "files", {}),
        [_native(provider="default_2_92_3"), _provider("default_2_92_3")],
        [_native(provider="own"), _provider("own", version="2.92.3")],
    ],
    good=[
        {"allowNestedItemsToBePublic": False},
        _native(allowBlobPublicAccess=False),
        _native("/v20220901", allowBlobPublicAccess=False),
        _native("/v20230101"),
        _native("/v20240101"),
        [_native(provider="default_3_29_0"), _provider("default_3_29_0")],
        [_native(provider="own"), _provider("own", version="3.29.0")],
    ],
    unsure=[
        {"allowNestedItemsToBePublic": UNKNOWN},
        _native(allowBlobPublicAccess=UNKNOWN),
        _native(),
        [_native(provider="own"), _provider("own")],
    ],
)
def azure_storage_public_account(account: Resource) -> Iterator[Finding]:
    """Yield the switch that is on, or left out where that means on."""
    switch = _azure_storage.switch(account)
    state = "is left out, and so on" if switch.exists().is_false else "is on"
    name = switch.path
    yield Finding(
        f"{name} {state}: any container can be opened to anonymous readers",
        at=switch,
        when=_azure_storage.is_open(account),
    )
