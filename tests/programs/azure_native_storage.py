"""The same storage account by the provider that is generated from Azure's own API.

https://www.pulumi.com/registry/packages/azure-native/api-docs/storage/storageaccount/
"""

import pulumi_azure_native as azure


def program() -> None:
    group = azure.resources.ResourceGroup("shop")
    account = azure.storage.StorageAccount(
        "shop",
        resource_group_name=group.name,
        kind=azure.storage.Kind.STORAGE_V2,
        sku={"name": azure.storage.SkuName.STANDARD_ZRS},
        allow_blob_public_access=False,
        enable_https_traffic_only=True,
        minimum_tls_version=azure.storage.MinimumTlsVersion.TLS1_2,
        network_rule_set={
            "default_action": azure.storage.DefaultAction.DENY,
            "bypass": azure.storage.Bypass.AZURE_SERVICES,
        },
    )
    azure.storage.BlobContainer(
        "uploads",
        resource_group_name=group.name,
        account_name=account.name,
        public_access=azure.storage.PublicAccess.NONE,
    )
