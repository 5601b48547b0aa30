"""Public load balancer, API or distribution of AWS has no web ACL.

Why: a web ACL of AWS WAF turns away known attacks, floods of requests and addresses of bad repute before they reach the
application. Without one, whatever the internet sends goes through.

AWS Firewall Manager can attach web ACLs from outside the stack, which the stack does not show: exempt what is protected
that way. What only your own networks reach is left alone.

Fix: add a ``wafv2.WebAclAssociation`` whose ``resourceArn`` is that of the load balancer, the stage or the GraphQL API;
set ``webAclId`` of a CloudFront distribution.

Sources:
    https://docs.aws.amazon.com/waf/latest/developerguide/web-acl-associating-aws-resource.html
    https://docs.aws.amazon.com/config/latest/developerguide/api-gw-associated-with-waf.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/elb-controls.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, stack_rule, unknown
from crossgate.rules.network._aws_balancers import BALANCERS, is_internal, is_of_kind
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth

STAGES: Final = {"aws:apigateway/stage:Stage": "restApi", "aws-native:apigateway:Stage": "restApiId"}
"""Stages of REST APIs, and the input that names the API. HTTP and WebSocket APIs take no web ACL."""
REST_APIS: Final = ("aws:apigateway/restApi:RestApi", "aws-native:apigateway:RestApi")
GRAPHQL: Final = ("aws:appsync/graphQLApi:GraphQLApi", "aws-native:appsync:GraphQlApi")
CLOUDFRONT: Final = "aws:cloudfront/distribution:Distribution"
NATIVE_CLOUDFRONT: Final = "aws-native:cloudfront:Distribution"
ASSOCIATIONS: Final = (
    "aws:wafv2/webAclAssociation:WebAclAssociation",
    "aws:wafregional/webAclAssociation:WebAclAssociation",
    "aws-native:wafv2:WebAclAssociation",
)
_WEB_ACLS: Final = ("aws:wafv2/webAcl:WebAcl", "aws:waf/webAcl:WebAcl", "aws-native:wafv2:WebAcl")

_UNGUARDED: Final = "no web ACL of the stack belongs to"

_STAGE, _ = STAGES
_WEB: Final = Part(BALANCERS[0], "web", {"loadBalancerType": "application", "internal": False})
_SITE: Final = {"enabled": True, "origins": [{"domainName": "shop.example.com", "originId": "shop"}]}


def _association(target: object, token: str = ASSOCIATIONS[0]) -> Part:
    return Part(token, "guard", {"resourceArn": target, "webAclArn": "arn:aws:wafv2:eu-west-1:1234:regional/webacl/w"})


def _api(types: object) -> list[Part]:
    return [
        Part(_STAGE, "live", {"restApi": ref("api"), "stageName": "live"}),
        Part(REST_APIS[0], "api", {"endpointConfiguration": {"types": types}}),
    ]


@stack_rule(
    types=(*BALANCERS, *STAGES, *GRAPHQL, CLOUDFRONT, NATIVE_CLOUDFRONT),
    severity=Severity.LOW,
    neighbours=(*ASSOCIATIONS, *REST_APIS),
    frameworks=("AWS FSBP 1.0 APIGateway.4", "AWS FSBP 1.0 CloudFront.6"),
    equivalents={
        "checkov:CKV2_AWS_28": {"message": "load balancer"},
        "checkov:CKV2_AWS_29": {"message": "stage"},
        "checkov:CKV2_AWS_33": {"message": "GraphQL"},
        "checkov:CKV_AWS_68": {"message": "distribution"},
        "trivy:AVD-AWS-0011": {"message": "distribution"},
        "kics:0afa6ab8-a047-48cf-be07-93a2f8c34cf7": {"message": "load balancer"},
        "kics:a186e82c-1078-4a7b-85d8-579561fde884": {"message": "stage"},
        "kics:1419b4c6-6d5c-4534-9cf6-6a5266085333": {"message": "distribution"},
    },
    bad=[
        [_WEB],
        [_WEB, _association("arn:aws:elasticloadbalancing:eu-west-1:1234:loadbalancer/app/other/1")],
        _api("REGIONAL"),
        [Part(GRAPHQL[0], "shop", {"authenticationType": "API_KEY", "name": "shop"})],
        [Part(CLOUDFRONT, "site", _SITE)],
        [Part(NATIVE_CLOUDFRONT, "site", {"distributionConfig": {"enabled": True}})],
    ],
    good=[
        [_WEB, _association(ref("web"))],
        [_WEB, _association(ref("web"), ASSOCIATIONS[1])],
        [Part(BALANCERS[0], "inside", {"internal": True})],
        [Part(BALANCERS[0], "fast", {"loadBalancerType": "network"})],
        [*_api("REGIONAL"), _association(ref("live"))],
        _api(["PRIVATE"]),
        [Part(GRAPHQL[0], "shop", {"visibility": "PRIVATE"})],
        [Part(CLOUDFRONT, "site", {**_SITE, "webAclId": "arn:aws:wafv2:us-east-1:1234:global/webacl/w"})],
        [
            Part(CLOUDFRONT, "site", {**_SITE, "webAclId": ref("acl")}),
            Part(_WEB_ACLS[0], "acl", {"scope": "CLOUDFRONT"}),
        ],
        [Part(CLOUDFRONT, "site", {**_SITE, "enabled": False})],
    ],
    unsure=[
        [_WEB, _association(UNKNOWN)],
        [Part(BALANCERS[0], "web", {"internal": UNKNOWN})],
        [Part(_STAGE, "live", {"restApi": "a1b2c3", "stageName": "live"})],
        [Part(CLOUDFRONT, "site", {**_SITE, "webAclId": UNKNOWN})],
    ],
)
def aws_public_entry_without_web_acl(resource: Resource) -> Iterator[Finding]:
    """Yield the public entry that no web ACL of the stack belongs to."""
    if resource.token in (CLOUDFRONT, NATIVE_CLOUDFRONT):
        config = resource.inputs if resource.token == CLOUDFRONT else resource["distributionConfig"]
        acl = config["webAclId"]
        no_acl = acl.test(lambda arn: not arn, absent=True, never_from=_WEB_ACLS)
        missing = no_acl & ~config["enabled"].is_false()
        yield Finding(f"{_UNGUARDED} the distribution", at=acl, when=missing)
        return
    kind, public = _reach(resource)
    if public.is_false:
        return
    links = resource.related(ASSOCIATIONS, "resourceArn")
    yield Finding(f"{_UNGUARDED} the {kind}", at="", when=public & ~any_of(link.linked for link in links))


def _reach(resource: Resource) -> tuple[str, Truth]:
    """Return what the resource is called, and whether the internet reaches it."""
    if resource.token in BALANCERS:
        return "load balancer", is_of_kind(resource, "application") & ~is_internal(resource)
    if resource.token in GRAPHQL:
        return "GraphQL API", ~says(resource["visibility"], "private")
    return "stage", ~_is_private(resource)


def _is_private(stage: Resource) -> Truth:
    """Is the API of the stage for a VPC alone? An API outside the stack may be."""
    via = STAGES[stage.token]
    links = stage.targets(via, REST_APIS)
    if not links:
        return unknown(stage[via].gap._replace(why="the API of this stage is not in the stack"))
    return any_of(
        link.linked & any_of(says(kind, "private") for kind in link.resource["endpointConfiguration"]["types"].each())
        for link in links
    )
