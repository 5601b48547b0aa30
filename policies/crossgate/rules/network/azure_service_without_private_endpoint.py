"""Azure service that keeps data or keys has no private endpoint.

Why: with a private endpoint the service has an address inside the virtual network, and its public one can be switched
off. Without one all traffic takes the public address.

Fix: add a ``privatelink.Endpoint`` (azure-native: ``network.PrivateEndpoint``) whose service connection names the
resource. A flexible server may instead stand in a subnet of its own, with ``delegatedSubnetId``.

Sources:
    https://learn.microsoft.com/azure/private-link/private-endpoint-overview
    https://learn.microsoft.com/azure/key-vault/general/private-link-service
    https://learn.microsoft.com/azure/storage/common/storage-private-endpoints
    https://learn.microsoft.com/azure/machine-learning/how-to-configure-private-link
    https://learn.microsoft.com/azure/azure-sql/database/private-endpoint-overview
    https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-private-link
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, TRUE, UNKNOWN, Finding, Part, Severity, any_of, ref, stack_rule, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

SERVICES: Final = {
    "azure:machinelearning/workspace:Workspace": "machine learning workspace",
    "azure:keyvault/keyVault:KeyVault": "key vault",
    "azure:mssql/server:Server": "SQL server",
    "azure:sql/sqlServer:SqlServer": "SQL server",
    "azure:postgresql/server:Server": "PostgreSQL server",
    "azure:postgresql/flexibleServer:FlexibleServer": "PostgreSQL server",
    "azure:mysql/server:Server": "MySQL server",
    "azure:mysql/flexibleServer:FlexibleServer": "MySQL server",
    "azure:mariadb/server:Server": "MariaDB server",
    "azure:storage/account:Account": "storage account",
    "azure-native:keyvault:Vault": "key vault",
    "azure-native:machinelearningservices:Workspace": "machine learning workspace",
    "azure-native:sql:Server": "SQL server",
    "azure-native:dbforpostgresql:Server": "PostgreSQL server",
    "azure-native:dbformysql:Server": "MySQL server",
    "azure-native:dbformariadb:Server": "MariaDB server",
    "azure-native:storage:StorageAccount": "storage account",
}
CLASSIC: Final = "azure:privatelink/endpoint:Endpoint"
NATIVE: Final = ("azure-native:network:PrivateEndpoint",)
ENDPOINTS: Final = (CLASSIC, *NATIVE)
_LISTS: Final = ("privateLinkServiceConnections", "manualPrivateLinkServiceConnections")

_FLEXIBLE: Final = "azure:postgresql/flexibleServer:FlexibleServer"
_VAULT: Final = Part("azure:keyvault/keyVault:KeyVault", "keys", {"skuName": "standard"})


def _endpoint(target: object) -> Part:
    connection = {"name": "keys", "isManualConnection": False, "privateConnectionResourceId": target}
    return Part(CLASSIC, "door", {"privateServiceConnection": connection})


@stack_rule(
    types=tuple(SERVICES),
    severity=Severity.LOW,
    neighbours=ENDPOINTS,
    equivalents=(
        "checkov:CKV2_AZURE_32",
        "checkov:CKV2_AZURE_33",
        "checkov:CKV2_AZURE_42",
        "checkov:CKV2_AZURE_43",
        "checkov:CKV2_AZURE_44",
        "checkov:CKV2_AZURE_45",
        "checkov:CKV2_AZURE_56",
        "checkov:CKV2_AZURE_57",
    ),
    bad=[
        [_VAULT],
        [_VAULT, _endpoint("/subscriptions/s/other")],
        [Part(_FLEXIBLE, "db", {"publicNetworkAccessEnabled": False})],
        [Part("azure:storage/account:Account", "files", {"accountTier": "Standard"})],
    ],
    good=[
        [_VAULT, _endpoint(ref("keys"))],
        [Part("azure:storage/account:Account", "files", {"accountTier": "Standard"}), _endpoint(ref("files"))],
        [Part(_FLEXIBLE, "db", {"delegatedSubnetId": "/subnets/db"})],
        [
            Part("azure-native:keyvault:Vault", "keys", {}),
            Part(
                NATIVE[0],
                "door",
                {"privateLinkServiceConnections": [{"privateLinkServiceId": ref("keys"), "groupIds": ["vault"]}]},
            ),
        ],
    ],
    unsure=[
        [_VAULT, _endpoint(UNKNOWN)],
        [Part(_FLEXIBLE, "db", {"delegatedSubnetId": UNKNOWN}), _endpoint(UNKNOWN)],
    ],
)
def azure_service_without_private_endpoint(resource: Resource) -> Iterator[Finding]:
    """Yield the resource that no private endpoint leads to."""
    in_subnet = ~resource["delegatedSubnetId"].is_empty() | ~resource["network"]["delegatedSubnetResourceId"].is_empty()
    yield Finding(
        f"no private endpoint leads to the {SERVICES[resource.token]}",
        at="",
        when=~(in_subnet | _has_endpoint(resource)),
    )


def _has_endpoint(resource: Resource) -> Truth:
    stack = resource.stack
    found = [
        _leads(endpoint, target, resource) for endpoint in stack.of_type(*ENDPOINTS) for target in _targets(endpoint)
    ]
    found.extend(link.linked for link in stack.unseen(ENDPOINTS))
    return any_of(found)


def _targets(endpoint: Resource) -> Iterator[Value]:
    """Yield the resource ids that a private endpoint leads to."""
    if endpoint.token == CLASSIC:
        yield endpoint["privateServiceConnection"]["privateConnectionResourceId"]
    else:
        for key in _LISTS:
            for connection in endpoint[key].each():
                yield connection["privateLinkServiceId"]


def _leads(endpoint: Resource, target: Value, resource: Resource) -> Truth:
    """Does the id, known or not, mean the resource? An unknown one does where the engine tells an edge to it."""
    if target.readable:
        return TRUE if target.is_text and target.text() in resource.identities() else FALSE
    edges = endpoint.property_dependencies.get(target.property_name, ())
    if resource.urn in edges:
        return TRUE
    others = (endpoint.stack.get(urn) for urn in edges)
    if any(other is not None and other.token in SERVICES for other in others):
        return FALSE
    return unknown(target.gap)
