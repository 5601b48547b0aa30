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
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret
from crossgate.rules.public import _identity_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

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


def _document(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def _allow(action: Any, resource: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


_OWN: Final = "arn:aws:iam::123456789012:user/${aws:username}"


@rule(
    types=tuple(_identity_policy.POLICIES),
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
    for grant in _identity_policy.granted(resource, _ACTIONS, "actions that give out credentials"):
        yield Finding(
            f"allows {grant.actions} for every resource: its holder can become somebody else",
            at=grant.at,
            when=grant.when,
        )
