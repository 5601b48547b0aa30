"""An application in its own namespace: default deny, its policy, settings, and a secret by reference.

https://kubernetes.io/docs/concepts/configuration/secret/
"""

import pulumi
import pulumi_kubernetes as k8s

PASSWORD = "example" + "-database-" + "9f2Lq7Xv"


def program() -> None:
    namespace = k8s.core.v1.Namespace("orders", metadata={"name": "orders"})
    metadata = {"namespace": "orders"}
    after = pulumi.ResourceOptions(depends_on=[namespace])
    k8s.networking.v1.NetworkPolicy(
        "default-deny",
        metadata={"name": "default-deny", **metadata},
        spec={"pod_selector": {}, "policy_types": ["Ingress", "Egress"]},
        opts=after,
    )
    settings = k8s.core.v1.ConfigMap("orders", metadata=metadata, data={"LOG_LEVEL": "info"}, opts=after)
    secret = k8s.core.v1.Secret(
        "orders", metadata=metadata, string_data={"password": pulumi.Output.secret(PASSWORD)}, opts=after
    )
    labels = {"app.kubernetes.io/name": "orders"}
    k8s.apps.v1.Deployment(
        "orders",
        metadata=metadata,
        spec={
            "selector": {"match_labels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "containers": [
                        {
                            "name": "orders",
                            "image": "registry.example/orders:1.0.0",
                            "ports": [{"container_port": 8080}],
                            "env_from": [{"config_map_ref": {"name": settings.metadata.name}}],
                            "env": [
                                {
                                    "name": "DATABASE_PASSWORD",
                                    "value_from": {"secret_key_ref": {"name": secret.metadata.name, "key": "password"}},
                                },
                                {"name": "DATABASE_HOST", "value": "postgres.orders.svc.cluster.local"},
                            ],
                        }
                    ]
                },
            },
        },
        opts=after,
    )
    k8s.core.v1.Service(
        "orders", metadata=metadata, spec={"selector": labels, "ports": [{"port": 80, "target_port": 8080}]}, opts=after
    )
    k8s.networking.v1.NetworkPolicy(
        "orders",
        metadata=metadata,
        spec={
            "pod_selector": {"match_labels": labels},
            "policy_types": ["Ingress"],
            "ingress": [
                {
                    "from_": [
                        {"namespace_selector": {"match_labels": {"kubernetes.io/metadata.name": "ingress-nginx"}}}
                    ],
                    "ports": [{"protocol": "TCP", "port": 8080}],
                }
            ],
        },
        opts=after,
    )
