"""Azure's platform services, in both providers' shapes: where each has its switch for public network access.

Each type has its own property name and default; both stand in the table, from the SDKs' documentation. A firewall
whose default action is "deny" counts as closed, since it lets in what is listed alone.

Sources:
    https://learn.microsoft.com/azure/private-link/private-endpoint-overview
    https://learn.microsoft.com/azure/key-vault/general/network-security
    https://learn.microsoft.com/azure/service-bus-messaging/service-bus-ip-filtering
    https://learn.microsoft.com/azure/ai-services/cognitive-services-virtual-networks
    https://learn.microsoft.com/azure/batch/public-network-access
    https://learn.microsoft.com/azure/iot-hub/iot-hub-ip-filtering
    https://learn.microsoft.com/azure/storage/common/storage-network-security
    https://learn.microsoft.com/azure/container-registry/container-registry-access-selected-networks
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import FALSE, Finding, any_of
from crossgate.rules.network import _azure_switch
from crossgate.rules.network._settings import follow, says

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Link, Resource, Truth, Value

Path = tuple[str, ...]


class Service(NamedTuple):
    """What a type of service is called, and where its inputs tell who reaches it."""

    name: str
    switch: Path = ("publicNetworkAccessEnabled",)
    firewall: Path = ()
    """Where the default action of its firewall stands; Deny lets in what is listed alone."""
    allowed: Path = ()
    """Where the addresses stand that its firewall lets in."""
    entry: str = ""
    """Under which key of an entry of ``allowed``; empty when the entry is the address itself."""
    closed_by_default: bool = False
    other: tuple[Path, str] = ((), "")
    """Another property that closes it, with the word that does."""


_WORD: Final = ("publicNetworkAccess",)
_NESTED: Final = ("properties", "publicNetworkAccess")
_ACLS: Final = ("networkAcls", "defaultAction")
_NATIVE_ACLS: Final = ("properties", *_ACLS)
_INBOUND: Final = ("inboundIpRules",)
_SITE: Final = ("siteConfig", "ipRestrictionDefaultAction")
_NATIVE_SITE: Final = ("siteConfig", "ipSecurityRestrictionsDefaultAction")
BATCH: Final = ("networkProfile", "accountAccess")
_BATCH_ACTION: Final = (*BATCH, "defaultAction")

SERVICES: Final[Mapping[str, Service]] = {
    "azure:aifoundry/hub:Hub": Service("AI hub", _WORD),
    "azure:apimanagement/service:Service": Service("API Management", other=(("virtualNetworkType",), "internal")),
    "azure:appconfiguration/configurationStore:ConfigurationStore": Service("App Configuration", _WORD),
    "azure:appplatform/springCloudApiPortal:SpringCloudApiPortal": Service("API portal", closed_by_default=True),
    "azure:appplatform/springCloudDevToolPortal:SpringCloudDevToolPortal": Service(
        "developer portal", closed_by_default=True
    ),
    "azure:appplatform/springCloudGateway:SpringCloudGateway": Service("gateway", closed_by_default=True),
    "azure:automation/account:Account": Service("Automation account"),
    "azure:batch/account:Account": Service("Batch account", firewall=_BATCH_ACTION),
    "azure:bot/channelsRegistration:ChannelsRegistration": Service("bot"),
    "azure:bot/serviceAzureBot:ServiceAzureBot": Service("bot"),
    "azure:cognitive/account:Account": Service("AI service", firewall=_ACLS, allowed=("networkAcls", "ipRules")),
    "azure:cognitive/aIServices:AIServices": Service(
        "AI service", _WORD, firewall=_ACLS, allowed=("networkAcls", "ipRules")
    ),
    "azure:containerservice/group:Group": Service("container group", ("ipAddressType",)),
    "azure:dashboard/grafana:Grafana": Service("Grafana"),
    "azure:databricks/workspace:Workspace": Service("Databricks workspace"),
    "azure:datafactory/factory:Factory": Service("data factory", ("publicNetworkEnabled",)),
    "azure:eventgrid/domain:Domain": Service("Event Grid domain", allowed=_INBOUND, entry="ipMask"),
    "azure:eventgrid/namespace:Namespace": Service("Event Grid namespace", _WORD, allowed=_INBOUND, entry="ipMask"),
    "azure:eventgrid/partnerNamespace:PartnerNamespace": Service(
        "Event Grid namespace", _WORD, allowed=_INBOUND, entry="ipMask"
    ),
    "azure:eventgrid/topic:Topic": Service("Event Grid topic", allowed=_INBOUND, entry="ipMask"),
    "azure:eventhub/domain:Domain": Service("Event Grid domain", allowed=_INBOUND, entry="ipMask"),
    "azure:eventhub/eventGridTopic:EventGridTopic": Service("Event Grid topic", allowed=_INBOUND, entry="ipMask"),
    "azure:eventhub/eventHubNamespace:EventHubNamespace": Service(
        "Event Hubs namespace",
        firewall=("networkRulesets", "defaultAction"),
        allowed=("networkRulesets", "ipRules"),
        entry="ipMask",
    ),
    "azure:eventhub/namespace:Namespace": Service(
        "Service Bus namespace",
        firewall=("networkRuleSet", "defaultAction"),
        allowed=("networkRuleSet", "ipRules"),
    ),
    "azure:healthcare/dicomService:DicomService": Service("health data service"),
    "azure:healthcare/service:Service": Service("health data service"),
    "azure:iot/ioTHub:IoTHub": Service("IoT hub"),
    "azure:iot/iotHubDeviceUpdateAccount:IotHubDeviceUpdateAccount": Service("Device Update account"),
    "azure:iot/iotHubDps:IotHubDps": Service("IoT provisioning service"),
    "azure:iotcentral/application:Application": Service("IoT Central application"),
    "azure:keyvault/keyVault:KeyVault": Service("key vault", firewall=_ACLS, allowed=("networkAcls", "ipRules")),
    "azure:keyvault/managedHardwareSecurityModule:ManagedHardwareSecurityModule": Service(
        "managed HSM", firewall=_ACLS
    ),
    "azure:kusto/cluster:Cluster": Service("Data Explorer cluster", allowed=("allowedIpRanges",)),
    "azure:machinelearning/workspace:Workspace": Service("machine learning workspace"),
    "azure:media/serviceAccount:ServiceAccount": Service("Media Services account"),
    "azure:mediaservices/account:Account": Service("Media Services account"),
    "azure:purview/account:Account": Service("Purview account", ("publicNetworkEnabled",)),
    "azure:recoveryservices/vault:Vault": Service("Recovery Services vault"),
    "azure:search/service:Service": Service("search service", allowed=("allowedIps",)),
    "azure:servicebus/namespace:Namespace": Service(
        "Service Bus namespace",
        firewall=("networkRuleSet", "defaultAction"),
        allowed=("networkRuleSet", "ipRules"),
    ),
    "azure:signalr/service:Service": Service("SignalR service"),
    "azure:videoindexer/account:Account": Service("Video Indexer account", _WORD),
    "azure:webpubsub/service:Service": Service("Web PubSub service"),
    "azure:webpubsub/socketio:Socketio": Service("Web PubSub service", _WORD),
    "azure-native:apimanagement:ApiManagementService": Service(
        "API Management", _WORD, other=(("virtualNetworkType",), "internal")
    ),
    "azure-native:appconfiguration:ConfigurationStore": Service("App Configuration", _WORD),
    "azure-native:automation:AutomationAccount": Service("Automation account", _WORD),
    "azure-native:batch:BatchAccount": Service("Batch account", _WORD, firewall=_BATCH_ACTION),
    "azure-native:botservice:Bot": Service("bot", _NESTED),
    "azure-native:cognitiveservices:Account": Service(
        "AI service", _NESTED, firewall=_NATIVE_ACLS, allowed=("properties", "networkAcls", "ipRules"), entry="value"
    ),
    "azure-native:containerinstance:ContainerGroup": Service(
        "container group", ("ipAddress", "type"), closed_by_default=True
    ),
    "azure-native:dashboard:Grafana": Service("Grafana", _NESTED),
    "azure-native:databricks:Workspace": Service("Databricks workspace", _WORD),
    "azure-native:datafactory:Factory": Service("data factory", _WORD),
    "azure-native:deviceprovisioningservices:IotDpsResource": Service("IoT provisioning service", _NESTED),
    "azure-native:deviceupdate:Account": Service("Device Update account", _WORD),
    "azure-native:digitaltwins:DigitalTwin": Service("Digital Twins instance", _WORD),
    "azure-native:eventgrid:Domain": Service("Event Grid domain", _WORD, allowed=_INBOUND, entry="ipMask"),
    "azure-native:eventgrid:Namespace": Service("Event Grid namespace", _WORD, allowed=_INBOUND, entry="ipMask"),
    "azure-native:eventgrid:PartnerNamespace": Service("Event Grid namespace", _WORD, allowed=_INBOUND, entry="ipMask"),
    "azure-native:eventgrid:Topic": Service("Event Grid topic", _WORD, allowed=_INBOUND, entry="ipMask"),
    "azure-native:eventhub:Namespace": Service("Event Hubs namespace", _WORD),
    "azure-native:healthcareapis:Service": Service("health data service", _NESTED),
    "azure-native:iotcentral:App": Service("IoT Central application", _WORD),
    "azure-native:iothub:IotHubResource": Service("IoT hub", _NESTED),
    "azure-native:keyvault:ManagedHsm": Service("managed HSM", _NESTED, firewall=_NATIVE_ACLS),
    "azure-native:keyvault:Vault": Service(
        "key vault", _NESTED, firewall=_NATIVE_ACLS, allowed=("properties", "networkAcls", "ipRules"), entry="value"
    ),
    "azure-native:kusto:Cluster": Service("Data Explorer cluster", _WORD, allowed=("allowedIpRangeList",)),
    "azure-native:machinelearningservices:Workspace": Service("machine learning workspace", _WORD),
    "azure-native:purview:Account": Service("Purview account", _WORD),
    "azure-native:recoveryservices:Vault": Service("Recovery Services vault", _NESTED),
    "azure-native:relay:Namespace": Service("relay namespace", _WORD),
    "azure-native:search:Service": Service(
        "search service", _WORD, allowed=("networkRuleSet", "ipRules"), entry="value"
    ),
    "azure-native:servicebus:Namespace": Service("Service Bus namespace", _WORD),
    "azure-native:signalrservice:SignalR": Service("SignalR service", _WORD, firewall=("networkACLs", "defaultAction")),
    "azure-native:webpubsub:WebPubSub": Service("Web PubSub service", _WORD, firewall=("networkACLs", "defaultAction")),
}
"""Services that hold data or secrets, or control something."""

APPS: Final[Mapping[str, Service]] = {
    "azure:appservice/appFlexConsumption:AppFlexConsumption": Service("function app", firewall=_SITE),
    "azure:appservice/linuxFunctionApp:LinuxFunctionApp": Service("function app", firewall=_SITE),
    "azure:appservice/linuxFunctionAppSlot:LinuxFunctionAppSlot": Service("function app slot", firewall=_SITE),
    "azure:appservice/linuxWebApp:LinuxWebApp": Service("web app", firewall=_SITE),
    "azure:appservice/linuxWebAppSlot:LinuxWebAppSlot": Service("web app slot", firewall=_SITE),
    "azure:appservice/staticWebApp:StaticWebApp": Service("static web app"),
    "azure:appservice/windowsFunctionApp:WindowsFunctionApp": Service("function app", firewall=_SITE),
    "azure:appservice/windowsFunctionAppSlot:WindowsFunctionAppSlot": Service("function app slot", firewall=_SITE),
    "azure:appservice/windowsWebApp:WindowsWebApp": Service("web app", firewall=_SITE),
    "azure:appservice/windowsWebAppSlot:WindowsWebAppSlot": Service("web app slot", firewall=_SITE),
    "azure:logicapps/standard:Standard": Service("logic app", _WORD, firewall=_SITE),
    "azure-native:web:StaticSite": Service("static web app", _WORD),
    "azure-native:web:WebApp": Service("web app", _WORD, firewall=_NATIVE_SITE),
    "azure-native:web:WebAppSlot": Service("web app slot", _WORD, firewall=_NATIVE_SITE),
}
"""What App Service runs: often meant for everyone."""

_RULE_SET: Final = ("networkRuleSet", "defaultAction")
_NETWORKS: Final = ("incomingTrafficPolicy",)
_SYNC: Final = Service("file sync service", _NETWORKS, other=(_NETWORKS, "allowvirtualnetworksonly"))

CONTENT: Final[Mapping[str, Service]] = {
    "azure:storage/account:Account": Service(
        "storage account", firewall=("networkRules", "defaultAction"), allowed=("networkRules", "ipRules")
    ),
    "azure:containerservice/registry:Registry": Service(
        "container registry", firewall=_RULE_SET, allowed=("networkRuleSet", "ipRules"), entry="ipRange"
    ),
    "azure:storage/sync:Sync": _SYNC,
    "azure-native:storage:StorageAccount": Service(
        "storage account", _WORD, firewall=_RULE_SET, allowed=("networkRuleSet", "ipRules"), entry="iPAddressOrRange"
    ),
    "azure-native:containerregistry:Registry": Service(
        "container registry", _WORD, firewall=_RULE_SET, allowed=("networkRuleSet", "ipRules"), entry="iPAddressOrRange"
    ),
    "azure-native:storagesync:StorageSyncService": _SYNC,
}
"""Services whose content is what strangers would read: files, blobs, images."""

STORAGE_RULES: Final = "azure:storage/accountNetworkRules:AccountNetworkRules"
"""The firewall of a storage account as a resource of its own."""
_STORAGE_REFERENCES: Final = ("storageAccountId", "storageAccountName")
ACCOUNTS: Final = ("azure:storage/account:Account",)
"""The accounts that may have one."""

RULE_SETS: Final = (
    "azure:servicebus/namespaceNetworkRuleSet:NamespaceNetworkRuleSet",
    "azure-native:eventhub:NamespaceNetworkRuleSet",
    "azure-native:servicebus:NamespaceNetworkRuleSet",
)
"""The firewall of a namespace as a resource of its own; the classic provider's until its major 5."""
_WITH_RULE_SET: Final = {
    "azure:servicebus/namespace:Namespace": "namespaceId",
    "azure-native:eventhub:Namespace": "namespaceName",
    "azure-native:servicebus:Namespace": "namespaceName",
}
"""The namespaces that may have one, and the input by which it names its namespace."""
_CONTAINER_GROUPS: Final = ("azure:containerservice/group:Group", "azure-native:containerinstance:ContainerGroup")

