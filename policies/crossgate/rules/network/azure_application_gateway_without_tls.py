"""Application Gateway of Azure takes requests over plain HTTP.

Why: whoever stands between a visitor and the gateway reads and changes what is sent, passwords and session cookies
included. A listener for HTTP is fine as long as its rule sends visitors on to HTTPS.

Listeners on a private address alone are left alone.

Fix: give the listener's ``requestRoutingRules`` entry a redirect configuration whose target is a listener with protocol
``Https`` and a certificate.

Sources:
    https://learn.microsoft.com/azure/application-gateway/redirect-overview
    https://www.pulumi.com/registry/packages/azure/api-docs/network/applicationgateway/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, all_of, any_of, rule, truth, unknown
from crossgate.rules._given import is_given
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

GATEWAY: Final = "azure:network/applicationGateway:ApplicationGateway"
NATIVE: Final = "azure-native:network:ApplicationGateway"

_PUBLIC: Final = [{"name": "public", "publicIpAddressId": "/subscriptions/s/publicIPAddresses/web"}]
_PRIVATE: Final = [{"name": "public", "subnetId": "/subscriptions/s/subnets/web"}]
_HTTP: Final = {"name": "http", "frontendIpConfigurationName": "public", "frontendPortName": "p80", "protocol": "Http"}
_HTTPS: Final = {**_HTTP, "name": "https", "frontendPortName": "p443", "protocol": "Https"}
_SERVES: Final = {"name": "web", "httpListenerName": "http", "backendAddressPoolName": "web"}
_SENDS_ON: Final = {"name": "web", "httpListenerName": "http", "redirectConfigurationName": "tls"}
_TO_HTTPS: Final = [{"name": "tls", "redirectType": "Permanent", "targetListenerName": "https"}]
_ID: Final = "/subscriptions/s/applicationGateways/web"


def _gateway(rule_: object, *listeners: object, redirects: object = (), addresses: object = _PUBLIC) -> dict[str, Any]:
    return {
        "frontendIpConfigurations": addresses,
        "httpListeners": list(listeners),
        "requestRoutingRules": [rule_],
        "redirectConfigurations": redirects,
    }


def _native(**action: object) -> Part:
    listener = {"name": "http", "protocol": "Http", "frontendIPConfiguration": {"id": f"{_ID}/frontendIPs/public"}}
    return Part(
        NATIVE,
        "web",
        {
            "frontendIPConfigurations": [{"name": "public", "publicIPAddress": {"id": "/subscriptions/s/ips/web"}}],
            "httpListeners": [listener, {"name": "https", "protocol": "Https"}],
            "requestRoutingRules": [{"httpListener": {"id": f"{_ID}/httpListeners/http"}, **action}],
            "redirectConfigurations": [{"name": "tls", "targetListener": {"id": f"{_ID}/httpListeners/https"}}],
        },
    )


@rule(
    types=(GATEWAY, NATIVE),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AZURE_217",),
    bad=[
        _gateway(_SERVES, _HTTP),
        _gateway(_SERVES, _HTTP, _HTTPS, redirects=_TO_HTTPS),
        _gateway(_SENDS_ON, _HTTP, redirects=[{"name": "tls", "targetUrl": "http://www.example.com"}]),
        _native(backendAddressPool={"id": f"{_ID}/backendAddressPools/web"}),
    ],
    good=[
        _gateway(_SENDS_ON, _HTTP, _HTTPS, redirects=_TO_HTTPS),
        _gateway(_SENDS_ON, _HTTP, redirects=[{"name": "tls", "targetUrl": "https://www.example.com"}]),
        _gateway({**_SERVES, "httpListenerName": "https"}, _HTTPS),
        _gateway(_SERVES, _HTTP, addresses=_PRIVATE),
        _native(redirectConfiguration={"id": f"{_ID}/redirectConfigurations/tls"}),
    ],
    unsure=[
        _gateway(UNKNOWN, _HTTP, _HTTPS, redirects=_TO_HTTPS),
        _gateway(_SERVES, {**_HTTP, "protocol": UNKNOWN}),
        {"httpListeners": UNKNOWN},
    ],
)
def azure_application_gateway_without_tls(gateway: Resource) -> Iterator[Finding]:
    """Yield each listener for HTTP on a public address whose rule does not redirect to HTTPS."""
    for listener in gateway["httpListeners"].each():
        protocol = listener["protocol"]
        plain = says(protocol, "http")
        if plain.is_false:
            continue
        yield Finding(
            "takes requests over HTTP and does not send them on to HTTPS: anyone on the way can read and change them",
            at=protocol,
            when=plain & ~_is_private(gateway, listener) & _serves(gateway, listener),
        )


def _referred(holder: Value, key: str, parts: Value) -> Value:
    """Return which of ``parts``, each with its own name, ``holder`` refers to: by name, or by an id that ends in it."""
    reference = holder[f"{key}Name"]
    if reference.is_absent:
        reference = holder[key]["id"]
    if not reference.is_text:
        return reference
    unread = None
    for part in parts.each():
        name = part["name"]
        if not name.readable:
            unread = name
        elif name.is_text and f"/{reference.text()}".endswith(f"/{name.text()}"):
            return part
    return reference[key] if unread is None else unread


def _is_private(gateway: Resource, listener: Value) -> Truth:
    """Does the listener stand on an address of the virtual network alone?"""
    if gateway.token == NATIVE:
        address = _referred(listener, "frontendIPConfiguration", gateway["frontendIPConfigurations"])
        return address.exists() & ~is_given(address["publicIPAddress"])
    address = _referred(listener, "frontendIpConfiguration", gateway["frontendIpConfigurations"])
    return address.exists() & ~is_given(address["publicIpAddressId"])


def _serves(gateway: Resource, listener: Value) -> Truth:
    """Does anything but a redirect to HTTPS answer the listener?"""
    rules = [
        (_is_same(_referred(each, "httpListener", gateway["httpListeners"]), listener), _leads_to_https(gateway, each))
        for each in gateway["requestRoutingRules"].each()
    ]
    return any_of(of_it & ~secure for of_it, secure in rules) | ~any_of(of_it & secure for of_it, secure in rules)


def _is_same(found: Value, listener: Value) -> Truth:
    return truth(found.path == listener.path) if found.readable else unknown(found.gap)


def _leads_to_https(gateway: Resource, rule_: Value) -> Truth:
    paths = _referred(rule_, "urlPathMap", gateway["urlPathMaps"])
    every_path = _is_redirected(gateway, paths, "defaultRedirectConfiguration") & all_of(
        _is_redirected(gateway, each, "redirectConfiguration") for each in paths["pathRules"].each()
    )
    return _is_redirected(gateway, rule_, "redirectConfiguration") | every_path


def _is_redirected(gateway: Resource, holder: Value, key: str) -> Truth:
    redirect = _referred(holder, key, gateway["redirectConfigurations"])
    address = redirect["targetUrl"].test(lambda url: isinstance(url, str) and url.lower().startswith("https://"))
    target = _referred(redirect, "targetListener", gateway["httpListeners"])
    return address | says(target["protocol"], "https")
