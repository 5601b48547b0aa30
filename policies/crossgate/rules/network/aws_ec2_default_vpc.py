"""Default VPC is put to use.

Why: the default VPC has an internet gateway, a route to it in every subnet, and subnets that give public addresses to
whatever starts in them. What is placed there is on the internet by default, and is protected by its security group
alone.

Fix: make a VPC of your own, ``aws.ec2.Vpc``, with private subnets for what is not public, and leave the default one out
of the program, or delete it.

Sources:
    https://docs.aws.amazon.com/vpc/latest/userguide/default-vpc.html
    https://www.pulumi.com/registry/packages/aws/api-docs/ec2/defaultvpc/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import Finding, Part, Severity, rule, truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

DEFAULT_VPC: Final = "aws:ec2/defaultVpc:DefaultVpc"


@rule(
    types=(DEFAULT_VPC, "aws:ec2/vpc:Vpc"),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AWS_148", "trivy:AVD-AWS-0101", "kics:96ed3526-0179-4c73-b1b2-372fde2e0d13"),
    bad=[{"tags": {"Name": "default"}}],
    good=[Part("aws:ec2/vpc:Vpc", "shop", {"cidrBlock": "10.0.0.0/16"})],
)
def aws_ec2_default_vpc(network: Resource) -> Iterator[Finding]:
    """Yield the default VPC that the program takes in."""
    yield Finding(
        "the default VPC is put to use: what starts in it gets a public address and a route to the internet",
        when=truth(network.token == DEFAULT_VPC),
    )
