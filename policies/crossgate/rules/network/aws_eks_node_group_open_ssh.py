"""EKS node group opens SSH to the internet.

Why: when a node group names a key pair for SSH but no security groups that may use it, EKS makes a security group that
opens port 22 of every node to 0.0.0.0/0. Whoever gets hold of the key is root on the nodes, and every flaw of the SSH
server is open to everyone.

Fix: list in ``remoteAccess.sourceSecurityGroupIds`` the groups that may use SSH, or leave ``remoteAccess`` out and use
Session Manager.

Sources:
    https://docs.aws.amazon.com/eks/latest/APIReference/API_RemoteAccessConfig.html
    https://www.pulumi.com/registry/packages/aws/api-docs/eks/nodegroup/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

NATIVE: Final = "aws-native:eks:Nodegroup"


def _native(**access: object) -> Part:
    return Part(NATIVE, "workers", {"remoteAccess": {"ec2SshKey": "ops", **access}})


@rule(
    types=("aws:eks/nodeGroup:NodeGroup", NATIVE),
    severity=Severity.HIGH,
    equivalents=("checkov:CKV_AWS_100", "kics:ba40ace1-a047-483c-8a8d-bc2d3a67a82d"),
    bad=[{"remoteAccess": {"ec2SshKey": "ops"}}, {"remoteAccess": {"ec2SshKey": UNKNOWN}}, _native()],
    good=[
        {"remoteAccess": {"ec2SshKey": "ops", "sourceSecurityGroupIds": ["sg-0a1"]}},
        {"remoteAccess": {"ec2SshKey": "ops", "sourceSecurityGroupIds": [UNKNOWN]}},
        {"nodeGroupName": "workers"},
        _native(sourceSecurityGroups=["sg-0a1"]),
    ],
    unsure=[{"remoteAccess": UNKNOWN}, {"remoteAccess": {"ec2SshKey": "ops", "sourceSecurityGroupIds": UNKNOWN}}],
)
def aws_eks_node_group_open_ssh(group: Resource) -> Iterator[Finding]:
    """Yield the key that opens SSH to everyone, since no security group is named as its source."""
    access = group["remoteAccess"]
    sources = access["sourceSecurityGroups" if group.token == NATIVE else "sourceSecurityGroupIds"]
    yield Finding(
        "a key for SSH without source security groups: EKS opens port 22 of the nodes to 0.0.0.0/0",
        at=access["ec2SshKey"],
        when=access["ec2SshKey"].exists() & sources.is_empty(),
    )
