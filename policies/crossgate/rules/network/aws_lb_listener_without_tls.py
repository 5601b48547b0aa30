"""Load balancer of AWS takes requests over plain HTTP.

Why: whoever stands between a visitor and the load balancer reads and changes what is sent, passwords and session
cookies included. A listener for HTTP is fine as long as all it does is send visitors on to HTTPS.

A load balancer that is internal is left alone, and so is a listener for TCP: what comes that way may be TLS that ends
behind it.

Fix: let the listener redirect: a default action of type ``redirect`` to protocol ``HTTPS``. Serve from a listener with
protocol ``HTTPS`` and a certificate. A Classic Load Balancer cannot redirect: give each of its ``listeners`` the
``lbProtocol`` ``https``, or move to an Application Load Balancer.

Sources:
    https://docs.aws.amazon.com/elasticloadbalancing/latest/application/create-https-listener.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/elb-controls.html
    https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/elb-https-load-balancers.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, rule
from crossgate.rules.network._aws_balancers import BALANCERS, CLASSIC, LISTENERS, NATIVE, NATIVE_CLASSIC, is_internal
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_FORWARD: Final = {"type": "forward", "targetGroupArn": "arn:aws:elasticloadbalancing:eu-west-1:1234:targetgroup/web"}
_REDIRECT: Final = {"type": "redirect", "redirect": {"port": "443", "protocol": "HTTPS", "statusCode": "HTTP_301"}}
_STAYS: Final = {"type": "redirect", "redirect": {"host": "www.example.com", "statusCode": "HTTP_301"}}
_LISTENER: Final = Part(
    LISTENERS[0], "http", {"loadBalancerArn": ref("web"), "port": 80, "protocol": "HTTP", "defaultActions": [_FORWARD]}
)
_CLASSIC_HTTP: Final = {"instancePort": 8080, "instanceProtocol": "http", "lbPort": 80, "lbProtocol": "http"}
_CLASSIC_TLS: Final = {"instancePort": 8080, "instanceProtocol": "http", "lbPort": 443, "lbProtocol": "https"}


def _listener(*actions: object, balancer: object = ref("web"), protocol: object = "HTTP") -> list[Part]:
    inputs = {"loadBalancerArn": balancer, "port": 80, "protocol": protocol, "defaultActions": list(actions)}
    return [Part(LISTENERS[0], "http", inputs), Part(BALANCERS[0], "web", {"internal": False})]


def _native(*actions: object, scheme: object) -> list[Part]:
    inputs = {"loadBalancerArn": ref("web"), "port": 80, "protocol": "HTTP", "defaultActions": list(actions)}
    return [Part(LISTENERS[-1], "http", inputs), Part(NATIVE, "web", {"scheme": scheme})]


@rule(
    types=(*LISTENERS, *CLASSIC),
    severity=Severity.MEDIUM,
    neighbours=BALANCERS,
    frameworks=("AWS FSBP 1.0 ELB.1", "AWS FSBP 1.0 ELB.3"),
    equivalents=(
        "checkov:CKV_AWS_2",
        "checkov:CKV_AWS_127",
        "checkov:CKV2_AWS_20",
        "trivy:AVD-AWS-0054",
        "kics:de7f5e83-da88-4046-871f-ea18504b1d43",
    ),
    bad=[
        _listener(_FORWARD),
        _listener(UNKNOWN, _FORWARD),
        _listener(_STAYS),
        _listener({"type": "fixed-response", "fixedResponse": {"contentType": "text/plain"}}),
        [_LISTENER, Part(BALANCERS[1], "web", {})],
        _native({"type": "forward"}, scheme="internet-facing"),
        Part(CLASSIC[0], "old", {"listeners": [_CLASSIC_TLS, _CLASSIC_HTTP]}),
        Part(NATIVE_CLASSIC, "old", {"listeners": [{"protocol": "HTTP", "loadBalancerPort": "80"}]}),
    ],
    good=[
        _listener(_REDIRECT),
        _listener(_FORWARD, protocol="HTTPS"),
        _listener(_FORWARD, protocol="TCP"),
        [_LISTENER, Part(BALANCERS[0], "web", {"internal": True})],
        _native({"type": "redirect", "redirectConfig": {"protocol": "HTTPS"}}, scheme="internet-facing"),
        _native({"type": "forward"}, scheme="internal"),
        Part(CLASSIC[0], "old", {"listeners": [_CLASSIC_TLS]}),
        Part(CLASSIC[0], "old", {"listeners": [_CLASSIC_HTTP], "internal": True}),
    ],
    unsure=[
        _listener(_FORWARD, protocol=UNKNOWN),
        _listener(_FORWARD, balancer=UNKNOWN),
        _listener(UNKNOWN),
        [_LISTENER, Part(BALANCERS[0], "web", {"internal": UNKNOWN})],
        Part(CLASSIC[0], "old", {"listeners": UNKNOWN}),
    ],
)
def aws_lb_listener_without_tls(resource: Resource) -> Iterator[Finding]:
    """Yield the listener, or each listener of a classic load balancer, that serves requests over HTTP."""
    if resource.token in CLASSIC:
        yield from _of_classic(resource)
        return
    protocol = resource["protocol"]
    plain = says(protocol, "http")
    if plain.is_false:
        return
    yield Finding(
        "takes requests over HTTP and does not send them on to HTTPS: anyone on the way can read and change them",
        at=protocol,
        when=plain & _serves(resource) & ~_belongs_to_internal(resource),
    )


def _of_classic(balancer: Resource) -> Iterator[Finding]:
    name = "protocol" if balancer.token == NATIVE_CLASSIC else "lbProtocol"
    for listener in balancer["listeners"].each():
        yield Finding(
            "takes requests over HTTP: anyone on the way can read and change them",
            at=listener[name],
            when=says(listener[name], "http") & ~is_internal(balancer),
        )


def _serves(listener: Resource) -> Truth:
    """Does it do anything but send requests on to HTTPS? A redirect without a protocol stays on HTTP."""
    actions = listener["defaultActions"]
    return actions.is_empty() | any_of(~_leads_to_https(action) for action in actions.each())


def _leads_to_https(action: Value) -> Truth:
    protocols = (action[key]["protocol"] for key in ("redirect", "redirectConfig"))
    return says(action["type"], "redirect") & any_of(says(protocol, "https") for protocol in protocols)


def _belongs_to_internal(listener: Resource) -> Truth:
    links = listener.targets("loadBalancerArn", BALANCERS)
    return any_of(link.linked & is_internal(link.resource) for link in links)
