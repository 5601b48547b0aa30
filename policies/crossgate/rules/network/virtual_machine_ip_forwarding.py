"""Virtual machine forwards packets that are not its own.

Why: a cloud drops packets whose sender or receiver is not the machine itself. With forwarding on it does not: the
machine can pass on traffic between networks that were meant to be apart, and can send packets in another's name. Only
routers, firewalls and NAT machines need that.

Fix: leave ``canIpForward`` (Google Cloud) or ``ipForwardingEnabled`` (Azure; azure-native: ``enableIPForwarding``) out,
or set it to false; on AWS set ``sourceDestCheck`` to true.

Sources:
    https://cloud.google.com/vpc/docs/using-routes#canipforward
    https://learn.microsoft.com/azure/virtual-network/virtual-network-network-interface
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-eni.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _settings
from crossgate.rules.network.gcp_compute_public_address import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource

_SCALE_SET: Final = ("networkInterfaces[].ipForwardingEnabled", "networkInterfaces[].enableIpForwarding")
FORWARDING: Final[Mapping[str, tuple[str, ...]]] = {
    "azure:network/networkInterface:NetworkInterface": ("ipForwardingEnabled", "enableIpForwarding"),
    "azure:compute/linuxVirtualMachineScaleSet:LinuxVirtualMachineScaleSet": _SCALE_SET,
    "azure:compute/windowsVirtualMachineScaleSet:WindowsVirtualMachineScaleSet": _SCALE_SET,
    "azure:compute/orchestratedVirtualMachineScaleSet:OrchestratedVirtualMachineScaleSet": _SCALE_SET,
    "azure:compute/scaleSet:ScaleSet": ("networkProfiles[].ipForwarding",),
    "azure-native:network:NetworkInterface": ("enableIPForwarding",),
    "azure-native:compute:VirtualMachineScaleSet": (
        "virtualMachineProfile.networkProfile.networkInterfaceConfigurations[].enableIPForwarding",
    ),
    **dict.fromkeys(INSTANCES, ("canIpForward",)),
}
"""The switches that let a machine forward, with the names they had before."""
CHECKED: Final = (
    "aws:ec2/instance:Instance",
    "aws:ec2/networkInterface:NetworkInterface",
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest",
    "aws-native:ec2:Instance",
    "aws-native:ec2:NetworkInterface",
)
"""Types whose ``sourceDestCheck`` keeps them from it."""
MESSAGE: Final = "it may pass on packets of others, and send in another's name"
GKE_NODE: Final = "goog-gke-node"


@rule(
    types=(*INSTANCES, *(token for token in FORWARDING if token not in INSTANCES), *CHECKED),
    severity=Severity.LOW,
    frameworks=("CIS GCP 3.0 4.6",),
    equivalents=(
        "checkov:CKV_GCP_36",
        "checkov:CKV_AZURE_118",
        "trivy:AVD-GCP-0043",
        "trivy:AVD-AZU-0075",
        "kics:4216ebac-d74c-4423-b437-35025cb88af5",
        "kics:f34c0c25-47b4-41eb-9c79-249b4dd47b89",
    ),
    bad=[
        {"machineType": "e2-micro", "canIpForward": True},
        Part("gcp:compute/instanceFromTemplate:InstanceFromTemplate", "web", {"canIpForward": True}),
        Part("azure:network/networkInterface:NetworkInterface", "web", {"ipForwardingEnabled": True}),
        Part("azure:network/networkInterface:NetworkInterface", "web", {"enableIpForwarding": True}),
        Part("azure-native:network:NetworkInterface", "web", {"enableIPForwarding": True}),
        Part("aws:ec2/instance:Instance", "web", {"sourceDestCheck": False}),
    ],
    good=[
        {"machineType": "e2-micro", "canIpForward": False},
        {"machineType": "e2-micro"},
        {"machineType": "e2-micro", "canIpForward": True, "labels": {GKE_NODE: ""}},
        Part("azure:network/networkInterface:NetworkInterface", "web", {"ipForwardingEnabled": False}),
        Part("azure-native:network:NetworkInterface", "web", {"ipConfigurations": []}),
        Part("aws:ec2/instance:Instance", "web", {"instanceType": "t3.micro"}),
    ],
    unsure=[{"canIpForward": UNKNOWN}, Part("aws:ec2/instance:Instance", "web", {"sourceDestCheck": UNKNOWN})],
)
def virtual_machine_ip_forwarding(resource: Resource) -> Iterator[Finding]:
    """Yield each switch that lets a machine forward, unless it is a node of GKE, which has to."""
    if resource.token in CHECKED:
        check = resource["sourceDestCheck"]
        yield Finding(MESSAGE, at=check, when=check.is_false())
        return
    of_gke = resource["labels"][GKE_NODE].exists()
    for path in FORWARDING[resource.token]:
        for switch in _settings.values(resource, path):
            yield Finding(MESSAGE, at=switch, when=switch.is_true() & ~of_gke)
