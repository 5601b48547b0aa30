"""PostgreSQL with a private address only, in a network of its own.

https://cloud.google.com/sql/docs/postgres/configure-private-services-access
"""

import pulumi
import pulumi_gcp as gcp
import pulumi_random as random


def program() -> None:
    network = gcp.compute.Network("shop", auto_create_subnetworks=False)
    addresses = gcp.compute.GlobalAddress(
        "services", purpose="VPC_PEERING", address_type="INTERNAL", prefix_length=16, network=network.id
    )
    connection = gcp.servicenetworking.Connection(
        "services",
        network=network.id,
        service="servicenetworking.googleapis.com",
        reserved_peering_ranges=[addresses.name],
    )
    database = gcp.sql.DatabaseInstance(
        "shop",
        database_version="POSTGRES_16",
        region="europe-west1",
        deletion_protection=True,
        settings={
            "tier": "db-custom-2-7680",
            "ip_configuration": {"ipv4_enabled": False, "private_network": network.id, "ssl_mode": "ENCRYPTED_ONLY"},
        },
        opts=pulumi.ResourceOptions(depends_on=[connection]),
    )
    password = random.RandomPassword("shop", length=24)
    gcp.sql.User("shop", instance=database.name, name="shop", password=password.result)
