"""AKS cluster uses kubenet networking.

Why: of the engines that enforce network policies, kubenet works with Calico alone, not with Azure's or Cilium's. Azure
ends support for kubenet on 31 March 2028 in favour of Azure CNI; a cluster that stays behind gets no more fixes of its
network. The classic provider uses kubenet when a cluster has no ``networkProfile``.

Fix: set ``networkProfile.networkPlugin`` to ``azure``, with ``networkPluginMode: "overlay"`` where addresses are
scarce.

Sources:
    https://learn.microsoft.com/azure/aks/use-network-policies
    https://learn.microsoft.com/azure/aks/concepts-network-cni-overview
    https://www.pulumi.com/registry/packages/azure/api-docs/containerservice/kubernetescluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules._given import is_given
from crossgate.rules.network import _aks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_OTHERS: Final = ("azure", "none")
"""The plugins that are not kubenet; whatever else stands there, AKS refuses."""


@rule(
    types=_aks.CLUSTERS,
    severity=Severity.LOW,
    equivalents=("checkov:CKV2_AZURE_29",),
    bad=[
        {"dnsPrefix": "shop", "networkProfile": {"networkPlugin": "kubenet"}},
        {"dnsPrefix": "shop"},
        Part(_aks.NATIVE_CLUSTER, "shop", {"networkProfile": {"networkPlugin": "kubenet"}}),
    ],
    good=[
        {"dnsPrefix": "shop", "networkProfile": {"networkPlugin": "azure", "networkPluginMode": "overlay"}},
        {"networkProfile": {"networkPlugin": "none"}},
        Part(_aks.NATIVE_CLUSTER, "shop", {"networkProfile": {"networkPlugin": "azure"}}),
    ],
    unsure=[{"networkProfile": UNKNOWN}, {"networkProfile": {"networkPlugin": UNKNOWN}}],
)
def azure_aks_kubenet(cluster: Resource) -> Iterator[Finding]:
    """Yield the plugin that is kubenet, by name or because the classic provider takes it when none is named."""
    profile = cluster["networkProfile"]
    plugin = profile["networkPlugin"]
    by_default = ~profile.exists() if cluster.token == _aks.CLASSIC_CLUSTER else FALSE
    yield Finding(
        "the pods use kubenet, which Azure retires and which only Calico's network policies work with",
        at=plugin,
        when=(is_given(plugin) & ~plugin.is_in(_OTHERS)) | by_default,
    )
