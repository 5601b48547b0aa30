"""Public web endpoint of AWS has no web application firewall.

Why: whoever finds the endpoint may send it anything: injections, scans, floods of requests. A web ACL of AWS WAF stops
known attacks and limits rates before they reach the application. It is a second line of defence; the application has to
be sound without it.

An internal load balancer, a private API and load balancers other than application load balancers are not asked about.
AWS Firewall Manager can attach a web ACL that no program shows; exempt what it looks after.

Fix: associate a web ACL (``aws.wafv2.WebAclAssociation``) with the load balancer, the API's stage or the GraphQL API;
name it in ``webAclId`` of a CloudFront distribution.

Sources:
    https://docs.aws.amazon.com/waf/latest/developerguide/how-aws-waf-works-resources.html
    https://docs.aws.amazon.com/waf/latest/APIReference/API_AssociateWebACL.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/elb-controls.html#elb-16
    https://docs.aws.amazon.com/securityhub/latest/userguide/cloudfront-controls.html#cloudfront-6
    https://docs.aws.amazon.com/securityhub/latest/userguide/apigateway-controls.html#apigateway-4
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, any_of, ref, rule, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth

_BALANCERS: Final = (
    "aws:lb/loadBalancer:LoadBalancer",
    "aws:alb/loadBalancer:LoadBalancer",
    "aws:elasticloadbalancingv2/loadBalancer:LoadBalancer",
)
_NATIVE_BALANCER: Final = "aws-native:elasticloadbalancingv2:LoadBalancer"
_STAGE: Final = "aws:apigateway/stage:Stage"
_STAGES: Final = {_STAGE: "restApi", "aws-native:apigateway:Stage": "restApiId"}
"""Stages of REST APIs, and where they name the API."""
_REST_APIS: Final = ("aws:apigateway/restApi:RestApi", "aws-native:apigateway:RestApi")
_GRAPHS: Final = ("aws:appsync/graphQLApi:GraphQLApi", "aws-native:appsync:GraphQlApi")
_DISTRIBUTION: Final = "aws:cloudfront/distribution:Distribution"
_NATIVE_DISTRIBUTION: Final = "aws-native:cloudfront:Distribution"
_FRONTED: Final = (*_BALANCERS, _NATIVE_BALANCER, *_STAGES, *_GRAPHS)
ASSOCIATIONS: Final = (
    "aws:wafv2/webAclAssociation:WebAclAssociation",
    "aws:wafregional/webAclAssociation:WebAclAssociation",
    "aws-native:wafv2:WebAclAssociation",
)
_ELSEWHERE: Final = "the API is in another stack"


def _associated(name: str) -> Part:
    return Part(ASSOCIATIONS[0], "association", {"resourceArn": ref(name), "webAclArn": UNKNOWN})


def _stage(**more: Any) -> Part:
    return Part(_STAGE, "prod", {"restApi": ref("api"), "stageName": "prod", **more})


def _api(*types: Any) -> Part:
    return Part(_REST_APIS[0], "api", {"endpointConfiguration": {"types": types[0]}} if types else {})


@rule(
    types=(*_FRONTED, _DISTRIBUTION, _NATIVE_DISTRIBUTION),
    severity=Severity.LOW,
    neighbours=(*ASSOCIATIONS, *_REST_APIS),
    frameworks=("AWS FSBP 1.0 ELB.16", "AWS FSBP 1.0 CloudFront.6", "AWS FSBP 1.0 APIGateway.4"),
    equivalents={
        "checkov:CKV2_AWS_28": {"message": "balancer"},
        "checkov:CKV2_AWS_29": {"message": "stage"},
        "checkov:CKV2_AWS_33": {"message": "GraphQL"},
        "checkov:CKV_AWS_68": {"message": "distribution"},
        "trivy:AVD-AWS-0011": {"message": "distribution"},
        "kics:0afa6ab8-a047-48cf-be07-93a2f8c34cf7": {"message": "balancer"},
        "kics:1419b4c6-6d5c-4534-9cf6-6a5266085333": {"message": "distribution"},
    },
    bad=[
        {"loadBalancerType": "application", "internal": False},
        *(Part(token, "web", {}) for token in _BALANCERS),
        Part(_NATIVE_BALANCER, "web", {"scheme": "internet-facing", "type": "application"}),
        [
            Part(_BALANCERS[0], "web", {"name": "web"}),
            Part(_BALANCERS[0], "shop", {"name": "shop", "internal": True}),
            _associated("shop"),
        ],
        [_stage(), _api("REGIONAL")],
        [_stage(), _api()],
        Part(_GRAPHS[0], "orders", {"authenticationType": "AWS_IAM"}),
        Part(_DISTRIBUTION, "site", {"enabled": True}),
        Part(_NATIVE_DISTRIBUTION, "site", {"distributionConfig": {"enabled": True}}),
    ],
    good=[
        [Part(_BALANCERS[0], "web", {"loadBalancerType": "application", "internal": False}), _associated("web")],
        {"loadBalancerType": "application", "internal": True},
        {"loadBalancerType": "network"},
        {"loadBalancerType": "gateway"},
        Part(_NATIVE_BALANCER, "web", {"scheme": "internal"}),
        Part(_NATIVE_BALANCER, "raw", {"type": "network"}),
        [_stage(), _api("REGIONAL"), _associated("prod")],
        [_stage(), _api("PRIVATE")],
        [Part(_GRAPHS[0], "orders", {}), _associated("orders")],
        Part(_GRAPHS[0], "orders", {"visibility": "PRIVATE"}),
        Part(_DISTRIBUTION, "site", {"webAclId": UNKNOWN}),
        Part(_NATIVE_DISTRIBUTION, "site", {"distributionConfig": {"webAclId": "arn:aws:wafv2:us-east-1:1:global/x"}}),
    ],
    unsure=[
        {"loadBalancerType": "application", "internal": UNKNOWN},
        {"loadBalancerType": UNKNOWN},
        [
            Part(_BALANCERS[0], "web", {}),
            Part(ASSOCIATIONS[0], "association", {"resourceArn": UNKNOWN, "webAclArn": UNKNOWN}),
        ],
        [_stage(), _api(UNKNOWN)],
        Part(_STAGE, "prod", {"restApi": "a1b2c3d4e5", "stageName": "prod"}),
        Part(_NATIVE_DISTRIBUTION, "site", {"distributionConfig": UNKNOWN}),
    ],
)
def aws_endpoint_without_waf(endpoint: Resource) -> Iterator[Finding]:
    """Yield the endpoint that the internet reaches and no web ACL is known for."""
    if endpoint.token in (_DISTRIBUTION, _NATIVE_DISTRIBUTION):
        options = endpoint.inputs if endpoint.token == _DISTRIBUTION else endpoint["distributionConfig"]
        acl = options["webAclId"]
        yield Finding("no web ACL stands before the distribution", at=acl, when=~acl.exists())
        return
    name, closed = _kind(endpoint)
    if not closed.is_true:
        guarded = any_of(link.linked for link in endpoint.related(ASSOCIATIONS, "resourceArn", _FRONTED))
        yield Finding(f"no web ACL stands before the {name}", when=~closed & ~guarded)


def _kind(endpoint: Resource) -> tuple[str, Truth]:
    """Return words for the endpoint, and whether the internet cannot reach it or AWS WAF cannot stand before it."""
    if endpoint.token in _STAGES:
        return "API's stage", _is_private(endpoint, _STAGES[endpoint.token])
    if endpoint.token in _GRAPHS:
        return "GraphQL API", endpoint["visibility"].equals("PRIVATE")
    native = endpoint.token == _NATIVE_BALANCER
    internal = endpoint["scheme"].equals("internal") if native else endpoint["internal"].is_true()
    kind = endpoint["type" if native else "loadBalancerType"]
    return "load balancer", internal | kind.is_in(("network", "gateway"))


def _is_private(stage: Resource, via: str) -> Truth:
    apis = stage.targets(via, _REST_APIS)
    private = FALSE
    for link in apis:
        options = link.resource["endpointConfiguration"]["types"]
        private = private | (link.linked & any_of(each.equals("PRIVATE") for each in options.each()))
    if any(link.linked.is_true for link in apis):
        return private
    return private | unknown(stage[via].gap._replace(why=_ELSEWHERE))
