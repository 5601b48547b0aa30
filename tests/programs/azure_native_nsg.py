"""A network security group that lets the load balancer in and denies the rest by name.

https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview
"""

import pulumi_azure_native as azure


def program() -> None:
    group = azure.resources.ResourceGroup("web")
    azure.network.NetworkSecurityGroup(
        "web",
        resource_group_name=group.name,
        security_rules=[
            {
                "name": "from-load-balancer",
                "priority": 100,
                "direction": "Inbound",
                "access": "Allow",
                "protocol": "Tcp",
                "source_port_range": "*",
                "destination_port_range": "8080",
                "source_address_prefix": "AzureLoadBalancer",
                "destination_address_prefix": "*",
            },
            {
                "name": "nothing-else",
                "priority": 4096,
                "direction": "Inbound",
                "access": "Deny",
                "protocol": "*",
                "source_port_range": "*",
                "destination_port_range": "*",
                "source_address_prefix": "*",
                "destination_address_prefix": "*",
            },
        ],
    )