_IOT_HUBS: Final = {
    "azure:iot/ioTHub:IoTHub": (("networkRuleSets",), "applyToBuiltinEventhubEndpoint"),
    "azure-native:iothub:IotHubResource": (("properties", "networkRuleSets"), "applyToBuiltInEventHubEndpoint"),
}
"""Where an IoT hub has its rule sets, and what has one hold for the endpoint that its messages are read from too."""
_GROUP_NETWORKS: Final = (("subnetIds",), ("networkProfileId",), ("networkProfile", "id"))
"""What puts a container group into a virtual network, where it has no public address."""


def is_off(resource: Resource, service: Service) -> Truth:
    """Is public network access switched off?"""
    switch = follow(resource, service.switch)
    if resource.token in _CONTAINER_GROUPS:
        absent = service.closed_by_default
        in_network = any_of(~follow(resource, path).is_empty() for path in _GROUP_NETWORKS)
        return says(switch, "private", absent=absent) | says(switch, "none", absent=absent) | in_network
    return _azure_switch.is_off(switch, absent=service.closed_by_default)


def is_filtered(resource: Resource, service: Service) -> Truth:
    """Does a firewall let in what it lists and nothing else?"""
    answers: list[Truth] = []
    if service.firewall:
        action = follow(resource, service.firewall)
        deny = says(action, "deny")
        if service.firewall == _BATCH_ACTION:
            # The provider sends Deny for an account access without a default action.
            deny = follow(resource, BATCH).exists() & says(action, "deny", absent=True)
        answers.append(deny)
    elif service.allowed:
        answers.append(~follow(resource, service.allowed).is_empty())
    if resource.token in _IOT_HUBS:
        answers.extend(_hub_filters(resource))
    path, word = service.other
    if path:
        answers.append(says(follow(resource, path), word))
    if resource.token in _WITH_RULE_SET:
        answers.extend(
            link.linked
            & (
                says(link.resource["defaultAction"], "deny")
                | _azure_switch.is_off(link.resource["publicNetworkAccess"])
                | _azure_switch.is_off(link.resource["publicNetworkAccessEnabled"])
            )
            for link in resource.related(RULE_SETS, _WITH_RULE_SET[resource.token])
        )
    return any_of(answers) if answers else FALSE


