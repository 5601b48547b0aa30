"""A registry that a cluster's identity may pull from.

https://learn.microsoft.com/azure/container-registry/container-registry-private-link
"""

import pulumi_azure as azure


def program() -> None:
    group = azure.core.ResourceGroup("images", location="West Europe")
    registry = azure.containerservice.Registry(
        "images",
        resource_group_name=group.name,
        location=group.location,
        sku="Premium",
        admin_enabled=False,
        public_network_access_enabled=False,
    )
    puller = azure.authorization.UserAssignedIdentity("puller", resource_group_name=group.name, location=group.location)
    azure.authorization.Assignment(
        "pull", scope=registry.id, role_definition_name="AcrPull", principal_id=puller.principal_id
    )
