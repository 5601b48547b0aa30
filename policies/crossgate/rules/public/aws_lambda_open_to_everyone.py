"""Lambda function or layer may be used by everyone.

Why: a permission for ``*`` lets every AWS account invoke the function, on your bill and with the function's role, and
read or change it when the action says so. ``sourceArn`` limits who only when it fixes the account: a bucket's ARN holds
none. A layer that everyone may get is a public download of its code.

With ``functionUrlAuthType`` of ``AWS_IAM`` it is every AWS account that may call the function's URL. What belongs to a
URL without authorisation (``NONE``, or ``invokedViaFunctionUrl``) is left to ``aws-lambda-url-without-authorization``.

Fix: name the account, role or service in ``principal``. For an organisation, keep ``*`` and set ``principalOrgId``, or
``organizationId`` of a layer.

Sources:
    https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/lambda-controls.html
    https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.aws_lambda.Permission.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules._given import is_given
from crossgate.rules.public import _iam_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

PERMISSIONS: Final = ("aws:lambda/permission:Permission", "aws-native:lambda:Permission")
_LAYERS: Final = (
    "aws:lambda/layerVersionPermission:LayerVersionPermission",
    "aws-native:lambda:LayerVersionPermission",
)
_LIMITS: Final = ("principalOrgId", "sourceAccount")


def _permission(**more: Any) -> dict[str, Any]:
    return {"action": "lambda:InvokeFunction", "function": "orders", "principal": "*", **more}


@rule(
    types=(*PERMISSIONS, *_LAYERS),
    severity=Severity.CRITICAL,
    undetermined="warn",
    frameworks=("AWS FSBP 1.0 Lambda.1",),
    equivalents={
        "kics:e08ed7eb-f3ef-494d-9d22-2e3db756a347": {"message": "function"},
    },
    bad=[
        _permission(),
        _permission(function=UNKNOWN),
        _permission(sourceArn="arn:aws:events:*:*:rule/daily"),
        _permission(sourceArn="arn:aws:s3:::reports"),
        _permission(action="lambda:InvokeFunctionUrl", functionUrlAuthType="AWS_IAM"),
        Part("aws-native:lambda:Permission", "open", {"action": "lambda:InvokeFunction", "principal": "*"}),
        Part(_LAYERS[0], "layer", {"principal": "*", "action": "lambda:GetLayerVersion", "layerName": "tools"}),
        Part(_LAYERS[1], "layer", {"principal": "*", "action": "lambda:GetLayerVersion"}),
    ],
    good=[
        _permission(principal="111122223333"),
        _permission(principal="sns.amazonaws.com"),
        _permission(principalOrgId="o-a1b2c3d4e5"),
        _permission(sourceAccount="111122223333"),
        _permission(sourceArn="arn:aws:events:eu-west-1:111122223333:rule/daily-*"),
        _permission(action="lambda:InvokeFunctionUrl", functionUrlAuthType="NONE"),
        _permission(invokedViaFunctionUrl=True),
        Part(_LAYERS[0], "layer", {"principal": "*", "organizationId": "o-a1b2c3d4e5"}),
        Part(_LAYERS[0], "layer", {"principal": "111122223333"}),
    ],
    unsure=[
        _permission(principal=UNKNOWN),
        _permission(sourceArn=UNKNOWN),
        _permission(functionUrlAuthType=UNKNOWN, action=UNKNOWN),
    ],
)
def aws_lambda_open_to_everyone(resource: Resource) -> Iterator[Finding]:
    """Yield the principal when it is everyone and nothing limits who that is."""
    principal = resource["principal"]
    everyone = principal.equals("*")
    if everyone.is_false:
        return
    if resource.token in _LAYERS:
        organization = resource["organizationId"]
        open_to_all = everyone & ~is_given(organization)
        yield Finding("everyone may download the layer: no organizationId limits who", at=principal, when=open_to_all)
        return
    limited = FALSE
    for key in _LIMITS:
        limited = limited | is_given(resource[key])
    limited = limited | _fixes_account(resource["sourceArn"]) | _is_for_url(resource)
    words = "everyone may use the function: neither principalOrgId nor sourceAccount limits who"
    yield Finding(words, at=principal, when=everyone & ~limited)


def _fixes_account(arn: Value) -> Truth:
    return arn.exists() & arn.test(_iam_policy.names_account)


def _is_for_url(permission: Resource) -> Truth:
    return permission["functionUrlAuthType"].equals("NONE") | permission["invokedViaFunctionUrl"].is_true()
