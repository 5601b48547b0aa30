"""Lambda function URL asks nobody who they are.

Why: with ``NONE`` everyone on the internet who learns the URL invokes the function. That is right for a webhook or a
public site whose code checks the caller itself, and a surprise everywhere else.

A permission for ``*`` with ``functionUrlAuthType`` of ``NONE`` says the same of a URL that stands elsewhere. Where the
stack holds the function's URL, the URL is asked, since with ``AWS_IAM`` such a permission lets nobody in.

Fix: set ``authorizationType`` to ``AWS_IAM``, and take the permission out. Where the URL is meant for everyone, exempt
it by name, and check signatures in the code.

Sources:
    https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
    https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, ref, rule, truth, unknown
from crossgate.rules.public.aws_lambda_open_to_everyone import PERMISSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth

_FUNCTIONS: Final = ("aws:lambda/function:Function", "aws-native:lambda:Function")
_NATIVE_URL: Final = "aws-native:lambda:Url"
URLS: Final = {"aws:lambda/functionUrl:FunctionUrl": "functionName", _NATIVE_URL: "targetFunctionArn"}
"""URLs of functions, and where they name the function."""


def _permission(**more: Any) -> Part:
    inputs = {"action": "lambda:InvokeFunctionUrl", "principal": "*", "functionUrlAuthType": "NONE", **more}
    return Part(PERMISSIONS[0], "anyone", {"function": "orders", **inputs})


def _url(kind: Any, **more: Any) -> Part:
    return Part("aws:lambda/functionUrl:FunctionUrl", "url", {"authorizationType": kind, **more})


def _function(name: str) -> Part:
    return Part(_FUNCTIONS[0], name, {"name": name})


@rule(
    types=(*URLS, *PERMISSIONS),
    severity=Severity.MEDIUM,
    neighbours=(*URLS, *_FUNCTIONS),
    equivalents={
        "checkov:CKV_AWS_258": {"message": "URL"},
        "kics:e08ed7eb-f3ef-494d-9d22-2e3db756a347": {"message": "permission"},
    },
    bad=[
        {"functionName": "orders", "authorizationType": "NONE"},
        {"functionName": UNKNOWN, "authorizationType": "NONE"},
        Part(_NATIVE_URL, "url", {"targetFunctionArn": "orders", "authType": "NONE"}),
        _permission(),
        [_permission(function=ref("orders")), _function("orders")],
        [
            _permission(function=ref("orders")),
            _function("orders"),
            _url("AWS_IAM", functionName=ref("bills")),
            _function("bills"),
        ],
        Part(PERMISSIONS[1], "anyone", {"functionName": "orders", "principal": "*", "functionUrlAuthType": "NONE"}),
    ],
    good=[
        {"functionName": "orders", "authorizationType": "AWS_IAM"},
        Part(_NATIVE_URL, "url", {"targetFunctionArn": "orders", "authType": "AWS_IAM"}),
        [_permission(function=ref("orders")), _function("orders"), _url("AWS_IAM", functionName=ref("orders"))],
        [_permission(), _url("AWS_IAM", functionName="orders")],
        _permission(functionUrlAuthType="AWS_IAM"),
        _permission(principal="111122223333"),
        Part(PERMISSIONS[0], "events", {"principal": "events.amazonaws.com", "action": "lambda:InvokeFunction"}),
    ],
    unsure=[
        {"functionName": "orders", "authorizationType": UNKNOWN},
        _permission(principal=UNKNOWN),
        _permission(functionUrlAuthType=UNKNOWN),
        [_permission(function=UNKNOWN), _url("AWS_IAM", functionName="orders")],
    ],
)
def aws_lambda_url_without_authorization(resource: Resource) -> Iterator[Finding]:
    """Yield the URL, or the permission of one that stands elsewhere, when nobody is asked who they are."""
    if resource.token in PERMISSIONS:
        principal = resource["principal"]
        open_to_all = principal.equals("*") & resource["functionUrlAuthType"].equals("NONE")
        if not open_to_all.is_false:
            words = "a permission for everyone on the internet to invoke the function by its URL"
            yield Finding(words, at=principal, when=open_to_all & ~_has_url(resource))
        return
    kind = resource["authType" if resource.token == _NATIVE_URL else "authorizationType"]
    yield Finding("everyone on the internet may invoke the function by its URL", at=kind, when=kind.equals("NONE"))


def _has_url(permission: Resource) -> Truth:
    """Does the stack hold a URL of the function that the permission is about?"""
    via = "function" if permission.token == PERMISSIONS[0] else "functionName"
    function = permission[via]
    links = permission.targets(via, _FUNCTIONS)
    held: Truth = FALSE
    for token, key in URLS.items():
        for link in links:
            for referring in link.resource.related((token,), key, _FUNCTIONS):
                held = held | (link.linked & referring.linked)
        for url in permission.stack.of_type(token):
            if url[key].is_text and function.is_text:
                held = held | truth(url[key].text() == function.text())
            elif not links:
                held = held | unknown((function if url[key].is_text else url[key]).gap)
    for unseen in permission.stack.unseen(tuple(URLS)):
        held = held | unseen.linked
    return held
