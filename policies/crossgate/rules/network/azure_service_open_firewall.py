"""Azure service's firewall lets every address in.

Why: a firewall whose list holds the whole internet filters nothing, while it looks as if it did.

Fix: list the addresses that need access, or set public network access to off and use a private endpoint.

Sources:
    https://learn.microsoft.com/azure/search/service-configure-firewall
    https://learn.microsoft.com/azure/key-vault/general/network-security
    https://learn.microsoft.com/azure/service-bus-messaging/service-bus-ip-filtering
    https://learn.microsoft.com/azure/storage/common/storage-network-security
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.network import _azure_services
from crossgate.rules.network._cidr import Sources
from crossgate.rules.network._settings import follow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SEARCH: Final = "azure:search/service:Service"
_ACCOUNT: Final = "azure:storage/account:Account"
_WORLD: Final = "0.0.0.0/0"


_SERVICES: Final = {
    token: service
    for token, service in (*_azure_services.SERVICES.items(), *_azure_services.CONTENT.items())
    if service.allowed
}
_RULES: Final = _azure_services.STORAGE_RULES


@rule(
    types=(*_SERVICES, _RULES),
    severity=Severity.MEDIUM,
    neighbours=_azure_services.ACCOUNTS,
    equivalents=("checkov:CKV_AZURE_210",),
    bad=[
        Part(_SEARCH, "search", {"allowedIps": [_WORLD]}),
        Part(_SEARCH, "search", {"allowedIps": ["203.0.113.7", "0.0.0.0/1", "128.0.0.0/1"]}),
        Part("azure:keyvault/keyVault:KeyVault", "keys", {"networkAcls": {"ipRules": [_WORLD]}}),
        Part("azure:eventgrid/topic:Topic", "news", {"inboundIpRules": [{"ipMask": _WORLD}]}),
        Part("azure-native:keyvault:Vault", "keys", {"properties": {"networkAcls": {"ipRules": [{"value": _WORLD}]}}}),
        Part(_ACCOUNT, "files", {"networkRules": {"defaultAction": "Deny", "ipRules": ["0.0.0.0/1", "128.0.0.0/1"]}}),
        Part(_RULES, "rules", {"storageAccountId": "/a/files", "defaultAction": "Deny", "ipRules": [_WORLD]}),
    ],
    good=[
        Part(_SEARCH, "search", {"allowedIps": ["10.0.0.0/16"]}),
        Part(_SEARCH, "search", {"sku": "standard"}),
        Part(_SEARCH, "search", {"allowedIps": [_WORLD], "publicNetworkAccessEnabled": False}),
        Part("azure:keyvault/keyVault:KeyVault", "keys", {"networkAcls": {"ipRules": ["203.0.113.0/24"]}}),
        Part(_ACCOUNT, "files", {"networkRules": {"defaultAction": "Deny", "ipRules": ["203.0.113.7"]}}),
        [
            Part(_RULES, "rules", {"storageAccountId": ref("files"), "ipRules": [_WORLD]}),
            Part(_ACCOUNT, "files", {"publicNetworkAccessEnabled": False}),
        ],
    ],
    unsure=[
        Part(_SEARCH, "search", {"allowedIps": [UNKNOWN]}),
        Part(_SEARCH, "search", {"allowedIps": [_WORLD], "publicNetworkAccessEnabled": UNKNOWN}),
    ],
)
def azure_service_open_firewall(resource: Resource) -> Iterator[Finding]:
    """Yield the list that, taken together, is the whole internet."""
    if resource.token == _RULES:
        name, entry, allowed = "storage account", "", resource["ipRules"]
        off = _azure_services.is_moot(resource)
    else:
        service = _SERVICES[resource.token]
        name, entry, allowed = service.name, service.entry, follow(resource, service.allowed)
        off = _azure_services.is_off(resource, service)
    let_in = Sources()
    for each in allowed.each():
        let_in.add(each[entry] if entry else each)
    yield Finding(f"the firewall lets every address in to the {name}", at=allowed, when=let_in.world() & ~off)
