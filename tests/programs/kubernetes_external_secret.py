"""External Secrets fetches a database password from AWS Secrets Manager; a deployment mounts it as a file.

https://external-secrets.io/latest/introduction/getting-started/
"""

import pulumi
import pulumi_kubernetes as k8s


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
    k8s.apiextensions.CustomResource(
        "aws",
        api_version="external-secrets.io/v1",
        kind="SecretStore",
        metadata={"name": "aws", **metadata},
        spec={
            "provider": {
                "aws": {
                    "service": "SecretsManager",
                    "region": "eu-west-1",
                    "auth": {"jwt": {"serviceAccountRef": {"name": "orders"}}},
                }
            }
        },
        opts=after,
    )
    k8s.apiextensions.CustomResource(
        "database",
        api_version="external-secrets.io/v1",
        kind="ExternalSecret",
        metadata={"name": "database", **metadata},
        spec={
            "refreshInterval": "1h",
            "secretStoreRef": {"name": "aws", "kind": "SecretStore"},
            "target": {
                "name": "database",
                "template": {"data": {"url": "postgres://orders:{{ .password }}@db.internal:5432/orders"}},
            },
            "data": [{"secretKey": "password", "remoteRef": {"key": "orders/database", "property": "password"}}],
        },
        opts=after,
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
                    "service_account_name": "orders",
                    "containers": [
                        {
                            "name": "orders",
                            "image": "registry.example/orders:1.0.0",
                            "ports": [{"container_port": 8080}],
                            "env": [{"name": "DATABASE_URL_FILE", "value": "/run/secrets/database/url"}],
                            "volume_mounts": [
                                {"name": "database", "mount_path": "/run/secrets/database", "read_only": True}
                            ],
                        }
                    ],
                    "volumes": [{"name": "database", "secret": {"secret_name": "database"}}],
                },
            },
        },
        opts=after,
    )
    k8s.networking.v1.NetworkPolicy(
        "orders",
        metadata=metadata,
        spec={
            "pod_selector": {"match_labels": labels},
            "policy_types": ["Ingress"],
            "ingress": [
                {
                    "from_": [{"namespace_selector": {"match_labels": {"kubernetes.io/metadata.name": "ingress"}}}],
                    "ports": [{"port": 8080}],
                }
            ],
        },
        opts=after,
    )
