"""A launch template and an auto scaling group with tags that propagate.

https://www.pulumi.com/registry/packages/aws/api-docs/autoscaling/group/
"""

import base64

import pulumi_aws as aws

BOOT = base64.b64encode(b"#cloud-config\npackages:\n  - nginx\nruncmd:\n  - systemctl start nginx\n").decode()


def program() -> None:
    template = aws.ec2.LaunchTemplate(
        "worker",
        image_id="ami-0123456789abcdef0",
        instance_type="t4g.small",
        user_data=BOOT,
        metadata_options={"http_tokens": "required", "http_endpoint": "enabled"},
    )
    aws.autoscaling.Group(
        "worker",
        min_size=1,
        max_size=3,
        vpc_zone_identifiers=["subnet-0a1"],
        launch_template={"id": template.id, "version": "$Latest"},
        tags=[{"key": "Owner", "value": "platform", "propagate_at_launch": True}],
    )
