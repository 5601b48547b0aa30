"""Other JSON is named for what it is."""

import json
from typing import Any

import pytest

from crossgate.sources import SourceError, load

WANTED = "; wanted: what `pulumi preview --json` or `pulumi stack export` writes"


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({}, "an empty JSON object"),
        ({"hello": "world"}, "JSON of another kind"),
        ([], "a JSON list"),
        ([{"steps": []}], "a JSON list"),
        ("steps", "a JSON value that is no object"),
        (None, "a JSON value that is no object"),
        (7, "a JSON value that is no object"),
        ({"format_version": "1.2", "planned_values": {}, "resource_changes": []}, "a Terraform plan"),
        ({"version": 4, "terraform_version": "1.9.8", "serial": 1, "resources": []}, "a Terraform state"),
        ({"AWSTemplateFormatVersion": "2010-09-09", "Resources": {}}, "a CloudFormation template"),
        ({"Resources": {"Bucket": {"Type": "AWS::S3::Bucket"}}}, "a CloudFormation template"),
        ({"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"},
         "an Azure Resource Manager template"),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {}}, "a Kubernetes manifest"),
        ({"name": "shop", "version": "1.0.0", "dependencies": {}}, "an npm package.json"),
        ({"name": "shop", "lockfileVersion": 3, "packages": {}}, "an npm package-lock.json"),
        ({"version": "2.1.0", "runs": []}, "a SARIF report"),
        ({"openapi": "3.1.0", "info": {}}, "an OpenAPI description"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}, "a JSON Schema"),
        ({"Version": "2012-10-17", "Statement": []}, "an IAM policy document"),
        ({"manifest": {}, "resourcePlans": {}}, "a Pulumi update plan"),
        ({"version": 3, "checkpoint": {"stack": "dev", "latest": {}}},
         "a Pulumi stack's checkpoint: use `pulumi stack export`"),
        ({"version": 3, "deployment": None}, "a stack export without its deployment"),
        ({"name": "aws", "resources": {}, "types": {}}, "a Pulumi provider's schema"),
        ({"version": 2, "policies": {}}, "a policy pack's configuration: give it to --policy-pack-config"),
        ({"result": "succeeded", "duration": 1, "summary": {"same": 3}},
         "the one-line summary of `pulumi preview --output json`: use --json"),
        ({"sequence": 0, "timestamp": 1796147660, "preludeEvent": {"config": {}}},
         "a Pulumi event log: use `pulumi preview --json`, without PULUMI_ENABLE_STREAMING_JSON_PREVIEW"),
    ],
)  # fmt: skip
def test_other_json_is_named(document: Any, name: str) -> None:
    with pytest.raises(SourceError) as caught:
        load(json.dumps(document))
    assert name + WANTED == str(caught.value)


def test_an_event_log_of_several_lines_is_named_too() -> None:
    line = json.dumps({"sequence": 0, "timestamp": 1, "preludeEvent": {"config": {}}})
    with pytest.raises(SourceError, match=r"^a Pulumi event log"):
        load(f"{line}\n{line}\n")
