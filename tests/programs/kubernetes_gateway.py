"""A Gateway that ends TLS and sends HTTP on to HTTPS, with a route of its own namespace.

https://gateway-api.sigs.k8s.io/guides/http-redirect-rewrite/
"""

import pulumi
import pulumi_kubernetes as k8s


def program() -> None:
    namespace = k8s.core.v1.Namespace("edge", metadata={"name": "edge"})
    metadata = {"namespace": "edge"}
    after = pulumi.ResourceOptions(depends_on=[namespace])
    k8s.networking.v1.NetworkPolicy(
        "default-deny",
        metadata={"name": "default-deny", **metadata},
        spec={"pod_selector": {}, "policy_types": ["Ingress"]},
        opts=after,
    )
    k8s.apiextensions.CustomResource(
        "redirect-gateway",
        api_version="gateway.networking.k8s.io/v1",
        kind="Gateway",
        metadata={"name": "redirect-gateway", **metadata},
        spec={
            "gatewayClassName": "foo-lb",
            "listeners": [
                {"name": "http", "protocol": "HTTP", "port": 80},
                {
                    "name": "https",
                    "protocol": "HTTPS",
                    "port": 443,
                    "hostname": "redirect.example",
                    "tls": {"mode": "Terminate", "certificateRefs": [{"name": "redirect-example"}]},
                },
            ],
        },
        opts=after,
    )
    k8s.apiextensions.CustomResource(
        "http-filter-redirect",
        api_version="gateway.networking.k8s.io/v1",
        kind="HTTPRoute",
        metadata={"name": "http-filter-redirect", **metadata},
        spec={
            "parentRefs": [{"name": "redirect-gateway", "sectionName": "http"}],
            "hostnames": ["redirect.example"],
            "rules": [
                {
                    "filters": [
                        {"type": "RequestRedirect", "requestRedirect": {"scheme": "https", "statusCode": 301}},
                    ]
                }
            ],
        },
        opts=after,
    )
    k8s.apiextensions.CustomResource(
        "https-route",
        api_version="gateway.networking.k8s.io/v1",
        kind="HTTPRoute",
        metadata={"name": "https-route", **metadata},
        spec={
            "parentRefs": [{"name": "redirect-gateway", "sectionName": "https"}],
            "hostnames": ["redirect.example"],
            "rules": [{"backendRefs": [{"name": "example-svc", "port": 80}]}],
        },
        opts=after,
    )
