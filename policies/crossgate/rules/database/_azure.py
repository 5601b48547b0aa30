"""Azure database servers in both providers' shapes: who can reach them at all, and their firewall rules.

Sources:
    https://learn.microsoft.com/rest/api/sql/firewall-rules/create-or-update
    https://learn.microsoft.com/azure/azure-sql/database/connectivity-settings
    https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-public
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import any_of
from crossgate.rules.network import _azure_switch
from crossgate.rules.network._cidr import NOT_A_CIDR, Sources, span
from crossgate.rules.network._settings import follow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Link, Resource, Truth, Value

_ENABLED: Final = ("publicNetworkAccessEnabled",)
_WORD: Final = ("publicNetworkAccess",)

SERVERS: Final[Mapping[str, tuple[str, ...]]] = {
    "azure:mssql/server:Server": _ENABLED,
    "azure:sql/sqlServer:SqlServer": _ENABLED,
    "azure:postgresql/server:Server": _ENABLED,
    "azure:postgresql/flexibleServer:FlexibleServer": _ENABLED,
    "azure:mysql/server:Server": _ENABLED,
    "azure:mysql/flexibleServer:FlexibleServer": _WORD,
    "azure:mariadb/server:Server": _ENABLED,
    "azure:redis/cache:Cache": _ENABLED,
    "azure:managedredis/managedRedis:ManagedRedis": _WORD,
    "azure:cosmosdb/account:Account": _ENABLED,
    "azure:cosmosdb/mongoCluster:MongoCluster": _WORD,
    "azure:cosmosdb/postgresqlCluster:PostgresqlCluster": ("coordinatorPublicIpAccessEnabled",),
    "azure:mongocluster/mongoCluster:MongoCluster": _WORD,
    "azure:synapse/workspace:Workspace": _ENABLED,
    "azure-native:sql:Server": _WORD,
    "azure-native:dbforpostgresql:Server": ("network", "publicNetworkAccess"),
    "azure-native:dbformysql:Server": ("network", "publicNetworkAccess"),
    "azure-native:dbformariadb:Server": ("properties", "publicNetworkAccess"),
    "azure-native:redis:Redis": _WORD,
    "azure-native:redisenterprise:RedisEnterprise": _WORD,
    "azure-native:cosmosdb:DatabaseAccount": _WORD,
    "azure-native:mongocluster:MongoCluster": ("properties", "publicNetworkAccess"),
    "azure-native:synapse:Workspace": _WORD,
}
"""The types of servers, and where each has its switch for public network access. Left out, it is on for all.

The API of PostgreSQL's and MySQL's single servers has it under ``properties`` too.
"""

COSMOS: Final = ("azure:cosmosdb/account:Account", "azure-native:cosmosdb:DatabaseAccount")

_SUBNETS: Final = ("delegatedSubnetId", "subnetId")


class FirewallRule(NamedTuple):
    """Where a type of firewall rule has its range, and by which inputs it may name its server."""

    start: str
    end: str
    server: tuple[str, ...]


def _by(*server: str) -> FirewallRule:
    return FirewallRule("startIpAddress", "endIpAddress", server)


FIREWALL_RULES: Final[Mapping[str, FirewallRule]] = {
    "azure:mssql/firewallRule:FirewallRule": _by("serverId"),
    "azure:sql/firewallRule:FirewallRule": _by("serverName"),
    "azure:postgresql/firewallRule:FirewallRule": _by("serverName"),
    "azure:postgresql/flexibleServerFirewallRule:FlexibleServerFirewallRule": _by("serverId"),
    "azure:mysql/firewallRule:FirewallRule": _by("serverName"),
    "azure:mysql/flexibleServerFirewallRule:FlexibleServerFirewallRule": _by("serverName"),
    "azure:mariadb/firewallRule:FirewallRule": _by("serverName"),
    "azure:redis/firewallRule:FirewallRule": FirewallRule("startIp", "endIp", ("redisCacheName",)),
    "azure:synapse/firewallRule:FirewallRule": _by("synapseWorkspaceId"),
    "azure:cosmosdb/postgresqlFirewallRule:PostgresqlFirewallRule": _by("clusterId"),
    "azure:mongocluster/firewallRule:FirewallRule": _by("mongoClusterId"),
    "azure-native:sql:FirewallRule": _by("serverName"),
    "azure-native:sql:IPv6FirewallRule": FirewallRule("startIPv6Address", "endIPv6Address", ("serverName",)),
    "azure-native:dbforpostgresql:FirewallRule": _by("serverName", "clusterName"),
    "azure-native:dbformysql:FirewallRule": _by("serverName"),
    "azure-native:dbformariadb:FirewallRule": _by("serverName"),
    "azure-native:redis:FirewallRule": FirewallRule("startIP", "endIP", ("cacheName",)),
    "azure-native:synapse:IpFirewallRule": _by("workspaceName"),
    "azure-native:mongocluster:FirewallRule": _by("mongoClusterName"),
}


def switch(server: Resource) -> Value:
    """Return the server's switch for public network access."""
    if server["properties"].exists().is_true:
        return server["properties"]["publicNetworkAccess"]
    return follow(server, SERVERS[server.token])


def is_private(server: Resource) -> Truth:
    """Can the server be reached from its virtual network, or through private endpoints, alone?"""
    subnets = (*(server[key] for key in _SUBNETS), server["network"]["delegatedSubnetResourceId"])
    in_network = any_of(~subnet.is_empty() for subnet in subnets)
    return _azure_switch.is_off(switch(server)) | in_network


def is_moot(rule: Resource) -> Truth:
    """Does the server of a firewall rule ignore it, since nobody reaches the server over the internet?"""
    vias = FIREWALL_RULES[rule.token].server
    links = (link for via in vias for link in rule.targets(via, tuple(SERVERS)))
    return any_of(link.linked & is_private(link.resource) for link in links)


def siblings(rule: Resource) -> Iterator[Link]:
    """Yield the firewall rules of the same type that stand before the same server, and the rule itself."""
    for via in FIREWALL_RULES[rule.token].server:
        yield from rule.stack.sharing(rule, via, tuple(SERVERS), (rule.token,))


def bounds(rule: Resource) -> tuple[Value, Value]:
    """Return the first and the last address that a firewall rule lets in."""
    names = FIREWALL_RULES[rule.token]
    at = rule["properties"] if rule["properties"].exists().is_true else rule.inputs
    return at[names.start], at[names.end]


def sources(rule: Resource) -> Sources:
    """Return the addresses that a firewall rule lets in."""
    found = Sources()
    start, end = bounds(rule)
    for value in (start, end):
        if not value.readable:
            found.doubt(value.gap)
    if start.is_text and end.is_text:
        block = span(start.text() or "", end.text() or "")
        if block is not None:
            found.certain.append(block)
        else:
            found.doubt(start.gap._replace(why=NOT_A_CIDR))
    return found
