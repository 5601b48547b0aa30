"""IAM policy allows changes to every resource, or reading all of their data.

Why: whoever breaks into the holder of the policy reaches every bucket, table, secret and key of the account, not the
one that the workload needs. Actions for which AWS takes no narrower resource than ``*``, such as
``s3:ListAllMyBuckets``, do not count, nor do statements with a condition.

Fix: name the resources in ``Resource``; take their ARNs from the stack.

Sources:
    https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
    https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _identity_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_ACTIONS: Final = tuple(
    f"{service}:{action}"
    for service, actions in {
        "dynamodb": "BatchGetItem BatchWriteItem DeleteItem DeleteTable GetItem PutItem Query Scan UpdateItem",
        "ec2": "RunInstances StopInstances TerminateInstances",
        "ecr": "BatchDeleteImage DeleteRepository PutImage",
        "iam": "AttachRolePolicy DeleteRole PassRole PutRolePolicy UpdateAssumeRolePolicy",
        "kinesis": "GetRecords PutRecord PutRecords",
        "kms": "Decrypt Encrypt GenerateDataKey PutKeyPolicy ScheduleKeyDeletion",
        "lambda": "AddPermission DeleteFunction InvokeFunction UpdateFunctionCode UpdateFunctionConfiguration",
        "rds": "DeleteDBCluster DeleteDBInstance ModifyDBCluster ModifyDBInstance",
        "s3": "DeleteBucket DeleteObject GetObject PutBucketPolicy PutObject PutObjectAcl",
        "secretsmanager": "DeleteSecret GetSecretValue PutSecretValue UpdateSecret",
        "sns": "DeleteTopic Publish",
        "sqs": "DeleteMessage DeleteQueue ReceiveMessage SendMessage",
        "ssm": "DeleteParameter GetParameter GetParameters GetParametersByPath PutParameter SendCommand",
    }.items()
    for action in actions.split()
)
"""Actions on data and settings that take a resource, by AWS's Service Authorization Reference of 2026-11."""


def _policy(**statement: Any) -> dict[str, str]:
    return {"policy": json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})}


@rule(
    types=tuple(_identity_policy.POLICIES),
    severity=Severity.LOW,
    bad=[
        _policy(Action="s3:GetObject", Resource="*"),
        _policy(Action=["logs:PutLogEvents", "kms:*"], Resource=["*"]),
        _policy(Action=["s3:ListAllMyBuckets", "dynamodb:Put*"], Resource="*"),
        _policy(Action="secretsmanager:getsecretvalue", Resource="arn:aws:secretsmanager:*:*:secret:*"),
        _policy(Action=[UNKNOWN, "iam:PassRole"], Resource="*"),
        Part("aws:iam/role:Role", "job", {"inlinePolicies": [_policy(Action="sqs:*", Resource="*")]}),
    ],
    good=[
        {},
        _policy(Action=["s3:ListAllMyBuckets", "logs:DescribeLogGroups"], Resource="*"),
        _policy(Action=["ecr:GetAuthorizationToken", "xray:PutTraceSegments", "ec2:Describe*"], Resource="*"),
        _policy(Action="s3:GetObject", Resource="arn:aws:s3:::shop-assets/*"),
        _policy(Action="kms:Decrypt", Resource="*", Condition={"StringEquals": {"kms:ViaService": "s3.amazonaws.com"}}),
        _policy(Action="s3:*", Resource="*", Effect="Deny"),
    ],
    unsure=[
        {"policy": UNKNOWN},
        _policy(Action=UNKNOWN, Resource="*"),
        _policy(Action="s3:GetObject", Resource=UNKNOWN),
    ],
)
def aws_iam_every_resource(resource: Resource) -> Iterator[Finding]:
    """Yield the statements that allow such an action for every resource."""
    for grant in _identity_policy.granted(resource, _ACTIONS, "actions that could name theirs"):
        yield Finding(f"allows {grant.actions} for every resource", at=grant.at, when=grant.when)
