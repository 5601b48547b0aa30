"""Azure storage account answers SFTP from every network.

Why: the account's SFTP endpoint knows local users of its own, with passwords or keys that no directory of the
organisation controls, and no second factor. Everyone on the internet may try them.

Fix: set ``defaultAction`` of ``networkRules`` (azure-native: ``networkRuleSet``) to ``Deny`` and list the partners'
addresses, or leave ``sftpEnabled`` (azure-native: ``isSftpEnabled``) out.

Sources:
    https://learn.microsoft.com/azure/storage/blobs/secure-file-transfer-protocol-support
    https://learn.microsoft.com/azure/storage/common/storage-network-security
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.network import _azure_services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SWITCHES: Final = {
    "azure:storage/account:Account": "sftpEnabled",
    "azure-native:storage:StorageAccount": "isSftpEnabled",
}
_ACCOUNT, _NATIVE = _SWITCHES
_RULES: Final = _azure_services.STORAGE_RULES


@rule(
    types=tuple(_SWITCHES),
    severity=Severity.MEDIUM,
    neighbours=(_RULES,),
    bad=[
        {"isHnsEnabled": True, "sftpEnabled": True},
        {"sftpEnabled": True, "networkRules": {"defaultAction": "Allow"}},
        Part(_NATIVE, "files", {"isSftpEnabled": True}),
    ],
    good=[
        {"isHnsEnabled": True},
        {"sftpEnabled": True, "networkRules": {"defaultAction": "Deny", "ipRules": ["203.0.113.7"]}},
        [
            Part(_ACCOUNT, "files", {"sftpEnabled": True}),
            Part(_RULES, "rules", {"storageAccountId": ref("files"), "defaultAction": "Deny"}),
        ],
        Part(_NATIVE, "files", {"isSftpEnabled": True, "publicNetworkAccess": "Disabled"}),
    ],
    unsure=[
        {"sftpEnabled": UNKNOWN},
        {"sftpEnabled": True, "networkRules": UNKNOWN},
    ],
)
def azure_storage_public_sftp(account: Resource) -> Iterator[Finding]:
    """Yield the switch that is on while every network reaches the account."""
    switch = account[_SWITCHES[account.token]]
    on = switch.is_true()
    if on.is_false:
        return
    yield Finding(
        "every network reaches its SFTP endpoint, which has users of its own",
        at=switch,
        when=on & _azure_services.account_is_open(account),
    )
