"""A website behind an Ingress with a certificate.

https://kubernetes.io/docs/concepts/services-networking/ingress/#tls
"""

import pulumi
import pulumi_kubernetes as k8s


def program() -> None:
    namespace = k8s.core.v1.Namespace("website", metadata={"name": "website"})
    metadata = {"namespace": "website"}
    after = pulumi.ResourceOptions(depends_on=[namespace])
    k8s.networking.v1.NetworkPolicy(
        "default-deny",
        metadata={"name": "default-deny", **metadata},
        spec={"pod_selector": {}, "policy_types": ["Ingress"]},
        opts=after,
    )
    labels = {"app.kubernetes.io/name": "website"}
    service = k8s.core.v1.Service(
        "website",
        metadata={"name": "website", **metadata},
        spec={"selector": labels, "ports": [{"name": "http", "port": 80, "target_port": 8080}]},
        opts=after,
    )
    k8s.networking.v1.Ingress(
        "website",
        metadata={
            "name": "website",
            "annotations": {"cert-manager.io/cluster-issuer": "letsencrypt"},
            **metadata,
        },
        spec={
            "ingress_class_name": "nginx",
            "tls": [{"hosts": ["www.example.com"], "secret_name": "website-tls"}],
            "rules": [
                {
                    "host": "www.example.com",
                    "http": {
                        "paths": [
                            {
                                "path": "/",
                                "path_type": "Prefix",
                                "backend": {"service": {"name": service.metadata.name, "port": {"number": 80}}},
                            }
                        ]
                    },
                }
            ],
        },
        opts=after,
    )
