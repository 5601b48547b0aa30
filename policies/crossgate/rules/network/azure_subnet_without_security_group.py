"""Azure subnet has no network security group.

Why: without one nothing filters what enters or leaves the subnet. Unless an interface has a group of its own, every
machine of the virtual network, and of the networks it is peered with, reaches every port behind it, and one machine
that is taken over is a way to all of them.

Fix: write a ``SubnetNetworkSecurityGroupAssociation`` for the subnet, or ``securityGroup`` where the virtual network
lists its subnets itself (azure-native: ``networkSecurityGroup`` in both places).

Sources:
    https://learn.microsoft.com/azure/virtual-network/network-security-group-how-it-works
    https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview
    https://learn.microsoft.com/azure/firewall/firewall-faq
    https://www.pulumi.com/registry/packages/azure/api-docs/network/subnetnetworksecuritygroupassociation/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, stack_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

SUBNET: Final = "azure:network/subnet:Subnet"
NATIVE_SUBNET: Final = "azure-native:network:Subnet"
NETWORKS: Final = ("azure:network/virtualNetwork:VirtualNetwork", "azure-native:network:VirtualNetwork")
ASSOCIATION: Final = "azure:network/subnetNetworkSecurityGroupAssociation:SubnetNetworkSecurityGroupAssociation"
_KEYS: Final = ("securityGroup", "networkSecurityGroup")
_WITHOUT: Final = (
    "azurefirewallmanagementsubnet",
    "azurefirewallsubnet",
    "gatewaysubnet",
    "routeserversubnet",
)
"""Subnets of Azure's own services, by their names, that are not to have a security group."""

_SUBNET: Final = Part(SUBNET, "app", {"name": "app", "addressPrefixes": ["10.0.1.0/24"]})
_GROUP: Final = {"id": "/networkSecurityGroups/app"}


def _association(subnet: object) -> Part:
    return Part(ASSOCIATION, "filter", {"subnetId": subnet, "networkSecurityGroupId": "/networkSecurityGroups/app"})


def _network(**subnet: object) -> Part:
    return Part(NETWORKS[0], "net", {"addressSpaces": ["10.0.0.0/16"], "subnets": [{"name": "app", **subnet}]})


@stack_rule(
    types=(SUBNET, NATIVE_SUBNET, *NETWORKS),
    severity=Severity.LOW,
    neighbours=(ASSOCIATION,),
    equivalents=("checkov:CKV2_AZURE_31",),
    bad=[
        [_SUBNET],
        [_SUBNET, _association("/subscriptions/s/other")],
        _network(),
        Part(NATIVE_SUBNET, "app", {"subnetName": "app", "addressPrefix": "10.0.1.0/24"}),
        Part(NETWORKS[1], "net", {"subnets": [{"name": "app"}, {"name": "db", "networkSecurityGroup": _GROUP}]}),
    ],
    good=[
        [_SUBNET, _association(ref("app"))],
        {"name": "AzureFirewallSubnet", "addressPrefixes": ["10.0.1.0/24"]},
        _network(securityGroup="/networkSecurityGroups/app"),
        Part(NETWORKS[0], "net", {"addressSpaces": ["10.0.0.0/16"]}),
        Part(NATIVE_SUBNET, "app", {"subnetName": "app", "networkSecurityGroup": _GROUP}),
        Part(NATIVE_SUBNET, "gateway", {"subnetName": "GatewaySubnet", "addressPrefix": "10.0.1.0/24"}),
    ],
    unsure=[
        {"name": UNKNOWN, "addressPrefixes": ["10.0.1.0/24"]},
        [_SUBNET, _association(UNKNOWN)],
        Part(NETWORKS[0], "net", {"subnets": UNKNOWN}),
    ],
)
def azure_subnet_without_security_group(resource: Resource) -> Iterator[Finding]:
    """Yield the subnet that no security group filters, alone or among those of a virtual network."""
    if resource.token in NETWORKS:
        for subnet in resource["subnets"].each():
            yield _finding(subnet, ~(_has_group(subnet) | _goes_without(subnet["name"])))
        return
    name = resource["name" if resource.token == SUBNET else "subnetName"]
    apart = any_of(link.linked for link in resource.related((ASSOCIATION,), "subnetId"))
    yield _finding("", ~(_has_group(resource.inputs) | _goes_without(name) | apart))


def _finding(at: Value | str, when: Truth) -> Finding:
    return Finding("no network security group filters what enters or leaves the subnet", at=at, when=when)


def _has_group(subnet: Value) -> Truth:
    return any_of(~subnet[key].is_empty() for key in _KEYS)


def _goes_without(name: Value) -> Truth:
    return name.test(lambda content: isinstance(content, str) and content.lower() in _WITHOUT)
