"""IAM role may be assumed by strangers.

Why: whoever the trust policy names gets the role's permissions. ``Principal: "*"`` names every AWS account; an external
id beside it is a password without rotation. An identity provider that many customers share, such as GitHub Actions,
signs tokens for all of them: without a condition on ``sub``, or with one that any repository matches, every workflow on
GitHub may assume the role. ``ForAllValues`` and ``IfExists`` hold for a token without the claim and limit nothing.

Fix: name the accounts, roles or services in ``Principal``. For GitHub Actions compare
``token.actions.githubusercontent.com:sub`` with ``repo:OWNER/REPOSITORY:...``, wildcards only behind the owner; for
Cognito, Google and other sign-ins compare ``aud`` with your own pool or application.

Sources:
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-idp_oidc.html
    https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _iam_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_POLICIES: Final = {"aws:iam/role:Role": "assumeRolePolicy", "aws-native:iam:Role": "assumeRolePolicyDocument"}
_GITHUB: Final = "token.actions.githubusercontent.com"
_BY_SUBJECT: Final = (_GITHUB, "gitlab.com", "app.terraform.io")
"""Issuers whose subject alone tells whose token it is: anyone may ask for any audience."""
_BY_AUDIENCE: Final = (
    "cognito-identity.amazonaws.com",
    "accounts.google.com",
    "graph.facebook.com",
    "www.amazon.com",
)
"""Issuers whose audience tells whose application it is."""
_SUBJECT: Final = re.compile(r"[\w.-]+:[^*?$:/]+(?:[:/].*)?", re.DOTALL)
"""A claim's name and a fixed owner, whatever follows."""


def _trust(*statements: Any) -> dict[str, str]:
    return {"assumeRolePolicy": json.dumps({"Version": "2012-10-17", "Statement": list(statements)})}


