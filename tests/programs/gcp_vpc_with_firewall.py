"""A network of one's own: SSH by Identity-Aware Proxy only, health checks from Google's ranges, one subnet.

https://cloud.google.com/iap/docs/using-tcp-forwarding#create-firewall-rule
https://cloud.google.com/load-balancing/docs/health-check-concepts#ip-ranges
"""

import pulumi_gcp as gcp


def program() -> None:
    network = gcp.compute.Network("shop", auto_create_subnetworks=False)
    gcp.compute.Subnetwork(
        "shop",
        network=network.id,
        region="europe-west1",
        ip_cidr_range="10.10.0.0/20",
        private_ip_google_access=True,
        log_config={"aggregation_interval": "INTERVAL_10_MIN"},
    )
    gcp.compute.Firewall(
        "ssh-through-iap",
        network=network.id,
        allows=[{"protocol": "tcp", "ports": ["22"]}],
        source_ranges=["35.235.240.0/20"],
    )
    gcp.compute.Firewall(
        "health-checks",
        network=network.id,
        allows=[{"protocol": "tcp", "ports": ["8080"]}],
        source_ranges=["35.191.0.0/16", "130.211.0.0/22"],
        target_tags=["web"],
    )
    gcp.compute.Firewall(
        "internal",
        network=network.id,
        allows=[{"protocol": "tcp"}, {"protocol": "udp"}, {"protocol": "icmp"}],
        source_ranges=["10.10.0.0/20"],
    )
