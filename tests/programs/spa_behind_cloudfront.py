"""A single-page application: a closed bucket, and one CloudFront distribution that may read it, told by its ARN.

https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
https://www.pulumi.com/registry/packages/aws/api-docs/cloudfront/distribution/
"""

import pulumi
import pulumi_aws as aws

NAME = "acme-console"
CACHING_OPTIMIZED = "658327ea-f89d-4fab-a63d-7e88639e58f6"


def program() -> None:
    bucket = aws.s3.Bucket("console", bucket=NAME)
    aws.s3.BucketOwnershipControls("console", bucket=bucket.id, rule={"object_ownership": "BucketOwnerEnforced"})
    block = aws.s3.BucketPublicAccessBlock(
        "console",
        bucket=bucket.id,
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
    )
    aws.s3.BucketObjectv2(
        "index", bucket=bucket.id, key="index.html", content="<!doctype html>", content_type="text/html"
    )
    access = aws.cloudfront.OriginAccessControl(
        "console",
        name="console",
        origin_access_control_origin_type="s3",
        signing_behavior="always",
        signing_protocol="sigv4",
    )
    distribution = aws.cloudfront.Distribution(
        "console",
        enabled=True,
        is_ipv6_enabled=True,
        default_root_object="index.html",
        origins=[
            {
                "domain_name": bucket.bucket_regional_domain_name,
                "origin_id": "console",
                "origin_access_control_id": access.id,
            }
        ],
        default_cache_behavior={
            "target_origin_id": "console",
            "viewer_protocol_policy": "redirect-to-https",
            "allowed_methods": ["GET", "HEAD", "OPTIONS"],
            "cached_methods": ["GET", "HEAD"],
            "cache_policy_id": CACHING_OPTIMIZED,
        },
        custom_error_responses=[{"error_code": 403, "response_code": 200, "response_page_path": "/index.html"}],
        restrictions={"geo_restriction": {"restriction_type": "none"}},
        viewer_certificate={"cloudfront_default_certificate": True},
    )
    aws.s3.BucketPolicy(
        "console",
        bucket=bucket.id,
        policy=pulumi.Output.json_dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Sid": "AllowCloudFrontServicePrincipalReadOnly",
                        "Effect": "Allow",
                        "Principal": {"Service": "cloudfront.amazonaws.com"},
                        "Action": "s3:GetObject",
                        "Resource": f"arn:aws:s3:::{NAME}/*",
                        "Condition": {"StringEquals": {"AWS:SourceArn": distribution.arn}},
                    }
                ],
            }
        ),
        opts=pulumi.ResourceOptions(depends_on=[block]),
    )
