"""Lambda function runs outside a VPC of yours.

Why: without ``vpcConfig`` a function runs in a network of AWS's that reaches the whole internet. Code that was tampered
with can send what it reads anywhere, and no security group, endpoint policy or flow log of yours limits or sees it.

Most functions need no VPC, so the packs leave this rule off. It is for accounts that let nothing out unseen.

Fix: name private subnets and a security group in ``vpcConfig``, with VPC endpoints or a NAT gateway for what the
function calls.

Sources:
    https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/lambda-controls.html#lambda-3
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NATIVE = "aws-native:lambda:Function"


@rule(
    types=("aws:lambda/function:Function", _NATIVE),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AWS_117",),
    bad=[
        {"handler": "index.handler", "runtime": "nodejs22.x"},
        Part(_NATIVE, "orders", {"handler": "index.handler"}),
    ],
    good=[
        {
            "handler": "index.handler",
            "runtime": "nodejs22.x",
            "vpcConfig": {"subnetIds": ["subnet-0a1b2c3d"], "securityGroupIds": ["sg-0a1b2c3d"]},
        },
        {"vpcConfig": {"subnetIds": [UNKNOWN], "securityGroupIds": [UNKNOWN]}},
        Part(_NATIVE, "orders", {"vpcConfig": {"subnetIds": ["subnet-0a1b2c3d"]}}),
    ],
    unsure=[{"vpcConfig": UNKNOWN}, {"vpcConfig": {"subnetIds": UNKNOWN}}],
)
def aws_lambda_outside_vpc(function: Resource) -> Iterator[Finding]:
    """Yield the function whose network options name no subnet."""
    options = function["vpcConfig"]
    yield Finding(
        "it runs in no VPC of yours: what it sends anywhere is neither limited nor seen",
        at=options,
        when=options["subnetIds"].is_empty(),
    )
