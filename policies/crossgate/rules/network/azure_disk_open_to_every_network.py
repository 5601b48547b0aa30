"""Azure disk or snapshot can be exported to every network.

Why: whoever may export a disk gets a link that works from anywhere until it expires: passed on or leaked, it hands out
every file on the disk. Azure allows it unless the disk says otherwise.

Fix: set ``networkAccessPolicy`` to ``DenyAll``, or to ``AllowPrivate`` with a disk access resource and its private
endpoint, or set ``publicNetworkAccessEnabled`` to false (azure-native: ``publicNetworkAccess`` to ``Disabled``).

Sources:
    https://learn.microsoft.com/azure/virtual-machines/disks-restrict-import-export-overview
    https://www.pulumi.com/registry/packages/azure/api-docs/compute/manageddisk/
    https://www.pulumi.com/registry/packages/azure-native/api-docs/compute/disk/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _azure_switch
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SWITCHES: Final = {
    "azure:compute/managedDisk:ManagedDisk": "publicNetworkAccessEnabled",
    "azure:compute/snapshot:Snapshot": "publicNetworkAccessEnabled",
    "azure-native:compute:Disk": "publicNetworkAccess",
    "azure-native:compute:Snapshot": "publicNetworkAccess",
}
_, _SNAPSHOT, _NATIVE, _ = _SWITCHES


@rule(
    types=tuple(_SWITCHES),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AZURE_251",),
    bad=[
        {"storageAccountType": "Standard_LRS", "createOption": "Empty"},
        {"publicNetworkAccessEnabled": True, "networkAccessPolicy": "AllowAll"},
        Part(_SNAPSHOT, "copy", {"createOption": "Copy"}),
        Part(_NATIVE, "data", {"publicNetworkAccess": "Enabled"}),
        Part("azure-native:compute/v20230402:Snapshot", "copy", {}),
    ],
    good=[
        {"storageAccountType": "Standard_LRS", "createOption": "Empty", "publicNetworkAccessEnabled": False},
        {"networkAccessPolicy": "DenyAll"},
        {"networkAccessPolicy": "AllowPrivate", "diskAccessId": "/a/door"},
        Part(_SNAPSHOT, "copy", {"publicNetworkAccessEnabled": False}),
        Part(_NATIVE, "data", {"publicNetworkAccess": "Disabled"}),
    ],
    unsure=[
        {"publicNetworkAccessEnabled": UNKNOWN},
        {"networkAccessPolicy": UNKNOWN},
    ],
)
def azure_disk_open_to_every_network(disk: Resource) -> Iterator[Finding]:
    """Yield the switch that is on, or left out, while the policy lets every network in."""
    switch, policy = disk[_SWITCHES[disk.token]], disk["networkAccessPolicy"]
    closed = _azure_switch.is_off(switch) | says(policy, "denyall") | says(policy, "allowprivate")
    yield Finding("a link to its content works from every network", at=switch, when=~closed)
