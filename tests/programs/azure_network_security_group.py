"""A network security group: HTTPS for everyone, SSH from the office.

https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview
"""

import pulumi_azure as azure


def program() -> None:
    group = azure.core.ResourceGroup("web", location="West Europe")
    filters = azure.network.NetworkSecurityGroup(
        "web",
        resource_group_name=group.name,
        location=group.location,
        security_rules=[
            {
                "name": "https",
                "priority": 100,
                "direction": "Inbound",
                "access": "Allow",
                "protocol": "Tcp",
                "source_port_range": "*",
                "destination_port_range": "443",
                "source_address_prefix": "Internet",
                "destination_address_prefix": "*",
            }
        ],
    )
    azure.network.NetworkSecurityRule(
        "ssh-from-office",
        resource_group_name=group.name,
        network_security_group_name=filters.name,
        priority=110,
        direction="Inbound",
        access="Allow",
        protocol="Tcp",
        source_port_range="*",
        destination_port_range="22",
        source_address_prefixes=["198.51.100.0/24"],
        destination_address_prefix="*",
    )
