"""Azure web or function app can be reached from every network.

Why: an app for one's own staff or for other services needs no visitors from the internet. While public network access
is on, its sign-in and its bugs are all that stand before it. An app that is meant for everyone is fine as it is: exempt
it by name.

Fix: set ``publicNetworkAccessEnabled`` to false (azure-native: ``publicNetworkAccess`` to ``Disabled``) and use a
private endpoint, or set ``siteConfig.ipRestrictionDefaultAction`` to ``Deny`` with the networks that need access.

Sources:
    https://learn.microsoft.com/azure/app-service/overview-access-restrictions
    https://learn.microsoft.com/azure/app-service/overview-private-endpoint
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _azure_services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_WEB: Final = "azure:appservice/linuxWebApp:LinuxWebApp"
_NATIVE: Final = "azure-native:web:WebApp"


@rule(
    types=tuple(_azure_services.APPS),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AZURE_221", "checkov:CKV_AZURE_222"),
    bad=[
        Part(_WEB, "site", {"publicNetworkAccessEnabled": True}),
        Part(_WEB, "site", {"httpsOnly": True}),
        Part("azure:appservice/windowsFunctionAppSlot:WindowsFunctionAppSlot", "next", {}),
        Part(_WEB, "site", {"siteConfig": {"ipRestrictionDefaultAction": "Allow"}}),
        Part(_NATIVE, "site", {"publicNetworkAccess": "Enabled"}),
    ],
    good=[
        Part(_WEB, "site", {"publicNetworkAccessEnabled": False}),
        Part(_WEB, "site", {"siteConfig": {"ipRestrictionDefaultAction": "Deny"}}),
        Part(_NATIVE, "site", {"publicNetworkAccess": "Disabled"}),
    ],
    unsure=[
        Part(_WEB, "site", {"publicNetworkAccessEnabled": UNKNOWN}),
        Part(_WEB, "site", {"siteConfig": {"ipRestrictionDefaultAction": UNKNOWN}}),
    ],
)
def azure_app_public_network(resource: Resource) -> Iterator[Finding]:
    """Yield the switch that is on, or left out where that means on."""
    yield from _azure_services.open_to_every_network(resource, _azure_services.APPS[resource.token])
