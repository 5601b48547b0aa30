"""Load balancer of AWS accepts TLS older than 1.2.

Why: TLS 1.0 and 1.1 rest on broken building blocks and have been given up by browsers and standards. While a listener
still takes them, an attacker on the way can talk a client down to them.

A listener that names no policy gets ``ELBSecurityPolicy-2016-08`` when it is made through the API, as Pulumi makes it,
and that one takes TLS 1.0.

Fix: set ``sslPolicy`` to one that begins with TLS 1.2, such as ``ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09`` or
``ELBSecurityPolicy-TLS13-1-2-2021-06``. In a policy of a Classic Load Balancer leave out ``Protocol-TLSv1`` and
``Protocol-TLSv1.1``, or let its ``Reference-Security-Policy`` be ``ELBSecurityPolicy-TLS-1-2-2017-01``.

Sources:
    https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html
    https://docs.aws.amazon.com/elasticloadbalancing/latest/network/describe-ssl-policies.html
    https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/elb-ssl-security-policy.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/elb-controls.html
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network._aws_balancers import LISTENERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

CLASSIC: Final = {
    "aws:elb/loadBalancerPolicy:LoadBalancerPolicy": "policyAttributes",
    "aws:elb/sslNegotiationPolicy:SslNegotiationPolicy": "attributes",
    "aws:elasticloadbalancing/loadBalancerPolicy:LoadBalancerPolicy": "policyAttributes",
    "aws:elasticloadbalancing/sslNegotiationPolicy:SslNegotiationPolicy": "attributes",
}
"""Policies of Classic Load Balancers, and where they say what clients may use."""
_PREDEFINED: Final = "Reference-Security-Policy"
_PROTOCOLS: Final = ("Protocol-SSLv2", "Protocol-SSLv3", "Protocol-TLSv1", "Protocol-TLSv1.1")
_MESSAGE: Final = "clients may use TLS 1.0 or 1.1: what is sent can be read by an attacker on the way"
_OLD: Final = re.compile(r"ELBSecurityPolicy-(?:20\d\d-|FS-20|(?:TLS13|TLS|FS)-1-[01]-)")
"""The names of those that take TLS 1.0 or 1.1: they say so, or only bear a date."""
_POLICY, _NEGOTIATION, *_ = CLASSIC
_CERTIFICATE: Final = {"certificateArn": "arn:aws:acm:eu-west-1:111122223333:certificate/web"}
_HTTPS: Final = {"protocol": "HTTPS", "port": 443, **_CERTIFICATE}


def _classic(token: str, **attribute: object) -> Part:
    return Part(token, "old", {CLASSIC[token]: [{"name": "Protocol-TLSv1.2", "value": "true"}, attribute]})


@rule(
    types=(*LISTENERS, *CLASSIC),
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 ELB.17",),
    equivalents=("checkov:CKV2_AWS_74", "checkov:CKV_AWS_213", "trivy:AVD-AWS-0047"),
    bad=[
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-2016-08"},
        _HTTPS,
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-TLS-1-1-2017-01"},
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-FS-2018-06"},
        {"protocol": "TLS", "port": 443, "sslPolicy": "ELBSecurityPolicy-TLS13-1-0-2021-06"},
        Part(LISTENERS[-1], "web", {"protocol": "HTTPS", "sslPolicy": "ELBSecurityPolicy-2015-05"}),
        _classic(_POLICY, name=_PREDEFINED, value="ELBSecurityPolicy-TLS-1-1-2017-01"),
        _classic(_NEGOTIATION, name="Protocol-TLSv1.1", value="true"),
    ],
    good=[
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09"},
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-FS-1-2-Res-2020-10"},
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-TLS13-1-3-2021-06"},
        {"protocol": "HTTP", "port": 80},
        {"protocol": "TCP", "port": 443},
        _classic(_POLICY, name=_PREDEFINED, value="ELBSecurityPolicy-TLS-1-2-2017-01"),
        _classic(_NEGOTIATION, name="Protocol-TLSv1", value="false"),
        _classic(_NEGOTIATION, name="Protocol-TLSv1.2", value="true"),
    ],
    unsure=[
        {**_HTTPS, "sslPolicy": UNKNOWN},
        {"protocol": UNKNOWN, "port": 443},
        _classic(_NEGOTIATION, name="Protocol-TLSv1", value=UNKNOWN),
    ],
)
def aws_lb_old_tls(resource: Resource) -> Iterator[Finding]:
    """Yield the policy of a listener for HTTPS or TLS that takes old versions, or the default, which does too."""
    if resource.token in CLASSIC:
        for attribute in resource[CLASSIC[resource.token]].each():
            name, value = attribute["name"], attribute["value"]
            predefined = name.equals(_PREDEFINED) & value.test(_is_old)
            yield Finding(_MESSAGE, at=value, when=predefined | (name.is_in(_PROTOCOLS) & value.is_true()))
        return
    encrypted = resource["protocol"].is_in(("HTTPS", "TLS"))
    if encrypted.is_false:
        return
    policy = resource["sslPolicy"]
    yield Finding(_MESSAGE, at=policy, when=encrypted & policy.test(_is_old, absent=True))


def _is_old(policy: object) -> bool:
    return _OLD.match(str(policy)) is not None
