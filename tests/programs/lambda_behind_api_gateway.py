"""A REST API whose one method invokes a function.

https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
"""

import json

import pulumi
import pulumi_aws as aws


def program() -> None:
    role = aws.iam.Role(
        "orders",
        assume_role_policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"Service": "lambda.amazonaws.com"},
                        "Action": "sts:AssumeRole",
                    }
                ],
            }
        ),
    )
    function = aws.lambda_.Function(
        "orders",
        role=role.arn,
        runtime="python3.13",
        handler="orders.handler",
        code=pulumi.AssetArchive({"orders.py": pulumi.StringAsset("def handler(event, context): return {}\n")}),
    )
    api = aws.apigateway.RestApi("orders")
    resource = aws.apigateway.Resource("orders", rest_api=api.id, parent_id=api.root_resource_id, path_part="orders")
    method = aws.apigateway.Method(
        "orders", rest_api=api.id, resource_id=resource.id, http_method="POST", authorization="AWS_IAM"
    )
    aws.apigateway.Integration(
        "orders",
        rest_api=api.id,
        resource_id=resource.id,
        http_method=method.http_method,
        integration_http_method="POST",
        type="AWS_PROXY",
        uri=function.invoke_arn,
    )
    aws.lambda_.Permission(
        "api",
        action="lambda:InvokeFunction",
        function=function.name,
        principal="apigateway.amazonaws.com",
        source_arn=api.execution_arn.apply(lambda arn: f"{arn}/*/*"),
    )
