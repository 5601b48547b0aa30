"""Managed service of Google Cloud works with public addresses.

Why: its workers or its endpoint get addresses that the whole internet reaches, beside whatever your network's
firewall lets through. What runs there usually needs your data and a few Google APIs, which it reaches from private
addresses too.

Fix: switch public addresses off: ``internalIpOnly`` for Dataproc, ``noExternalIp`` for Cloud Build,
``privateInstance`` for Data Fusion, ``ipConfiguration: WORKER_IP_PRIVATE`` for Dataflow, ``disablePublicIp`` for
Workbench, ``internalIpOnly`` for managed notebooks, ``enableExternalIps: false`` for TPUs, ``publicEndpointEnabled:
false`` for an index endpoint of Vertex AI, and ``network`` or ``privateServiceConnectConfig`` for its other endpoints.
Give the subnet Private Google Access.

Sources:
    https://cloud.google.com/dataproc/docs/concepts/configuring-clusters/network
    https://cloud.google.com/build/docs/private-pools/private-pools-overview
    https://cloud.google.com/data-fusion/docs/how-to/create-private-ip
    https://cloud.google.com/dataflow/docs/guides/routes-firewall
    https://cloud.google.com/vertex-ai/docs/vector-search/deploy-index-public
    https://docs.cloud.google.com/vertex-ai/docs/predictions/choose-endpoint-type
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network._settings import follow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


class _Switch(NamedTuple):
    """Where a service says whether it works with private addresses alone, and by which value."""

    path: tuple[str, ...]
    private: str | bool
    by_default: bool = False
    """It does where nothing is said."""


_SWITCHES: Final = {
    "gcp:dataproc/cluster:Cluster": _Switch(("clusterConfig", "gceClusterConfig", "internalIpOnly"), private=True),
    "gcp:cloudbuild/workerPool:WorkerPool": _Switch(("workerConfig", "noExternalIp"), private=True),
    "gcp:datafusion/instance:Instance": _Switch(("privateInstance",), private=True),
    "gcp:dataflow/job:Job": _Switch(("ipConfiguration",), "WORKER_IP_PRIVATE"),
    "gcp:dataflow/flexTemplateJob:FlexTemplateJob": _Switch(("ipConfiguration",), "WORKER_IP_PRIVATE"),
    "gcp:notebooks/instance:Instance": _Switch(("noPublicIp",), private=True),
    "gcp:notebooks/runtime:Runtime": _Switch(
        ("virtualMachine", "virtualMachineConfig", "internalIpOnly"), private=True
    ),
    "gcp:workbench/instance:Instance": _Switch(("gceSetup", "disablePublicIp"), private=True),
    "gcp:tpu/v2Vm:V2Vm": _Switch(("networkConfig", "enableExternalIps"), private=False),
    "gcp:vertex/aiIndexEndpoint:AiIndexEndpoint": _Switch(("publicEndpointEnabled",), private=False, by_default=True),
}
_DATAPROC, _POOL, _FUSION, _JOB, _, _NOTEBOOK, _RUNTIME, _WORKBENCH, _TPU, _INDEX = _SWITCHES
ENDPOINT: Final = "gcp:vertex/aiEndpoint:AiEndpoint"
"""It has no switch: it is private when it is given a network or Private Service Connect."""

_PUBLIC: Final = "it works with public addresses: the internet reaches it"


@rule(
    types=(*_SWITCHES, ENDPOINT),
    severity=Severity.MEDIUM,
    equivalents=(
        "checkov:CKV_GCP_86",
        "checkov:CKV_GCP_87",
        "checkov:CKV_GCP_89",
        "checkov:CKV_GCP_94",
        "checkov:CKV_GCP_103",
        "checkov:CKV2_GCP_28",
        "checkov:CKV2_GCP_32",
        "checkov:CKV2_GCP_33",
        "checkov:CKV2_GCP_34",
        "checkov:CKV2_GCP_36",
    ),
    bad=[
        Part(_DATAPROC, "jobs", {"clusterConfig": {"gceClusterConfig": {"internalIpOnly": False}}}),
        Part(_POOL, "builds", {"workerConfig": {"machineType": "e2-standard-4"}}),
        Part(_FUSION, "etl", {"type": "BASIC"}),
        Part(_JOB, "job", {"ipConfiguration": "WORKER_IP_PUBLIC"}),
        Part(_NOTEBOOK, "lab", {"machineType": "e2-medium"}),
        Part(_WORKBENCH, "lab", {"gceSetup": {"machineType": "n1-standard-4"}}),
        Part(_WORKBENCH, "bare", {}),
        Part(_TPU, "train", {"networkConfig": {"enableExternalIps": True}}),
        Part(_INDEX, "search", {"publicEndpointEnabled": True}),
        Part(_RUNTIME, "lab", {"virtualMachine": {"virtualMachineConfig": {"machineType": "n1-standard-4"}}}),
        Part(ENDPOINT, "model", {"displayName": "model", "location": "us-central1"}),
        Part(ENDPOINT, "model", {"dedicatedEndpointEnabled": True}),
    ],
    good=[
        Part(_DATAPROC, "jobs", {"clusterConfig": {"gceClusterConfig": {"internalIpOnly": True}}}),
        Part(_DATAPROC, "on-gke", {"virtualClusterConfig": {"kubernetesClusterConfig": {}}}),
        Part(_POOL, "builds", {"workerConfig": {"noExternalIp": True}}),
        Part(_FUSION, "etl", {"privateInstance": True}),
        Part(_JOB, "job", {"ipConfiguration": "WORKER_IP_PRIVATE"}),
        Part(_NOTEBOOK, "lab", {"noPublicIp": True}),
        Part(_WORKBENCH, "lab", {"gceSetup": {"disablePublicIp": True}}),
        Part(_TPU, "train", {"networkConfig": {"enableExternalIps": False}}),
        Part(_INDEX, "search", {}),
        Part(_RUNTIME, "lab", {"virtualMachine": {"virtualMachineConfig": {"internalIpOnly": True}}}),
        Part(ENDPOINT, "model", {"network": "projects/4711/global/networks/shop"}),
        Part(ENDPOINT, "model", {"privateServiceConnectConfig": {"enablePrivateServiceConnect": True}}),
    ],
    unsure=[
        Part(_JOB, "job", {"ipConfiguration": UNKNOWN}),
        Part(_POOL, "builds", {"workerConfig": UNKNOWN}),
        Part(ENDPOINT, "model", {"privateServiceConnectConfig": UNKNOWN}),
    ],
)
def gcp_service_public_address(resource: Resource) -> Iterator[Finding]:
    """Yield the switch that leaves the service with public addresses."""
    if resource.token == ENDPOINT:
        network = resource["network"]
        connect = resource["privateServiceConnectConfig"]["enablePrivateServiceConnect"]
        yield Finding(_PUBLIC, at=network, when=network.is_empty() & ~connect.is_true())
        return
    switch = _SWITCHES[resource.token]
    value = follow(resource, switch.path)
    private = value.equals(switch.private)
    if resource.token == _DATAPROC:
        private |= resource["virtualClusterConfig"].exists()  # it runs on GKE, whose nodes are asked about there
    if switch.by_default:
        private |= ~value.exists()
    yield Finding(_PUBLIC, at=value, when=~private)
