"""A cluster with authorized ranges, Azure CNI and Cilium.

https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium
https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges
"""

import pulumi_azure as azure


def program() -> None:
    group = azure.core.ResourceGroup("shop", location="West Europe")
    azure.containerservice.KubernetesCluster(
        "shop",
        resource_group_name=group.name,
        location=group.location,
        dns_prefix="shop",
        default_node_pool={"name": "default", "node_count": 2, "vm_size": "Standard_D2s_v3"},
        identity={"type": "SystemAssigned"},
        network_profile={
            "network_plugin": "azure",
            "network_plugin_mode": "overlay",
            "network_policy": "cilium",
            "network_data_plane": "cilium",
        },
        api_server_access_profile={"authorized_ip_ranges": ["198.51.100.0/24"]},
        role_based_access_control_enabled=True,
    )
