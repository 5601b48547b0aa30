"""A service for the own network behind an internal load balancer of AKS.

https://learn.microsoft.com/azure/aks/internal-lb
"""

import pulumi
import pulumi_kubernetes as k8s


def program() -> None:
    namespace = k8s.core.v1.Namespace("reports", metadata={"name": "reports"})
    metadata = {"namespace": "reports"}
    after = pulumi.ResourceOptions(depends_on=[namespace])
    k8s.networking.v1.NetworkPolicy(
        "default-deny",
        metadata={"name": "default-deny", **metadata},
        spec={"pod_selector": {}, "policy_types": ["Ingress"]},
        opts=after,
    )
    labels = {"app": "internal-app"}
    k8s.core.v1.Service(
        "internal-app",
        metadata={
            "name": "internal-app",
            "annotations": {"service.beta.kubernetes.io/azure-load-balancer-internal": "true"},
            **metadata,
        },
        spec={"type": "LoadBalancer", "ports": [{"port": 80}], "selector": labels},
        opts=after,
    )
    k8s.networking.v1.NetworkPolicy(
        "internal-app",
        metadata={"name": "internal-app", **metadata},
        spec={
            "pod_selector": {"match_labels": labels},
            "policy_types": ["Ingress"],
            "ingress": [{"from_": [{"ip_block": {"cidr": "10.0.0.0/8"}}], "ports": [{"protocol": "TCP", "port": 80}]}],
        },
        opts=after,
    )
