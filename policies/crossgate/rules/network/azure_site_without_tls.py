"""Web site, function app or endpoint of Azure answers plain HTTP.

Why: whoever stands between a visitor and the site reads and changes what is sent, passwords and session cookies
included. Azure can send visitors on to HTTPS by itself, and does so for few services by default.

Fix: set ``httpsOnly`` to true for App Service, Functions and Logic Apps, ``isHttpAllowed`` to false for a CDN endpoint,
``httpsRedirectEnabled`` to true for a route of Front Door (azure-native: ``httpsRedirect: Enabled``), and leave
``allowInsecureConnections`` of a container app and ``http`` among the ``protocols`` of an API out. In a classic Front
Door give HTTP a routing rule that redirects.

Sources:
    https://learn.microsoft.com/azure/app-service/overview-security
    https://learn.microsoft.com/azure/frontdoor/front-door-how-to-redirect-https
    https://learn.microsoft.com/azure/container-apps/ingress-how-to
    https://www.pulumi.com/registry/packages/azure/api-docs/cdn/endpoint/
    https://www.pulumi.com/registry/packages/azure/api-docs/apimanagement/api/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule, unknown
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

SITES: Final = (
    "azure:appservice/linuxWebApp:LinuxWebApp",
    "azure:appservice/windowsWebApp:WindowsWebApp",
    "azure:appservice/linuxWebAppSlot:LinuxWebAppSlot",
    "azure:appservice/windowsWebAppSlot:WindowsWebAppSlot",
    "azure:appservice/linuxFunctionApp:LinuxFunctionApp",
    "azure:appservice/windowsFunctionApp:WindowsFunctionApp",
    "azure:appservice/linuxFunctionAppSlot:LinuxFunctionAppSlot",
    "azure:appservice/windowsFunctionAppSlot:WindowsFunctionAppSlot",
    "azure:appservice/appFlexConsumption:AppFlexConsumption",
    "azure:appservice/appService:AppService",
    "azure:appservice/slot:Slot",
    "azure:appservice/functionApp:FunctionApp",
    "azure:appservice/functionAppSlot:FunctionAppSlot",
    "azure:logicapps/standard:Standard",
    "azure-native:web:WebApp",
    "azure-native:web:WebAppSlot",
)
"""What has ``httpsOnly``, off by default."""
PORTAL: Final = "azure:appplatform/springCloudApiPortal:SpringCloudApiPortal"
ENDPOINT: Final = "azure:cdn/endpoint:Endpoint"
NATIVE_ENDPOINT: Final = "azure-native:cdn:Endpoint"
ROUTE: Final = "azure:cdn/frontdoorRoute:FrontdoorRoute"
NATIVE_ROUTE: Final = "azure-native:cdn:Route"
FRONT_DOOR: Final = "azure:frontdoor/frontdoor:Frontdoor"
NATIVE_FRONT_DOOR: Final = "azure-native:network:FrontDoor"
CONTAINER_APP: Final = "azure:containerapp/app:App"
NATIVE_CONTAINER_APP: Final = "azure-native:app:ContainerApp"
APIS: Final = ("azure:apimanagement/api:Api", "azure-native:apimanagement:Api")
_UNENCRYPTED: Final = ("http", "ws")
_MESSAGE: Final = "answers plain HTTP: anyone on the way can read and change what is sent"

_PARTS: Final = {"acceptedProtocols": ["Http", "Https"], "patternsToMatches": ["/*"]}
_FORWARDS: Final = {**_PARTS, "forwardingConfiguration": {"backendPoolName": "web"}}
_SENDS_ON: Final = {**_PARTS, "redirectConfiguration": {"redirectType": "Moved", "redirectProtocol": "HttpsOnly"}}
_TO_HTTPS: Final = {"order": 1, "urlRedirectAction": {"redirectType": "Found", "protocol": "Https"}}
_BOTH: Final = {"supportedProtocols": ["Http", "Https"], "patternsToMatches": ["/*"]}


@rule(
    types=(
        *SITES,
        PORTAL,
        ENDPOINT,
        NATIVE_ENDPOINT,
        ROUTE,
        NATIVE_ROUTE,
        FRONT_DOOR,
        NATIVE_FRONT_DOOR,
        CONTAINER_APP,
        NATIVE_CONTAINER_APP,
        *APIS,
    ),
    severity=Severity.MEDIUM,
    frameworks=("CIS Azure 2.0 9.2",),
    equivalents=(
        "checkov:CKV_AZURE_14",
        "checkov:CKV_AZURE_70",
        "checkov:CKV_AZURE_153",
        "checkov:CKV_AZURE_161",
        "checkov:CKV_AZURE_197",
        "trivy:AVD-AZU-0004",
        "trivy:AVD-AZU-0072",
    ),
    bad=[
        {"httpsOnly": False},
        {"siteConfig": {"minimumTlsVersion": "1.2"}},
        Part("azure-native:web:WebApp", "site", {"siteConfig": {"ftpsState": "Disabled"}}),
        Part(PORTAL, "portal", {"publicNetworkAccessEnabled": True}),
        Part(ENDPOINT, "cdn", {"isHttpsAllowed": True}),
        Part(NATIVE_ENDPOINT, "cdn", {"isHttpAllowed": True}),
        Part(ROUTE, "all", {**_BOTH, "httpsRedirectEnabled": False}),
        Part(NATIVE_ROUTE, "all", {"supportedProtocols": ["Http"], "httpsRedirect": "Disabled"}),
        Part(FRONT_DOOR, "door", {"routingRules": [{**_PARTS, "acceptedProtocols": ["Https"]}, _FORWARDS]}),
        Part(NATIVE_FRONT_DOOR, "door", {"routingRules": [{"acceptedProtocols": ["Http"]}]}),
        Part(CONTAINER_APP, "app", {"ingress": {"externalEnabled": True, "allowInsecureConnections": True}}),
        Part(NATIVE_CONTAINER_APP, "app", {"configuration": {"ingress": {"external": True, "allowInsecure": True}}}),
        Part(APIS[0], "orders", {"protocols": ["https", "http"]}),
    ],
    good=[
        {"httpsOnly": True},
        Part("azure-native:web:WebApp", "site", {"httpsOnly": True}),
        Part(PORTAL, "portal", {"httpsOnlyEnabled": True}),
        Part(ENDPOINT, "cdn", {"isHttpAllowed": False}),
        Part(ENDPOINT, "cdn", {"deliveryRules": [_TO_HTTPS]}),
        Part(ROUTE, "all", _BOTH),
        Part(ROUTE, "all", {"supportedProtocols": ["Https"], "httpsRedirectEnabled": False}),
        Part(NATIVE_ROUTE, "all", {"supportedProtocols": ["Http", "Https"], "httpsRedirect": "Enabled"}),
        Part(FRONT_DOOR, "door", {"routingRules": [_SENDS_ON, {**_FORWARDS, "acceptedProtocols": ["Https"]}]}),
        Part(CONTAINER_APP, "app", {"ingress": {"externalEnabled": True}}),
        Part(CONTAINER_APP, "app", {"ingress": {"externalEnabled": False, "allowInsecureConnections": True}}),
        Part(APIS[0], "orders", {"protocols": ["https"]}),
        Part(APIS[1], "orders", {"path": "orders"}),
    ],
    unsure=[
        {"httpsOnly": UNKNOWN},
        Part(ENDPOINT, "cdn", {"isHttpAllowed": UNKNOWN}),
        Part(ROUTE, "all", {**_BOTH, "httpsRedirectEnabled": False, "cdnFrontdoorRuleSetIds": ["/ruleSets/tls"]}),
        Part(FRONT_DOOR, "door", {"routingRules": UNKNOWN}),
    ],
)
def azure_site_without_tls(resource: Resource) -> Iterator[Finding]:
    """Yield the switch, the routing rule or the route that lets plain HTTP through."""
    token = resource.token
    if token in SITES or token == PORTAL:
        switch = resource["httpsOnlyEnabled" if token == PORTAL else "httpsOnly"]
        yield Finding(_MESSAGE, at=switch, when=switch.is_false(absent=True))
    elif token in (ENDPOINT, NATIVE_ENDPOINT):
        switch = resource["isHttpAllowed"]
        yield Finding(_MESSAGE, at=switch, when=switch.is_true(absent=True) & ~_endpoint_redirects(resource))
    elif token in (ROUTE, NATIVE_ROUTE):
        yield from _of_route(resource)
    elif token in (FRONT_DOOR, NATIVE_FRONT_DOOR):
        for each in resource["routingRules"].each():
            yield Finding(_MESSAGE, at=each, when=_lists_http(each["acceptedProtocols"]) & ~_rule_redirects(each))
    elif token in APIS:
        for protocol in resource["protocols"].each():
            yield Finding(_MESSAGE, at=protocol, when=any_of(says(protocol, word) for word in _UNENCRYPTED))
    else:
        yield from _of_container_app(resource)


def _lists_http(protocols: Value) -> Truth:
    return any_of(says(each, "http") for each in protocols.each())


def _rule_redirects(rule_: Value) -> Truth:
    found = (rule_[key]["redirectProtocol"] for key in ("redirectConfiguration", "routeConfiguration"))
    return any_of(says(protocol, "httpsonly") for protocol in found)


def _endpoint_redirects(endpoint: Resource) -> Truth:
    """Does a rule of the endpoint send requests on to HTTPS? It has to take HTTP then."""
    if endpoint.token == ENDPOINT:
        return any_of(says(each["urlRedirectAction"]["protocol"], "https") for each in endpoint["deliveryRules"].each())
    return any_of(
        says(action["parameters"]["destinationProtocol"], "https")
        for each in endpoint["deliveryPolicy"]["rules"].each()
        for action in each["actions"].each()
    )


def _of_route(route: Resource) -> Iterator[Finding]:
    """Front Door redirects a route by its switch, or by a rule of a rule set, which another resource holds."""
    if route.token == ROUTE:
        switch, sets = route["httpsRedirectEnabled"], route["cdnFrontdoorRuleSetIds"]
        plain = switch.is_false()
    else:
        switch, sets = route["httpsRedirect"], route["ruleSets"]
        plain = ~says(switch, "enabled")
    ruled = unknown(sets.gap._replace(why="a rule of its rule sets may redirect"))
    yield Finding(
        _MESSAGE,
        at=switch,
        when=plain & _lists_http(route["supportedProtocols"]) & (sets.is_empty() | ruled),
    )


def _of_container_app(app: Resource) -> Iterator[Finding]:
    if app.token == CONTAINER_APP:
        ingress = app["ingress"]
        switch, external = ingress["allowInsecureConnections"], ingress["externalEnabled"]
    else:
        ingress = app["configuration"]["ingress"]
        switch, external = ingress["allowInsecure"], ingress["external"]
    yield Finding(_MESSAGE, at=switch, when=switch.is_true() & external.is_true())
