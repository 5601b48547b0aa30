"""The same grant on a bucket with a fixed name, so that the whole policy is known at preview.

https://www.pulumi.com/registry/packages/aws/api-docs/s3/bucketpolicy/
"""

import json

import pulumi_aws as aws

NAME = "acme-exchange"


def program() -> None:
    bucket = aws.s3.Bucket("exchange", bucket=NAME)
    aws.s3.BucketPolicy(
        "exchange",
        bucket=bucket.id,
        policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": "arn:aws:iam::123456789012:root"},
                        "Action": "s3:GetObject",
                        "Resource": f"arn:aws:s3:::{NAME}/*",
                    }
                ],
            }
        ),
    )
