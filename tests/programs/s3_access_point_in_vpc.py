"""A bucket that hands access control over to its access points, and one access point that a single VPC uses.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-vpc.html
https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html
"""

import json

import pulumi_aws as aws

ACCOUNT = "123456789012"
BUCKET = "acme-reports"
POINT = f"arn:aws:s3:eu-west-1:{ACCOUNT}:accesspoint/reports"


def program() -> None:
    vpc = aws.ec2.Vpc("reports", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
    aws.ec2.VpcEndpoint("s3", vpc_id=vpc.id, service_name="com.amazonaws.eu-west-1.s3")
    bucket = aws.s3.Bucket("reports", bucket=BUCKET)
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
        policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": "*"},
                        "Action": "*",
                        "Resource": [f"arn:aws:s3:::{BUCKET}", f"arn:aws:s3:::{BUCKET}/*"],
                        "Condition": {"StringEquals": {"s3:DataAccessPointAccount": ACCOUNT}},
                    }
                ],
            }
        ),
    )
    point = aws.s3.AccessPoint("reports", name="reports", bucket=bucket.id, vpc_configuration={"vpc_id": vpc.id})
    aws.s3control.AccessPointPolicy(
        "reports",
        access_point_arn=point.arn,
        policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:role/analyst"},
                        "Action": ["s3:GetObject", "s3:PutObject"],
                        "Resource": f"{POINT}/object/*",
                    }
                ],
            }
        ),
    )
