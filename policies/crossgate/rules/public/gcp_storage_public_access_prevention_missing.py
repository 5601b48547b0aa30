"""Cloud Storage bucket does not enforce public access prevention.

Why: with ``publicAccessPrevention`` at ``enforced`` a grant to ``allUsers`` or ``allAuthenticatedUsers`` is refused,
whether it comes by IAM or by an ACL. Left out it is ``inherited``: the bucket is protected only if an organisation
policy says so, and the next grant to everyone may be accepted.

Fix: set ``publicAccessPrevention: "enforced"`` on every bucket that is not a public site.

Sources:
    https://cloud.google.com/storage/docs/public-access-prevention
    https://cloud.google.com/storage/docs/using-public-access-prevention
    https://www.pulumi.com/registry/packages/gcp/api-docs/storage/bucket/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _gcs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=_gcs.BUCKETS,
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_GCP_114",),
    bad=[
        {"location": "EU"},
        {"location": "EU", "publicAccessPrevention": "inherited"},
        Part(_gcs.NATIVE_BUCKET, "files", {"iamConfiguration": {"publicAccessPrevention": "inherited"}}),
    ],
    good=[
        {"location": "EU", "publicAccessPrevention": "enforced"},
        Part(_gcs.NATIVE_BUCKET, "files", {"iamConfiguration": {"publicAccessPrevention": "enforced"}}),
    ],
    unsure=[{"location": "EU", "publicAccessPrevention": UNKNOWN}],
)
def gcp_storage_public_access_prevention_missing(bucket: Resource) -> Iterator[Finding]:
    """Yield the setting that is inherited or left out."""
    setting = _gcs.prevention(bucket)
    yield Finding(
        "public access prevention is inherited: a grant to everyone may be accepted",
        at=setting,
        when=~setting.equals("enforced"),
    )
