"""GKE nodes get public addresses.

Why: a node with an external address can be reached from the internet as far as firewall rules let it, and every pod on
it leaves from there. With private nodes only load balancers are reachable, and the way out is one NAT.

Fix: set ``privateClusterConfig.enablePrivateNodes`` to true on the cluster (``networkConfig.enablePrivateNodes`` on a
node pool), and give the network a Cloud NAT for what has to leave.

Sources:
    https://cloud.google.com/kubernetes-engine/docs/concepts/network-isolation
    https://cloud.google.com/kubernetes-engine/docs/how-to/private-clusters
    https://www.pulumi.com/registry/packages/gcp/api-docs/container/cluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

CLUSTER: Final = "gcp:container/cluster:Cluster"
NODE_POOL: Final = "gcp:container/nodePool:NodePool"


def _pool(network: object) -> Part:
    return Part(NODE_POOL, "workers", {"cluster": "shop", "networkConfig": network})


@rule(
    types=(CLUSTER, NODE_POOL),
    severity=Severity.MEDIUM,
    frameworks=("CIS GKE 1.4 5.6.5",),
    equivalents=(
        "checkov:CKV_GCP_25",
        "checkov:CKV_GCP_64",
        "trivy:AVD-GCP-0059",
        "kics:6ccb85d7-0420-4907-9380-50313f80946b",
    ),
    bad=[
        {"location": "europe-west1", "initialNodeCount": 1},
        {"location": "europe-west1", "privateClusterConfig": {"enablePrivateNodes": False}},
        {"enableAutopilot": True},
        _pool({"enablePrivateNodes": False}),
    ],
    good=[
        {"location": "europe-west1", "privateClusterConfig": {"enablePrivateNodes": True}},
        _pool({"enablePrivateNodes": True}),
        Part(NODE_POOL, "workers", {"cluster": "shop"}),
    ],
    unsure=[{"privateClusterConfig": {"enablePrivateNodes": UNKNOWN}}, _pool({"enablePrivateNodes": UNKNOWN})],
)
def gcp_gke_public_nodes(resource: Resource) -> Iterator[Finding]:
    """Yield the switch that gives nodes public addresses; a node pool without its own takes the cluster's."""
    if resource.token == NODE_POOL:
        switch = resource["networkConfig"]["enablePrivateNodes"]
        yield Finding("the nodes of this pool get public addresses", at=switch, when=switch.is_false())
        return
    switch = resource["privateClusterConfig"]["enablePrivateNodes"]
    yield Finding(
        "the nodes get public addresses, unless a node pool says otherwise", at=switch, when=~switch.is_true()
    )
