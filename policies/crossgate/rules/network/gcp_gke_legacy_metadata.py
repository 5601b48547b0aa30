"""GKE nodes serve the legacy metadata endpoints.

Why: the metadata server hands out the credentials of the node's service account. Its old endpoints, ``v0.1`` and
``v1beta1``, answer without the header ``Metadata-Flavor``, so that any request which a pod can be made to send brings
them out. GKE switches them off on new nodes; ``disable-legacy-endpoints: "false"`` switches them on again.

Fix: leave the entry out of the metadata, or set ``disable-legacy-endpoints: "true"``.

Sources:
    https://cloud.google.com/kubernetes-engine/docs/how-to/protecting-cluster-metadata
    https://cloud.google.com/compute/docs/metadata/overview
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network import _settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_KEY = "disable-legacy-endpoints"


@rule(
    types=("gcp:container/cluster:Cluster", "gcp:container/nodePool:NodePool"),
    severity=Severity.MEDIUM,
    equivalents=("trivy:AVD-GCP-0048",),
    bad=[
        {"nodeConfig": {"metadata": {_KEY: "false"}}},
        {"nodePools": [{"nodeConfig": {"metadata": {_KEY: "false"}}}]},
        Part("gcp:container/nodePool:NodePool", "workers", {"nodeConfig": {"metadata": {_KEY: "false"}}}),
    ],
    good=[{"nodeConfig": {"metadata": {_KEY: "true"}}}, {"nodeConfig": {"machineType": "e2-medium"}}, {}],
    unsure=[{"nodeConfig": {"metadata": {_KEY: UNKNOWN}}}, {"nodeConfig": {"metadata": UNKNOWN}}],
)
def gcp_gke_legacy_metadata(resource: Resource) -> Iterator[Finding]:
    """Yield each entry that switches the legacy endpoints on again."""
    for path in ("nodeConfig", "nodePools[].nodeConfig"):
        for config in _settings.values(resource, path):
            entry = config["metadata"][_KEY]
            yield Finding(
                "the legacy metadata endpoints are on: any request from a pod brings out the node's credentials",
                at=entry,
                when=entry.is_false(),
            )
