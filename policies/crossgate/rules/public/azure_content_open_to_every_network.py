"""Azure container registry or file sync service answers every network.

Why: who signs in is then all that keeps a stranger out: a token that leaks in a build log works from anywhere. Both
services answer every network unless they are told not to.

Fix: reach the service through a private endpoint, and set ``publicNetworkAccessEnabled`` of the registry to false
(``publicNetworkAccess: Disabled`` in azure-native), or ``incomingTrafficPolicy`` of the sync service to
``AllowVirtualNetworksOnly``.

Sources:
    https://learn.microsoft.com/azure/container-registry/container-registry-private-link
    https://learn.microsoft.com/azure/storage/file-sync/file-sync-networking-endpoints
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_CLOSED: Final[dict[str, tuple[str, str | bool]]] = {
    "azure:containerservice/registry:Registry": ("publicNetworkAccessEnabled", False),
    "azure-native:containerregistry:Registry": ("publicNetworkAccess", "Disabled"),
    "azure:storage/sync:Sync": ("incomingTrafficPolicy", "AllowVirtualNetworksOnly"),
    "azure-native:storagesync:StorageSyncService": ("incomingTrafficPolicy", "AllowVirtualNetworksOnly"),
}
"""The property that closes each type to the internet, and the value that does; each is open by default."""
_REGISTRY, _NATIVE_REGISTRY, _SYNC, _NATIVE_SYNC = _CLOSED


@rule(
    types=tuple(_CLOSED),
    severity=Severity.MEDIUM,
    equivalents={
        "checkov:CKV_AZURE_64": {"path": "incomingTrafficPolicy"},
        "checkov:CKV_AZURE_139": {"path": ("publicNetworkAccessEnabled", "publicNetworkAccess")},
        "checkov:CKV_AZURE_250": {"path": "incomingTrafficPolicy"},
    },
    bad=[
        {"sku": "Premium"},
        {"publicNetworkAccessEnabled": True},
        Part(_NATIVE_REGISTRY, "images", {"publicNetworkAccess": "Enabled"}),
        Part(_SYNC, "files", {}),
        Part(_SYNC, "files", {"incomingTrafficPolicy": "AllowAllTraffic"}),
        Part(_NATIVE_SYNC, "files", {}),
    ],
    good=[
        {"publicNetworkAccessEnabled": False},
        Part(_NATIVE_REGISTRY, "images", {"publicNetworkAccess": "Disabled"}),
        Part(_SYNC, "files", {"incomingTrafficPolicy": "AllowVirtualNetworksOnly"}),
        Part(_NATIVE_SYNC, "files", {"incomingTrafficPolicy": "AllowVirtualNetworksOnly"}),
    ],
    unsure=[
        {"publicNetworkAccessEnabled": UNKNOWN},
        Part(_SYNC, "files", {"incomingTrafficPolicy": UNKNOWN}),
    ],
)
def azure_content_open_to_every_network(resource: Resource) -> Iterator[Finding]:
    """Yield the property that leaves the service open."""
    key, closed = _CLOSED[resource.token]
    value = resource[key]
    yield Finding("it answers every network, the internet among them", at=value, when=~value.equals(closed))
