"""Public Application Gateway or Front Door of Azure has no web application firewall.

Why: a web application firewall turns away known attacks, floods of requests and addresses of bad repute before they
reach the application. Without one, whatever the internet sends goes through.

A gateway that has addresses of the virtual network alone is left alone. Front Door Standard and Premium get their
firewall from a security policy, which is not judged here.

Fix: give the gateway a ``firewallPolicyId`` (azure-native: ``firewallPolicy``) and a ``WAF_v2`` SKU; give each of the
``frontendEndpoints`` of a classic Front Door a ``webApplicationFirewallPolicyLinkId``.

Sources:
    https://learn.microsoft.com/azure/frontdoor/waf-overview
    https://learn.microsoft.com/azure/web-application-firewall/afds/waf-faq
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, all_of, any_of, rule
from crossgate.rules.network.azure_application_gateway_without_tls import GATEWAY, NATIVE
from crossgate.rules.network.azure_site_without_tls import FRONT_DOOR, NATIVE_FRONT_DOOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_ADDRESS: Final = [{"name": "public", "publicIpAddressId": "/subscriptions/s/publicIPAddresses/web"}]
_POLICY: Final = "/subscriptions/s/firewallPolicies/web"
_ENDPOINT: Final = {"name": "web", "hostName": "web.azurefd.net"}


def _gateway(**inputs: Any) -> dict[str, Any]:
    return {"frontendIpConfigurations": _ADDRESS, "httpListeners": [{"name": "web"}], **inputs}


def _native(**inputs: Any) -> Part:
    address = {"name": "public", "publicIPAddress": {"id": "/subscriptions/s/publicIPAddresses/web"}}
    return Part(NATIVE, "web", {"frontendIPConfigurations": [address], **inputs})


@rule(
    types=(GATEWAY, NATIVE, FRONT_DOOR, NATIVE_FRONT_DOOR),
    severity=Severity.LOW,
    equivalents={
        "checkov:CKV_AZURE_120": {"message": "gateway"},
        "checkov:CKV_AZURE_121": {"message": "endpoint"},
    },
    bad=[
        _gateway(),
        _gateway(wafConfiguration={"enabled": False, "firewallMode": "Detection"}),
        _native(webApplicationFirewallConfiguration={"enabled": False}),
        Part(FRONT_DOOR, "door", {"frontendEndpoints": [_ENDPOINT]}),
        Part(NATIVE_FRONT_DOOR, "door", {"frontendEndpoints": [_ENDPOINT]}),
    ],
    good=[
        _gateway(firewallPolicyId=_POLICY),
        _gateway(wafConfiguration={"enabled": True, "firewallMode": "Prevention"}),
        _gateway(httpListeners=[{"name": "web", "firewallPolicyId": _POLICY}]),
        {"frontendIpConfigurations": [{"name": "inside", "subnetId": "/subscriptions/s/subnets/web"}]},
        _native(firewallPolicy={"id": _POLICY}),
        Part(FRONT_DOOR, "door", {"frontendEndpoints": [{**_ENDPOINT, "webApplicationFirewallPolicyLinkId": _POLICY}]}),
    ],
    unsure=[
        _gateway(wafConfiguration={"enabled": UNKNOWN}),
        {"frontendIpConfigurations": UNKNOWN},
        Part(FRONT_DOOR, "door", {"frontendEndpoints": UNKNOWN}),
    ],
)
def azure_public_entry_without_firewall(resource: Resource) -> Iterator[Finding]:
    """Yield the public gateway, or each endpoint of a Front Door, that no firewall stands before."""
    if resource.token in (FRONT_DOOR, NATIVE_FRONT_DOOR):
        for endpoint in resource["frontendEndpoints"].each():
            policy = endpoint["webApplicationFirewallPolicyLinkId"]
            linked = policy.exists() | endpoint["webApplicationFirewallPolicyLink"]["id"].exists()
            yield Finding("no web application firewall stands before the endpoint", at=endpoint, when=~linked)
        return
    yield Finding(
        "no web application firewall stands before the gateway",
        at="",
        when=_is_public(resource) & ~_is_guarded(resource),
    )


def _is_public(gateway: Resource) -> Truth:
    if gateway.token == NATIVE:
        return any_of(each["publicIPAddress"].exists() for each in gateway["frontendIPConfigurations"].each())
    return any_of(each["publicIpAddressId"].exists() for each in gateway["frontendIpConfigurations"].each())


def _is_guarded(gateway: Resource) -> Truth:
    """Has the gateway a firewall, or each of its listeners?"""
    if gateway.token == NATIVE:
        settings = gateway["webApplicationFirewallConfiguration"]
    else:
        settings = gateway["wafConfiguration"]
    listeners = list(gateway["httpListeners"].each())
    every_listener = all_of(map(_has_policy, listeners)) if listeners else FALSE
    return settings["enabled"].is_true() | _has_policy(gateway.inputs) | every_listener


def _has_policy(holder: Value) -> Truth:
    return holder["firewallPolicyId"].exists() | holder["firewallPolicy"]["id"].exists()
