"""SSM parameter keeps a secret as plain text.

Why: the value of a parameter of type ``String`` or ``StringList`` is not encrypted with a key that one has to be
allowed to use: whoever may call ``ssm:GetParameter`` or open the console reads it, and each former version too. A mark
in the program hides it in Pulumi's state alone.

The name tells, or the value itself: a parameter ``/shop/db/password`` holds a password unless its value is a reference,
such as the ARN of a secret. Where the value is not shown, the name alone is asked.

Fix: use the type ``SecureString``, or a secret in Secrets Manager.

Sources:
    https://docs.aws.amazon.com/systems-manager/latest/userguide/what-is-a-parameter.html
    https://docs.aws.amazon.com/systems-manager/latest/userguide/ps-restrict-decryption.html
    https://www.pulumi.com/registry/packages/aws/api-docs/ssm/parameter/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret, unknown
from crossgate.rules.leakage._detector import find
from crossgate.rules.leakage._key_meaning import meaning_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NATIVE: Final = "aws-native:ssm:Parameter"
_WORD: Final = "hunter" + "2-Tr0ub4dor"


@rule(
    types=("aws:ssm/parameter:Parameter", _NATIVE),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AWS_384",),
    bad=[
        {"name": "/shop/db/password", "type": "String", "value": _WORD},
        {"name": "/shop/db/password", "type": "String", "value": secret(_WORD), "description": UNKNOWN},
        Part(_NATIVE, "db", {"name": "/shop/db/password", "type": "String", "value": _WORD}),
    ],
    good=[
        {"name": "/shop/db/password", "type": "SecureString", "value": secret(_WORD)},
        {"name": "/shop/db/host", "type": "String", "value": secret("db.internal")},
        {"name": "/shop/db/host", "type": "String", "value": "[secret]"},
        {"name": "/shop/db/password-arn", "type": "String", "value": "arn:aws:secretsmanager:eu-west-1:1234:secret:db"},
        {"name": "/shop/password-min-length", "type": "String", "value": "12"},
    ],
    unsure=[
        {"name": "/shop/db/password", "type": "String", "value": "[secret]"},
        {"name": "/shop/db/password", "type": "String", "value": UNKNOWN},
        {"name": "/shop/db/password", "type": UNKNOWN, "value": _WORD},
    ],
)
def aws_ssm_parameter_secret_as_text(parameter: Resource) -> Iterator[Finding]:
    """Yield the value of a parameter that is kept as text and is a secret, by its name or by itself."""
    as_text = parameter["type"].is_in(("String", "StringList"))
    if as_text.is_false:
        return
    name, value = parameter["name"], parameter["value"]
    own = (name.text() or "").rsplit("/", 1)[-1] if name.is_text else ""
    means = meaning_of(own) if own else None
    if value.is_text:
        text = value.text() or ""
        found = find(own, text)
        if found:
            message = f"keeps {found[0].kind} as plain text: whoever may read the parameter can use it"
            yield Finding(message, at=value, when=as_text, leaks=(text, *(each.text for each in found)))
        elif not name.readable:
            yield Finding("may keep a secret as plain text", at=value, when=as_text & unknown(name.gap))
    elif not value.readable and means is not None:
        message = f"keeps what its name says is {means.kind} as plain text"
        yield Finding(message, at=value, when=as_text & unknown(value.gap))
