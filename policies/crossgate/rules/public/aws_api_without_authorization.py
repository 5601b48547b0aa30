"""API Gateway method or route asks nobody who they are.

Why: without an authorization type everyone who knows the URL calls what is behind it. That is right for a sign-in page
or a public site, and a surprise for the rest. The functions behind it have to check the caller themselves.

Preflight requests of browsers (``OPTIONS``) carry no credentials and are not asked about, nor are methods that need an
API key, private APIs, and APIs whose resource policy says who may call, or from where. A policy that allows everyone
says nothing more than none, and with ``AWS_IAM`` it lets in every AWS account: whoever signs a request allows it to
themselves. A WebSocket API asks only at ``$connect``.

Fix: set ``authorization`` of a method, or ``authorizationType`` of a route, to ``AWS_IAM``, ``JWT``, ``CUSTOM`` or
``COGNITO_USER_POOLS``. Where an endpoint is meant for everyone, exempt it by name.

Sources:
    https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-access-control.html
    https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-control-access.html
    https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
    https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-auth.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, TRUE, UNKNOWN, Finding, Part, Severity, any_of, ref, rule, unknown
from crossgate.rules.public import _iam_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_METHODS: Final = ("aws:apigateway/method:Method",)
_ROUTES: Final = ("aws:apigatewayv2/route:Route", "aws-native:apigatewayv2:Route")
_REST_APIS: Final = ("aws:apigateway/restApi:RestApi",)
_POLICIES: Final = ("aws:apigateway/restApiPolicy:RestApiPolicy",)
_APIS: Final = ("aws:apigatewayv2/api:Api", "aws-native:apigatewayv2:Api")
_VERBS: Final = ("ANY", "DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
"""API Gateway's methods but ``OPTIONS``."""


def _method(**more: Any) -> Part:
    return Part(_METHODS[0], "method", {"restApi": ref("api"), "httpMethod": "GET", "authorization": "NONE", **more})


def _api(**inputs: Any) -> Part:
    return Part(_REST_APIS[0], "api", inputs)


_INVOKE: Final = {"Effect": "Allow", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "execute-api:/*"}
_FROM: Final = {"IpAddress": {"aws:SourceIp": ["192.0.2.0/24"]}}
_NOT_FROM: Final = {"NotIpAddress": {"aws:SourceIp": ["192.0.2.0/24"]}}


def _policy(*statements: Any) -> Part:
    return Part(
        _POLICIES[0], "policy", {"restApiId": ref("api"), "policy": json.dumps({"Statement": list(statements)})}
    )


def _route(key: Any, **more: Any) -> Part:
    return Part(_ROUTES[0], "route", {"apiId": ref("api"), "routeKey": key, **more})


def _http(protocol: Any = "HTTP") -> Part:
    return Part(_APIS[0], "api", {"protocolType": protocol})


