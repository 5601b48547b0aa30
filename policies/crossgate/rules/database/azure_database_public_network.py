"""Azure database server can be reached over public networks.

Why: while public network access is on, the server has an address on the internet, and its firewall rules and its
passwords are all that keeps strangers out. It is on unless it is switched off.

Fix: set ``publicNetworkAccessEnabled`` to false (a type that has ``publicNetworkAccess`` instead: to ``Disabled``), and
connect through a private endpoint; flexible servers of PostgreSQL and MySQL may stand in a subnet instead.

Sources:
    https://learn.microsoft.com/azure/azure-sql/database/connectivity-settings
    https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-private
    https://learn.microsoft.com/azure/azure-cache-for-redis/cache-private-link
    https://learn.microsoft.com/azure/azure-sql/managed-instance/public-endpoint-overview
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.database import _azure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

MANAGED: Final = ("azure:mssql/managedInstance:ManagedInstance", "azure-native:sql:ManagedInstance")
"""They stand in a subnet, and have a public endpoint only when it is switched on."""
_MYSQL: Final = "azure:mysql/flexibleServer:FlexibleServer"
_NATIVE_POSTGRES: Final = "azure-native:dbforpostgresql:Server"


@rule(
    types=(*_azure.SERVERS, *MANAGED),
    severity=Severity.MEDIUM,
    equivalents=(
        "checkov:CKV_AZURE_48",
        "checkov:CKV_AZURE_53",
        "checkov:CKV_AZURE_68",
        "checkov:CKV_AZURE_89",
        "checkov:CKV_AZURE_101",
        "checkov:CKV_AZURE_113",
        "trivy:AVD-AZU-0022",
        "kics:ade36cf4-329f-4830-a83d-9db72c800507",
        "kics:7f0a8696-7159-4337-ad0d-8a3ab4a78195",
        "kics:f118890b-2468-42b1-9ce9-af35146b425b",
    ),
    bad=[
        {"version": "12.0"},
        {"version": "12.0", "publicNetworkAccessEnabled": True},
        Part("azure:postgresql/server:Server", "db", {}),
        Part("azure:postgresql/flexibleServer:FlexibleServer", "db", {}),
        Part(_MYSQL, "db", {"publicNetworkAccess": "Enabled"}),
        Part("azure:redis/cache:Cache", "cache", {"capacity": 1}),
        Part("azure:cosmosdb/account:Account", "docs", {"publicNetworkAccessEnabled": True}),
        Part("azure-native:sql:Server", "db", {"publicNetworkAccess": "Enabled"}),
        Part(_NATIVE_POSTGRES, "db", {"network": {"publicNetworkAccess": "Enabled"}}),
        Part("azure-native:dbformysql:SingleServer", "db", {"properties": {"publicNetworkAccess": "Enabled"}}),
        Part("azure-native:cache:Redis", "cache", {"publicNetworkAccess": "Enabled"}),
        Part("azure-native:redis:Redis", "cache", {}),
        Part("azure-native:documentdb/v20240815:DatabaseAccount", "docs", {"publicNetworkAccess": "Enabled"}),
        Part("azure-native:mongocluster:MongoCluster", "docs", {"properties": {"publicNetworkAccess": "Enabled"}}),
        Part("azure:cosmosdb/postgresqlCluster:PostgresqlCluster", "db", {"nodeCount": 0}),
        Part(MANAGED[0], "db", {"publicDataEndpointEnabled": True}),
    ],
    good=[
        {"version": "12.0", "publicNetworkAccessEnabled": False},
        Part("azure:postgresql/flexibleServer:FlexibleServer", "db", {"delegatedSubnetId": "/subnets/db"}),
        Part(_MYSQL, "db", {"publicNetworkAccess": "Disabled"}),
        Part("azure:redis/cache:Cache", "cache", {"subnetId": "/subnets/cache"}),
        Part("azure-native:sql:Server", "db", {"publicNetworkAccess": "Disabled"}),
        Part(_NATIVE_POSTGRES, "db", {"network": {"delegatedSubnetResourceId": "/subnets/db"}}),
        Part("azure-native:dbformariadb:Server", "db", {"properties": {"publicNetworkAccess": "Disabled"}}),
        Part("azure-native:dbformysql:SingleServer", "db", {"properties": {"publicNetworkAccess": "Disabled"}}),
        Part("azure-native:cache:Redis", "cache", {"publicNetworkAccess": "Disabled"}),
        Part("azure-native_cosmosdb_v20240815:cosmosdb:DatabaseAccount", "docs", {"publicNetworkAccess": "Disabled"}),
        Part("azure-native:mongocluster:MongoCluster", "docs", {"properties": {"publicNetworkAccess": "Disabled"}}),
        Part(MANAGED[0], "db", {}),
        Part(MANAGED[1], "db", {"publicDataEndpointEnabled": False}),
    ],
    unsure=[
        {"publicNetworkAccessEnabled": UNKNOWN},
        Part("azure:postgresql/flexibleServer:FlexibleServer", "db", {"publicNetworkAccessEnabled": UNKNOWN}),
        Part("azure-native:sql:Server", "db", {"publicNetworkAccess": "SecuredByPerimeter"}),
        Part(MANAGED[0], "db", {"publicDataEndpointEnabled": UNKNOWN}),
    ],
)
def azure_database_public_network(server: Resource) -> Iterator[Finding]:
    """Yield the switch that is on, or left out where that means on."""
    if server.token in MANAGED:
        endpoint = server["publicDataEndpointEnabled"]
        yield Finding("the public endpoint is on: reachable over the internet", at=endpoint, when=endpoint.is_true())
        return
    switch = _azure.switch(server)
    state = "left out, and so on" if switch.exists().is_false else "on"
    yield Finding(
        f"public network access is {state}: the server has an address on the internet",
        at=switch,
        when=~_azure.is_private(server),
    )
