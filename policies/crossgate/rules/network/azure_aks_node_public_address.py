"""AKS nodes get public addresses.

Why: a node with a public address of its own can be reached from the internet as far as security groups let it. Nodes
need none: what serves the public stands behind a load balancer or an ingress, and the way out is one address or NAT.

Fix: leave ``nodePublicIpEnabled`` (azure-native: ``enableNodePublicIP``) out, or set it to false.

Sources:
    https://learn.microsoft.com/azure/aks/use-node-public-ips
    https://www.pulumi.com/registry/packages/azure/api-docs/containerservice/kubernetescluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _aks, _settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource

CLASSIC_POOL: Final = "azure:containerservice/kubernetesClusterNodePool:KubernetesClusterNodePool"
NATIVE_POOL: Final = "azure-native:containerservice:AgentPool"
SWITCHES: Final[Mapping[str, tuple[str, ...]]] = {
    _aks.CLASSIC_CLUSTER: ("defaultNodePool.nodePublicIpEnabled", "defaultNodePool.enableNodePublicIp"),
    CLASSIC_POOL: ("nodePublicIpEnabled", "enableNodePublicIp"),
    _aks.NATIVE_CLUSTER: ("agentPoolProfiles[].enableNodePublicIP",),
    NATIVE_POOL: ("enableNodePublicIP",),
}
"""The switches of each type, with the names they had before."""


@rule(
    types=tuple(SWITCHES),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AZURE_143",),
    bad=[
        {"defaultNodePool": {"name": "default", "nodePublicIpEnabled": True}},
        {"defaultNodePool": {"name": "default", "enableNodePublicIp": True}},
        Part(CLASSIC_POOL, "workers", {"nodePublicIpEnabled": True}),
        Part(_aks.NATIVE_CLUSTER, "shop", {"agentPoolProfiles": [{"enableNodePublicIP": True}]}),
        Part(NATIVE_POOL, "workers", {"enableNodePublicIP": True}),
    ],
    good=[
        {"defaultNodePool": {"name": "default"}},
        {"defaultNodePool": {"name": "default", "nodePublicIpEnabled": False}},
        Part(CLASSIC_POOL, "workers", {"vmSize": "Standard_D2s_v5"}),
        Part(_aks.NATIVE_CLUSTER, "shop", {"agentPoolProfiles": [{"enableNodePublicIP": False}]}),
    ],
    unsure=[
        {"defaultNodePool": {"nodePublicIpEnabled": UNKNOWN}},
        Part(_aks.NATIVE_CLUSTER, "shop", {"agentPoolProfiles": UNKNOWN}),
    ],
)
def azure_aks_node_public_address(resource: Resource) -> Iterator[Finding]:
    """Yield each switch that gives the nodes of a pool public addresses."""
    for path in SWITCHES[resource.token]:
        for switch in _settings.values(resource, path):
            yield Finding("each node of this pool gets a public address", at=switch, when=switch.is_true())
