"""A site in a hurry: its bucket is open to the world, and so is SSH. preview.json beside this file is its preview."""

import json

import pulumi
import pulumi_aws as aws

assets = aws.s3.Bucket("assets", acl="public-read")

uploads = aws.s3.Bucket("uploads")
aws.s3.BucketPublicAccessBlock(
    "uploads",
    bucket=uploads.id,
    block_public_acls=True,
    block_public_policy=False,
    ignore_public_acls=True,
    restrict_public_buckets=False,
)
aws.s3.BucketPolicy(
    "uploads",
    bucket=uploads.id,
    policy=uploads.arn.apply(
        lambda arn: json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:PutObject", "Resource": f"{arn}/*"}],
            }
        )
    ),
)

web = aws.ec2.SecurityGroup(
    "web",
    description="The web servers",
    ingress=[
        {"protocol": "tcp", "from_port": 443, "to_port": 443, "cidr_blocks": ["0.0.0.0/0"]},
        {"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["0.0.0.0/0"]},
    ],
)

pulumi.export("assets", assets.bucket)
