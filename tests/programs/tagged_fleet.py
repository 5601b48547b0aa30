"""Machines of an auto scaling group with its launch template, a bucket and a queue, all tagged by team and cost centre.

https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html
"""

import pulumi
import pulumi_aws as aws


def program() -> None:
    tags = {"Owner": "platform", "Cost Center": "4711", "Environment": pulumi.get_stack()}
    region = aws.Provider("ireland", region="eu-west-1", default_tags={"tags": {"ManagedBy": "pulumi"}})
    opts = pulumi.ResourceOptions(provider=region)
    template = aws.ec2.LaunchTemplate(
        "workers",
        image_id="ami-0a1b2c3d4e5f60718",
        instance_type="t3.small",
        metadata_options={"http_endpoint": "enabled", "http_tokens": "required"},
        tag_specifications=[
            {"resource_type": "instance", "tags": tags},
            {"resource_type": "volume", "tags": tags},
        ],
        tags=tags,
        opts=opts,
    )
    aws.autoscaling.Group(
        "workers",
        min_size=1,
        max_size=3,
        vpc_zone_identifiers=["subnet-0a1", "subnet-0a2"],
        launch_template={"id": template.id, "version": "$Latest"},
        tags=[{"key": key, "value": value, "propagate_at_launch": True} for key, value in tags.items()],
        opts=opts,
    )
    aws.sqs.Queue("jobs", sqs_managed_sse_enabled=True, tags={**tags, "Workers": template.name}, opts=opts)
