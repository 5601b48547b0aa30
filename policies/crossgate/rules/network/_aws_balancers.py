"""Load balancers of AWS: their types, and which of them have no public address.

Sources:
    https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/how-elastic-load-balancing-works.html
    https://www.pulumi.com/registry/packages/aws/api-docs/lb/loadbalancer/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from crossgate import Resource, Truth

_MODULES: Final = ("lb", "alb", "elasticloadbalancingv2", "applicationloadbalancing")
NATIVE: Final = "aws-native:elasticloadbalancingv2:LoadBalancer"
NATIVE_CLASSIC: Final = "aws-native:elasticloadbalancing:LoadBalancer"
BALANCERS: Final = (*(f"aws:{module}/loadBalancer:LoadBalancer" for module in _MODULES), NATIVE)
"""Application, network and gateway load balancers."""
CLASSIC: Final = (
    "aws:elb/loadBalancer:LoadBalancer",
    "aws:elasticloadbalancing/loadBalancer:LoadBalancer",
    NATIVE_CLASSIC,
)
LISTENERS: Final = (
    *(f"aws:{module}/listener:Listener" for module in _MODULES),
    "aws-native:elasticloadbalancingv2:Listener",
)


def is_internal(balancer: Resource) -> Truth:
    """Is it without a public address? By default it has some."""
    if balancer.token in (NATIVE, NATIVE_CLASSIC):
        return says(balancer["scheme"], "internal")
    return balancer["internal"].is_true()


def is_of_kind(balancer: Resource, kind: str) -> Truth:
    """Is it of this kind: ``application``, which is the default, ``network`` or ``gateway``?"""
    value = balancer["type" if balancer.token == NATIVE else "loadBalancerType"]
    return says(value, kind, absent=kind == "application")
