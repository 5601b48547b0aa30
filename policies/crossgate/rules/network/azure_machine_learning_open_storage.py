"""Azure machine learning workspace keeps sensitive data where every network reaches it.

Why: a workspace that is marked for data of high business impact writes snapshots, outputs and logs to its storage
account. While that account answers every network, one leaked key or link is enough to read them from anywhere.

Fix: set ``publicNetworkAccessEnabled`` of the storage account to false (azure-native: ``publicNetworkAccess`` to
``Disabled``) with a private endpoint, or ``defaultAction`` of its network rules to ``Deny``.

Sources:
    https://learn.microsoft.com/azure/machine-learning/concept-data-encryption
    https://learn.microsoft.com/azure/machine-learning/how-to-secure-workspace-vnet
    https://learn.microsoft.com/azure/storage/common/storage-network-security
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.network import _azure_services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


class _Keys(NamedTuple):
    sensitive: str
    account: str


_WORKSPACES: Final = {
    "azure:machinelearning/workspace:Workspace": _Keys("highBusinessImpact", "storageAccountId"),
    "azure-native:machinelearningservices:Workspace": _Keys("hbiWorkspace", "storageAccount"),
}
_ACCOUNTS: Final = ("azure:storage/account:Account", "azure-native:storage:StorageAccount")
_ACCOUNT, _NATIVE_ACCOUNT = _ACCOUNTS
_WORKSPACE, _NATIVE = _WORKSPACES


def _workspace(sensitive: object) -> Part:
    return Part(_WORKSPACE, "lab", {"highBusinessImpact": sensitive, "storageAccountId": ref("files")})


def _account(**inputs: object) -> Part:
    return Part(_ACCOUNT, "files", {"accountTier": "Standard", **inputs})


def _rules(action: object) -> Part:
    return Part(_azure_services.STORAGE_RULES, "rules", {"storageAccountId": ref("files"), "defaultAction": action})


@rule(
    types=tuple(_WORKSPACES),
    severity=Severity.MEDIUM,
    neighbours=(*_ACCOUNTS, _azure_services.STORAGE_RULES),
    equivalents=("checkov:CKV2_AZURE_50",),
    bad=[
        [_workspace(True), _account()],
        [_workspace(True), _account(publicNetworkAccessEnabled=True)],
        [_workspace(True), _account(), _rules("Allow")],
        [
            Part(_NATIVE, "lab", {"hbiWorkspace": True, "storageAccount": ref("files")}),
            Part(_NATIVE_ACCOUNT, "files", {"publicNetworkAccess": "Enabled"}),
        ],
    ],
    good=[
        [_workspace(True), _account(publicNetworkAccessEnabled=False)],
        [_workspace(False), _account()],
        [_workspace(True), _account(), _rules("Deny")],
        [_workspace(True), _account(networkRules={"defaultAction": "Deny"})],
        {"highBusinessImpact": True, "storageAccountId": "/storageAccounts/of-another-stack"},
        {"storageAccountId": "/storageAccounts/of-another-stack"},
    ],
    unsure=[
        [_workspace(UNKNOWN), _account()],
        [_workspace(True), _account(publicNetworkAccessEnabled=UNKNOWN)],
    ],
)
def azure_machine_learning_open_storage(workspace: Resource) -> Iterator[Finding]:
    """Yield the reference to a storage account that answers every network."""
    keys = _WORKSPACES[workspace.token]
    sensitive = workspace[keys.sensitive].is_true()
    for link in workspace.targets(keys.account, _ACCOUNTS):
        yield Finding(
            "every network reaches the storage account that holds its sensitive data",
            at=workspace[keys.account],
            when=sensitive & link.linked & _azure_services.account_is_open(link.resource),
        )
