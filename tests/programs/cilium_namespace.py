"""A namespace isolated by a Cilium policy with empty rules, Cilium's documented default deny.

https://docs.cilium.io/en/latest/security/policy/language/
"""

import pulumi_kubernetes as k8s


def program() -> None:
    namespace = k8s.core.v1.Namespace("payments", metadata={"name": "payments"})
    k8s.apiextensions.CustomResource(
        "default-deny",
        api_version="cilium.io/v2",
        kind="CiliumNetworkPolicy",
        metadata={"name": "default-deny", "namespace": namespace.metadata.name},
        spec={"endpointSelector": {}, "ingress": [{}], "egress": [{}]},
    )
