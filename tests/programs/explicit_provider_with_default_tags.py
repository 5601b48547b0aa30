"""Two Regions with a provider each, whose default tags reach every resource.

https://www.pulumi.com/registry/packages/aws/api-docs/provider/
"""

import pulumi
import pulumi_aws as aws


def program() -> None:
    tags = {"tags": {"Owner": "platform", "CostCenter": "4711"}}
    ireland = aws.Provider("ireland", region="eu-west-1", default_tags=tags)
    frankfurt = aws.Provider("frankfurt", region="eu-central-1", default_tags=tags)
    queue = aws.sqs.Queue("jobs", sqs_managed_sse_enabled=True, opts=pulumi.ResourceOptions(provider=ireland))
    aws.sqs.Queue(
        "jobs-copy",
        sqs_managed_sse_enabled=True,
        tags={"Source": queue.arn},
        opts=pulumi.ResourceOptions(provider=frankfurt),
    )
