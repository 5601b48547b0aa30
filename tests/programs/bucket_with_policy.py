"""A bucket that one other account may read; the policy is built from the bucket's ARN.

https://www.pulumi.com/registry/packages/aws/api-docs/s3/bucketpolicy/
"""

import json

import pulumi_aws as aws


def program() -> None:
    bucket = aws.s3.Bucket("reports")
    aws.s3.BucketPublicAccessBlock(
        "reports",
        bucket=bucket.id,
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
    )
    aws.s3.BucketPolicy(
        "reports",
        bucket=bucket.id,
        policy=bucket.arn.apply(
            lambda arn: json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"AWS": "arn:aws:iam::123456789012:root"},
                            "Action": ["s3:GetObject", "s3:ListBucket"],
                            "Resource": [arn, f"{arn}/*"],
                        }
                    ],
                }
            )
        ),
    )
