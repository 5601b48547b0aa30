"""GKE cluster does not enforce network policies.

Why: the API server takes NetworkPolicy objects whether or not anything enforces them. On a Standard cluster with the
legacy datapath nothing does unless it is switched on: every pod reaches every other one, and whoever reads the policies
believes otherwise. Dataplane V2, which Autopilot always uses, enforces them.

Fix: set ``datapathProvider: "ADVANCED_DATAPATH"``, or ``networkPolicy: {enabled: true}`` together with
``addonsConfig.networkPolicyConfig.disabled: false``.

Sources:
    https://cloud.google.com/kubernetes-engine/docs/how-to/network-policy
    https://cloud.google.com/kubernetes-engine/docs/concepts/dataplane-v2
    https://www.pulumi.com/registry/packages/gcp/api-docs/container/cluster/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=("gcp:container/cluster:Cluster",),
    severity=Severity.MEDIUM,
    frameworks=("CIS GKE 1.4 5.6.7",),
    equivalents=("checkov:CKV_GCP_12", "trivy:AVD-GCP-0056", "kics:11e7550e-c4b6-472e-adff-c698f157cdd7"),
    bad=[
        {"location": "europe-west1", "initialNodeCount": 1},
        {"networkPolicy": {"enabled": False}, "datapathProvider": "LEGACY_DATAPATH"},
        {"enableAutopilot": False},
    ],
    good=[
        {"location": "europe-west1", "initialNodeCount": 1, "datapathProvider": "ADVANCED_DATAPATH"},
        {"networkPolicy": {"enabled": True, "provider": "CALICO"}},
        {"enableAutopilot": True},
        {"networkPolicy": {"enabled": False}, "datapathProvider": "ADVANCED_DATAPATH"},
    ],
    unsure=[{"datapathProvider": UNKNOWN}, {"networkPolicy": UNKNOWN}, {"enableAutopilot": UNKNOWN}],
)
def gcp_gke_network_policy_off(cluster: Resource) -> Iterator[Finding]:
    """Yield the cluster's switch, unless its datapath enforces policies anyway."""
    switch = cluster["networkPolicy"]["enabled"]
    enforced = (
        switch.is_true()
        | cluster["datapathProvider"].equals("ADVANCED_DATAPATH")
        | cluster["enableAutopilot"].is_true()
    )
    yield Finding("nothing enforces network policies here: every pod reaches every other", at=switch, when=~enforced)
