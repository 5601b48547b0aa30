"""Azure service's firewall lets every address in.

Why: a firewall whose list holds the whole internet filters nothing, while it looks as if it did.

Fix: list the addresses that need access, or set public network access to off and use a private endpoint.

Sources:
    https://learn.microsoft.com/azure/search/service-configure-firewall
    https://learn.microsoft.com/azure/key-vault/general/network-security
    https://learn.microsoft.com/azure/service-bus-messaging/service-bus-ip-filtering
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _azure_services
from crossgate.rules.network._cidr import Sources
from crossgate.rules.network._settings import follow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SEARCH: Final = "azure:search/service:Service"
_WORLD: Final = "0.0.0.0/0"


@rule(
    types=tuple(token for token, service in _azure_services.SERVICES.items() if service.allowed),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AZURE_210",),
    bad=[
        Part(_SEARCH, "search", {"allowedIps": [_WORLD]}),
        Part(_SEARCH, "search", {"allowedIps": ["203.0.113.7", "0.0.0.0/1", "128.0.0.0/1"]}),
        Part("azure:keyvault/keyVault:KeyVault", "keys", {"networkAcls": {"ipRules": [_WORLD]}}),
        Part("azure:eventgrid/topic:Topic", "news", {"inboundIpRules": [{"ipMask": _WORLD}]}),
        Part("azure-native:keyvault:Vault", "keys", {"properties": {"networkAcls": {"ipRules": [{"value": _WORLD}]}}}),
    ],
    good=[
        Part(_SEARCH, "search", {"allowedIps": ["10.0.0.0/16"]}),
        Part(_SEARCH, "search", {"sku": "standard"}),
        Part(_SEARCH, "search", {"allowedIps": [_WORLD], "publicNetworkAccessEnabled": False}),
        Part("azure:keyvault/keyVault:KeyVault", "keys", {"networkAcls": {"ipRules": ["203.0.113.0/24"]}}),
    ],
    unsure=[
        Part(_SEARCH, "search", {"allowedIps": [UNKNOWN]}),
        Part(_SEARCH, "search", {"allowedIps": [_WORLD], "publicNetworkAccessEnabled": UNKNOWN}),
    ],
)
def azure_service_open_firewall(resource: Resource) -> Iterator[Finding]:
    """Yield the list that, taken together, is the whole internet."""
    service = _azure_services.SERVICES[resource.token]
    allowed = follow(resource, service.allowed)
    let_in = Sources()
    for entry in allowed.each():
        let_in.add(entry[service.entry] if service.entry else entry)
    yield Finding(
        f"the firewall lets every address in to the {service.name}",
        at=allowed,
        when=let_in.world() & ~_azure_services.is_off(resource, service),
    )
