"""Instance or task gets a public address.

Why: what has a public address can be reached from the internet as far as security groups let it, and one wrong rule in
them is enough. Most instances and tasks need none: a load balancer serves the public, a NAT gateway leads out.

Fix: set ``associatePublicIpAddress`` (of an ECS service or task: ``assignPublicIp``) to false, place it into a private
subnet, and put a load balancer before what has to be public.

Sources:
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-instance-addressing.html
    https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-task-networking.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ec2-controls.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ecs-controls.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource

_TASK: Final = "networkConfiguration.assignPublicIp"
SWITCHES: Final[Mapping[str, str]] = {
    "aws:ec2/instance:Instance": "associatePublicIpAddress",
    "aws:ec2/launchConfiguration:LaunchConfiguration": "associatePublicIpAddress",
    "aws:ec2/launchTemplate:LaunchTemplate": "networkInterfaces[].associatePublicIpAddress",
    "aws:ec2/spotFleetRequest:SpotFleetRequest": "launchSpecifications[].associatePublicIpAddress",
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest": "associatePublicIpAddress",
    "aws:ecs/service:Service": _TASK,
    "aws:ecs/taskSet:TaskSet": _TASK,
    "aws:cloudwatch/eventTarget:EventTarget": f"ecsTarget.{_TASK}",
    "aws:scheduler/schedule:Schedule": f"target.ecsParameters.{_TASK}",
    "aws:pipes/pipe:Pipe": (
        "targetParameters.ecsTaskParameters.networkConfiguration.awsVpcConfiguration.assignPublicIp"
    ),
    "aws-native:ec2:Instance": "networkInterfaces[].associatePublicIpAddress",
    "aws-native:ec2:LaunchTemplate": "launchTemplateData.networkInterfaces[].associatePublicIpAddress",
    "aws-native:ecs:Service": "networkConfiguration.awsvpcConfiguration.assignPublicIp",
}
"""The switch of each type that gives it a public address."""


def _part(token: str, **inputs: object) -> Part:
    return Part(token, "web", inputs)


@rule(
    types=tuple(SWITCHES),
    severity=Severity.MEDIUM,
    frameworks=(
        "AWS FSBP 1.0 EC2.9",
        "AWS FSBP 1.0 EC2.25",
        "AWS FSBP 1.0 AutoScaling.5",
        "AWS FSBP 1.0 ECS.2",
    ),
    equivalents=(
        "checkov:CKV_AWS_88",
        "checkov:CKV_AWS_333",
        "checkov:CKV_AWS_389",
        "trivy:AVD-AWS-0009",
        "kics:5a2486aa-facf-477d-a5c1-b010789459ce",
    ),
    bad=[
        {"instanceType": "t3.micro", "associatePublicIpAddress": True},
        _part("aws:ec2/launchConfiguration:LaunchConfiguration", associatePublicIpAddress=True),
        _part("aws:ec2/launchTemplate:LaunchTemplate", networkInterfaces=[{"associatePublicIpAddress": "true"}]),
        _part("aws:ec2/spotFleetRequest:SpotFleetRequest", launchSpecifications=[{"associatePublicIpAddress": True}]),
        _part("aws:ecs/service:Service", networkConfiguration={"subnets": ["subnet-0a1"], "assignPublicIp": True}),
        _part(
            "aws:scheduler/schedule:Schedule",
            target={"ecsParameters": {"networkConfiguration": {"subnets": ["subnet-0a1"], "assignPublicIp": True}}},
        ),
        _part(
            "aws:pipes/pipe:Pipe",
            targetParameters={
                "ecsTaskParameters": {"networkConfiguration": {"awsVpcConfiguration": {"assignPublicIp": "ENABLED"}}}
            },
        ),
        _part("aws-native:ec2:Instance", networkInterfaces=[{"associatePublicIpAddress": True}]),
        _part("aws-native:ecs:Service", networkConfiguration={"awsvpcConfiguration": {"assignPublicIp": "ENABLED"}}),
    ],
    good=[
        {"instanceType": "t3.micro", "associatePublicIpAddress": False},
        {"instanceType": "t3.micro"},
        _part("aws:ec2/launchTemplate:LaunchTemplate", networkInterfaces=[{"associatePublicIpAddress": "false"}]),
        _part("aws:ecs/service:Service", networkConfiguration={"subnets": ["subnet-0a1"]}),
        _part("aws:ecs/service:Service", launchType="EC2"),
        _part("aws-native:ecs:Service", networkConfiguration={"awsvpcConfiguration": {"assignPublicIp": "DISABLED"}}),
    ],
    unsure=[
        {"associatePublicIpAddress": UNKNOWN},
        _part("aws:ec2/launchTemplate:LaunchTemplate", networkInterfaces=UNKNOWN),
    ],
)
def aws_compute_public_address(resource: Resource) -> Iterator[Finding]:
    """Yield each switch that gives an instance or a task a public address."""
    for switch in _settings.values(resource, SWITCHES[resource.token]):
        yield Finding(
            "it gets a public address: the internet reaches it as far as its security groups let it",
            at=switch,
            when=switch.is_true() | switch.equals("ENABLED"),
        )
