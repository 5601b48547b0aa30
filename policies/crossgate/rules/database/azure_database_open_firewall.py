"""Azure database's firewall lets the whole internet in.

Why: the firewall of the server is all that stands between a password and everyone. With a rule for every address,
anyone may try.

Fix: write the addresses that need access as ``startIpAddress`` and ``endIpAddress``, or set
``publicNetworkAccessEnabled`` (azure-native: ``publicNetworkAccess``) of the server to false and use a private
endpoint.

Sources:
    https://learn.microsoft.com/azure/azure-sql/database/firewall-configure
    https://learn.microsoft.com/rest/api/sql/firewall-rules/create-or-update
    https://learn.microsoft.com/azure/azure-sql/database/connectivity-settings
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.database import _azure
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_PIECE: Final = (8, 20)
"""Prefix lengths, IPv4 and IPv6, from which a range is looked at as a piece of the internet."""
_LOWEST: Final = "0.0.0.0"  # noqa: S104 - the first address of a range, none to listen on
_WORLD: Final = {"startIpAddress": _LOWEST, "endIpAddress": "255.255.255.255"}
_SERVER: Final = "azure:mssql/server:Server"


def _rule(name: str, start: object, end: object) -> Part:
    inputs = {"serverId": ref("db"), "startIpAddress": start, "endIpAddress": end}
    return Part("azure:mssql/firewallRule:FirewallRule", name, inputs)


def _server(**inputs: object) -> Part:
    return Part(_SERVER, "db", {"version": "12.0", **inputs})


_ALL: Final = _rule("all", _LOWEST, "255.255.255.255")
_FLEXIBLE: Final = "azure:postgresql/flexibleServer:FlexibleServer"
_FLEXIBLE_RULE: Final = "azure:postgresql/flexibleServerFirewallRule:FlexibleServerFirewallRule"


@rule(
    types=tuple(_azure.FIREWALL_RULES),
    severity=Severity.HIGH,
    neighbours=tuple(_azure.SERVERS),
    aggravated_by=tuple(_azure.FIREWALL_RULES),
    frameworks=("CIS Azure 1.4 4.1.2",),
    equivalents=(
        "checkov:CKV_AZURE_11",
        "checkov:CKV2_AZURE_19",
        "checkov:CKV2_AZURE_26",
        "checkov:CKV2_AZURE_34",
        "trivy:AVD-AZU-0029",
        "kics:25c0ea09-f1c5-4380-b055-3b83863f2bb8",
        "kics:6a3201a5-1630-494b-b294-3129d06b0eca",
    ),
    bad=[
        _WORLD,
        {"serverId": UNKNOWN, **_WORLD},
        {"startIpAddress": "0.0.0.1", "endIpAddress": "255.255.255.254"},
        [_ALL, _server()],
        [_ALL, _server(publicNetworkAccessEnabled=True)],
        [
            _rule("lower", _LOWEST, "127.255.255.255"),
            _rule("upper", "128.0.0.0", "255.255.255.255"),
            _server(),
        ],
        Part("azure:redis/firewallRule:FirewallRule", "all", {"startIp": _LOWEST, "endIp": "255.255.255.255"}),
        Part("azure:synapse/firewallRule:FirewallRule", "all", _WORLD),
        Part(_FLEXIBLE_RULE, "all", _WORLD),
        Part("azure-native:sql:FirewallRule", "all", {"serverName": "db", **_WORLD}),
        Part("azure-native:sql:IPv6FirewallRule", "all", {"startIPv6Address": "::", "endIPv6Address": "ffff::"}),
        Part("azure-native:dbforpostgresql:FirewallRule", "all", _WORLD),
        Part("azure-native:dbforpostgresql:SingleServerFirewallRule", "all", {"serverName": "db", **_WORLD}),
        Part("azure-native:dbforpostgresql:ServerGroupFirewallRule", "all", {"clusterName": "db", **_WORLD}),
        Part("azure-native:cache/v20230801:FirewallRule", "all", {"startIP": _LOWEST, "endIP": "255.255.255.255"}),
        Part("azure-native:redis:RedisFirewallRule", "all", {"startIP": _LOWEST, "endIP": "255.255.255.255"}),
        Part("azure-native:mongocluster:FirewallRule", "all", {"mongoClusterName": "db", "properties": _WORLD}),
        Part("azure-native:documentdb:MongoClusterFirewallRule", "all", {"mongoClusterName": "db", **_WORLD}),
    ],
    good=[
        {"startIpAddress": "203.0.113.7", "endIpAddress": "203.0.113.7"},
        {"startIpAddress": "40.112.0.0", "endIpAddress": "40.112.255.255"},
        {"startIpAddress": _LOWEST, "endIpAddress": _LOWEST},
        {"startIpAddress": "10.0.0.0", "endIpAddress": "10.255.255.255"},
        [_rule("lower", _LOWEST, "127.255.255.255"), _server()],
        [_ALL, _server(publicNetworkAccessEnabled=False)],
        [
            Part(_FLEXIBLE_RULE, "all", {"serverId": ref("db"), **_WORLD}),
            Part(_FLEXIBLE, "db", {"delegatedSubnetId": "/subnets/db"}),
        ],
        [
            Part("azure-native:sql:FirewallRule", "all", {"serverName": ref("db"), **_WORLD}),
            Part("azure-native:sql:Server", "db", {"publicNetworkAccess": "Disabled"}),
        ],
        [
            Part(
                "azure-native:mongocluster:FirewallRule", "all", {"mongoClusterName": ref("db"), "properties": _WORLD}
            ),
            Part("azure-native:mongocluster:MongoCluster", "db", {"properties": {"publicNetworkAccess": "Disabled"}}),
        ],
    ],
    unsure=[
        {"startIpAddress": _LOWEST, "endIpAddress": UNKNOWN},
        {"startIpAddress": UNKNOWN, "endIpAddress": "255.255.255.255"},
        {"startIpAddress": "anywhere", "endIpAddress": "255.255.255.255"},
        [_ALL, _server(publicNetworkAccessEnabled=UNKNOWN)],
        [
            Part("azure-native:sql:FirewallRule", "all", {"serverName": ref("db"), **_WORLD}),
            Part("azure-native:sql:Server", "db", {"publicNetworkAccess": "SecuredByPerimeter"}),
        ],
    ],
)
def azure_database_open_firewall(resource: Resource) -> Iterator[Finding]:
    """Yield the range that is the whole internet, alone or with the server's other rules."""
    mine = _azure.sources(resource)
    world = mine.world()
    together = ""
    if not world.is_true and not mine.wide(*_PIECE).is_false:
        mine = _with_siblings(resource, mine)
        if mine.world().is_true:
            together = " together with the server's other rules"
        world = mine.world()
    yield Finding(
        f"every address is let in{together}: the whole internet reaches the database",
        at=_azure.bounds(resource)[1],
        when=world & ~_azure.is_moot(resource),
    )


def _with_siblings(resource: Resource, mine: Sources) -> Sources:
    """Return the addresses that the rule and the other rules of its server let in."""
    total = Sources()
    total.join(mine)
    for link in _azure.siblings(resource):
        if link.resource is not resource:
            total.join(_azure.sources(link.resource), link.linked)
    return total
