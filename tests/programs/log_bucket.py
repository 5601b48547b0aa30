"""A bucket for S3's own access logs: the one ACL that is not public although it is not private.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html
"""

import pulumi
import pulumi_aws as aws


def program() -> None:
    logs = aws.s3.Bucket("logs")
    ownership = aws.s3.BucketOwnershipControls(
        "logs", bucket=logs.id, rule={"object_ownership": "BucketOwnerPreferred"}
    )
    aws.s3.BucketAcl(
        "logs", bucket=logs.id, acl="log-delivery-write", opts=pulumi.ResourceOptions(depends_on=[ownership])
    )
    data = aws.s3.Bucket("data")
    aws.s3.BucketLogging("data", bucket=data.id, target_bucket=logs.id, target_prefix="data/")
    aws.s3.BucketServerSideEncryptionConfiguration(
        "data", bucket=data.id, rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": "AES256"}}]
    )
    aws.s3.BucketVersioning("data", bucket=data.id, versioning_configuration={"status": "Enabled"})
