"""Azure service runs outside a virtual network.

Why: what stands in a virtual network is filtered by its security groups and routes, and reaches the network's own
services without going over the internet. Outside one, the service's public address and its log-in are all there is.

Fix: give the service a subnet. API Management: ``virtualNetworkConfiguration`` with ``virtualNetworkType`` External or
Internal, since the configuration alone has no effect. Spring Cloud: ``network.serviceRuntimeSubnetId`` (azure-native:
``properties.networkProfile``).

Sources:
    https://learn.microsoft.com/azure/api-management/virtual-network-concepts
    https://learn.microsoft.com/azure/spring-apps/basic-standard/how-to-deploy-in-azure-virtual-network
    https://www.pulumi.com/registry/packages/azure/api-docs/apimanagement/service/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network._settings import follow, says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_TYPE: Final = ("virtualNetworkType",)
_PLACES: Final = {
    "azure:apimanagement/service:Service": _TYPE,
    "azure:appplatform/springCloudService:SpringCloudService": ("network", "serviceRuntimeSubnetId"),
    "azure-native:apimanagement:ApiManagementService": _TYPE,
    "azure-native:appplatform:Service": ("properties", "networkProfile", "serviceRuntimeSubnetId"),
}
"""What puts each type into a network: a word for API Management, a subnet for Spring Cloud."""
_API, _SPRING, _NATIVE_API, _NATIVE_SPRING = _PLACES
_SUBNET: Final = {"subnetId": "/subnets/api"}


@rule(
    types=tuple(_PLACES),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AZURE_107", "checkov:CKV2_AZURE_23"),
    bad=[
        {"publisherName": "Acme", "skuName": "Developer_1"},
        {"virtualNetworkType": "None", "virtualNetworkConfiguration": _SUBNET},
        Part(_SPRING, "apps", {"skuName": "S0"}),
        Part(_NATIVE_API, "api", {"virtualNetworkType": "None"}),
        Part(_NATIVE_SPRING, "apps", {"properties": {}}),
    ],
    good=[
        {"virtualNetworkType": "External", "virtualNetworkConfiguration": _SUBNET},
        {"virtualNetworkType": "Internal", "virtualNetworkConfiguration": _SUBNET},
        Part(_SPRING, "apps", {"network": {"appSubnetId": "/subnets/a", "serviceRuntimeSubnetId": "/subnets/b"}}),
        Part(_NATIVE_API, "api", {"virtualNetworkType": "External"}),
        Part(_NATIVE_SPRING, "apps", {"properties": {"networkProfile": {"serviceRuntimeSubnetId": "/subnets/b"}}}),
    ],
    unsure=[
        {"virtualNetworkType": UNKNOWN},
        Part(_SPRING, "apps", {"network": UNKNOWN}),
    ],
)
def azure_service_outside_virtual_network(service: Resource) -> Iterator[Finding]:
    """Yield the setting that would put the service into a network."""
    path = _PLACES[service.token]
    place = follow(service, path)
    inside = says(place, "external") | says(place, "internal") if path == _TYPE else ~place.is_empty()
    yield Finding("no security group or route of a virtual network applies to it", at=place, when=~inside)
