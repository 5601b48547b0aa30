"""A bucket for an application's uploads, with uniform access, and a service account that may write to it.

https://cloud.google.com/storage/docs/uniform-bucket-level-access
"""

import pulumi_gcp as gcp


def program() -> None:
    uploads = gcp.storage.Bucket(
        "uploads",
        location="EU",
        uniform_bucket_level_access=True,
        public_access_prevention="enforced",
        versioning={"enabled": True},
        lifecycle_rules=[{"condition": {"age": 90}, "action": {"type": "Delete"}}],
    )
    account = gcp.serviceaccount.Account("shop", account_id="shop-uploads")
    gcp.storage.BucketIAMMember(
        "shop",
        bucket=uploads.name,
        role="roles/storage.objectUser",
        member=account.email.apply(lambda email: f"serviceAccount:{email}"),
    )
