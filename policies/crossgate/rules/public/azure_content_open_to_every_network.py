"""Azure storage account, container registry or file sync service answers every network.

Why: who signs in is then all that keeps a stranger out: a key or a token that leaks in a build log works from
anywhere. All three answer every network unless they are told not to.

Fix: reach the service through a private endpoint and set ``publicNetworkAccessEnabled`` to false
(``publicNetworkAccess: Disabled`` in azure-native). Where some networks outside need access, set ``defaultAction`` of
``networkRules`` (a registry and azure-native: ``networkRuleSet``) to ``Deny`` and list them. For a sync service, set
``incomingTrafficPolicy`` to ``AllowVirtualNetworksOnly``.

Sources:
    https://learn.microsoft.com/azure/storage/common/storage-network-security
    https://learn.microsoft.com/azure/container-registry/container-registry-access-selected-networks
    https://learn.microsoft.com/azure/container-registry/container-registry-private-link
    https://learn.microsoft.com/azure/storage/file-sync/file-sync-networking-endpoints
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, ref, rule
from crossgate.rules.network import _azure_services
from crossgate.rules.network._settings import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_ACCOUNT, _REGISTRY, _SYNC, _NATIVE_ACCOUNT, _NATIVE_REGISTRY, _NATIVE_SYNC = _azure_services.CONTENT
_LOCAL_PACKAGE: Final = "azure-native_storage_v20240101:storage:StorageAccount"
_RULES: Final = _azure_services.STORAGE_RULES


def _account(**inputs: object) -> Part:
    return Part(_ACCOUNT, "files", {"accountTier": "Standard", **inputs})


def _rules(action: object, account: object) -> Part:
    return Part(_RULES, "rules", {"storageAccountId": account, "defaultAction": action, "bypasses": ["Metrics"]})


@rule(
    types=(*_azure_services.CONTENT, _RULES),
    severity=Severity.MEDIUM,
    neighbours=(_RULES, *_azure_services.ACCOUNTS),
    frameworks=("CIS Azure 2.0 3.8",),
    equivalents={
        "checkov:CKV_AZURE_35": {"message": "storage account"},
        "checkov:CKV_AZURE_59": {"message": "storage account"},
        "checkov:CKV_AZURE_64": {"path": "incomingTrafficPolicy"},
        "checkov:CKV_AZURE_139": {"message": "container registry"},
        "checkov:CKV_AZURE_250": {"path": "incomingTrafficPolicy"},
        "trivy:AVD-AZU-0012": {"message": "storage account"},
        "kics:17f75827-0684-48f4-8747-61129c7e4198": {"message": "storage account"},
        "kics:a5613650-32ec-4975-a305-31af783153ea": {"message": "storage account"},
        "kics:d855ced8-6157-448f-9f1d-f05a41d046f7": {"message": "storage account"},
    },
    bad=[
        {"accountTier": "Standard"},
        {"publicNetworkAccessEnabled": True},
        {"networkRules": {"defaultAction": "Allow", "ipRules": ["203.0.113.7"]}},
        _rules("Allow", "/subscriptions/s/files"),
        [_rules("Allow", ref("files")), _account()],
        Part("azure-native:storage/v20230101:StorageAccount", "files", {"publicNetworkAccess": "Enabled"}),
        Part(_NATIVE_ACCOUNT, "files", {"networkRuleSet": {"defaultAction": "Allow"}}),
        Part(_REGISTRY, "images", {"sku": "Premium"}),
        Part(_REGISTRY, "images", {"publicNetworkAccessEnabled": True}),
        Part(_NATIVE_REGISTRY, "images", {"publicNetworkAccess": "Enabled"}),
        Part(_SYNC, "files", {}),
        Part(_SYNC, "files", {"incomingTrafficPolicy": "AllowAllTraffic"}),
        Part(_NATIVE_SYNC, "files", {}),
    ],
    good=[
        {"publicNetworkAccessEnabled": False},
        {"networkRules": {"defaultAction": "Deny", "bypasses": ["AzureServices"]}},
        [_rules("Deny", ref("files")), _account()],
        [_rules("Allow", ref("files")), _account(publicNetworkAccessEnabled=False)],
        Part(_NATIVE_ACCOUNT, "files", {"publicNetworkAccess": "Disabled"}),
        Part(
            "azure-native_storage_v20240101:storage:StorageAccount", "f", {"networkRuleSet": {"defaultAction": "Deny"}}
        ),
        Part(_REGISTRY, "images", {"publicNetworkAccessEnabled": False}),
        Part(_REGISTRY, "images", {"sku": "Premium", "networkRuleSet": {"defaultAction": "Deny"}}),
        Part(_NATIVE_REGISTRY, "images", {"publicNetworkAccess": "Disabled"}),
        Part(_SYNC, "files", {"incomingTrafficPolicy": "AllowVirtualNetworksOnly"}),
        Part(_NATIVE_SYNC, "files", {"incomingTrafficPolicy": "AllowVirtualNetworksOnly"}),
    ],
    unsure=[
        {"publicNetworkAccessEnabled": UNKNOWN},
        {"networkRules": {"defaultAction": UNKNOWN}},
        [_rules(UNKNOWN, ref("files")), _account()],
        [_account(), _rules("Deny", UNKNOWN)],
        Part(_NATIVE_ACCOUNT, "files", {"publicNetworkAccess": "SecuredByPerimeter"}),
        Part(_REGISTRY, "images", {"publicNetworkAccessEnabled": UNKNOWN}),
        Part(_SYNC, "files", {"incomingTrafficPolicy": UNKNOWN}),
    ],
)
def azure_content_open_to_every_network(resource: Resource) -> Iterator[Finding]:
    """Yield the switch or the firewall that leaves the service open; a firewall that stands apart answers itself."""
    if resource.token == _RULES:
        action = resource["defaultAction"]
        yield Finding(
            "the default action lets every network in: all of them reach the storage account",
            at=action,
            when=~says(action, "deny") & ~_azure_services.is_moot(resource),
        )
        return
    apart = any_of(link.linked for link in _azure_services.firewall_apart(resource))
    service = _azure_services.CONTENT[resource.token]
    yield from _azure_services.open_to_every_network(resource, service, answered=apart)
