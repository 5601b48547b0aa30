"""IAM policy lets its holder obtain credentials of anyone.

Why: some actions return credentials or set them: an access key or a password for another user, a session of any role,
the master password of a database. Whoever holds such a policy for every resource becomes whoever they choose, and what
they obtain goes on working after the policy is gone.

Statements that are narrowed to some users, roles or databases, or by a condition, do not count: a user who manages
their own key has ``${aws:username}`` in the resource. ``ecr:GetAuthorizationToken`` does not count either: it can be
allowed for every resource alone.

Fix: name the users, roles or databases in ``Resource``, or leave the action out.

Sources:
    https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
    https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateAccessKey.html
    https://docs.aws.amazon.com/redshift/latest/mgmt/generating-iam-credentials-role-permissions.html
"""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule, secret
from crossgate.rules.leakage._places import at_paths, split_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_POLICIES: Final = split_paths(
    {
        "aws:iam/policy:Policy": "policy",
        "aws:iam/rolePolicy:RolePolicy": "policy",
        "aws:iam/userPolicy:UserPolicy": "policy",
        "aws:iam/groupPolicy:GroupPolicy": "policy",
        "aws:iam/role:Role": "inlinePolicies.*.policy",
        "aws:ssoadmin/permissionSetInlinePolicy:PermissionSetInlinePolicy": "inlinePolicy",
        "aws-native:iam:ManagedPolicy": "policyDocument",
        "aws-native:iam:RolePolicy": "policyDocument",
        "aws-native:iam:UserPolicy": "policyDocument",
        "aws-native:iam:GroupPolicy": "policyDocument",
        "aws-native:iam:Role": "policies.*.policyDocument",
        "aws-native:iam:User": "policies.*.policyDocument",
        "aws-native:iam:Group": "policies.*.policyDocument",
    }
)
_ACTIONS: Final = (
    "chime:CreateApiKey",
    "codepipeline:PollForJobs",
    "cognito-identity:GetCredentialsForIdentity",
    "cognito-identity:GetOpenIdToken",
    "cognito-identity:GetOpenIdTokenForDeveloperIdentity",
    "connect:GetFederationToken",
    "gamelift:RequestUploadCredentials",
    "iam:CreateAccessKey",
    "iam:CreateLoginProfile",
    "iam:CreateServiceSpecificCredential",
    "iam:ResetServiceSpecificCredential",
    "iam:UpdateAccessKey",
    "iam:UpdateLoginProfile",
    "lightsail:GetInstanceAccessDetails",
    "lightsail:GetRelationalDatabaseMasterUserPassword",
    "mediapackage:RotateChannelCredentials",
    "mediapackage:RotateIngestEndpointCredentials",
    "rds-db:connect",
    "redshift:GetClusterCredentials",
    "redshift:GetClusterCredentialsWithIAM",
    "sso:GetRoleCredentials",
    "sts:AssumeRole",
    "sts:GetFederationToken",
)
"""Actions that return credentials of somebody else, or set them."""
_EVERYTHING: Final = r"\*|arn:[^:]*:[^:]*:[^:]*:[^:]*:(?:\*|[\w-]+[/:]\*)"
_SHOWN: Final = 3


