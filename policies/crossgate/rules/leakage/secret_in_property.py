"""Property holds a secret in clear.

Why: whatever is written in a property stands in the state, in previews and in the cloud's own description of the
resource, where everybody who may list it reads it: a description, a tag, an annotation, a command line, a policy, a
connection string, the body of a template, the text of an asset. A literal stands in the program's history as well.

A password counts by its name. A key or a token counts when it looks generated, or has the form that its vendor
documents. Values that are marked secret or computed do not count, nor do names, paths, ARNs, templates and other
references. Environment variables, user data, ConfigMaps, Secrets, the values of charts, and inputs that the provider
knows as secret have rules of their own.

Fix: take the value from ``config.require_secret``, or keep it in a secret store and write down where it is. Where the
property can be read by others, as tags and descriptions can, leave the secret out: a mark hides it in the state only.

Sources:
    https://www.pulumi.com/docs/iac/concepts/secrets/
    https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
    https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources
    https://kubernetes.io/docs/concepts/security/secrets-good-practices/
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret
from crossgate.model import STACK_TYPE
from crossgate.rule import ANY_TYPE
from crossgate.rules.leakage._claims import claims
from crossgate.rules.leakage._detector import HARMLESS, MEANINGLESS, find, find_forms, may_hold
from crossgate.rules.leakage._places import leak
from crossgate.rules.leakage.secret_input_unmarked import is_judged
from crossgate.value import ARCHIVE, ASSET, HIDDEN, OUTPUT_VALUE, SIGNATURE_KEY, UNKNOWNS, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from crossgate import Resource

_DEEPEST: Final = 40
_FILE: Final = "<file>"
"""Stands for the key of an asset's text, which may be a program: there names stand beside expressions."""
_PROGRAMS: Final = frozenset({_FILE, "code", "zipFile", "inlineCode"})
"""Keys under which a program may stand."""
_POLICIES: Final = frozenset({"assumeRolePolicy", "assumeRolePolicyDocument", "policy", "policyDocument"})
"""Keys under which a policy may stand: its keys and values are names of actions, people and resources."""
_FORMS_ALONE: Final = _PROGRAMS | _POLICIES
_ASSET_TEXT: Final = 1 << 16
"""Characters of an asset's text that are read."""
_NOT_READ: Final = frozenset({"__defaults", "__provider"})
"""What an SDK writes into inputs: the names of defaults, the code of a dynamic provider."""
_REACH: Final = "whoever may read the resource, the state or a preview can use it"

_WORD: Final = "hunter" + "2-Tr0ub4dor"
_URL: Final = "postgres://app:" + _WORD + "@db.internal/shop"
_GITHUB: Final = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
_KEY: Final = "AKIA" + "QWERTYUIOPASDFGH"
_PIPELINE: Final = "aws:codepipeline/pipeline:Pipeline"
_ASSET: Final = {SIGNATURE_KEY: ASSET, "text": f"TOKEN = '{_GITHUB}'\n", "hash": "00"}


def _applies(token: str, _parameters: Mapping[str, Any]) -> bool:
    return token != STACK_TYPE


def _pipeline(**configuration: Any) -> Part:
    return Part(_PIPELINE, "app", {"stages": [{"actions": [{"name": "Source", "configuration": configuration}]}]})


@rule(
    types=(ANY_TYPE,),
    applies=_applies,
    severity=Severity.HIGH,
    literals=True,
    equivalents=("kics:a88baa34-e2ad-44ea-ad6f-8cac87bc7c71",),
    bad=[
        _pipeline(OAuthToken=_GITHUB),
        Part("aws:sqs/queue:Queue", "jobs", {"tags": {"Owner": "team-a", "DbPassword": _WORD}}),
        Part("aws:ec2/instance:Instance", "web", {"tags": {"Note": f"database is {_URL}"}}),
        Part("aws:glue/job:Job", "etl", {"defaultArguments": {"--db_password": _WORD}}),
        Part("aws:cloudformation/stack:Stack", "legacy", {"parameters": {"MasterPassword": _WORD}}),
        Part("aws:s3/bucketObject:BucketObject", "settings", {"content": json.dumps({"key": {"id": _KEY}})}),
        Part("aws:s3/bucketObject:BucketObject", "settings", {"source": _ASSET}),
        Part("aws-native:sqs:Queue", "jobs", {"tags": [{"key": "ApiToken", "value": _GITHUB}]}),
        Part("azure-native:resources:Deployment", "d", {"properties": {"parameters": {"password": {"value": _WORD}}}}),
        Part(
            "kubernetes:core/v1:Pod",
            "web",
            {"spec": {"containers": [{"name": "web", "args": ["--port=80", f"--db-password={_WORD}"]}]}},
        ),
        Part("kubernetes:example.com/v1:Database", "db", {"spec": {"users": [{"name": "app", "password": _WORD}]}}),
        Part("pulumi-python:dynamic:Resource", "custom", {"api_token": _GITHUB, "__provider": "gASV"}),
    ],
    good=[
        {},
        _pipeline(OAuthToken=secret(_GITHUB), Owner="example", Repo="app"),
        _pipeline(OAuthToken=UNKNOWN),
        _pipeline(OAuthToken="[secret]"),
        _pipeline(OAuthToken="{{resolve:secretsmanager:github:SecretString:token}}"),
        _pipeline(ParameterOverrides='{"Password": "${db.password}"}'),
        Part(
            "aws:sqs/queue:Queue",
            "jobs",
            {
                "kmsMasterKeyId": "1234abcd-12ab-34cd-56ef-1234567890ab",
                "tags": {"SecretName": "prod/db", "PasswordRotation": "30 days", "TokenType": "bearer"},
            },
        ),
        Part("aws:cognito/userPool:UserPool", "users", {"passwordPolicy": {"minimumLength": 12}, "authMode": "OFF"}),
        Part("aws:rds/instance:Instance", "db", {"passwordWo": _WORD, "passwordWoVersion": 1}),
        Part("aws:lambda/function:Function", "f", {"s3Key": "releases/app-9f86d081884c7d65.zip"}),
        Part(
            "kubernetes:example.com/v1:Database",
            "db",
            {"spec": {"passwordSecretRef": {"name": "db-password", "key": "password"}, "tokenSecret": "db-token"}},
        ),
        Part("gcp:storage/bucket:Bucket", "data", {"metadata": secret({"password": _WORD}), "labels": {"a": "b"}}),
    ],
)
def secret_in_property(resource: Resource) -> Iterator[Finding]:
    """Yield the properties that hold a secret in clear, but for those that other rules judge."""
    inputs = resource.raw_inputs
    if not resource.custom or type(inputs) is not dict:
        return
    for steps, key, text in _in_map(inputs, "", claims(resource.token), 0):
        secrets = find_forms(text) if key in _FORMS_ALONE else find(key, text, careful=True)
        path = steps[::-1]
        if secrets and not is_judged(resource, path):
            place = resource.inputs
            for step in path:
                place = place[step]
            yield leak(secrets, place, text, _REACH)


