"""Package schemas for YAML programs, made from the program itself.

``pulumi-language-yaml`` type-checks a program against the schemas of its packages, and a real one has tens of
megabytes. It is content with one that knows the program's own types, properties and functions, all of type Any.
https://www.pulumi.com/docs/iac/guides/building-extending/packages/schema/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

_ANY: Any = {"$ref": "pulumi.json#/Any"}
_REFERENCE = re.compile(r"\$\{([A-Za-z_][\w-]*)\.([A-Za-z_]\w*)")


def schemas(program: str) -> dict[str, Any]:
    """The schema of each package that the YAML ``program`` uses, by the package's name."""
    document = yaml.safe_load(program)
    packages: dict[str, Any] = {}
    for name, resource in (document.get("resources") or {}).items():
        if resource["type"].startswith("pulumi:providers:"):
            continue
        inputs = {*(resource.get("properties") or {})}
        outputs = inputs | {key for owner, key in _REFERENCE.findall(program) if owner == name and key != "id"}
        definition = {"inputProperties": dict.fromkeys(inputs, _ANY), "properties": dict.fromkeys(outputs, _ANY)}
        _merge(_package(packages, resource["type"])["resources"], _token(resource["type"]), definition)
    for call in _calls(document):
        result = {*({call["return"]} if "return" in call else ()), "id"}
        definition = {
            "inputs": {"type": "object", "properties": dict.fromkeys(call.get("arguments") or {}, _ANY)},
            "outputs": {"type": "object", "properties": dict.fromkeys(result, _ANY)},
        }
        _package(packages, call["function"])["functions"][_token(call["function"])] = definition
    return packages


def _package(packages: dict[str, Any], token: str) -> dict[str, Any]:
    name = token.partition(":")[0]
    package: dict[str, Any] = packages.setdefault(name, {"name": name, "resources": {}, "functions": {}})
    return package


def _merge(resources: dict[str, Any], token: str, definition: Mapping[str, dict[str, Any]]) -> None:
    known = resources.setdefault(token, {"inputProperties": {}, "properties": {}})
    for key, properties in definition.items():
        known[key].update(properties)


def _token(written: str) -> str:
    """The full token: YAML programs may leave out the file part, ``aws:s3:Bucket`` for ``aws:s3/bucket:Bucket``."""
    package, *middle, name = written.split(":")
    module = middle[0] if middle else "index"
    if "/" in module or package == "kubernetes":
        return f"{package}:{module}:{name}"
    return f"{package}:{module}/{name[0].lower()}{name[1:]}:{name}"


def _calls(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if isinstance(call := node.get("fn::invoke"), dict):
            yield call
        for value in node.values():
            yield from _calls(value)
    elif isinstance(node, list):
        for value in node:
            yield from _calls(value)
