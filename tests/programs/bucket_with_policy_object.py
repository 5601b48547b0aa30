"""The same grant with the policy passed as an object, so that only its Resource is unknown at preview.

https://www.pulumi.com/registry/packages/aws/api-docs/s3/bucketpolicy/
"""

import pulumi
import pulumi_aws as aws


def program() -> None:
    bucket = aws.s3.Bucket("exchange")
    aws.s3.BucketPolicy(
        "exchange",
        bucket=bucket.id,
        policy={
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Principal": {"AWS": "arn:aws:iam::123456789012:root"},
                    "Action": "s3:GetObject",
                    "Resource": pulumi.Output.concat(bucket.arn, "/*"),
                }
            ],
        },
    )
