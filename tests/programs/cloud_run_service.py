"""A service that only another service may call.

https://cloud.google.com/run/docs/authenticating/service-to-service
"""

import pulumi_gcp as gcp


def program() -> None:
    caller = gcp.serviceaccount.Account("frontend", account_id="frontend")
    prices = gcp.cloudrunv2.Service(
        "prices",
        location="europe-west1",
        ingress="INGRESS_TRAFFIC_INTERNAL_ONLY",
        template={
            "containers": [
                {"image": "europe-docker.pkg.dev/shop/apps/prices:1.4.0", "ports": {"container_port": 8080}}
            ],
            "scaling": {"max_instance_count": 3},
        },
    )
    gcp.cloudrunv2.ServiceIamMember(
        "frontend-calls-prices",
        location=prices.location,
        name=prices.name,
        role="roles/run.invoker",
        member=caller.email.apply(lambda email: f"serviceAccount:{email}"),
    )
