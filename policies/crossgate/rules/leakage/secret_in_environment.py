"""Environment variable holds a secret in clear.

Why: everyone who may describe a function, a container or a web app reads its environment variables, they stand in the
state and in previews, and they end up in crash dumps and in the logs of child processes. A literal stands in the
program's history as well.

A value that is marked secret does not count: it is encrypted in the state. A reference does not count either: a name,
an ARN, a path, ``valueFrom``, a Key Vault reference. A value that is computed is no literal; where a whole document is
computed, such as the JSON of container definitions, it is not known what stands in it.

Fix: keep the secret in the cloud's secret store and hand over a reference: ``secrets`` of an ECS container,
``secretKeyRef`` in Kubernetes, ``valueSource`` of Cloud Run, a Key Vault reference of App Service, or let the code read
it by its ARN. What must pass through the program comes from ``config.require_secret``.

Sources:
    https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
    https://docs.aws.amazon.com/AmazonECS/latest/developerguide/specifying-sensitive-data.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ecs-controls.html#ecs-8
    https://docs.aws.amazon.com/securityhub/latest/userguide/codebuild-controls.html#codebuild-2
    https://kubernetes.io/docs/concepts/security/secrets-good-practices/
    https://cloud.google.com/run/docs/configuring/services/secrets
    https://learn.microsoft.com/azure/app-service/app-service-key-vault-references
    https://www.pulumi.com/docs/iac/concepts/secrets/
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret, unknown
from crossgate.rules._paths import at_paths, split_paths, values_at
from crossgate.rules.kubernetes._objects import objects
from crossgate.rules.kubernetes._pods import TEMPLATES
from crossgate.rules.leakage._detector import find
from crossgate.rules.leakage._places import judged, judged_pairs, leak

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crossgate import Resource, Value

_MAPS: Final = split_paths(
    {
        "aws:lambda/function:Function": "environment.variables",
        "aws-native:lambda:Function": "environment.variables",
        "aws:amplify/app:App": "environmentVariables",
        "aws:amplify/branch:Branch": "environmentVariables",
        "aws:apprunner/service:Service": (
            "sourceConfiguration.imageRepository.imageConfiguration.runtimeEnvironmentVariables "
            "sourceConfiguration.codeRepository.codeConfiguration.codeConfigurationValues.runtimeEnvironmentVariables"
        ),
        "aws:sagemaker/model:Model": "primaryContainer.environment containers.*.environment",
        "aws:synthetics/canary:Canary": "runConfig.environmentVariables",
        "gcp:cloudfunctions/function:Function": "environmentVariables buildEnvironmentVariables",
        "gcp:cloudfunctionsv2/function:Function": (
            "serviceConfig.environmentVariables buildConfig.environmentVariables"
        ),
        "gcp:appengine/flexibleAppVersion:FlexibleAppVersion": "envVariables",
        "gcp:appengine/standardAppVersion:StandardAppVersion": "envVariables",
        "azure:appservice/appService:AppService": "appSettings",
        "azure:appservice/slot:Slot": "appSettings",
        "azure:appservice/functionApp:FunctionApp": "appSettings",
        "azure:appservice/functionAppSlot:FunctionAppSlot": "appSettings",
        "azure:appservice/linuxWebApp:LinuxWebApp": "appSettings",
        "azure:appservice/linuxWebAppSlot:LinuxWebAppSlot": "appSettings",
        "azure:appservice/windowsWebApp:WindowsWebApp": "appSettings",
        "azure:appservice/windowsWebAppSlot:WindowsWebAppSlot": "appSettings",
        "azure:appservice/linuxFunctionApp:LinuxFunctionApp": "appSettings",
        "azure:appservice/linuxFunctionAppSlot:LinuxFunctionAppSlot": "appSettings",
        "azure:appservice/windowsFunctionApp:WindowsFunctionApp": "appSettings",
        "azure:appservice/windowsFunctionAppSlot:WindowsFunctionAppSlot": "appSettings",
        "azure:appservice/appFlexConsumption:AppFlexConsumption": "appSettings",
        "azure:appservice/staticWebApp:StaticWebApp": "appSettings",
        "azure:appservice/staticSite:StaticSite": "appSettings",
        "azure:logicapps/standard:Standard": "appSettings",
        "azure:containerservice/group:Group": (
            "containers.*.environmentVariables initContainers.*.environmentVariables"
        ),
        "azure-native:web:WebAppApplicationSettings": "properties",
        "azure-native:web:WebAppApplicationSettingsSlot": "properties",
    }
)
"""Where a map of names and values stands."""
_PAIRS: Final = split_paths(
    {
        "aws:ecs/taskDefinition:TaskDefinition": "containerDefinitions().*.environment.*",
        "aws-native:ecs:TaskDefinition": "containerDefinitions.*.environment.*",
        "aws:batch/jobDefinition:JobDefinition": "containerProperties().environment.*",
        "aws:codebuild/project:Project": "environment.environmentVariables.*",
        "aws:elasticbeanstalk/environment:Environment": "settings.*",
        "aws:elasticbeanstalk/configurationTemplate:ConfigurationTemplate": "settings.*",
        "gcp:cloudrun/service:Service": "template.spec.containers.*.envs.*",
        "gcp:cloudrunv2/service:Service": "template.containers.*.envs.*",
        "gcp:cloudrunv2/job:Job": "template.template.containers.*.envs.*",
        "gcp:cloudrunv2/workerPool:WorkerPool": "template.containers.*.envs.*",
        "azure:containerapp/app:App": "template.containers.*.envs.* template.initContainers.*.envs.*",
        "azure:containerapp/job:Job": "template.containers.*.envs.* template.initContainers.*.envs.*",
        "azure-native:app:ContainerApp": "template.containers.*.env.* template.initContainers.*.env.*",
        "azure-native:app:Job": "template.containers.*.env.* template.initContainers.*.env.*",
        "azure-native:containerinstance:ContainerGroup": (
            "containers.*.environmentVariables.* initContainers.*.environmentVariables.*"
        ),
        "azure-native:web:WebApp": "siteConfig.appSettings.*",
        "azure-native:web:WebAppSlot": "siteConfig.appSettings.*",
    }
)
"""Where elements with a name and a value stand."""
_DOCUMENTS: Final = {
    "aws:ecs/taskDefinition:TaskDefinition": "containerDefinitions",
    "aws:batch/jobDefinition:JobDefinition": "containerProperties",
}
_PODS: Final = {**TEMPLATES, "kubernetes:core/v1:PodTemplate": ("template",)}
WORKLOADS: Final = {token + form: path for token, path in _PODS.items() for form in ("", "List", "Patch")}
"""Where the pod template stands, in each kind of workload, in a list of it and in a patch of it."""
CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")
_REACH: Final = "whoever may read the configuration, the state or a preview can use it"

_WORD: Final = "hunter" + "2-Tr0ub4dor"
_URL: Final = "postgres://app:" + _WORD + "@db.internal/shop"
_GITHUB: Final = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def judged_paths(token: str) -> Iterator[Sequence[str]]:
    """Yield the paths that this rule judges in resources of a type."""
    yield from _MAPS.get(token, ())
    yield from _PAIRS.get(token, ())
    if token in WORKLOADS:
        items = ("items", "*") if token.endswith("List") else ()
        for containers in CONTAINERS:
            yield (*items, *WORKLOADS[token], "spec", containers, "*", "env")


def _pod(*variables: dict[str, Any], kind: str = "containers") -> dict[str, Any]:
    return {"spec": {"template": {"spec": {kind: [{"name": "web", "env": list(variables)}]}}}}


def _task(*variables: dict[str, Any]) -> Part:
    containers = [{"name": "web", "image": "web:1", "environment": list(variables)}]
    return Part("aws:ecs/taskDefinition:TaskDefinition", "task", {"containerDefinitions": json.dumps(containers)})


@rule(
    types=(*_MAPS, *_PAIRS, *WORKLOADS),
    severity=Severity.HIGH,
    undetermined="warn",
    literals=True,
    frameworks=("AWS FSBP 1.0 ECS.8", "AWS FSBP 1.0 CodeBuild.2"),
    equivalents=(
        "checkov:CKV_AWS_45",
        "kics:1402afd8-a95c-4e84-8b0b-6fb43758e6ce",
        "kics:a88baa34-e2ad-44ea-ad6f-8cac87bc7c71",
        "trivy:AVD-AWS-0036",
    ),
    bad=[
        {"environment": {"variables": {"DB_PASSWORD": _WORD}}},
        {"environment": {"variables": {"STAGE": "prod", "DATABASE_URL": _URL}}},
        {"environment": {"variables": {"SETTINGS": json.dumps({"github": {"value": _GITHUB}})}}},
        _task({"name": "API_TOKEN", "value": _GITHUB}),
        Part(
            "aws:codebuild/project:Project",
            "build",
            {"environment": {"environmentVariables": [{"name": "NPM_TOKEN", "value": _GITHUB}]}},
        ),
        Part("kubernetes:apps/v1:Deployment", "web", _pod({"name": "DB_PASSWORD", "value": _WORD})),
        Part("kubernetes:batch/v1:Job", "web", _pod({"name": "DSN", "value": _URL}, kind="initContainers")),
        Part("kubernetes:core/v1:Pod", "web", _pod({"name": "PGPASSWORD", "value": _WORD})["spec"]["template"]),
        Part(
            "kubernetes:batch/v1:CronJob",
            "nightly",
            {"spec": {"jobTemplate": _pod({"name": "CLIENT_SECRET", "value": _GITHUB})}},
        ),
        Part(
            "gcp:cloudrunv2/service:Service",
            "api",
            {"template": {"containers": [{"envs": [{"name": "SESSION_SECRET", "value": _GITHUB}]}]}},
        ),
        Part("azure:appservice/linuxWebApp:LinuxWebApp", "web", {"appSettings": {"SMTP_PASSWORD": _WORD}}),
    ],
    good=[
        {},
        {"environment": {"variables": {"DB_PASSWORD": secret(_WORD)}}},
        {"environment": {"variables": secret({"DB_PASSWORD": _WORD})}},
        {"environment": {"variables": {"DB_PASSWORD": "[secret]", "LOG_LEVEL": "info"}}},
        {"environment": {"variables": {"DB_PASSWORD": UNKNOWN, "TABLE": UNKNOWN}}},
        {
            "environment": {
                "variables": {
                    "DB_SECRET_ARN": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf",
                    "DB_PASSWORD": "{{resolve:secretsmanager:db:SecretString:password}}",
                    "DB_PASSWORD_FILE": "/run/secrets/db",
                    "PASSWORD_MIN_LENGTH": "12",
                    "SECRET_NAME": "prod/db",
                    "API_KEY": "",
                    "TOKEN": "<token>",
                }
            }
        },
        _task({"name": "STAGE", "value": "prod"}, {"name": "SECRET_ID", "value": "prod/db"}),
        Part(
            "aws:codebuild/project:Project",
            "build",
            {
                "environment": {
                    "environmentVariables": [
                        {"name": "DB_PASSWORD", "value": "db:password", "type": "SECRETS_MANAGER"},
                        {"name": "NPM_TOKEN", "value": "npm-token", "type": "PARAMETER_STORE"},
                    ]
                }
            },
        ),
        Part(
            "kubernetes:apps/v1:Deployment",
            "web",
            _pod(
                {"name": "DB_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}},
                {"name": "DB_PASSWORD_COPY", "value": "$(DB_PASSWORD)"},
            ),
        ),
        Part(
            "azure:appservice/linuxWebApp:LinuxWebApp",
            "web",
            {"appSettings": {"DB_PASSWORD": "@Microsoft.KeyVault(SecretUri=https://v.vault.azure.net/secrets/db)"}},
        ),
    ],
    unsure=[
        {"environment": {"variables": UNKNOWN}},
        Part("aws:ecs/taskDefinition:TaskDefinition", "task", {"containerDefinitions": UNKNOWN}),
        Part("aws:ecs/taskDefinition:TaskDefinition", "task", {"containerDefinitions": "not JSON"}),
        Part("kubernetes:apps/v1:Deployment", "web", _pod({"name": UNKNOWN, "value": _WORD})),
    ],
)
def secret_in_environment(resource: Resource) -> Iterator[Finding]:
    """Yield the environment variables that hold a secret in clear."""
    token = resource.token
    for variables in at_paths(resource, _MAPS.get(token, ())):
        for name, value in variables.entries():
            yield from judged(name, value, _REACH)
    for element in at_paths(resource, _PAIRS.get(token, ())):
        yield from _pair(element)
    if token in _DOCUMENTS:
        yield from _broken(resource[_DOCUMENTS[token]])
    if token in WORKLOADS:
        for workload in objects(resource):
            for containers in CONTAINERS:
                for element in values_at(workload, (*WORKLOADS[token], "spec", containers, "*", "env", "*")):
                    yield from _pair(element)


def _pair(element: Value) -> Iterator[Finding]:
    """Yield the finding about a name and its value; a ``type`` that makes a reference of the value excuses it."""
    kind = element["type"]
    is_reference = kind.is_in(("PARAMETER_STORE", "SECRETS_MANAGER"))
    if is_reference.is_true:
        return
    for finding in judged_pairs(element, _REACH):
        finding.when &= ~is_reference
        yield finding


def _broken(document: Value) -> Iterator[Finding]:
    """Yield what can be said of a JSON document that is none."""
    if document.is_text and not document.secret and not (parsed := document.json()).readable:
        text = document.text() or ""
        if found := find(None, text):
            yield leak(found, document, text, _REACH)
        yield Finding("may hold a secret in clear", at=document, when=unknown(parsed.gap))
