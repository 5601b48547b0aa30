"""BigQuery dataset is shared with everyone.

Why: an access entry for the special group ``allAuthenticatedUsers`` opens the dataset to everyone with a Google
account of whatever organisation; an entry whose ``iamMember`` is ``allUsers`` opens it to everyone on the internet.
What they can do is in the entry's role, and reading is enough to take all the data.

Fix: name whom the dataset is for: ``groupByEmail``, ``domain``, ``userByEmail``, or a special group of the project
such as ``projectReaders``. Share with another organisation through Analytics Hub.

Sources:
    https://cloud.google.com/bigquery/docs/reference/rest/v2/datasets
    https://cloud.google.com/bigquery/docs/control-access-to-resources-iam
    https://cloud.google.com/iam/docs/principals-overview
    https://www.pulumi.com/registry/packages/gcp/api-docs/bigquery/dataset/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule
from crossgate.rules.public import _gcp_iam

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

DATASET: Final = "gcp:bigquery/dataset:Dataset"
ACCESS: Final = "gcp:bigquery/datasetAccess:DatasetAccess"
NATIVE: Final = "google-native:bigquery/v2:Dataset"


def _dataset(**access: object) -> dict[str, object]:
    return {"datasetId": "sales", "accesses": [{"role": "OWNER", "userByEmail": "jane@example.com"}, access]}


@rule(
    types=(DATASET, ACCESS, NATIVE),
    severity=Severity.CRITICAL,
    frameworks=("CIS GCP 3.0 7.1",),
    equivalents=("checkov:CKV_GCP_15", "trivy:AVD-GCP-0046", "kics:e576ce44-dd03-4022-a8c0-3906acca2ab4"),
    bad=[
        _dataset(role="READER", specialGroup="allAuthenticatedUsers"),
        _dataset(role="READER", iamMember="allUsers"),
        _dataset(role=UNKNOWN, iamMember="allAuthenticatedUsers"),
        Part(ACCESS, "all", {"datasetId": "sales", "role": "READER", "specialGroup": "allAuthenticatedUsers"}),
        Part(ACCESS, "all", {"datasetId": "sales", "role": "READER", "iamMember": "allUsers"}),
        Part(NATIVE, "sales", {"access": [{"role": "READER", "specialGroup": "allAuthenticatedUsers"}]}),
    ],
    good=[
        _dataset(role="READER", specialGroup="projectReaders"),
        _dataset(role="READER", groupByEmail="ops@example.com"),
        _dataset(view={"projectId": "acme", "datasetId": "public", "tableId": "view"}),
        {"datasetId": "sales"},
        Part(ACCESS, "app", {"datasetId": "sales", "role": "READER", "iamMember": "deleted:user:jane@example.com"}),
        [
            Part(ACCESS, "app", {"datasetId": "sales", "role": "READER", "iamMember": ref("reader")}),
            Part("gcp:serviceaccount/account:Account", "reader", {"accountId": "app"}),
        ],
    ],
    unsure=[
        _dataset(role="READER", specialGroup=UNKNOWN),
        {"datasetId": "sales", "accesses": UNKNOWN},
        Part(ACCESS, "app", {"datasetId": "sales", "role": "READER", "iamMember": UNKNOWN}),
    ],
)
def gcp_bigquery_public_dataset(resource: Resource) -> Iterator[Finding]:
    """Yield the access entries that mean everyone."""
    if resource.token == ACCESS:
        entries = [resource.inputs]
    else:
        entries = list(resource["accesses" if resource.token == DATASET else "access"].each())
    for entry in entries:
        for name in ("specialGroup", "iamMember"):
            at, public, reach, _ = _gcp_iam.everyone(entry[name], role=entry["role"])
            yield Finding(f"access for {reach}", at=at, when=public)
