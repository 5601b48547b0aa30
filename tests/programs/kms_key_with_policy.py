"""A key whose policy gives it to the account and lets one role use it.

https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
"""

import json

import pulumi_aws as aws

ACCOUNT = "111122223333"


def program() -> None:
    key = aws.kms.Key(
        "orders",
        description="Encrypts orders",
        enable_key_rotation=True,
        policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Sid": "Enable IAM User Permissions",
                        "Effect": "Allow",
                        "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
                        "Action": "kms:*",
                        "Resource": "*",
                    },
                    {
                        "Sid": "Allow use through SQS for all of the account",
                        "Effect": "Allow",
                        "Principal": {"AWS": "*"},
                        "Action": ["kms:Decrypt", "kms:GenerateDataKey*"],
                        "Resource": "*",
                        "Condition": {
                            "StringEquals": {
                                "kms:CallerAccount": ACCOUNT,
                                "kms:ViaService": "sqs.eu-west-1.amazonaws.com",
                            }
                        },
                    },
                ],
            }
        ),
    )
    aws.kms.Alias("orders", name="alias/orders", target_key_id=key.key_id)
    aws.sqs.Queue("orders", kms_master_key_id=key.arn)
