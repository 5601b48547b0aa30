"""A storage account with a private container.

https://www.pulumi.com/registry/packages/azure/api-docs/storage/account/
"""

import pulumi_azure as azure


def program() -> None:
    group = azure.core.ResourceGroup("shop", location="West Europe")
    account = azure.storage.Account(
        "shop",
        resource_group_name=group.name,
        location=group.location,
        account_tier="Standard",
        account_replication_type="ZRS",
        min_tls_version="TLS1_2",
        allow_nested_items_to_be_public=False,
        network_rules={"default_action": "Deny", "bypasses": ["AzureServices"], "ip_rules": ["198.51.100.7"]},
    )
    azure.storage.Container("uploads", storage_account_id=account.id, container_access_type="private")
