"""A Cloud Storage bucket's settings, in the shapes of both providers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from crossgate import Resource, Value

BUCKET: Final = "gcp:storage/bucket:Bucket"
NATIVE_BUCKET: Final = "google-native:storage/v1:Bucket"
BUCKETS: Final = (BUCKET, NATIVE_BUCKET)


def prevention(bucket: Resource) -> Value:
    """Return the setting of public access prevention; left out, it is inherited from the organisation."""
    holder = bucket["iamConfiguration"] if bucket.token == NATIVE_BUCKET else bucket.inputs
    return holder["publicAccessPrevention"]


def uniform(bucket: Resource) -> Value:
    """Return the switch of uniform bucket-level access; left out, it is off."""
    if bucket.token == NATIVE_BUCKET:
        return bucket["iamConfiguration"]["uniformBucketLevelAccess"]["enabled"]
    return bucket["uniformBucketLevelAccess"]
