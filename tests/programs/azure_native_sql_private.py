"""A SQL server that is reached through a private endpoint.

https://learn.microsoft.com/azure/azure-sql/database/private-endpoint-overview
"""

import pulumi_azure_native as azure
import pulumi_random as random


def program() -> None:
    group = azure.resources.ResourceGroup("shop")
    password = random.RandomPassword("sql", length=24)
    server = azure.sql.Server(
        "shop",
        resource_group_name=group.name,
        administrator_login="shop",
        administrator_login_password=password.result,
        minimal_tls_version="1.2",
        public_network_access="Disabled",
    )
    azure.sql.Database(
        "shop", resource_group_name=group.name, server_name=server.name, sku={"name": "S0", "tier": "Standard"}
    )
    azure.network.PrivateEndpoint(
        "sql",
        resource_group_name=group.name,
        subnet={
            "id": "/subscriptions/0/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/shop/subnets/sql"
        },
        private_link_service_connections=[
            {"name": "sql", "private_link_service_id": server.id, "group_ids": ["sqlServer"]}
        ],
    )
