"""Azure database lets in everything that runs in Azure.

Why: the range from 0.0.0.0 to 0.0.0.0 is the switch "allow Azure services and resources to access this server". It
means all addresses of Azure, those of other customers included: whoever rents a machine there may try.

Fix: remove the rule. Let in the addresses or the subnets that need access, or use a private endpoint.

Sources:
    https://learn.microsoft.com/rest/api/sql/firewall-rules/create-or-update
    https://learn.microsoft.com/azure/azure-sql/database/network-access-controls-overview
    https://learn.microsoft.com/azure/cosmos-db/how-to-configure-firewall
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.database import _azure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_NONE: Final = "0.0.0.0"  # noqa: S104 - what Azure writes for its own services, no address to listen on
_AZURE: Final = {"startIpAddress": _NONE, "endIpAddress": _NONE}
_SERVER: Final = "azure:mssql/server:Server"
_RULE: Final = Part("azure:mssql/firewallRule:FirewallRule", "azure", {"serverId": ref("db"), **_AZURE})


@rule(
    types=(*_azure.FIREWALL_RULES, *_azure.COSMOS),
    severity=Severity.MEDIUM,
    neighbours=tuple(_azure.SERVERS),
    equivalents=("checkov:CKV2_AZURE_34", "kics:fd8da341-6760-4450-b26c-9f6d8850575e"),
    bad=[
        _AZURE,
        [_RULE, Part(_SERVER, "db", {})],
        Part("azure:redis/firewallRule:FirewallRule", "azure", {"startIp": _NONE, "endIp": _NONE}),
        Part("azure-native:dbforpostgresql:FirewallRule", "azure", _AZURE),
        Part("azure-native:mongocluster:FirewallRule", "azure", {"properties": _AZURE}),
        Part("azure:cosmosdb/account:Account", "docs", {"ipRangeFilters": ["203.0.113.7", _NONE]}),
        Part("azure:cosmosdb/account:Account", "docs", {"ipRangeFilter": f"203.0.113.7,{_NONE}"}),
        Part("azure-native:cosmosdb:DatabaseAccount", "docs", {"ipRules": [{"ipAddressOrRange": _NONE}]}),
    ],
    good=[
        {"startIpAddress": "203.0.113.7", "endIpAddress": "203.0.113.7"},
        {"startIpAddress": _NONE, "endIpAddress": "255.255.255.255"},
        [_RULE, Part(_SERVER, "db", {"publicNetworkAccessEnabled": False})],
        Part("azure:cosmosdb/account:Account", "docs", {"ipRangeFilters": ["203.0.113.7"]}),
        Part("azure:cosmosdb/account:Account", "docs", {}),
        Part(
            "azure:cosmosdb/account:Account",
            "docs",
            {"ipRangeFilters": [_NONE], "publicNetworkAccessEnabled": False},
        ),
    ],
    unsure=[
        {"startIpAddress": _NONE, "endIpAddress": UNKNOWN},
        [_RULE, Part(_SERVER, "db", {"publicNetworkAccessEnabled": UNKNOWN})],
        Part("azure:cosmosdb/account:Account", "docs", {"ipRangeFilters": UNKNOWN}),
    ],
)
def azure_database_open_to_azure(resource: Resource) -> Iterator[Finding]:
    """Yield the entry that stands for every address of Azure."""
    message = "0.0.0.0 lets in every address of Azure, those of other customers included"
    if resource.token in _azure.COSMOS:
        for entry in (*resource["ipRangeFilters"].each(), resource["ipRangeFilter"]):
            yield Finding(message, at=entry, when=entry.test(_holds_azure) & ~_azure.is_private(resource))
        for each in resource["ipRules"].each():
            entry = each["ipAddressOrRange"]
            yield Finding(message, at=entry, when=entry.test(_holds_azure) & ~_azure.is_private(resource))
        return
    start, end = _azure.bounds(resource)
    yield Finding(message, at=end, when=_is_azure(start, end) & ~_azure.is_moot(resource))


def _is_azure(start: Value, end: Value) -> Truth:
    return start.equals(_NONE) & end.equals(_NONE)


def _holds_azure(content: object) -> bool:
    return isinstance(content, str) and any(entry.strip() == _NONE for entry in content.split(","))
