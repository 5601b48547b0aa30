"""A database password that is generated, kept in Secrets Manager, and read by a function at run time.

https://www.pulumi.com/registry/packages/aws/api-docs/secretsmanager/secretversion/
"""

import json

import pulumi
import pulumi_aws as aws
import pulumi_random as random


def program() -> None:
    password = random.RandomPassword("database", length=32, special=False)
    secret = aws.secretsmanager.Secret("database", description="The password of the orders database, rotated monthly")
    aws.secretsmanager.SecretVersion(
        "database",
        secret_id=secret.id,
        secret_string=pulumi.Output.json_dumps({"username": "orders", "password": password.result}),
    )
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
    aws.iam.RolePolicy(
        "read-password",
        role=role.id,
        policy=pulumi.Output.json_dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {"Effect": "Allow", "Action": "secretsmanager:GetSecretValue", "Resource": secret.arn},
                ],
            }
        ),
    )
    aws.lambda_.Function(
        "orders",
        runtime="python3.13",
        handler="app.handler",
        role=role.arn,
        code=pulumi.AssetArchive(
            {
                "app.py": pulumi.StringAsset(
                    "import boto3, os\n"
                    "def handler(event, context):\n"
                    "    client = boto3.client('secretsmanager')\n"
                    "    password = client.get_secret_value(SecretId=os.environ['SECRET_ARN'])['SecretString']\n"
                    "    return len(password)\n"
                )
            }
        ),
        environment={"variables": {"SECRET_ARN": secret.arn, "PASSWORD_FIELD": "password"}},
    )
    pulumi.export("secretArn", secret.arn)
