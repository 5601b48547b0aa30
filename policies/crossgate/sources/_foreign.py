"""JSON that is not ours to judge, named for what it is, so that the way to the right file is short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

WANTED: Final = "wanted: what `pulumi preview --json` or `pulumi stack export` writes"


class _Foreign(NamedTuple):
    """Another kind of file: its name, and how to tell it."""

    name: str
    fits: Callable[[dict[str, Any]], bool]


def _keys(*keys: str) -> Callable[[dict[str, Any]], bool]:
    return lambda document: all(key in document for key in keys)


def _any(*keys: str) -> Callable[[dict[str, Any]], bool]:
    return lambda document: any(key in document for key in keys)


def _schema(part: str) -> Callable[[dict[str, Any]], bool]:
    return lambda document: part in str(document.get("$schema", ""))


def is_event_log(document: Any) -> bool:
    """Return whether ``document`` is an event of the engine's, the first line of a log of them."""
    return isinstance(document, dict) and "sequence" in document and "timestamp" in document


def _has_cloudformation_types(document: dict[str, Any]) -> bool:
    resources = document.get("Resources")
    if "AWSTemplateFormatVersion" in document:
        return True
    return isinstance(resources, dict) and any(
        isinstance(each, dict) and str(each.get("Type", "")).startswith("AWS::") for each in resources.values()
    )


# The first that fits names the file: the narrower ones stand first.
_OTHERS: Final = (
    _Foreign("a Pulumi event log: use `pulumi preview --json`, without PULUMI_ENABLE_STREAMING_JSON_PREVIEW",
             is_event_log),
    _Foreign("a Pulumi update plan", _keys("resourcePlans")),
    _Foreign("a Pulumi stack's checkpoint: use `pulumi stack export`", _keys("checkpoint")),
    _Foreign("the one-line summary of `pulumi preview --output json`: use --json", _keys("result", "duration")),
    _Foreign("a stack export without its deployment", _keys("version", "deployment")),
    _Foreign("a Pulumi provider's schema", _keys("name", "resources", "types")),
    _Foreign("a policy pack's configuration: give it to --policy-pack-config", _keys("version", "policies")),
    _Foreign("a report of this command", _keys("report", "stacks")),
    _Foreign("a Terraform plan", _any("planned_values", "resource_changes")),
    _Foreign("a Terraform state", _keys("terraform_version")),
    _Foreign("a CloudFormation template", _has_cloudformation_types),
    _Foreign("an Azure Resource Manager template", _schema("deploymentTemplate.json")),
    _Foreign("a Kubernetes manifest", _keys("apiVersion", "kind")),
    _Foreign("a SARIF report", _keys("runs", "version")),
    _Foreign("an OpenAPI description", _any("openapi", "swagger")),
    _Foreign("a JSON Schema", _schema("json-schema.org")),
    _Foreign("an npm package-lock.json", _keys("lockfileVersion")),
    _Foreign("an npm package.json", lambda document: "name" in document and _any(
        "dependencies", "devDependencies", "scripts", "main", "type")(document)),
    _Foreign("an IAM policy document", _keys("Statement")),
)  # fmt: skip


def describe(document: Any) -> str:
    """Return one line that says what ``document`` is instead of a preview or a state; never a value of it."""
    if isinstance(document, dict):
        name = next((other.name for other in _OTHERS if other.fits(document)), "")
        if not name:
            name = "an empty JSON object" if not document else "JSON of another kind"
    elif isinstance(document, list):
        name = "a JSON list"
    else:
        name = "a JSON value that is no object"
    return f"{name}; {WANTED}"
