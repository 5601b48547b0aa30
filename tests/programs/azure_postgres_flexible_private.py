"""A PostgreSQL flexible server that only its virtual network reaches.

https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-private
"""

import pulumi
import pulumi_azure as azure
import pulumi_random as random


def program() -> None:
    group = azure.core.ResourceGroup("shop", location="West Europe")
    network = azure.network.VirtualNetwork(
        "shop", resource_group_name=group.name, location=group.location, address_spaces=["10.0.0.0/16"]
    )
    subnet = azure.network.Subnet(
        "database",
        resource_group_name=group.name,
        virtual_network_name=network.name,
        address_prefixes=["10.0.2.0/24"],
        delegations=[
            {
                "name": "postgres",
                "service_delegation": {
                    "name": "Microsoft.DBforPostgreSQL/flexibleServers",
                    "actions": ["Microsoft.Network/virtualNetworks/subnets/join/action"],
                },
            }
        ],
    )
    zone = azure.privatedns.Zone("database", name="shop.postgres.database.azure.com", resource_group_name=group.name)
    link = azure.privatedns.ZoneVirtualNetworkLink(
        "database",
        private_dns_zone_name=zone.name,
        virtual_network_id=network.id,
        resource_group_name=group.name,
    )
    password = random.RandomPassword("database", length=24)
    azure.postgresql.FlexibleServer(
        "shop",
        resource_group_name=group.name,
        location=group.location,
        version="16",
        sku_name="GP_Standard_D2s_v3",
        storage_mb=32768,
        delegated_subnet_id=subnet.id,
        private_dns_zone_id=zone.id,
        public_network_access_enabled=False,
        administrator_login="shop",
        administrator_password=password.result,
        opts=pulumi.ResourceOptions(depends_on=[link]),
    )
