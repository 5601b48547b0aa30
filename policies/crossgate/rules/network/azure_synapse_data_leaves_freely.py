"""Synapse workspace lets data go to any tenant.

Why: code that runs in the workspace, somebody else's package included, can copy what it reads to a store of any other
organisation. With protection against exfiltration it reaches resources of approved tenants alone. It cannot be switched
on later.

Fix: set ``dataExfiltrationProtectionEnabled`` and ``managedVirtualNetworkEnabled`` to true (azure-native:
``managedVirtualNetworkSettings.preventDataExfiltration``).

Sources:
    https://learn.microsoft.com/azure/synapse-analytics/security/workspace-data-exfiltration-protection
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network._settings import follow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SWITCHES: Final = {
    "azure:synapse/workspace:Workspace": ("dataExfiltrationProtectionEnabled",),
    "azure-native:synapse:Workspace": ("managedVirtualNetworkSettings", "preventDataExfiltration"),
}
_, _NATIVE = _SWITCHES


@rule(
    types=tuple(_SWITCHES),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AZURE_157",),
    bad=[
        {"managedVirtualNetworkEnabled": True},
        {"dataExfiltrationProtectionEnabled": False},
        Part(_NATIVE, "work", {"managedVirtualNetwork": "default"}),
    ],
    good=[
        {"managedVirtualNetworkEnabled": True, "dataExfiltrationProtectionEnabled": True},
        Part(_NATIVE, "work", {"managedVirtualNetworkSettings": {"preventDataExfiltration": True}}),
    ],
    unsure=[
        {"dataExfiltrationProtectionEnabled": UNKNOWN},
        Part(_NATIVE, "work", {"managedVirtualNetworkSettings": UNKNOWN}),
    ],
)
def azure_synapse_data_leaves_freely(workspace: Resource) -> Iterator[Finding]:
    """Yield the switch that is off, or left out where that means off."""
    switch = follow(workspace, _SWITCHES[workspace.token])
    yield Finding("what runs in it may send data to any tenant", at=switch, when=~switch.is_true())
