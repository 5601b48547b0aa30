"""AKS cluster does not enforce network policies.

Why: the API server takes NetworkPolicy objects whether or not anything enforces them. Without a policy engine nothing
does: every pod reaches every other one, and whoever reads the policies believes otherwise.

Fix: set ``networkProfile.networkPolicy`` to ``cilium``, ``calico`` or ``azure``, or ``networkDataPlane`` (azure-native:
``networkDataplane``) to ``cilium``.

Sources:
    https://learn.microsoft.com/azure/aks/use-network-policies
    https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium
    https://www.pulumi.com/registry/packages/azure/api-docs/containerservice/kubernetescluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, UNKNOWN, Finding, Gap, Part, Severity, rule, unknown
from crossgate.rules.network import _aks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

ENGINES: Final = ("azure", "calico", "cilium")
OWN_PLUGIN: Final = "the cluster brings its own network plugin, and whether that enforces policies is not shown"


def _native(**profile: object) -> Part:
    return Part(_aks.NATIVE_CLUSTER, "shop", {"networkProfile": profile})


@rule(
    types=_aks.CLUSTERS,
    severity=Severity.MEDIUM,
    equivalents=(
        "checkov:CKV_AZURE_7",
        "trivy:AVD-AZU-0043",
        "kics:25c0228e-4444-459b-a2df-93c7df40b7ed",
        "kics:f5342045-b935-402d-adf1-8dbbd09c0eef",
    ),
    bad=[
        {"dnsPrefix": "shop", "networkProfile": {"networkPlugin": "azure"}},
        {"dnsPrefix": "shop"},
        {"networkProfile": {}},
        _native(networkPlugin="azure", networkPolicy="none"),
        Part(_aks.NATIVE_CLUSTER, "shop", {"dnsPrefix": "shop", "sku": {"name": "Base", "tier": "Standard"}}),
    ],
    good=[
        {"dnsPrefix": "shop", "networkProfile": {"networkPlugin": "azure", "networkPolicy": "calico"}},
        {"networkProfile": {"networkPlugin": "azure", "networkDataPlane": "cilium"}},
        {"networkProfile": {"networkPlugin": "azure", "ebpfDataPlane": "cilium"}},
        _native(networkPlugin="azure", networkPolicy="azure"),
        _native(networkPlugin="azure", networkDataplane="cilium"),
        Part(_aks.NATIVE_CLUSTER, "shop", {"sku": {"name": "Automatic", "tier": "Standard"}}),
    ],
    unsure=[
        {"networkProfile": UNKNOWN},
        {"networkProfile": {"networkPolicy": UNKNOWN}},
        {"networkProfile": {"networkPlugin": "none"}},
    ],
)
def azure_aks_network_policy_off(cluster: Resource) -> Iterator[Finding]:
    """Yield the missing policy engine, unless the data plane or the kind of cluster brings one."""
    profile = cluster["networkProfile"]
    policy = profile["networkPolicy"]
    enforced = policy.is_in(ENGINES) | cluster["sku"]["name"].equals("Automatic")
    for name in ("networkDataPlane", "networkDataplane", "ebpfDataPlane"):
        enforced |= profile[name].equals("cilium")
    own = profile["networkPlugin"].equals("none")
    doubt = FALSE if own.is_false else unknown(Gap(cluster.urn, profile["networkPlugin"].path, OWN_PLUGIN))
    yield Finding(
        "nothing enforces network policies here: every pod reaches every other",
        at=policy,
        when=~(enforced | (own & doubt)),
    )
