"""A topic with a subscription and a dead letter topic.

https://cloud.google.com/pubsub/docs/handling-failures#dead_letter_topic
"""

import pulumi_gcp as gcp


def program() -> None:
    orders = gcp.pubsub.Topic("orders", message_retention_duration="86400s")
    failed = gcp.pubsub.Topic("orders-failed")
    worker = gcp.serviceaccount.Account("worker", account_id="orders-worker")
    subscription = gcp.pubsub.Subscription(
        "orders",
        topic=orders.id,
        ack_deadline_seconds=30,
        dead_letter_policy={"dead_letter_topic": failed.id, "max_delivery_attempts": 10},
    )
    gcp.pubsub.SubscriptionIAMMember(
        "worker",
        subscription=subscription.name,
        role="roles/pubsub.subscriber",
        member=worker.email.apply(lambda email: f"serviceAccount:{email}"),
    )
