"""Azure service can be reached from every network.

Why: while public network access is on and no firewall narrows it, a leaked key, token or password is enough to use the
service from anywhere. For most services it is on unless it is switched off.

Fix: set the property that the finding names to false, or to ``Disabled`` where it is a word, and connect through a
private endpoint. Where the service has a firewall (``networkAcls``, ``networkRuleSet``), a ``defaultAction`` of
``Deny`` with the networks that need access will do.

Sources:
    https://learn.microsoft.com/azure/private-link/private-endpoint-overview
    https://learn.microsoft.com/azure/key-vault/general/network-security
    https://learn.microsoft.com/azure/data-factory/data-factory-private-link
    https://learn.microsoft.com/azure/iot-hub/iot-hub-public-network-access
    https://learn.microsoft.com/azure/batch/public-network-access
    https://learn.microsoft.com/azure/container-instances/container-instances-virtual-network-concepts
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.network import _azure_services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_VAULT: Final = "azure:keyvault/keyVault:KeyVault"
_BATCH: Final = "azure:batch/account:Account"
_GROUP: Final = "azure:containerservice/group:Group"
_BUS: Final = "azure-native:servicebus:Namespace"
_HUB: Final = "azure:iot/ioTHub:IoTHub"
_PORTAL: Final = "azure:appplatform/springCloudApiPortal:SpringCloudApiPortal"


def _vault(action: object, **inputs: object) -> Part:
    return Part(_VAULT, "keys", {"networkAcls": {"bypass": "AzureServices", "defaultAction": action}, **inputs})


def _batch(action: object, **inputs: object) -> Part:
    return Part(_BATCH, "jobs", {"networkProfile": {"accountAccess": {"defaultAction": action}}, **inputs})


def _rule_set(action: object) -> Part:
    return Part(_azure_services.RULE_SETS[2], "rules", {"namespaceName": ref("bus"), "defaultAction": action})


@rule(
    types=tuple(_azure_services.SERVICES),
    severity=Severity.MEDIUM,
    neighbours=_azure_services.RULE_SETS,
    equivalents={
        "checkov:CKV_AZURE_98": {"message": "container group"},
        "checkov:CKV_AZURE_104": {},
        "checkov:CKV_AZURE_106": {},
        "checkov:CKV_AZURE_108": {"message": "is on"},
        "checkov:CKV_AZURE_109": {},
        "checkov:CKV_AZURE_124": {},
        "checkov:CKV_AZURE_134": {},
        "checkov:CKV_AZURE_144": {},
        "checkov:CKV_AZURE_158": {},
        "checkov:CKV_AZURE_162": {},
        "checkov:CKV_AZURE_174": {},
        "checkov:CKV_AZURE_185": {},
        "checkov:CKV_AZURE_189": {},
        "checkov:CKV_AZURE_193": {},
        "checkov:CKV_AZURE_204": {},
        "checkov:CKV_AZURE_245": {},
        "checkov:CKV_AZURE_248": {"path": "networkProfile"},
        "checkov:CKV2_AZURE_24": {},
        "checkov:CKV2_AZURE_49": {},
        "trivy:AVD-AZU-0013": {},
        "trivy:AVD-AZU-0035": {},
        "kics:4a9e0f00-0765-4f72-a0d4-d31110b78279": {"message": "search service"},
    },
    bad=[
        Part("azure:datafactory/factory:Factory", "etl", {"publicNetworkEnabled": True}),
        Part("azure:datafactory/factory:Factory", "etl", {"name": "etl"}),
        Part(_VAULT, "keys", {"skuName": "standard"}),
        _vault("Allow"),
        Part("azure:search/service:Service", "search", {"sku": "standard"}),
        Part("azure:servicebus/namespace:Namespace", "bus", {"publicNetworkAccessEnabled": True}),
        Part("azure:appconfiguration/configurationStore:ConfigurationStore", "app", {"publicNetworkAccess": "Enabled"}),
        _batch("Allow"),
        Part(_BATCH, "jobs", {"publicNetworkAccessEnabled": True}),
        Part(_PORTAL, "portal", {"publicNetworkAccessEnabled": True}),
        Part(_GROUP, "task", {"ipAddressType": "Public"}),
        Part(_GROUP, "task", {"osType": "Linux"}),
        Part("azure-native:keyvault:Vault", "keys", {"properties": {"publicNetworkAccess": "Enabled"}}),
        Part("azure-native:containerinstance:ContainerGroup", "task", {"ipAddress": {"type": "Public"}}),
        Part(_BUS, "bus", {"publicNetworkAccess": "Enabled"}),
        [Part(_BUS, "bus", {}), _rule_set("Allow")],
        Part(
            "azure-native:devices/v20230630:IotHubResource", "hub", {"properties": {"publicNetworkAccess": "Enabled"}}
        ),
        Part("azure-native:iothub:IotHubResource", "hub", {"properties": {}}),
    ],
    good=[
        Part("azure:datafactory/factory:Factory", "etl", {"publicNetworkEnabled": False}),
        Part(_VAULT, "keys", {"publicNetworkAccessEnabled": False}),
        _vault("Deny"),
        _vault("Allow", publicNetworkAccessEnabled=False),
        Part("azure:search/service:Service", "search", {"sku": "standard", "allowedIps": ["203.0.113.0/24"]}),
        Part("azure:servicebus/namespace:Namespace", "bus", {"publicNetworkAccessEnabled": False}),
        _batch("Deny", publicNetworkAccessEnabled=True),
        Part(_HUB, "hub", {"networkRuleSets": [{"applyToBuiltinEventhubEndpoint": True}]}),
        Part("azure:kusto/cluster:Cluster", "logs", {"allowedIpRanges": ["203.0.113.0/24"]}),
        Part(_BATCH, "jobs", {"networkProfile": {"accountAccess": {"ipRules": [{"ipRange": "203.0.113.7"}]}}}),
        Part(_PORTAL, "portal", {"instanceCount": 1}),
        Part(_GROUP, "task", {"ipAddressType": "Private"}),
        Part(_GROUP, "task", {"osType": "Linux", "subnetIds": "/subnets/tasks"}),
        Part("azure-native:containerinstance:ContainerGroup", "task", {"osType": "Linux"}),
        Part("azure-native:keyvault:Vault", "keys", {"properties": {"publicNetworkAccess": "disabled"}}),
        [Part(_BUS, "bus", {}), _rule_set("Deny")],
        [
            Part("azure:servicebus/namespace:Namespace", "bus", {"sku": "Premium"}),
            Part(_azure_services.RULE_SETS[0], "rules", {"namespaceId": ref("bus"), "defaultAction": "Deny"}),
        ],
        Part("azure:apimanagement/service:Service", "api", {"virtualNetworkType": "Internal"}),
    ],
    unsure=[
        Part("azure:datafactory/factory:Factory", "etl", {"publicNetworkEnabled": UNKNOWN}),
        _vault(UNKNOWN),
        Part("azure:eventgrid/topic:Topic", "news", {"publicNetworkAccessEnabled": UNKNOWN}),
        Part("azure-native:eventhub:Namespace", "hub", {"publicNetworkAccess": "SecuredByPerimeter"}),
        [Part(_BUS, "bus", {}), _rule_set(UNKNOWN)],
    ],
)
def azure_service_public_network(resource: Resource) -> Iterator[Finding]:
    """Yield the switch or the firewall that leaves the service open to every network."""
    yield from _azure_services.open_to_every_network(resource, _azure_services.SERVICES[resource.token])
