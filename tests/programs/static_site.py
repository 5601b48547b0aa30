"""A static site: a private bucket behind CloudFront with an origin access control.

https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
"""

import pulumi
import pulumi_aws as aws


def program() -> None:
    bucket = aws.s3.Bucket("site")
    block = aws.s3.BucketPublicAccessBlock(
        "site",
        bucket=bucket.id,
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
    )
    access = aws.cloudfront.OriginAccessControl(
        "site", origin_access_control_origin_type="s3", signing_behavior="always", signing_protocol="sigv4"
    )
    distribution = aws.cloudfront.Distribution(
        "site",
        enabled=True,
        default_root_object="index.html",
        origins=[
            {
                "domain_name": bucket.bucket_regional_domain_name,
                "origin_id": "site",
                "origin_access_control_id": access.id,
            }
        ],
        default_cache_behavior={
            "target_origin_id": "site",
            "viewer_protocol_policy": "redirect-to-https",
            "allowed_methods": ["GET", "HEAD"],
            "cached_methods": ["GET", "HEAD"],
            "forwarded_values": {"query_string": False, "cookies": {"forward": "none"}},
        },
        restrictions={"geo_restriction": {"restriction_type": "none"}},
        viewer_certificate={"cloudfront_default_certificate": True},
    )
    aws.s3.BucketPolicy(
        "site",
        bucket=bucket.id,
        policy=pulumi.Output.json_dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"Service": "cloudfront.amazonaws.com"},
                        "Action": "s3:GetObject",
                        "Resource": pulumi.Output.concat(bucket.arn, "/*"),
                        "Condition": {"StringEquals": {"AWS:SourceArn": distribution.arn}},
                    }
                ],
            }
        ),
        opts=pulumi.ResourceOptions(depends_on=[block]),
    )
