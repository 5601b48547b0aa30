"""A private cluster with authorized networks and Dataplane V2.

https://cloud.google.com/kubernetes-engine/docs/concepts/about-private-clusters
"""

import pulumi_gcp as gcp


def program() -> None:
    cluster = gcp.container.Cluster(
        "shop",
        location="europe-west1",
        network="shop",
        subnetwork="shop",
        remove_default_node_pool=True,
        initial_node_count=1,
        datapath_provider="ADVANCED_DATAPATH",
        ip_allocation_policy={"cluster_secondary_range_name": "pods", "services_secondary_range_name": "services"},
        private_cluster_config={
            "enable_private_nodes": True,
            "enable_private_endpoint": False,
            "master_ipv4_cidr_block": "172.16.0.0/28",
        },
        master_authorized_networks_config={
            "cidr_blocks": [{"cidr_block": "198.51.100.0/24", "display_name": "office"}]
        },
        workload_identity_config={"workload_pool": "shop-project.svc.id.goog"},
        release_channel={"channel": "REGULAR"},
        resource_labels={"team": "shop"},
    )
    gcp.container.NodePool(
        "shop",
        cluster=cluster.id,
        node_count=2,
        node_config={
            "machine_type": "e2-standard-2",
            "oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"],
            "workload_metadata_config": {"mode": "GKE_METADATA"},
        },
    )