def _assume(principal: Any, **condition: Any) -> dict[str, Any]:
    more = {"Condition": condition} if condition else {}
    return {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole", **more}


def _token(issuer: str, **condition: Any) -> dict[str, Any]:
    provider = issuer if issuer in _BY_AUDIENCE else f"arn:aws:iam::111122223333:oidc-provider/{issuer}"
    return {**_assume({"Federated": provider}, **condition), "Action": "sts:AssumeRoleWithWebIdentity"}


_LAMBDA: Final = _assume({"Service": "lambda.amazonaws.com"})
_SUB: Final = f"{_GITHUB}:sub"
_AUD: Final = {f"{_GITHUB}:aud": "sts.amazonaws.com"}


@rule(
    types=tuple(_POLICIES),
    severity=Severity.CRITICAL,
    undetermined="warn",
    equivalents={
        "checkov:CKV_AWS_60": {"message": "account"},
        "checkov:CKV_AWS_393": {"message": "fixes sub"},
        "kics:12b7e704-37f0-4d1e-911a-44bf60c48c21": {"message": "account"},
    },
    bad=[
        _trust(_LAMBDA, _assume({"AWS": "*"})),
        _trust(_LAMBDA, _assume({"AWS": ["*"]})),
        _trust(_assume({"AWS": [UNKNOWN, "*"]})),
        _trust(_assume("*", StringEquals={"sts:ExternalId": "shared"})),
        _trust(_token(_GITHUB)),
        _trust(_token(_GITHUB, StringEquals=_AUD)),
        _trust(_token(_GITHUB, StringLike={_SUB: "*"})),
        _trust(_token(_GITHUB, StringLike={_SUB: ["repo:octo-org/site:*", "repo:*"]})),
        _trust(_token(_GITHUB, StringEquals={_SUB: "main"})),
        _trust(_token(_GITHUB, **{"ForAllValues:StringLike": {_SUB: "repo:octo-org/*"}})),
        _trust(_token("gitlab.com", StringEquals={"gitlab.com:aud": "https://gitlab.com"})),
        _trust(_token("cognito-identity.amazonaws.com")),
        Part("aws-native:iam:Role", "role", {"assumeRolePolicyDocument": {"Statement": [_assume("*")]}}),
    ],
    good=[
        {},
        {"assumeRolePolicy": ""},
        _trust(_LAMBDA),
        _trust(_assume({"AWS": "arn:aws:iam::111122223333:root"})),
        _trust({**_assume("*"), "Effect": "Deny"}),
        _trust(_assume("*", StringEquals={"aws:PrincipalOrgID": "o-a1b2c3d4e5"})),
        _trust(_assume({"AWS": "*"}, ArnLike={"aws:PrincipalArn": "arn:aws:iam::111122223333:role/ci-*"})),
        _trust(_token(_GITHUB, StringEquals={**_AUD, _SUB: "repo:octo-org/site:ref:refs/heads/main"})),
        _trust(_token(_GITHUB, StringEquals=_AUD, StringLike={_SUB: "repo:octo-org/*"})),
        _trust(_token(_GITHUB, **{"ForAnyValue:StringLike": {_SUB: ["repo:octo-org/site:*"]}})),
        _trust(_token(f"{_GITHUB}/octo-enterprise")),
        _trust(_token("gitlab.com", StringLike={"gitlab.com:sub": "project_path:shop/*:ref_type:branch:ref:main"})),
        _trust(
            _token(
                "cognito-identity.amazonaws.com",
                StringEquals={"cognito-identity.amazonaws.com:aud": "eu-west-1:12345678"},
            )
        ),
        _trust(_token("oidc.eks.eu-west-1.amazonaws.com/id/A1B2C3")),
        Part("aws-native:iam:Role", "role", {"assumeRolePolicyDocument": {"Statement": [_LAMBDA]}}),
    ],
    unsure=[
        {"assumeRolePolicy": UNKNOWN},
        _trust(_assume({"AWS": UNKNOWN})),
        _trust(_token(_GITHUB, StringLike={_SUB: UNKNOWN})),
        {"assumeRolePolicy": "{not JSON"},
    ],
)
def aws_iam_role_open_to_everyone(role: Resource) -> Iterator[Finding]:
    """Yield who may assume the role though they are, or may be, strangers."""
    stated = role[_POLICIES[role.token]]
    if stated.is_absent or stated.is_empty().is_true:
        return
    document = stated.json()
    if not document.readable:
        yield Finding("strangers may assume the role", at=document, when=document.test(bool))
        return
    for statement in document["Statement"].each():
        for grant in _iam_policy.statement_grants(statement, _iam_policy.PLAIN):
            words = f"Allow for {grant.who}: every AWS account may assume the role"
            yield Finding(words, at=grant.at, when=grant.public)
        yield from _by_token(statement)


def _by_token(statement: Value) -> Iterator[Finding]:
    allows = statement["Effect"].equals("Allow")
    principal = statement["Principal"]
    if allows.is_false or not principal.is_map:
        return
    for provider in principal["Federated"].each():
        shared = provider.test(_is_by_subject)
        if not shared.is_false:
            words = "every customer of the identity provider has a token for the role: no condition fixes sub"
            yield Finding(words, at=provider, when=allows & shared & ~_fixes(statement, (":sub",), _is_loose_subject))
        signs_in = provider.test(_is_by_audience)
        if not signs_in.is_false:
            words = "every application of the identity provider gets a token for the role: no condition fixes aud"
            limited = _fixes(statement, (":aud", ":app_id", ":sub"), _is_loose)
            yield Finding(words, at=provider, when=allows & signs_in & ~limited)


def _fixes(statement: Value, suffixes: tuple[str, ...], is_loose: Any) -> Truth:
    return _iam_policy.compares_with_fixed(statement["Condition"], lambda key: key.endswith(suffixes), is_loose)


def _is_by_subject(content: Any) -> bool:
    return isinstance(content, str) and _issuer(content) in _BY_SUBJECT


def _is_by_audience(content: Any) -> bool:
    return isinstance(content, str) and _issuer(content) in _BY_AUDIENCE


def _issuer(provider: str) -> str:
    return provider.partition(":oidc-provider/")[2] or provider


def _is_loose_subject(content: Any) -> bool:
    return not isinstance(content, str) or _SUBJECT.fullmatch(content) is None


def _is_loose(content: Any) -> bool:
    return not content or any(mark in str(content) for mark in ("*", "?", "${"))
