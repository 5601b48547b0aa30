"""Cloud Storage bucket takes access from ACLs besides IAM.

Why: without uniform bucket-level access every object can carry a list of its own that says who may read it, so one
upload with ``publicRead`` opens an object while the bucket's IAM policy looks fine. The setting is off where it is
left out.

Fix: set ``uniformBucketLevelAccess: true``. It can be taken back for 90 days; grant through IAM what the ACLs did.

Sources:
    https://cloud.google.com/storage/docs/uniform-bucket-level-access
    https://cloud.google.com/storage/docs/access-control
    https://www.pulumi.com/registry/packages/gcp/api-docs/storage/bucket/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _gcs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def _native(switch: object) -> Part:
    return Part(_gcs.NATIVE_BUCKET, "files", {"iamConfiguration": {"uniformBucketLevelAccess": {"enabled": switch}}})


@rule(
    types=_gcs.BUCKETS,
    severity=Severity.MEDIUM,
    frameworks=("CIS GCP 3.0 5.2",),
    equivalents=("checkov:CKV_GCP_29", "trivy:AVD-GCP-0002", "kics:bb0db090-5509-4853-a827-75ced0b3caa0"),
    bad=[
        {"location": "EU", "uniformBucketLevelAccess": False},
        {"location": "EU"},
        _native(switch=False),
        Part(_gcs.NATIVE_BUCKET, "files", {}),
    ],
    good=[{"location": "EU", "uniformBucketLevelAccess": True}, _native(switch=True)],
    unsure=[{"location": "EU", "uniformBucketLevelAccess": UNKNOWN}],
)
def gcp_storage_acls_allowed(bucket: Resource) -> Iterator[Finding]:
    """Yield the switch that is off or left out."""
    switch = _gcs.uniform(bucket)
    state = "left out, and so off" if switch.exists().is_false else "off"
    yield Finding(
        f"uniform bucket-level access is {state}: an ACL can open any object", at=switch, when=~switch.is_true()
    )
