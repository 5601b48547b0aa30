"""VPC's default security group lets traffic through.

Why: whatever starts in the VPC without a group of its own gets the default one. As AWS makes it, that lets in all that
carries the same group, and lets everything out: a forgotten machine can talk to every other forgotten machine.

Fix: take the group over with ``aws.ec2.DefaultSecurityGroup`` and give it neither ``ingress`` nor ``egress``. Give each
workload a group of its own.

Sources:
    https://docs.aws.amazon.com/vpc/latest/userguide/default-security-group.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ec2-controls.html#ec2-2
    https://www.pulumi.com/registry/packages/aws/api-docs/ec2/defaultsecuritygroup/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, stack_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth

_VPC: Final = "aws:ec2/vpc:Vpc"
_GROUP: Final = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
_RULES: Final = (
    "aws:ec2/securityGroupRule:SecurityGroupRule",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
)
_MAIN: Final = Part(_VPC, "main", {"cidrBlock": "10.0.0.0/16"})
_SELF: Final = {"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True}


def _taken_over(**inputs: Any) -> Part:
    return Part(_GROUP, "default", {"vpcId": ref("main"), **inputs})


@stack_rule(
    types=(_VPC,),
    severity=Severity.LOW,
    neighbours=(_GROUP,),
    aggravated_by=_RULES,
    frameworks=("AWS FSBP 1.0 EC2.2", "CIS AWS 3.0 5.4"),
    equivalents=("checkov:CKV2_AWS_12", "trivy:AVD-AWS-0173"),
    bad=[
        [_MAIN],
        [_MAIN, _taken_over(ingress=[_SELF])],
        [_MAIN, _taken_over(egress=[{**_SELF, "self": False, "cidrBlocks": ["0.0.0.0/0"]}])],
        [_MAIN, Part(_GROUP, "default", {"vpcId": "vpc-0a1b2c3d"})],
        [_MAIN, _taken_over(), Part(_RULES[0], "all", {"securityGroupId": ref("default"), "type": "ingress"})],
        [_MAIN, _taken_over(), Part(_RULES[1], "web", {"securityGroupId": ref("default"), "cidrIpv4": "10.0.0.0/8"})],
    ],
    good=[
        [_MAIN, _taken_over()],
        [_MAIN, _taken_over(ingress=[], egress=[])],
        [_MAIN, _taken_over(), Part(_RULES[1], "web", {"securityGroupId": "sg-0a1b2c3d", "cidrIpv4": "10.0.0.0/8"})],
    ],
    unsure=[
        [_MAIN, _taken_over(ingress=UNKNOWN)],
        [_MAIN, Part(_GROUP, "default", {"vpcId": UNKNOWN})],
    ],
)
def aws_ec2_default_group_open(vpc: Resource) -> Iterator[Finding]:
    """Yield the VPC unless its default group is taken over and empty."""
    groups = vpc.related((_GROUP,), "vpcId", (_VPC,))
    yield Finding(
        "its default security group lets traffic through",
        when=~any_of(link.linked & _is_closed(link.resource) for link in groups),
    )


def _is_closed(group: Resource) -> Truth:
    """Does the group let nothing in or out, by itself or by a rule that refers to it?"""
    rules = group.related(_RULES, "securityGroupId", (_GROUP, "aws:ec2/securityGroup:SecurityGroup"))
    return group["ingress"].is_empty() & group["egress"].is_empty() & ~any_of(link.linked for link in rules)