def _hub_filters(hub: Resource) -> Iterator[Truth]:
    """Yield, of each rule set of an IoT hub, whether it closes all of its endpoints but to what it lists."""
    sets, builtin = _IOT_HUBS[hub.token]
    for each in follow(hub, sets).each():
        action = each["defaultAction"]
        deny = says(action, "deny", absent=True) | says(action, "defaultactiondeny")
        yield deny & each[builtin].is_true()


def place(resource: Resource, service: Service) -> Value:
    """Return where to say that everyone reaches it: the firewall's default action if it is written, else the switch."""
    if service.firewall:
        action = follow(resource, service.firewall)
        if action.exists().is_true:
            return action
    return follow(resource, service.switch)


def open_to_every_network(resource: Resource, service: Service, *, answered: Truth = FALSE) -> Iterator[Finding]:
    """Yield the switch or the firewall that leaves the service open, or would stand there.

    Args:
        resource: what is judged.
        service: its line in a table here.
        answered: whether another resource answers instead.

    """
    state = "was left on" if follow(resource, service.switch).exists().is_false else "is on"
    yield Finding(
        f"public network access {state}: every network reaches the {service.name}",
        at=place(resource, service),
        when=is_open(resource, service) & ~answered,
    )


def is_open(resource: Resource, service: Service) -> Truth:
    """Does every network reach the service? A firewall that stands apart is asked by :func:`firewall_apart`."""
    return ~is_off(resource, service) & ~is_filtered(resource, service)


def firewall_apart(account: Resource) -> list[Link]:
    """Return the firewalls of a storage account that are resources of their own."""
    if account.token not in ACCOUNTS:
        return []
    return [link for via in _STORAGE_REFERENCES for link in account.related((STORAGE_RULES,), via)]


def account_is_open(account: Resource) -> Truth:
    """Does every network reach the storage account, whatever stands in a firewall apart?"""
    denied = (link.linked & says(link.resource["defaultAction"], "deny") for link in firewall_apart(account))
    return is_open(account, CONTENT[account.token]) & ~any_of(denied)


def is_moot(rules: Resource) -> Truth:
    """Is public network access of the account switched off, whatever its firewall in a resource of its own says?"""
    service = CONTENT[ACCOUNTS[0]]
    links = (link for via in _STORAGE_REFERENCES for link in rules.targets(via, ACCOUNTS))
    return any_of(link.linked & is_off(link.resource, service) for link in links)
