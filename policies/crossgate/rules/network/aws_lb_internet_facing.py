"""Load balancer of AWS is reachable from the internet.

Why: it gets public addresses, and whoever reaches them reaches what stands behind it, as far as its security groups let
them. That is what it is for before a web site, and an oversight before a service that only your own networks use: a
load balancer is internet-facing unless it says otherwise.

Fix: set ``internal`` to true (aws-native: ``scheme: internal``) where only your own networks are served. Exempt what
has to be public by name.

Sources:
    https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/how-elastic-load-balancing-works.html
    https://www.pulumi.com/registry/packages/aws/api-docs/lb/loadbalancer/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network._aws_balancers import BALANCERS, CLASSIC, NATIVE, NATIVE_CLASSIC, is_internal, is_of_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=(*BALANCERS, *CLASSIC),
    severity=Severity.LOW,
    equivalents=("trivy:AVD-AWS-0053",),
    bad=[
        {"loadBalancerType": "application", "internal": False},
        {"loadBalancerType": "network"},
        Part(BALANCERS[1], "web", {}),
        Part(NATIVE, "web", {"type": "network", "scheme": "internet-facing"}),
        Part(CLASSIC[0], "old", {"internal": False}),
        Part(NATIVE_CLASSIC, "old", {"scheme": "internet-facing"}),
    ],
    good=[
        {"loadBalancerType": "application", "internal": True},
        {"loadBalancerType": "gateway"},
        Part(NATIVE, "web", {"type": "network", "scheme": "internal"}),
        Part(NATIVE, "inspection", {"type": "gateway"}),
        Part(CLASSIC[0], "old", {"internal": True}),
    ],
    unsure=[{"internal": UNKNOWN}, {"loadBalancerType": UNKNOWN}],
)
def aws_lb_internet_facing(balancer: Resource) -> Iterator[Finding]:
    """Yield the load balancer that gets public addresses; a gateway load balancer has none."""
    native = balancer.token in (NATIVE, NATIVE_CLASSIC)
    of_gateway = is_of_kind(balancer, "gateway") if balancer.token in BALANCERS else FALSE
    yield Finding(
        "it is internet-facing: everyone reaches it as far as its security groups let them",
        at=balancer["scheme" if native else "internal"],
        when=~is_internal(balancer) & ~of_gateway,
    )
