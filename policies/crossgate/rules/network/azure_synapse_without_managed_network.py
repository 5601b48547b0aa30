"""Synapse workspace has no managed virtual network.

Why: without one, the workspace's Spark pools and integration runtimes share a network with other workspaces' and reach
data over public addresses; managed private endpoints are not to be had. It cannot be added later.

Fix: set ``managedVirtualNetworkEnabled`` to true (azure-native: ``managedVirtualNetwork`` to ``default``).

Sources:
    https://learn.microsoft.com/azure/synapse-analytics/security/synapse-workspace-managed-vnet
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NATIVE: Final = "azure-native:synapse:Workspace"


@rule(
    types=("azure:synapse/workspace:Workspace", _NATIVE),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AZURE_58", "trivy:AVD-AZU-0034"),
    bad=[
        {"managedVirtualNetworkEnabled": False},
        {"sqlAdministratorLogin": "someone"},
        Part(_NATIVE, "work", {"sqlAdministratorLogin": "someone"}),
    ],
    good=[
        {"managedVirtualNetworkEnabled": True},
        Part(_NATIVE, "work", {"managedVirtualNetwork": "default"}),
    ],
    unsure=[
        {"managedVirtualNetworkEnabled": UNKNOWN},
        Part(_NATIVE, "work", {"managedVirtualNetwork": UNKNOWN}),
    ],
)
def azure_synapse_without_managed_network(workspace: Resource) -> Iterator[Finding]:
    """Yield the switch that is off, or left out, which means off."""
    if workspace.token == _NATIVE:
        network = workspace["managedVirtualNetwork"]
        managed = network.equals("default")
    else:
        network = workspace["managedVirtualNetworkEnabled"]
        managed = network.is_true()
    yield Finding(
        "no managed virtual network: pools and runtimes reach data over public addresses", at=network, when=~managed
    )
