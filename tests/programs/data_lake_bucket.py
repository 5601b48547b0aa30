"""A data lake: a closed, versioned bucket in which CloudTrail puts its log, and an account that blocks public access.

https://docs.aws.amazon.com/awscloudtrail/latest/userguide/create-s3-bucket-policy-for-cloudtrail.html
https://docs.aws.amazon.com/AmazonS3/latest/userguide/configuring-block-public-access-account.html
"""

import pulumi
import pulumi_aws as aws

ACCOUNT = "123456789012"
NAME = "acme-lake"
TRAIL = f"arn:aws:cloudtrail:eu-west-1:{ACCOUNT}:trail/lake"


def program() -> None:
    aws.s3.AccountPublicAccessBlock(
        "account",
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
    )
    aws.ebs.SnapshotBlockPublicAccess("account", state="block-all-sharing")
    aws.ec2.ImageBlockPublicAccess("account", state="block-new-sharing")
    lake = aws.s3.Bucket("lake", bucket=NAME, tags={"Name": "lake"})
    aws.s3.BucketVersioning("lake", bucket=lake.id, versioning_configuration={"status": "Enabled"})
    aws.s3.BucketLifecycleConfiguration(
        "lake",
        bucket=lake.id,
        rules=[
            {
                "id": "archive",
                "status": "Enabled",
                "filter": {"prefix": "raw/"},
                "transitions": [{"days": 90, "storage_class": "GLACIER"}],
            }
        ],
    )
    policy = aws.s3.BucketPolicy(
        "lake",
        bucket=lake.id,
        policy=pulumi.Output.json_dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Sid": "AWSCloudTrailAclCheck",
                        "Effect": "Allow",
                        "Principal": {"Service": "cloudtrail.amazonaws.com"},
                        "Action": "s3:GetBucketAcl",
                        "Resource": lake.arn,
                        "Condition": {"StringEquals": {"aws:SourceArn": TRAIL}},
                    },
                    {
                        "Sid": "AWSCloudTrailWrite",
                        "Effect": "Allow",
                        "Principal": {"Service": "cloudtrail.amazonaws.com"},
                        "Action": "s3:PutObject",
                        "Resource": pulumi.Output.concat(lake.arn, f"/AWSLogs/{ACCOUNT}/*"),
                        "Condition": {
                            "StringEquals": {"aws:SourceArn": TRAIL, "s3:x-amz-acl": "bucket-owner-full-control"}
                        },
                    },
                    {
                        "Sid": "DenyPlainHttp",
                        "Effect": "Deny",
                        "Principal": "*",
                        "Action": "s3:*",
                        "Resource": [lake.arn, pulumi.Output.concat(lake.arn, "/*")],
                        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                    },
                ],
            }
        ),
    )
    aws.cloudtrail.Trail(
        "lake",
        name="lake",
        s3_bucket_name=lake.id,
        include_global_service_events=True,
        opts=pulumi.ResourceOptions(depends_on=[policy]),
    )
