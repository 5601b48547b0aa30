"""Load balancer of Google Cloud takes requests over plain HTTP.

Why: whoever stands between a visitor and the load balancer reads and changes what is sent, passwords and session
cookies included. A forwarding rule for HTTP is fine as long as all its URL map does is send visitors on to HTTPS.

Internal load balancers are left alone.

Fix: point the forwarding rule at a ``TargetHttpsProxy`` with a certificate. Give the one for port 80 a URL map of its
own that has nothing but ``defaultUrlRedirect`` with ``httpsRedirect: true``.

Sources:
    https://docs.cloud.google.com/load-balancing/docs/https/setting-up-http-https-redirect
    https://cloud.google.com/load-balancing/docs/https/setting-up-reg-http-https-redirect
    https://www.pulumi.com/registry/packages/gcp/api-docs/compute/globalforwardingrule/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, rule, truth, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

FORWARDING: Final = (
    "gcp:compute/globalForwardingRule:GlobalForwardingRule",
    "gcp:compute/forwardingRule:ForwardingRule",
)
HTTP_PROXIES: Final = (
    "gcp:compute/targetHttpProxy:TargetHttpProxy",
    "gcp:compute/regionTargetHttpProxy:RegionTargetHttpProxy",
)
OTHER_TARGETS: Final = (
    "gcp:compute/targetHttpsProxy:TargetHttpsProxy",
    "gcp:compute/regionTargetHttpsProxy:RegionTargetHttpsProxy",
    "gcp:compute/targetSSLProxy:TargetSSLProxy",
    "gcp:compute/targetTCPProxy:TargetTCPProxy",
    "gcp:compute/regionTargetTcpProxy:RegionTargetTcpProxy",
    "gcp:compute/targetGrpcProxy:TargetGrpcProxy",
    "gcp:compute/targetPool:TargetPool",
    "gcp:compute/targetInstance:TargetInstance",
    "gcp:compute/vPNGateway:VPNGateway",
    "gcp:compute/serviceAttachment:ServiceAttachment",
)
URL_MAPS: Final = ("gcp:compute/uRLMap:URLMap", "gcp:compute/regionUrlMap:RegionUrlMap")
_EXTERNAL: Final = ("EXTERNAL", "EXTERNAL_MANAGED")
_OUTSIDE: Final = "the proxy or its URL map is not in the stack"

_PROXY: Final = Part(HTTP_PROXIES[0], "http", {"urlMap": ref("map")})
_SECURE: Final = Part(OTHER_TARGETS[0], "https", {"urlMap": ref("map")})
_REDIRECTS: Final = {"defaultUrlRedirect": {"httpsRedirect": True, "stripQuery": False}}
_LINK: Final = "https://www.googleapis.com/compute/v1/projects/shop/global"


def _rule(scheme: object = "EXTERNAL_MANAGED", target: object = ref("http")) -> Part:
    return Part(FORWARDING[0], "web", {"target": target, "portRange": "80", "loadBalancingScheme": scheme})


def _map(**inputs: object) -> Part:
    return Part(URL_MAPS[0], "map", inputs)


@rule(
    types=FORWARDING,
    severity=Severity.MEDIUM,
    neighbours=(*HTTP_PROXIES, *OTHER_TARGETS, *URL_MAPS),
    equivalents=("checkov:CKV2_GCP_37", "checkov:CKV2_GCP_38"),
    bad=[
        [_rule(), _PROXY, _map(defaultService="web")],
        [Part(FORWARDING[0], "web", {"target": ref("http")}), _PROXY, _map(defaultService="web")],
        [_rule(), _PROXY, _map(defaultUrlRedirect={"hostRedirect": "www.example.com", "httpsRedirect": False})],
        [_rule(), _PROXY, _map(**_REDIRECTS, pathMatchers=[{"name": "api", "defaultService": "api"}])],
        [
            _rule(),
            _PROXY,
            _map(
                **_REDIRECTS,
                pathMatchers=[{"name": "a", **_REDIRECTS, "pathRules": [{"paths": ["/a"], "service": "a"}]}],
            ),
        ],
        [
            Part(FORWARDING[1], "web", {"target": ref("http"), "loadBalancingScheme": "EXTERNAL"}),
            Part(HTTP_PROXIES[1], "http", {"urlMap": ref("map")}),
            Part(URL_MAPS[1], "map", {"defaultService": "web"}),
        ],
    ],
    good=[
        [_rule(), _PROXY, _map(**_REDIRECTS)],
        [_rule(target=ref("https")), _SECURE, _PROXY, _map(defaultService="web")],
        [_rule("INTERNAL_MANAGED"), _PROXY, _map(defaultService="web")],
        [_rule(target=f"{_LINK}/targetHttpsProxies/web")],
        [Part(FORWARDING[1], "inside", {"backendService": "web", "loadBalancingScheme": "INTERNAL"})],
    ],
    unsure=[
        [_rule(UNKNOWN), _PROXY, _map(defaultService="web")],
        [_rule(), _PROXY, _map(defaultUrlRedirect=UNKNOWN)],
        [_rule(), Part(HTTP_PROXIES[0], "http", {"urlMap": "elsewhere"})],
        [_rule(target=f"{_LINK}/targetHttpProxies/web")],
        [_rule(target=UNKNOWN)],
    ],
)
def gcp_lb_without_tls(forwarding: Resource) -> Iterator[Finding]:
    """Yield the forwarding rule that leads the internet to a proxy for HTTP which does not redirect."""
    target = forwarding["target"]
    external = forwarding["loadBalancingScheme"].test(lambda scheme: scheme in _EXTERNAL, absent=True)
    if external.is_false or target.exists().is_false:
        return
    links = forwarding.targets("target", (*HTTP_PROXIES, *OTHER_TARGETS))
    if links:
        served = any_of(
            link.linked & truth(link.resource.token in HTTP_PROXIES) & ~_redirects(link.resource) for link in links
        )
    else:
        served = target.test(_names_http_proxy) & unknown(target.gap._replace(why=_OUTSIDE))
    yield Finding(
        "takes requests over HTTP and does not send them on to HTTPS: anyone on the way can read and change them",
        at=target,
        when=external & served,
    )


def _names_http_proxy(content: object) -> bool:
    return isinstance(content, str) and "targethttpproxies/" in content.lower()


def _redirects(proxy: Resource) -> Truth:
    """Does the URL map of the proxy send every request on to HTTPS?"""
    links = proxy.targets("urlMap", URL_MAPS)
    if not links:
        return unknown(proxy["urlMap"].gap._replace(why=_OUTSIDE))
    return any_of(link.linked & ~_serves(link.resource.inputs) for link in links)


def _serves(urls: Value) -> Truth:
    """Does the URL map, or one of its path matchers, answer any request itself?"""
    itself = ~urls["defaultUrlRedirect"]["httpsRedirect"].is_true()
    return itself | any_of(_matcher_serves(matcher) for matcher in urls["pathMatchers"].each())


def _matcher_serves(matcher: Value) -> Truth:
    itself = ~matcher["defaultUrlRedirect"]["httpsRedirect"].is_true()
    return itself | any_of(
        ~each["urlRedirect"]["httpsRedirect"].is_true()
        for key in ("pathRules", "routeRules")
        for each in matcher[key].each()
    )
