"""A StatefulSet with its headless Service, and the policy that lets its clients in.

https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/
"""

import pulumi
import pulumi_kubernetes as k8s


def program() -> None:
    namespace = k8s.core.v1.Namespace("stateful", metadata={"name": "stateful"})
    metadata = {"namespace": "stateful"}
    after = pulumi.ResourceOptions(depends_on=[namespace])
    labels = {"app": "nginx"}
    k8s.networking.v1.NetworkPolicy(
        "default-deny",
        metadata={"name": "default-deny", **metadata},
        spec={"pod_selector": {}, "policy_types": ["Ingress"]},
        opts=after,
    )
    k8s.networking.v1.NetworkPolicy(
        "nginx",
        metadata={"name": "nginx", **metadata},
        spec={
            "pod_selector": {"match_labels": labels},
            "policy_types": ["Ingress"],
            "ingress": [{"from_": [{"pod_selector": {}}], "ports": [{"protocol": "TCP", "port": 80}]}],
        },
        opts=after,
    )
    service = k8s.core.v1.Service(
        "nginx",
        metadata={"name": "nginx", "labels": labels, **metadata},
        spec={"ports": [{"port": 80, "name": "web"}], "cluster_ip": "None", "selector": labels},
        opts=after,
    )
    k8s.apps.v1.StatefulSet(
        "web",
        metadata={"name": "web", **metadata},
        spec={
            "selector": {"match_labels": labels},
            "service_name": service.metadata.name,
            "replicas": 3,
            "min_ready_seconds": 10,
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "termination_grace_period_seconds": 10,
                    "containers": [
                        {
                            "name": "nginx",
                            "image": "registry.k8s.io/nginx-slim:0.24",
                            "ports": [{"container_port": 80, "name": "web"}],
                            "volume_mounts": [{"name": "www", "mount_path": "/usr/share/nginx/html"}],
                        }
                    ],
                },
            },
            "volume_claim_templates": [
                {
                    "metadata": {"name": "www"},
                    "spec": {
                        "access_modes": ["ReadWriteOnce"],
                        "storage_class_name": "my-storage-class",
                        "resources": {"requests": {"storage": "1Gi"}},
                    },
                }
            ],
        },
        opts=after,
    )
