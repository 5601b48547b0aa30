"""Route that serves a workload over plain HTTP.

Why: whoever stands between a visitor and the gateway reads and changes what is sent, passwords and session cookies
included. An HTTP listener is fine as long as its routes do nothing but send visitors on to HTTPS.

A route without ``sectionName`` attaches to every listener of its gateway. Where the stack does not show the gateway,
the answer is undetermined. Gateways of Google Cloud's internal classes are left alone.

Fix: attach the route to the HTTPS listener by ``sectionName``, and give the HTTP listener a route with a
``RequestRedirect`` to scheme ``https``.

Sources:
    https://gateway-api.sigs.k8s.io/guides/http-redirect-rewrite/
    https://gateway-api.sigs.k8s.io/guides/multiple-ns/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, TRUE, UNKNOWN, Finding, Gap, Part, Severity, any_of, ref, rule, truth, unknown
from crossgate.rules.kubernetes._gateways import GATEWAYS, GROUP, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

ROUTES: Final = tuple(f"{GROUP}/{version}:{kind}" for version in VERSIONS for kind in ("HTTPRoute", "GRPCRoute"))
NOT_SHOWN: Final = "a gateway that this stack does not show"

_HTTP: Final = {"name": "http", "protocol": "HTTP", "port": 80}
_HTTPS: Final = {"name": "https", "protocol": "HTTPS", "port": 443}
_SERVES: Final = {"backendRefs": [{"name": "shop", "port": 80}]}
_REDIRECTS: Final = {"filters": [{"type": "RequestRedirect", "requestRedirect": {"scheme": "https"}}]}


def _gateway(*listeners: Any, of: str = "envoy", name: str = "edge") -> Part:
    spec = {"gatewayClassName": of, "listeners": list(listeners)}
    return Part(GATEWAYS[0], "edge", {"metadata": {"name": name, "namespace": "shop"}, "spec": spec})


def _route(rule_: Any, name: Any = "edge", **parent: Any) -> Part:
    spec = {"parentRefs": [{"name": name, **parent}], "rules": [rule_]}
    return Part(ROUTES[0], "shop", {"metadata": {"name": "shop", "namespace": "shop"}, "spec": spec})


@rule(
    types=ROUTES,
    severity=Severity.MEDIUM,
    neighbours=GATEWAYS,
    bad=[
        [_route(_SERVES), _gateway(_HTTP)],
        [_route(_SERVES), _gateway(_HTTP, _HTTPS)],
        [_route(_SERVES, sectionName="http"), _gateway(_HTTP, _HTTPS)],
        [_route(_SERVES, port=80), _gateway(_HTTP, _HTTPS)],
        [_route(_SERVES, ref("edge")), _gateway(_HTTP)],
    ],
    good=[
        [_route(_SERVES, sectionName="https"), _gateway(_HTTP, _HTTPS)],
        [_route(_SERVES, port=443), _gateway(_HTTP, _HTTPS)],
        [_route(_REDIRECTS, sectionName="http"), _gateway(_HTTP, _HTTPS)],
        [_route(_SERVES), _gateway(_HTTPS)],
        [_route(_SERVES), _gateway(_HTTP, of="gke-l7-rilb")],
        [_route(_SERVES, kind="Service"), _gateway(_HTTP)],
    ],
    unsure=[
        [_route(_SERVES)],
        [_route(_SERVES), _gateway(_HTTP, name="other")],
        [_route(_SERVES), _gateway({"name": "web", "protocol": UNKNOWN})],
        [_route(_SERVES, UNKNOWN), _gateway(_HTTP)],
    ],
)
def kubernetes_http_route_plain_http(route: Resource) -> Iterator[Finding]:
    """Yield the rules that lead to a workload from a listener without TLS."""
    plain = any_of(_is_plain(route, parent) for parent in route["spec"]["parentRefs"].each())
    if plain.is_false:
        return
    for entry in route["spec"]["rules"].each():
        backends = entry["backendRefs"]
        yield Finding(
            "a workload is served over plain HTTP: anyone on the way can read and change what is sent",
            at=backends,
            when=plain & any_of(backend.exists() for backend in backends.each()),
        )


def _is_plain(route: Resource, parent: Value) -> Truth:
    """Does the route attach to a listener for HTTP at ``parent``?"""
    found, plain = FALSE, FALSE
    for gateway in route.stack.of_type(*GATEWAYS):
        linked = _is_meant(route, parent, gateway)
        found |= linked
        internal = gateway["spec"]["gatewayClassName"].test(lambda name: str(name).endswith("-rilb"))
        plain |= linked & ~internal & _has_plain_listener(gateway, parent)
    hidden = unknown(Gap(route.urn, parent["name"].path, NOT_SHOWN))
    of_gateway = parent["kind"].test(lambda kind: kind == "Gateway", absent=True)
    return of_gateway & (plain | (~found & hidden))


def _is_meant(route: Resource, parent: Value, gateway: Resource) -> Truth:
    name, other = parent["name"], gateway["metadata"]["name"]
    if not name.readable:
        edges = [urn for urn in route.property_dependencies.get("spec", ()) if _is_gateway(route, urn)]
        if gateway.urn not in edges:
            return FALSE if edges else unknown(name.gap)
        return TRUE if len(edges) == 1 else unknown(name.gap)
    text = name.text() if name.is_text else None
    if text is None:
        return FALSE
    space = parent["namespace"] if parent["namespace"].exists().is_true else route["metadata"]["namespace"]
    there = gateway["metadata"]["namespace"]
    apart = space.is_text and there.is_text and space.text() != there.text()
    return truth(not apart) & other.test(lambda content: content == text)


def _is_gateway(route: Resource, urn: str) -> bool:
    resource = route.stack.get(urn)
    return resource is None or resource.token in GATEWAYS


def _has_plain_listener(gateway: Resource, parent: Value) -> Truth:
    return any_of(
        listener["protocol"].equals("HTTP")
        & _is_same(parent["sectionName"], listener["name"])
        & _is_same(parent["port"], listener["port"])
        for listener in gateway["spec"]["listeners"].each()
    )


def _is_same(wanted: Value, has: Value) -> Truth:
    """Does the listener have what the route asks for, if it asks for anything?"""
    if not wanted.readable:
        return unknown(wanted.gap)
    content = wanted.plain()
    return TRUE if content is None else has.test(lambda value: str(value) == str(content))