class _Hit(NamedTuple):
    """A text in clear that is worth a look."""

    steps: list[str | int]
    """The path to it, from its end to its beginning: nearly every walk ends without a hit, and writes no path."""
    key: str
    text: str


# Every property of every resource comes by here: what follows is written for speed.


def _in_map(value: dict[str, Any], own: str, claimed: dict[str, Any] | None, depth: int) -> Sequence[_Hit]:
    found: list[_Hit] = []
    for key, item in value.items():
        kind = type(item)
        below = None
        if kind is str:
            name = key if key != "value" else _name_beside(value, own)
            if (item in HARMLESS and name in MEANINGLESS) or not may_hold(name, item) or _is_special(key, item):
                continue
            if claimed:
                below = claimed.get(key, claimed.get("*"))
                if below is not None:
                    if not below:
                        continue
                    _take(found, key, _in(_document(item), name, below, depth + 1))
                    continue
            found.append(_Hit([key], name, item))
        elif kind is dict or kind is list:
            if claimed:
                below = claimed.get(key, claimed.get("*"))
                if below is not None and not below:
                    continue
            if key not in _NOT_READ:
                _take(found, key, _in(item, key if key != "value" else _name_beside(value, own), below, depth + 1))
    return found


def _in(value: Any, key: str, claimed: dict[str, Any] | None, depth: int) -> Sequence[_Hit]:
    """Return the texts worth a look below ``value``, which stands under ``key``; ``claimed`` is left to other rules."""
    kind = type(value)
    if kind is dict:
        if SIGNATURE_KEY in value:
            return _in_signed(value, key, claimed, depth)
        return _in_map(value, key, claimed, depth) if depth < _DEEPEST else ()
    if kind is list:
        below = claimed.get("*") if claimed else None
        if depth >= _DEEPEST or (below is not None and not below):
            return ()
        found: list[_Hit] = []
        for index, item in enumerate(value):
            if type(item) is str and item in HARMLESS and key in MEANINGLESS:
                continue
            _take(found, index, _in(item, key, below, depth + 1))
        return found
    if kind is str and may_hold(key, value) and not _is_special(key, value):
        return [_Hit([], key, value)]
    return ()


def _take(found: list[_Hit], step: str | int, below: Sequence[_Hit]) -> None:
    for hit in below:
        hit.steps.append(step)
        found.append(hit)


def _in_signed(value: dict[str, Any], key: str, claimed: dict[str, Any] | None, depth: int) -> Sequence[_Hit]:
    """Look into what is no plain map: an output that is known, the text of an asset. A secret is marked."""
    signature = value[SIGNATURE_KEY]
    if signature == OUTPUT_VALUE and value.get("secret") is not True and "value" in value:
        return _in(value["value"], key, claimed, depth + 1)
    if signature == ASSET and type(text := value.get("text")) is str:
        return [_Hit([], _FILE, text[:_ASSET_TEXT])]
    if signature == ARCHIVE and type(assets := value.get("assets")) is dict and depth < _DEEPEST:
        inner = [asset for asset in assets.values() if type(asset) is dict and SIGNATURE_KEY in asset]
        return [hit._replace(steps=[]) for asset in inner for hit in _in_signed(asset, "", None, depth + 1)]
    return ()


def _name_beside(pair: dict[str, Any], own: str) -> str:
    """Return what names a ``value``: the ``name`` or ``key`` beside it, or what the map itself stands under."""
    named = pair.get("name", pair.get("key", own))
    return named if type(named) is str else "value"


def _is_special(key: str, text: str) -> bool:
    return text in UNKNOWNS or text == HIDDEN or key in _NOT_READ


def _document(text: str) -> Any:
    """Return the JSON document in ``text``, a part of which other rules judge; what is none they judge whole."""
    try:
        return parse_json(text)
    except ValueError:
        return None
