"""A function whose environment holds a table's name and a token that the program keeps secret.

https://www.pulumi.com/registry/packages/aws/api-docs/lambda/function/
"""

import json

import pulumi
import pulumi_aws as aws

TOKEN = "example" + "-token-" + "7Qm2vX9wLr4k"


def program() -> None:
    role = aws.iam.Role(
        "function",
        assume_role_policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
                ],
            }
        ),
    )
    table = aws.dynamodb.Table(
        "orders", attributes=[{"name": "id", "type": "S"}], hash_key="id", billing_mode="PAY_PER_REQUEST"
    )
    aws.lambda_.Function(
        "orders",
        runtime="python3.13",
        handler="app.handler",
        role=role.arn,
        code=pulumi.AssetArchive({"app.py": pulumi.StringAsset("def handler(event, context): ...\n")}),
        environment={
            "variables": {
                "TABLE_NAME": table.name,
                "SECRET_NAME": "shop/orders",
                "API_TOKEN": pulumi.Output.secret(TOKEN),
            }
        },
    )
