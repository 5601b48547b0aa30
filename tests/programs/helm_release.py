"""A chart from a repository, installed by Helm in a namespace that the release makes.

https://www.pulumi.com/registry/packages/kubernetes/api-docs/helm/v3/release/
"""

import pulumi_kubernetes as k8s


def program() -> None:
    k8s.helm.v3.Release(
        "nginx-ingress",
        chart="nginx-ingress",
        version="1.24.4",
        namespace="nginx-ingress",
        create_namespace=True,
        repository_opts={"repo": "https://charts.helm.sh/stable"},
        values={"controller": {"metrics": {"enabled": True}}},
    )