@rule(
    types=(*_METHODS, *_ROUTES),
    severity=Severity.MEDIUM,
    neighbours=(*_REST_APIS, *_POLICIES, *_APIS),
    frameworks=("AWS FSBP 1.0 APIGateway.8",),
    equivalents={
        "checkov:CKV_AWS_59": {"message": "method"},
        "checkov:CKV2_AWS_70": {"message": "method"},
        "checkov:CKV_AWS_309": {"message": "route"},
        "trivy:AVD-AWS-0004": {"message": "method"},
        "kics:15ccec05-5476-4890-ad19-53991eba1db8": {"message": "method"},
    },
    bad=[
        [_method(), _api()],
        [_method(httpMethod="ANY", resourceId=UNKNOWN), _api()],
        [_method(), _api(policy=json.dumps({"Statement": [_INVOKE]}))],
        [_method(), _api(), _policy(_INVOKE)],
        [_method(authorization="AWS_IAM"), _api(), _policy(_INVOKE)],
        [_route("GET /orders"), _http()],
        [_route("$default", authorizationType="NONE"), _http()],
        [_route("$connect"), _http("WEBSOCKET")],
        Part(_ROUTES[1], "route", {"apiId": "a1b2c3", "routeKey": "POST /orders"}),
    ],
    good=[
        [_method(authorization="AWS_IAM"), _api()],
        [_method(authorization="AWS_IAM"), _api(policy=json.dumps({"Statement": [{**_INVOKE, "Condition": _FROM}]}))],
        [
            _method(authorization="AWS_IAM"),
            _api(),
            _policy(_INVOKE, {**_INVOKE, "Effect": "Deny", "Condition": _NOT_FROM}),
        ],
        [_method(authorization="AWS_IAM"), _api(endpointConfiguration={"types": "PRIVATE"}), _policy(_INVOKE)],
        [_method(authorization="COGNITO_USER_POOLS"), _api(), _policy(_INVOKE)],
        [_method(httpMethod="OPTIONS"), _api()],
        [_method(apiKeyRequired=True), _api()],
        [_method(), _api(endpointConfiguration={"types": "PRIVATE"})],
        [_method(), _api(policy=json.dumps({"Statement": [{**_INVOKE, "Condition": _FROM}]}))],
        [_method(), _api(), _policy({**_INVOKE, "Principal": {"AWS": "arn:aws:iam::111122223333:root"}})],
        [_method(), _api(), _policy(_INVOKE, {**_INVOKE, "Effect": "Deny", "Condition": _NOT_FROM})],
        [_route("GET /orders", authorizationType="JWT"), _http()],
        [_route("OPTIONS /orders"), _http()],
        [_route("sendmessage"), _http("WEBSOCKET")],
        [_route("$disconnect"), _http("WEBSOCKET")],
        [_route("$default"), _http("WEBSOCKET")],
    ],
    unsure=[
        [_method(authorization=UNKNOWN), _api()],
        [_method(httpMethod=UNKNOWN), _api()],
        [_method(), _api(policy=UNKNOWN)],
        [_method(authorization="AWS_IAM"), _api(policy=UNKNOWN)],
        [_route("GET /orders", authorizationType=UNKNOWN), _http()],
        [_route(UNKNOWN), _http()],
        [_route("$default"), _http(UNKNOWN)],
    ],
)
def aws_api_without_authorization(resource: Resource) -> Iterator[Finding]:
    """Yield the method or the route when nobody is asked who they are, or everyone who says so is let in."""
    if resource.token in _METHODS:
        yield from _of_method(resource)
        return
    kind = resource["authorizationType"]
    key = resource["routeKey"]
    open_to_all = (kind.is_empty() | kind.equals("NONE")) & key.test(_is_asked)
    if not open_to_all.is_false:
        apis = resource.targets("apiId", _APIS)
        spoken = any_of(link.linked & link.resource["protocolType"].equals("WEBSOCKET") for link in apis)
        excused = key.equals("$default") & spoken
        yield Finding("everyone who knows the URL may call the route", at=kind, when=open_to_all & ~excused)


def _of_method(method: Resource) -> Iterator[Finding]:
    kind = method["authorization"]
    asked = method["httpMethod"].is_in(_VERBS) & ~method["apiKeyRequired"].is_true()
    open_to_all = kind.equals("NONE") & asked
    if not open_to_all.is_false:
        words = "everyone who knows the URL may call the method"
        yield Finding(words, at=kind, when=open_to_all & ~_limited(method))
    signed = kind.equals("AWS_IAM") & asked
    if not signed.is_false:
        words = "every AWS account may call it: the policy of the API allows everyone"
        yield Finding(words, at=kind, when=signed & _is_opened(method))


def _is_asked(key: Any) -> bool:
    """Return whether a route takes an authorization type and is no preflight."""
    text = str(key)
    return text in ("$default", "$connect") or (" /" in text and text.partition(" ")[0].upper() in _VERBS)


def _limited(method: Resource) -> Truth:
    """Is the method's API private, or does it have a policy that says who may call it?"""
    apis = method.targets("restApi", _REST_APIS)
    return any_of(link.linked & (_is_private(link.resource) | _has_policy(link.resource)) for link in apis)


def _is_opened(method: Resource) -> Truth:
    """Does a resource policy of the method's API let in whoever signs a request?"""
    opened = FALSE
    for link in method.targets("restApi", _REST_APIS):
        policies = [(link.linked, link.resource["policy"])]
        policies += [(each.linked, each.resource["policy"]) for each in link.resource.related(_POLICIES, "restApiId")]
        for linked, policy in policies:
            opened = opened | (link.linked & linked & policy.exists() & ~_limits(policy) & ~policy.json().is_empty())
        opened = opened & ~(link.linked & _is_private(link.resource))
    return opened


def _is_private(api: Resource) -> Truth:
    return any_of(each.equals("PRIVATE") for each in api["endpointConfiguration"]["types"].each())


def _has_policy(api: Resource) -> Truth:
    """Does a resource policy of the API say who may call it, or from where?"""
    limits = _limits(api["policy"])
    for link in api.related(_POLICIES, "restApiId", _REST_APIS):
        limits = limits | (link.linked & _limits(link.resource["policy"]))
    return limits


def _limits(policy: Value) -> Truth:
    """Does a policy allow less than everything to everyone? With nothing that authorizes, it alone decides."""
    if policy.is_empty().is_true:
        return FALSE
    document = policy.json()
    if not document.readable:
        return unknown(document.gap)
    if _iam_policy.denies_the_rest(document):
        return TRUE
    open_to_all = any_of(grant.public for grant in _iam_policy.grants(document, _iam_policy.PLAIN))
    return policy.exists() & ~open_to_all
