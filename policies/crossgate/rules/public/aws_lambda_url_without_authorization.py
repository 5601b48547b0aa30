"""Lambda function URL asks nobody who they are.

Why: with ``NONE`` everyone on the internet who learns the URL invokes the function. That is right for a webhook or a
public site whose code checks the caller itself, and a surprise everywhere else.

Fix: set ``authorizationType`` to ``AWS_IAM``. Where the URL is meant for everyone, exempt it by name, and check
signatures in the code.

Sources:
    https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=("aws:lambda/functionUrl:FunctionUrl", "aws-native:lambda:Url"),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AWS_258",),
    bad=[
        {"functionName": "orders", "authorizationType": "NONE"},
        {"functionName": UNKNOWN, "authorizationType": "NONE"},
        Part("aws-native:lambda:Url", "url", {"targetFunctionArn": "orders", "authType": "NONE"}),
    ],
    good=[
        {"functionName": "orders", "authorizationType": "AWS_IAM"},
        Part("aws-native:lambda:Url", "url", {"targetFunctionArn": "orders", "authType": "AWS_IAM"}),
    ],
    unsure=[{"functionName": "orders", "authorizationType": UNKNOWN}],
)
def aws_lambda_url_without_authorization(url: Resource) -> Iterator[Finding]:
    """Yield the URL when nobody is asked who they are."""
    kind = url["authType" if url.token.startswith("aws-native:") else "authorizationType"]
    yield Finding("everyone on the internet may invoke the function by its URL", at=kind, when=kind.equals("NONE"))
