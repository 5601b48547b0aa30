"""Cosmos DB account takes connections from every network.

Why: without an address filter or a virtual network filter the account answers everyone, and one leaked key is enough
to read and change all of it from anywhere.

Fix: list the addresses that need access in ``ipRangeFilters`` (azure-native: ``ipRules``), or set
``isVirtualNetworkFilterEnabled`` with ``virtualNetworkRules``, or set ``publicNetworkAccessEnabled`` to false
(azure-native: ``publicNetworkAccess`` to ``Disabled``) and use a private endpoint.

Sources:
    https://learn.microsoft.com/azure/cosmos-db/how-to-configure-firewall
    https://learn.microsoft.com/azure/cosmos-db/how-to-configure-vnet-service-endpoint
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.database import _azure
from crossgate.rules.network._cidr import NOT_A_CIDR, Sources, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Value

_NATIVE: Final = "azure-native:cosmosdb:DatabaseAccount"


@rule(
    types=_azure.COSMOS,
    severity=Severity.HIGH,
    undetermined="warn",
    equivalents=("checkov:CKV_AZURE_99", "kics:c2a3efb6-8a58-481c-82f2-bfddf34bb4b7"),
    bad=[
        {"offerType": "Standard"},
        {"ipRangeFilters": ["0.0.0.0/0"]},
        {"ipRangeFilter": "0.0.0.0/1,128.0.0.0/1"},
        {"publicNetworkAccessEnabled": True, "isVirtualNetworkFilterEnabled": False},
        Part(_NATIVE, "docs", {"databaseAccountOfferType": "Standard"}),
    ],
    good=[
        {"ipRangeFilters": ["203.0.113.7"]},
        {"ipRangeFilter": "203.0.113.7,198.51.100.0/24"},
        {"isVirtualNetworkFilterEnabled": True, "virtualNetworkRules": [{"id": "/subnets/app"}]},
        {"publicNetworkAccessEnabled": False},
        Part(_NATIVE, "docs", {"publicNetworkAccess": "Disabled"}),
        Part(_NATIVE, "docs", {"ipRules": [{"ipAddressOrRange": "203.0.113.7"}]}),
    ],
    unsure=[
        {"publicNetworkAccessEnabled": UNKNOWN},
        {"ipRangeFilters": [UNKNOWN]},
        {"ipRangeFilters": UNKNOWN},
        {"isVirtualNetworkFilterEnabled": UNKNOWN},
    ],
)
def azure_cosmosdb_open_to_everyone(account: Resource) -> Iterator[Finding]:
    """Yield the account without a filter, and the filter that lets everyone in."""
    reachable = ~_azure.is_private(account)
    entries = list(_entries(account))
    if not entries:
        yield Finding(
            "no address filter and no virtual network filter: every network may connect",
            at=_azure.switch(account),
            when=reachable & ~account["isVirtualNetworkFilterEnabled"].is_true(),
        )
        return
    let_in = Sources()
    for entry in entries:
        _add(let_in, entry)
    yield Finding("the address filter lets everyone in", at=entries[0], when=reachable & let_in.world())


def _entries(account: Resource) -> Iterator[Value]:
    """Yield the addresses, ranges, and lists of them in one text."""
    yield from account["ipRangeFilters"].each()
    if not account["ipRangeFilter"].is_empty().is_true:
        yield account["ipRangeFilter"]
    for each in account["ipRules"].each():
        yield each["ipAddressOrRange"]


def _add(let_in: Sources, entry: Value) -> None:
    if not entry.readable:
        let_in.doubt(entry.gap)
        return
    for text in (entry.text() or "").split(",") if entry.is_text else ():
        block = parse(text)
        if block is not None:
            let_in.certain.append(block)
        elif text.strip():
            let_in.doubt(entry.gap._replace(why=NOT_A_CIDR))
