"""Network interface of a machine has a public address.

Why: what has a public address can be reached from the internet as far as security groups let it, and one wrong rule in
them is enough. Machines need none: a load balancer serves the public, Azure Bastion lets administrators in, and a NAT
gateway leads out.

Fix: leave ``publicIpAddressId`` (azure-native: ``publicIPAddress``) out of the ``ipConfigurations``; of a scale set,
leave out the public address of its network profile.

Sources:
    https://learn.microsoft.com/azure/virtual-network/ip-services/public-ip-addresses
    https://learn.microsoft.com/azure/bastion/bastion-overview
    https://www.pulumi.com/registry/packages/azure/api-docs/network/networkinterface/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules._given import is_given
from crossgate.rules.network import _settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource

_SCALE_SET: Final = "networkInterfaces[].ipConfigurations[].publicIpAddresses[]"
ADDRESSES: Final[Mapping[str, str]] = {
    "azure:network/networkInterface:NetworkInterface": "ipConfigurations[].publicIpAddressId",
    "azure:compute/linuxVirtualMachineScaleSet:LinuxVirtualMachineScaleSet": _SCALE_SET,
    "azure:compute/windowsVirtualMachineScaleSet:WindowsVirtualMachineScaleSet": _SCALE_SET,
    "azure:compute/orchestratedVirtualMachineScaleSet:OrchestratedVirtualMachineScaleSet": _SCALE_SET,
    "azure:compute/scaleSet:ScaleSet": "networkProfiles[].ipConfigurations[].publicIpAddressConfiguration",
    "azure-native:network:NetworkInterface": "ipConfigurations[].publicIPAddress",
    "azure-native:compute:VirtualMachineScaleSet": "virtualMachineProfile.networkProfile"
    ".networkInterfaceConfigurations[].ipConfigurations[].publicIPAddressConfiguration",
}
"""Where each type names its public address, or asks for one."""


def _part(token: str, name: str, value: object) -> Part:
    return Part(token, "web", {name: value})


@rule(
    types=tuple(ADDRESSES),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AZURE_119", "trivy:AVD-AZU-0076"),
    bad=[
        {"ipConfigurations": [{"name": "internal", "subnetId": "subnet", "publicIpAddressId": UNKNOWN}]},
        {"ipConfigurations": [{"name": "a"}, {"name": "b", "publicIpAddressId": "/subscriptions/1/web"}]},
        [
            Part(
                "azure:network/networkInterface:NetworkInterface",
                "web",
                {"ipConfigurations": [{"publicIpAddressId": ref("ip")}]},
            ),
            Part("azure:network/publicIp:PublicIp", "ip", {"allocationMethod": "Static"}),
        ],
        _part(
            "azure:compute/linuxVirtualMachineScaleSet:LinuxVirtualMachineScaleSet",
            "networkInterfaces",
            [{"name": "web", "ipConfigurations": [{"publicIpAddresses": [{"name": "web"}]}]}],
        ),
        _part("azure-native:network:NetworkInterface", "ipConfigurations", [{"publicIPAddress": {"id": UNKNOWN}}]),
    ],
    good=[
        {"ipConfigurations": [{"name": "internal", "subnetId": UNKNOWN, "privateIpAddressAllocation": "Dynamic"}]},
        _part("azure-native:network:NetworkInterface", "ipConfigurations", [{"name": "internal"}]),
        _part(
            "azure:compute/linuxVirtualMachineScaleSet:LinuxVirtualMachineScaleSet",
            "networkInterfaces",
            [{"name": "web", "ipConfigurations": [{"name": "internal"}]}],
        ),
    ],
    unsure=[{"ipConfigurations": UNKNOWN}, {"ipConfigurations": [{"name": "internal"}, UNKNOWN]}],
)
def azure_network_interface_public_address(resource: Resource) -> Iterator[Finding]:
    """Yield each public address that an interface has, or asks for."""
    for address in _settings.values(resource, ADDRESSES[resource.token]):
        # The id of an address that is not made yet is unknown, and is there; an empty one is none.
        given = is_given(address)
        yield Finding(
            "it has a public address: the internet reaches it as far as security groups let it", at=address, when=given
        )
