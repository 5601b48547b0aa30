"""Load balancer of AWS accepts TLS older than 1.2.

Why: TLS 1.0 and 1.1 rest on broken building blocks and have been given up by browsers and standards. While a listener
still takes them, an attacker on the way can talk a client down to them.

A listener that names no policy gets ``ELBSecurityPolicy-2016-08`` when it is made through the API, as Pulumi makes it,
and that one takes TLS 1.0.

Fix: set ``sslPolicy`` to one that begins with TLS 1.2, such as ``ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09`` or
``ELBSecurityPolicy-TLS13-1-2-2021-06``.

Sources:
    https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html
    https://docs.aws.amazon.com/elasticloadbalancing/latest/network/describe-ssl-policies.html
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

_OLD: Final = re.compile(r"ELBSecurityPolicy-(?:20\d\d-|FS-20|(?:TLS13|TLS|FS)-1-[01]-)")
"""The names of those that take TLS 1.0 or 1.1: they say so, or only bear a date."""
_CERTIFICATE: Final = {"certificateArn": "arn:aws:acm:eu-west-1:111122223333:certificate/web"}
_HTTPS: Final = {"protocol": "HTTPS", "port": 443, **_CERTIFICATE}


@rule(
    types=LISTENERS,
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 ELB.17",),
    equivalents=("checkov:CKV2_AWS_74", "trivy:AVD-AWS-0047"),
    bad=[
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-2016-08"},
        _HTTPS,
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-TLS-1-1-2017-01"},
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-FS-2018-06"},
        {"protocol": "TLS", "port": 443, "sslPolicy": "ELBSecurityPolicy-TLS13-1-0-2021-06"},
        Part(LISTENERS[-1], "web", {"protocol": "HTTPS", "sslPolicy": "ELBSecurityPolicy-2015-05"}),
    ],
    good=[
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09"},
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-FS-1-2-Res-2020-10"},
        {**_HTTPS, "sslPolicy": "ELBSecurityPolicy-TLS13-1-3-2021-06"},
        {"protocol": "HTTP", "port": 80},
        {"protocol": "TCP", "port": 443},
    ],
    unsure=[
        {**_HTTPS, "sslPolicy": UNKNOWN},
        {"protocol": UNKNOWN, "port": 443},
    ],
)
def aws_lb_old_tls(listener: Resource) -> Iterator[Finding]:
    """Yield the policy of a listener for HTTPS or TLS that takes old versions, or the default, which does too."""
    encrypted = listener["protocol"].is_in(("HTTPS", "TLS"))
    if encrypted.is_false:
        return
    policy = listener["sslPolicy"]
    yield Finding(
        "clients may use TLS 1.0 or 1.1: what is sent can be read by an attacker on the way",
        at=policy,
        when=encrypted & policy.test(lambda name: _OLD.match(str(name)) is not None, absent=True),
    )
