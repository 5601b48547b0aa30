"""A topic that sends to a queue; the queue's policy lets that topic in.

https://www.pulumi.com/registry/packages/aws/api-docs/sqs/queuepolicy/
"""

import pulumi
import pulumi_aws as aws


def program() -> None:
    topic = aws.sns.Topic("orders", kms_master_key_id="alias/aws/sns")
    dead = aws.sqs.Queue("orders-dead", sqs_managed_sse_enabled=True)
    queue = aws.sqs.Queue(
        "orders",
        sqs_managed_sse_enabled=True,
        redrive_policy=pulumi.Output.json_dumps({"deadLetterTargetArn": dead.arn, "maxReceiveCount": 5}),
    )
    aws.sqs.QueuePolicy(
        "orders",
        queue_url=queue.id,
        policy=pulumi.Output.json_dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"Service": "sns.amazonaws.com"},
                        "Action": "sqs:SendMessage",
                        "Resource": queue.arn,
                        "Condition": {"ArnEquals": {"aws:SourceArn": topic.arn}},
                    }
                ],
            }
        ),
    )
    aws.sns.TopicSubscription("orders", topic=topic.arn, protocol="sqs", endpoint=queue.arn)
