"""Lambda function may be invoked by an AWS service for anybody's resource.

Why: a service acts for whoever uses it. Without ``sourceArn`` or ``sourceAccount``, a topic, a bucket or a rule in any
other account can be pointed at the function, and the service invokes it all the same.

Fix: set ``sourceArn`` to the resource that invokes the function, and ``sourceAccount`` beside it where the ARN does not
hold an account, as a bucket's does not.

Sources:
    https://docs.aws.amazon.com/securityhub/latest/userguide/lambda-controls.html
    https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.aws_lambda.Permission.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, rule
from crossgate.rules._given import is_given
from crossgate.rules.public.aws_lambda_open_to_everyone import PERMISSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SOURCES = ("sourceArn", "sourceAccount", "principalOrgId", "eventSourceToken")


def _permission(**more: Any) -> dict[str, Any]:
    return {"action": "lambda:InvokeFunction", "function": "orders", "principal": "sns.amazonaws.com", **more}


@rule(
    types=PERMISSIONS,
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AWS_364", "trivy:AVD-AWS-0067"),
    bad=[
        _permission(),
        _permission(principal="s3.amazonaws.com", function=UNKNOWN),
        Part("aws-native:lambda:Permission", "sns", {"functionName": "orders", "principal": "sns.amazonaws.com"}),
    ],
    good=[
        _permission(sourceArn="arn:aws:sns:eu-west-1:111122223333:orders"),
        _permission(sourceAccount="111122223333"),
        _permission(principal="alexa-appkit.amazon.com", eventSourceToken="amzn1.ask.skill.1"),
        _permission(principal="111122223333"),
        _permission(principal="arn:aws:iam::111122223333:role/caller"),
        _permission(principal="*"),
        [
            Part("aws:lambda/permission:Permission", "sns", _permission(sourceArn=ref("orders"))),
            Part("aws:sns/topic:Topic", "orders", {}),
        ],
        _permission(sourceArn=UNKNOWN),
    ],
    unsure=[_permission(principal=UNKNOWN)],
)
def aws_lambda_any_source(permission: Resource) -> Iterator[Finding]:
    """Yield the principal when it is a service and no source is named."""
    principal = permission["principal"]
    service = principal.test(_is_service)
    if not service.is_false:
        named = any_of(is_given(permission[key]) for key in _SOURCES)
        words = "the service may invoke the function for anybody's resource: neither sourceArn nor sourceAccount is set"
        yield Finding(words, at=principal, when=service & ~named)


def _is_service(content: Any) -> bool:
    return isinstance(content, str) and content.endswith((".amazonaws.com", ".amazonaws.com.cn", ".amazon.com"))