def _document(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def _allow(action: Any, resource: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


_OWN: Final = "arn:aws:iam::123456789012:user/${aws:username}"


@rule(
    types=tuple(_POLICIES),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AWS_287",),
    bad=[
        {"policy": _document(_allow(["s3:GetObject", "iam:CreateAccessKey"]))},
        {"policy": _document(_allow("iam:Create*"))},
        {"policy": _document(_allow(["s3:GetObject", UNKNOWN, "sts:AssumeRole"]), _allow("s3:PutObject"))},
        {"policy": {"Statement": _allow("iam:CreateLoginProfile", "arn:aws:iam::123456789012:user/*")}},
        {"policy": _document({"Effect": "Allow", "NotAction": "s3:*", "Resource": "*"})},
        {"policy": _document({"Effect": "Allow", "Action": "iam:UpdateAccessKey", "NotResource": _OWN})},
        Part("aws:iam/role:Role", "ci", {"inlinePolicies": [{"policy": _document(_allow("rds-db:connect"))}]}),
        Part("aws-native:iam:ManagedPolicy", "ci", {"policyDocument": {"Statement": [_allow("iam:*")]}}),
    ],
    good=[
        {},
        {"policy": _document(_allow(["s3:GetObject", "ecr:GetAuthorizationToken"]))},
        {"policy": _document(_allow("iam:CreateAccessKey", _OWN))},
        {"policy": _document(_allow("sts:AssumeRole", "arn:aws:iam::123456789012:role/deploy"))},
        {"policy": _document(_allow("iam:CreateAccessKey", Condition={"Bool": {"aws:ViaAWSService": "true"}}))},
        {"policy": _document({"Effect": "Deny", "Action": "*", "Resource": "*"})},
        {"policy": _document({"Effect": "Allow", "NotAction": ["*"], "Resource": "*"})},
        {"policy": "not JSON, which IAM refuses"},
    ],
    unsure=[
        {"policy": UNKNOWN},
        {"policy": secret(UNKNOWN)},
        {"policy": {"Statement": [_allow("iam:CreateAccessKey", UNKNOWN)]}},
        {"policy": {"Statement": [_allow(UNKNOWN)]}},
    ],
)
def aws_iam_policy_gives_out_credentials(resource: Resource) -> Iterator[Finding]:
    """Yield the statements that allow such an action for everything."""
    for policy in at_paths(resource, _POLICIES[resource.token]):
        document = policy.json()
        if policy.readable and not document.readable:
            continue
        for statement in document["Statement"].each():
            allowed = statement["Effect"].equals("Allow") & _covers_everything(statement) & _is_unconditional(statement)
            if allowed.is_false:
                continue
            names = _shown(statement["Action"])
            yield Finding(
                f"allows {names} for every resource: its holder can become somebody else",
                at=statement["Action"] if statement["NotAction"].is_absent else statement["NotAction"],
                when=allowed & _gives_credentials(statement),
            )


def _covers_everything(statement: Value) -> Truth:
    every = any_of(item.test(_is_everything) for item in statement["Resource"].each())
    return every | statement["NotResource"].exists()


def _is_everything(content: Any) -> bool:
    return isinstance(content, str) and re.fullmatch(_EVERYTHING, content) is not None


def _is_unconditional(statement: Value) -> Truth:
    return statement["Condition"].is_empty()


def _gives_credentials(statement: Value) -> Truth:
    given = any_of(item.test(lambda content: bool(_matched(content))) for item in statement["Action"].each())
    spared = statement["NotAction"]
    if spared.is_absent:
        return given
    rest = any_of(~any_of(item.test(_matches(name)) for item in spared.each()) for name in _ACTIONS)
    return given | (spared.exists() & rest)


def _matches(name: str) -> Any:
    return lambda content: name in _matched(content)


def _matched(pattern: Any) -> tuple[str, ...]:
    return _actions_like(pattern) if isinstance(pattern, str) else ()


@lru_cache(maxsize=1024)
def _actions_like(pattern: str) -> tuple[str, ...]:
    """Return those of the actions that ``pattern`` names; case does not count, ``*`` and ``?`` stand for any text."""
    like = pattern.lower().replace("[", "[[]")
    return tuple(name for name in _ACTIONS if fnmatchcase(name.lower(), like))


def _shown(actions: Value) -> str:
    """Return some of the actions that are known to be allowed."""
    found: dict[str, None] = {}
    for item in actions.each():
        if item.is_text:
            found.update(dict.fromkeys(_matched(item.text())))
    names = list(found)
    if not names:
        return "actions that give out credentials"
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more such actions" if more > 0 else "")
