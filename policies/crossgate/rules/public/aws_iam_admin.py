"""IAM policy makes its holder an administrator.

Why: whoever holds it, or breaks into what holds it, owns the account: every key, every bucket, every log. ``NotAction``
beside ``Allow`` is the trap: it allows everything but what it lists, so all that comes new with AWS, too. It does not
count where it spares ``iam:*``, as AWS's own policy for power users does.

Fix: list the actions that are needed, and name the resources. For people, attach AdministratorAccess to a role of
theirs alone, in IAM Identity Center, and exempt that one by name.

Sources:
    https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notaction.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/iam-controls.html#iam-1
    https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AdministratorAccess.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.public import _identity_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_ATTACHMENTS: Final = {
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": "policyArn",
    "aws:iam/userPolicyAttachment:UserPolicyAttachment": "policyArn",
    "aws:iam/groupPolicyAttachment:GroupPolicyAttachment": "policyArn",
    "aws:iam/policyAttachment:PolicyAttachment": "policyArn",
    "aws:iam/role:Role": "managedPolicyArns",
    "aws-native:iam:Role": "managedPolicyArns",
    "aws-native:iam:User": "managedPolicyArns",
    "aws-native:iam:Group": "managedPolicyArns",
}
_OWN_POLICIES: Final = ("aws:iam/policy:Policy", "aws-native:iam:ManagedPolicy")
"""An unknown ARN that is one of these is not AWS's own policy; what it allows is asked of itself."""
_ADMINISTRATOR: Final = ":iam::aws:policy/AdministratorAccess"


def _policy(**statement: Any) -> dict[str, str]:
    return {"policy": json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})}


_ATTACHMENT: Final = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"


@rule(
    types=tuple(dict.fromkeys((*_identity_policy.POLICIES, *_ATTACHMENTS))),
    severity=Severity.HIGH,
    undetermined="warn",
    frameworks=("AWS FSBP 1.0 IAM.1", "CIS AWS 3.0 1.16"),
    equivalents=("checkov:CKV_AWS_62", "checkov:CKV_AWS_274"),
    bad=[
        _policy(Action="*", Resource="*"),
        _policy(Action=["s3:GetObject", "*"], Resource=["*"]),
        _policy(Action="*:*", Resource="*"),
        _policy(Action=["s3:GetObject", UNKNOWN, "*"], Resource="*"),
        _policy(NotAction="iam:CreateUser", Resource="*"),
        _policy(NotAction=["s3:*", "ec2:*"], Resource="*"),
        Part("aws:iam/role:Role", "ci", {"inlinePolicies": [_policy(Action="*", Resource="*")]}),
        Part("aws:iam/role:Role", "ci", {"managedPolicyArns": ["arn:aws:iam::aws:policy/AdministratorAccess"]}),
        Part(_ATTACHMENT, "ci", {"role": "ci", "policyArn": "arn:aws-cn:iam::aws:policy/AdministratorAccess"}),
        Part(
            "aws-native:iam:ManagedPolicy",
            "ci",
            {"policyDocument": {"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}},
        ),
    ],
    good=[
        {},
        _policy(Action="s3:*", Resource="*"),
        _policy(Action="*", Resource="arn:aws:s3:::shop-assets/*"),
        _policy(Action="*", Resource="*", Effect="Deny"),
        _policy(Action="*", Resource="*", Condition={"StringEquals": {"aws:ResourceTag/team": "shop"}}),
        _policy(NotAction=["iam:*", "organizations:*", "account:*"], Resource="*"),
        Part(_ATTACHMENT, "ci", {"role": "ci", "policyArn": "arn:aws:iam::aws:policy/ReadOnlyAccess"}),
        Part(_ATTACHMENT, "ci", {"role": "ci", "policyArn": "arn:aws:iam::123456789012:policy/AdministratorAccess"}),
        [
            Part(_ATTACHMENT, "ci", {"role": "ci", "policyArn": ref("deploy")}),
            Part("aws:iam/policy:Policy", "deploy", _policy(Action="s3:PutObject", Resource="arn:aws:s3:::site/*")),
        ],
    ],
    unsure=[
        {"policy": UNKNOWN},
        Part(_ATTACHMENT, "ci", {"role": "ci", "policyArn": UNKNOWN}),
        _policy(Action=UNKNOWN, Resource="*"),
        _policy(Action="*", Resource=UNKNOWN),
    ],
)
def aws_iam_admin(resource: Resource) -> Iterator[Finding]:
    """Yield the statements, and the attachments of AWS's own policy, that allow everything."""
    if resource.token in _ATTACHMENTS:
        for arn in resource[_ATTACHMENTS[resource.token]].each():
            if not arn.comes_only_from(_OWN_POLICIES):
                yield Finding("AdministratorAccess is attached", at=arn, when=arn.test(_is_administrator))
    if resource.token in _identity_policy.POLICIES:
        for statement in _identity_policy.statements(resource):
            yield Finding(
                "allows every action for every resource",
                at=_identity_policy.actions_of(statement),
                when=_identity_policy.allows_all(statement),
            )


def _is_administrator(content: Any) -> bool:
    return isinstance(content, str) and content.startswith("arn:") and content.endswith(_ADMINISTRATOR)
