"""An EKS cluster, and in it a namespace with a default deny and one application with its own policy.

https://www.pulumi.com/registry/packages/aws/api-docs/eks/cluster/
"""

import json

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s


def program() -> None:
    role = aws.iam.Role(
        "cluster",
        assume_role_policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {"Effect": "Allow", "Principal": {"Service": "eks.amazonaws.com"}, "Action": "sts:AssumeRole"}
                ],
            }
        ),
    )
    cluster = aws.eks.Cluster(
        "shop",
        role_arn=role.arn,
        vpc_config={
            "subnet_ids": ["subnet-0a1", "subnet-0a2"],
            "endpoint_public_access": False,
            "endpoint_private_access": True,
        },
    )
    provider = k8s.Provider(
        "shop", kubeconfig=cluster.endpoint.apply(lambda endpoint: json.dumps({"server": endpoint}))
    )
    options = pulumi.ResourceOptions(provider=provider)
    namespace = k8s.core.v1.Namespace("shop", opts=options)
    labels = {"app": "web"}
    k8s.networking.v1.NetworkPolicy(
        "default-deny",
        metadata={"namespace": namespace.metadata.name},
        spec={"pod_selector": {}, "policy_types": ["Ingress", "Egress"]},
        opts=options,
    )
    k8s.networking.v1.NetworkPolicy(
        "web",
        metadata={"namespace": namespace.metadata.name},
        spec={
            "pod_selector": {"match_labels": labels},
            "policy_types": ["Ingress", "Egress"],
            "ingress": [{"from_": [{"pod_selector": {"match_labels": {"app": "proxy"}}}], "ports": [{"port": 8080}]}],
            "egress": [{"to": [{"namespace_selector": {}}], "ports": [{"protocol": "UDP", "port": 53}]}],
        },
        opts=options,
    )
    k8s.apps.v1.Deployment(
        "web",
        metadata={"namespace": namespace.metadata.name},
        spec={
            "selector": {"match_labels": labels},
            "replicas": 2,
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "web", "image": "registry.example/web:2.0.1"}]},
            },
        },
        opts=options,
    )
