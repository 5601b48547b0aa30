"""Subnet gives public addresses to what starts in it.

Why: an instance that is started here without a word about its address gets a public one. So it is exposed by where it
stands, which its own definition does not show.

Fix: set ``mapPublicIpOnLaunch`` to false, and let the few instances that need a public address ask for it. A default
subnet gives addresses unless it is told not to.

Sources:
    https://docs.aws.amazon.com/vpc/latest/userguide/subnet-public-ip.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ec2-controls.html
    https://www.pulumi.com/registry/packages/aws/api-docs/ec2/subnet/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

DEFAULT_SUBNET: Final = "aws:ec2/defaultSubnet:DefaultSubnet"


@rule(
    types=("aws:ec2/subnet:Subnet", DEFAULT_SUBNET, "aws-native:ec2:Subnet"),
    severity=Severity.LOW,
    frameworks=("AWS FSBP 1.0 EC2.15",),
    equivalents=("checkov:CKV_AWS_130", "trivy:AVD-AWS-0164", "kics:52f04a44-6bfa-4c41-b1d3-4ae99a2de05c"),
    bad=[
        {"cidrBlock": "10.0.1.0/24", "mapPublicIpOnLaunch": True},
        Part(DEFAULT_SUBNET, "default", {"availabilityZone": "eu-west-1a"}),
        Part("aws-native:ec2:Subnet", "web", {"mapPublicIpOnLaunch": True}),
    ],
    good=[
        {"cidrBlock": "10.0.1.0/24", "mapPublicIpOnLaunch": False},
        {"cidrBlock": "10.0.1.0/24"},
        Part(DEFAULT_SUBNET, "default", {"availabilityZone": "eu-west-1a", "mapPublicIpOnLaunch": False}),
    ],
    unsure=[{"mapPublicIpOnLaunch": UNKNOWN}],
)
def aws_ec2_subnet_public_addresses(subnet: Resource) -> Iterator[Finding]:
    """Yield the switch that gives public addresses; of a default subnet it is on unless it is set."""
    switch = subnet["mapPublicIpOnLaunch"]
    yield Finding(
        "instances that start in this subnet get a public address unless they say otherwise",
        at=switch,
        when=switch.is_true(absent=subnet.token == DEFAULT_SUBNET),
    )
