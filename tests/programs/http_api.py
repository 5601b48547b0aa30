"""An HTTP API in front of a function; API Gateway alone may invoke it.

https://www.pulumi.com/registry/packages/aws/api-docs/apigatewayv2/api/
"""

import pulumi
import pulumi_aws as aws


def program() -> None:
    function = aws.lambda_.Function(
        "hello",
        runtime="nodejs22.x",
        handler="index.handler",
        role="arn:aws:iam::123456789012:role/hello",
        code=pulumi.AssetArchive({"index.js": pulumi.StringAsset("exports.handler = async () => ({});\n")}),
    )
    api = aws.apigatewayv2.Api("hello", protocol_type="HTTP")
    integration = aws.apigatewayv2.Integration(
        "hello", api_id=api.id, integration_type="AWS_PROXY", integration_uri=function.invoke_arn
    )
    aws.apigatewayv2.Route(
        "hello", api_id=api.id, route_key="GET /hello", target=integration.id.apply(lambda id_: f"integrations/{id_}")
    )
    aws.apigatewayv2.Stage("live", api_id=api.id, name="$default", auto_deploy=True)
    aws.lambda_.Permission(
        "hello",
        action="lambda:InvokeFunction",
        function=function.name,
        principal="apigateway.amazonaws.com",
        source_arn=pulumi.Output.concat(api.execution_arn, "/*/*"),
    )
