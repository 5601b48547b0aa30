"""The reader of resource policies, row by row."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crossgate import UNKNOWN, Resource, Stack, Truth, Value
from crossgate.rules.public import _iam_policy
from crossgate.rules.public._iam_policy import S3, Grant, Service, denies_the_rest, grants

ROLE = "arn:aws:iam::111122223333:role/reader"
ROLE_TYPE = "aws:iam/role:Role"
POLICY_TYPE = "aws:s3/bucketPolicy:BucketPolicy"


def read(*statements: Any, service: Service = S3) -> list[Grant]:
    return list(grants(Value({"Statement": list(statements)}), service))


def allow(principal: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Principal": principal, "Action": "s3:GetObject", "Resource": "*", **more}


def state(answer: Truth) -> str:
    return "unknown" if answer.is_unknown else "public" if answer.is_true else "closed"


def verdict(*statements: Any, service: Service = S3) -> str:
    found = [state(grant.public) for grant in read(*statements, service=service)]
    return next((answer for answer in ("public", "unknown") if answer in found), "closed")


@pytest.mark.parametrize(
    ("principal", "expected"),
    [
        ("*", "public"),
        (["*"], "public"),
        ({"AWS": "*"}, "public"),
        ({"AWS": [ROLE, "*"]}, "public"),
        ({"AWS": [UNKNOWN, "*"]}, "public"),
        ({"*": "*"}, "public"),
        ({"Service": "ec2.amazonaws.com", "AWS": "*"}, "public"),
        ({"Federated": "graph.facebook.com"}, "public"),
        ({"AWS": "arn:aws:iam::*:root"}, "public"),
        ({"AWS": ROLE}, "closed"),
        ({"AWS": "111122223333"}, "closed"),
        ({"AWS": "arn:aws-cn:iam::111122223333:root"}, "closed"),
        ({"AWS": "arn:aws:iam::111122223333:user/*"}, "closed"),
        ({"AWS": []}, "closed"),
        ({"Service": "cloudfront.amazonaws.com"}, "closed"),
        ({"Service": UNKNOWN}, "closed"),
        ({"CanonicalUser": "79a59df900b949e55d96a1e698fbaced"}, "closed"),
        ({"AWS": UNKNOWN}, "unknown"),
        ({"AWS": [ROLE, UNKNOWN]}, "unknown"),
        (UNKNOWN, "unknown"),
        (None, "closed"),
        (7, "closed"),
    ],
)
def test_whom_a_principal_lets_in(principal: Any, expected: str) -> None:
    assert verdict(allow(principal)) == expected


def test_a_federated_principal_is_for_each_service_to_say() -> None:
    assert (
        verdict(allow({"Federated": "graph.facebook.com"}), service=S3._replace(federated_is_public=False)) == "closed"
    )


@pytest.mark.parametrize("named", [ROLE, {"AWS": ROLE}, {"AWS": UNKNOWN}, UNKNOWN])
def test_allowing_all_but_some_lets_strangers_in(named: Any) -> None:
    assert verdict({"Effect": "Allow", "NotPrincipal": named, "Action": "*", "Resource": "*"}) == "public"


def test_a_statement_without_a_principal_is_of_no_resource_policy() -> None:
    assert verdict({"Effect": "Allow", "Action": "*", "Resource": "*"}) == "closed"


ORG = "o-a1b2c3d4e5"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        # fixed values of keys that S3 lists
        ({"StringEquals": {"aws:PrincipalOrgID": ORG}}, "closed"),
        ({"StringEquals": {"AWS:PRINCIPALORGID": ORG}}, "closed"),
        ({"stringequalsignorecase": {"aws:SourceAccount": 111122223333}}, "closed"),
        ({"StringLike": {"aws:SourceVpce": "vpce-1a2b3c4d"}}, "closed"),
        ({"ArnLike": {"aws:SourceArn": "arn:aws:sns:eu-west-1:111122223333:topic"}}, "closed"),
        ({"ArnEquals": {"aws:SourceArn": ["arn:aws:sns:eu-west-1:111122223333:a"]}}, "closed"),
        ({"StringEquals": {"aws:SourceOwner": "111122223333"}}, "closed"),
        ({"StringEquals": {"aws:userid": "AIDAEXAMPLE"}}, "closed"),
        ({"StringEquals": {"s3:DataAccessPointAccount": "111122223333"}}, "closed"),
        ({"ForAnyValue:StringEquals": {"aws:PrincipalOrgID": [ORG]}}, "closed"),
        # keys that only IAM knows
        ({"StringEquals": {"aws:PrincipalAccount": "111122223333"}}, "closed"),
        ({"ArnEquals": {"aws:PrincipalArn": ROLE}}, "closed"),
        ({"StringEquals": {"aws:SourceOrgID": ORG}}, "closed"),
        ({"StringEquals": {"aws:VpceAccount": "111122223333"}}, "closed"),
        ({"ForAnyValue:StringLike": {"aws:PrincipalOrgPaths": f"{ORG}/r-ab12/ou-ab12-1/*"}}, "closed"),
        ({"Bool": {"aws:PrincipalIsAWSService": "true"}}, "closed"),
        ({"Bool": {"aws:PrincipalIsAWSService": True}}, "closed"),
        # values that are not fixed
        ({"StringLike": {"aws:SourceVpc": "vpc-*"}}, "public"),
        ({"StringEquals": {"aws:SourceVpc": "vpc-?"}}, "public"),
        ({"StringEquals": {"aws:SourceVpce": "${aws:SourceVpce}"}}, "public"),
        ({"StringEquals": {"aws:SourceVpce": ["vpce-1", "*"]}}, "public"),
        ({"StringLike": {"aws:userid": "AROAEXAMPLE:*"}}, "public"),
        ({"ArnLike": {"aws:SourceArn": "arn:aws:cloudtrail:*:111122223333:trail/*"}}, "public"),
        ({"ForAnyValue:StringLike": {"aws:PrincipalOrgPaths": "o-*/r-ab12/*"}}, "public"),
        ({"ForAnyValue:StringLike": {"aws:PrincipalOrgPaths": f"{ORG}*"}}, "public"),
        ({"StringEquals": {"aws:SourceVpce": []}}, "public"),
        ({"StringEquals": {"aws:SourceVpce": None}}, "public"),
        ({"StringEquals": {"aws:SourceVpce": ""}}, "public"),
        ({"StringEquals": {"aws:SourceVpce": {"vpce": "vpce-1"}}}, "public"),
        ({"Bool": {"aws:PrincipalIsAWSService": "false"}}, "public"),
        # access points: a wildcard after a fixed account
        ({"StringLike": {"s3:DataAccessPointArn": "arn:aws:s3:us-west-2:111122223333:accesspoint/*"}}, "closed"),
        ({"ArnLike": {"s3:DataAccessPointArn": "arn:aws:s3:us-west-2:111122223333:accesspoint/a"}}, "closed"),
        ({"ArnLike": {"s3:DataAccessPointArn": "arn:aws:s3:us-west-2:*:accesspoint/a"}}, "public"),
        ({"ArnLike": {"s3:DataAccessPointArn": "arn:aws:s3:*:111122223333:accesspoint/a"}}, "public"),
        ({"ArnLike": {"s3:DataAccessPointArn": "*"}}, "public"),
        # addresses
        ({"IpAddress": {"aws:SourceIp": "203.0.113.7"}}, "closed"),
        ({"IpAddress": {"aws:SourceIp": ["203.0.113.0/24", "10.0.0.0/8", "2001:db8::/32"]}}, "closed"),
        ({"IpAddress": {"aws:SourceIp": "203.0.113.9/24"}}, "closed"),
        ({"IpAddress": {"aws:SourceIp": "0.0.0.0/0"}}, "public"),
        ({"IpAddress": {"aws:SourceIp": "128.0.0.0/7"}}, "public"),
        ({"IpAddress": {"aws:SourceIp": ["203.0.113.0/24", "::/0"]}}, "public"),
        ({"IpAddress": {"aws:SourceIp": "2001::/31"}}, "public"),
        ({"IpAddress": {"aws:SourceIp": "the office"}}, "public"),
        ({"IpAddress": {"aws:VpcSourceIp": "10.0.0.0/8"}}, "public"),
        ({"IpAddress": {"aws:VpcSourceIp": "10.0.0.0/8"}, "StringEquals": {"aws:SourceVpc": "vpc-1"}}, "closed"),
        ({"StringEquals": {"aws:SourceIp": "203.0.113.7"}}, "public"),
        # operators that a stranger's request satisfies
        ({"StringNotEquals": {"aws:PrincipalOrgID": ORG}}, "public"),
        ({"NotIpAddress": {"aws:SourceIp": "203.0.113.0/24"}}, "public"),
        ({"StringEqualsIfExists": {"aws:PrincipalOrgID": ORG}}, "public"),
        ({"ForAnyValue:StringEqualsIfExists": {"aws:PrincipalOrgID": ORG}}, "public"),
        ({"ForAllValues:StringEquals": {"aws:PrincipalOrgID": ORG}}, "public"),
        ({"Null": {"aws:SourceVpce": "false"}}, "public"),
        ({"NumericLessThan": {"aws:MultiFactorAuthAge": "3600"}}, "public"),
        ({"DateGreaterThan": {"aws:CurrentTime": "2026-01-01T00:00:00Z"}}, "public"),
        # keys that a stranger controls
        ({"Bool": {"aws:SecureTransport": "true"}}, "public"),
        ({"StringLike": {"aws:Referer": "https://example.com/*"}}, "public"),
        ({"StringEquals": {"aws:UserAgent": "guess-me"}}, "public"),
        ({"StringEquals": {"aws:username": "alice"}}, "public"),
        ({"StringEquals": {"aws:PrincipalTag/team": "web"}}, "public"),
        ({"StringEquals": {"aws:PrincipalType": "User"}}, "public"),
        ({"StringEquals": {"s3:prefix": "public/"}}, "public"),
        ({"StringEquals": {"s3:ExistingObjectTag/public": "yes"}}, "public"),
        ({"StringEquals": {"aws:RequestedRegion": "eu-west-1"}}, "public"),
        # one that works is enough
        ({"StringEquals": {"s3:prefix": "x", "aws:SourceVpc": "vpc-1"}}, "closed"),
        ({"Bool": {"aws:SecureTransport": "true"}, "StringEquals": {"aws:SourceVpc": "vpc-1"}}, "closed"),
        ({"StringEquals": {"aws:SourceVpc": "vpc-1"}, "StringLike": {"aws:SourceVpce": "*"}}, "closed"),
        # unknown
        ({"StringEquals": {"aws:SourceVpce": UNKNOWN}}, "unknown"),
        ({"StringEquals": {"aws:SourceVpce": ["vpce-1", UNKNOWN]}}, "unknown"),
        ({"StringEquals": {"aws:SourceVpce": ["*", UNKNOWN]}}, "public"),
        ({"StringEquals": {"aws:SourceVpce": UNKNOWN, "aws:SourceVpc": "vpc-1"}}, "closed"),
        ({"StringEquals": {"s3:prefix": UNKNOWN}}, "public"),
        ({"StringNotEquals": {"aws:SourceVpce": UNKNOWN}}, "public"),
        ({"StringEquals": UNKNOWN}, "unknown"),
        ({"StringNotEquals": UNKNOWN}, "public"),
        ({"IpAddress": {"aws:SourceIp": UNKNOWN}}, "unknown"),
        (UNKNOWN, "unknown"),
        # no condition at all
        ({}, "public"),
        (None, "public"),
        ("StringEquals", "public"),
        ({"StringEquals": ["aws:SourceVpc"]}, "public"),
    ],
)
def test_what_a_condition_keeps_out(condition: Any, expected: str) -> None:
    assert verdict(allow(Condition=condition)) == expected


@pytest.mark.parametrize(
    ("condition", "listed"),
    [
        ({"StringEquals": {"aws:PrincipalOrgID": ORG}}, True),
        ({"StringEquals": {"aws:PrincipalOrgID": ORG, "aws:PrincipalAccount": "111122223333"}}, True),
        ({"StringEquals": {"aws:PrincipalAccount": "111122223333"}}, False),
        ({"StringEquals": {"s3:x-amz-server-side-encryption-aws-kms-key-id": "arn:aws:kms:a:1:key/b"}}, False),
    ],
)
def test_whether_the_services_own_definition_names_the_key(condition: Any, listed: bool) -> None:
    [grant] = read(allow(Condition=condition))
    assert grant.limit.works.is_true
    assert grant.limit.listed.is_true is listed


@pytest.mark.parametrize("effect", ["Deny", "allow", "", None, []])
def test_only_allow_lets_in(effect: Any) -> None:
    assert verdict({**allow(), "Effect": effect}) == "closed"


@pytest.mark.parametrize("ignored", ["Action", "NotAction", "Resource", "NotResource", "Sid"])
def test_what_else_is_unknown_decides_nothing(ignored: str) -> None:
    assert verdict({**allow(), ignored: UNKNOWN}) == "public"
    assert verdict({**allow({"AWS": ROLE}), ignored: UNKNOWN}) == "closed"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (allow(), "public"),
        ([allow({"AWS": ROLE}), allow()], "public"),
        ([UNKNOWN, allow()], "public"),
        ([allow({"AWS": ROLE}), UNKNOWN], "unknown"),
        (UNKNOWN, "unknown"),
        ([], "closed"),
        (None, "closed"),
        ("*", "closed"),
        ([["*"]], "closed"),
    ],
)
def test_a_statement_may_be_an_object_a_list_or_unknown(statement: Any, expected: str) -> None:
    found = [state(grant.public) for grant in grants(Value({"Statement": statement}), S3)]
    assert next((answer for answer in ("public", "unknown") if answer in found), "closed") == expected


def test_an_unknown_effect_matters_only_for_strangers() -> None:
    assert verdict({**allow(), "Effect": UNKNOWN}) == "unknown"
    assert verdict({**allow({"AWS": ROLE}), "Effect": UNKNOWN}) == "closed"


def test_a_grant_says_where_it_names_whom() -> None:
    document = {
        "Statement": [allow({"AWS": ROLE}), allow({"AWS": [ROLE, "*"]}), {"Effect": "Allow", "NotPrincipal": "x"}]
    }
    for policy in (document, json.dumps(document)):
        resource = Resource("urn:pulumi:dev::p::t::x", POLICY_TYPE, "x", {"policy": policy})
        found = list(grants(resource["policy"].json(), S3))
        assert [grant.at.path for grant in found] == [
            "policy.Statement[1].Principal.AWS[1]",
            "policy.Statement[2].NotPrincipal",
        ]


def computed(policy: Any, *origins: tuple[str, str]) -> list[str]:
    """Read a policy whose unknowns were computed from ``origins``: pairs of a type and a name."""
    resources = [Resource(f"urn:pulumi:dev::p::{kind}::{name}", kind, name) for kind, name in origins]
    edges = {"policy": [resource.urn for resource in resources]}
    subject = Resource("urn:pulumi:dev::p::t::x", POLICY_TYPE, "x", {"policy": policy}, property_dependencies=edges)
    Stack([subject, *resources])
    return [state(grant.public) for grant in grants(subject["policy"], S3)]


def test_the_arn_of_a_role_is_never_everyone_and_the_id_of_an_endpoint_never_a_wildcard() -> None:
    policy = {"Statement": [allow({"AWS": [UNKNOWN]}), allow(Condition={"StringEquals": {"aws:SourceVpce": UNKNOWN}})]}
    endpoint = ("aws:ec2/vpcEndpoint:VpcEndpoint", "e")
    assert computed(policy, (ROLE_TYPE, "r"), endpoint) == ["closed"]
    assert computed(policy, (ROLE_TYPE, "r"), ("random:index/randomPet:RandomPet", "p")) == ["unknown", "unknown"]


def test_what_a_whole_policy_was_computed_from_proves_nothing() -> None:
    assert computed(UNKNOWN, (ROLE_TYPE, "r")) == ["unknown"]
    assert computed({"Statement": UNKNOWN}, (ROLE_TYPE, "r")) == ["unknown"]
    assert computed({"Statement": [allow(UNKNOWN)]}, (ROLE_TYPE, "r")) == ["unknown"]


def test_a_vpcs_range_proves_nothing_about_how_wide_it_is() -> None:
    policy = {"Statement": [allow(Condition={"IpAddress": {"aws:SourceIp": UNKNOWN}})]}
    assert computed(policy, ("aws:ec2/vpc:Vpc", "v")) == ["unknown"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ({"Principal": "*", "Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}}, True),
        ({"Principal": {"AWS": "*"}, "Condition": {"StringNotEqualsIfExists": {"AWS:SourceVpce": "vpce-1"}}}, True),
        ({"Principal": "*", "Condition": {"ForAllValues:ArnNotLike": {"aws:PrincipalArn": ROLE}}}, True),
        ({"Principal": "*", "Condition": {"NotIpAddress": {"aws:SourceIp": "203.0.113.0/24"}}}, True),
        ({"NotPrincipal": {"AWS": ROLE}}, True),
        ({"Principal": "*", "Condition": {"Bool": {"aws:SecureTransport": "false"}}}, False),
        ({"Principal": "*", "Condition": {"StringEquals": {"aws:SourceVpce": "vpce-1"}}}, False),
        ({"Principal": {"AWS": ROLE}, "Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}}, False),
        ({"Principal": "*"}, False),
        (UNKNOWN, False),
    ],
)
def test_which_deny_complements_an_allow(statement: Any, expected: bool) -> None:
    denied = {"Effect": "Deny", "Action": "s3:*", **statement} if isinstance(statement, dict) else statement
    assert denies_the_rest(Value({"Statement": [allow(), denied]})) is expected


def test_an_allow_is_no_complement() -> None:
    assert not denies_the_rest(Value({"Statement": allow(Condition={"StringNotEquals": {"aws:SourceVpce": "v"}})}))


def test_every_listed_key_is_one_that_limits() -> None:
    assert S3.listed_keys < _iam_policy._LIMITING_KEYS
    assert all(key == key.lower() for key in _iam_policy._LIMITING_KEYS)
