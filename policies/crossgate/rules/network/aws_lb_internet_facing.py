"""Load balancer faces the internet.

Why: an internet-facing load balancer has public addresses, and everyone reaches what it forwards to as far as its
security groups let them. That is what most of them are for, and a surprise before an internal service: the scheme is
internet-facing unless ``internal`` is set, and cannot be changed later.

A public site needs one, so the packs leave this rule off. It is for accounts in which nothing is public.

Fix: set ``internal`` to true (of aws-native: ``scheme`` to ``internal``).

Sources:
    https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/how-elastic-load-balancing-works.html#load-balancer-scheme
    https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_CreateLoadBalancer.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_BRIDGED: Final = (
    "aws:lb/loadBalancer:LoadBalancer",
    "aws:alb/loadBalancer:LoadBalancer",
    "aws:elasticloadbalancingv2/loadBalancer:LoadBalancer",
)
_CLASSIC: Final = ("aws:elb/loadBalancer:LoadBalancer", "aws:elasticloadbalancing/loadBalancer:LoadBalancer")
_NATIVE: Final = "aws-native:elasticloadbalancingv2:LoadBalancer"


@rule(
    types=(*_BRIDGED, *_CLASSIC, _NATIVE),
    severity=Severity.LOW,
    equivalents=("trivy:AVD-AWS-0053",),
    bad=[
        {"loadBalancerType": "application", "internal": False},
        {"loadBalancerType": "network"},
        *(Part(token, "web", {"internal": False}) for token in (*_BRIDGED, *_CLASSIC)),
        Part(_NATIVE, "web", {"scheme": "internet-facing"}),
        Part(_NATIVE, "bare", {"type": "application"}),
    ],
    good=[
        {"loadBalancerType": "application", "internal": True},
        {"loadBalancerType": "gateway"},
        *(Part(token, "web", {"internal": True}) for token in (*_BRIDGED, *_CLASSIC)),
        Part(_NATIVE, "web", {"scheme": "internal"}),
        Part(_NATIVE, "firewalls", {"type": "gateway"}),
    ],
    unsure=[{"internal": UNKNOWN}, {"loadBalancerType": UNKNOWN}, Part(_NATIVE, "web", {"scheme": UNKNOWN})],
)
def aws_lb_internet_facing(balancer: Resource) -> Iterator[Finding]:
    """Yield the scheme that gives the load balancer public addresses; a gateway load balancer has none."""
    if balancer.token == _NATIVE:
        scheme, gateway = balancer["scheme"], balancer["type"].equals("gateway")
        internal = scheme.equals("internal")
    else:
        scheme = balancer["internal"]
        internal = scheme.is_true()
        gateway = FALSE if balancer.token in _CLASSIC else balancer["loadBalancerType"].equals("gateway")
    yield Finding("it has public addresses: the internet reaches it", at=scheme, when=~internal & ~gateway)
