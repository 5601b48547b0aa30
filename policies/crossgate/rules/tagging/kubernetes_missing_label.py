"""Kubernetes object lacks a required label or annotation.

Why: costs, alerts and policies in a cluster go by label. An object without its owner's label has nobody to ask, and
what selects by it, such as a cost report or a network policy, passes it by. A blank label tells nobody anything.

Which labels and annotations are asked for the parameters tell. Objects that a chart or a file brings are judged like
those of the program. Kinds can be left out, such as those that a controller makes.

Fix: add the label to ``metadata.labels`` or the annotation to ``metadata.annotations``; where all objects need the
same, a transformation of the program adds them.

Sources:
    https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/
    https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
    https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Finding, Part, Severity, rule, secret
from crossgate.rule import ANY_TYPE
from crossgate.rules.kubernetes._objects import objects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource, Value

_COMPONENTS: Final = ("kubernetes:helm.sh/", "kubernetes:yaml", "kubernetes:kustomize")
"""What brings objects and is none."""
_KEYS: Final = {
    "type": "array",
    "items": {"type": "string", "minLength": 1},
    "default": [],
}
_ASKED: Final = {"labels": ["app.kubernetes.io/name", "team"]}
_BOTH: Final = {"app.kubernetes.io/name": "web", "team": "shop"}


def _applies(token: str, parameters: Mapping[str, Any]) -> bool:
    return (
        token.startswith("kubernetes:")
        and not token.startswith(_COMPONENTS)
        and not token.endswith("Patch")
        and not any(fnmatchcase(token, pattern) for pattern in parameters["exemptTypes"])
    )


def _object(metadata: Any, parameters: Mapping[str, Any] = _ASKED) -> Example:
    return Example([Part("kubernetes:apps/v1:Deployment", "web", {"metadata": metadata})], parameters)


@rule(
    types=(ANY_TYPE,),
    applies=_applies,
    severity=Severity.LOW,
    parameters={
        "labels": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "description": "the labels that every object carries",
        },
        "annotations": {**_KEYS, "description": "the annotations that every object carries"},
        "exemptTypes": {
            **_KEYS,
            "description": "types that are not asked, with * for any text: kubernetes:rbac.authorization.k8s.io/*",
        },
    },
    required=("labels",),
    bad=[
        _object({"labels": {"team": "shop"}}),
        _object({"labels": {"app.kubernetes.io/name": UNKNOWN}}),
        _object({"labels": _BOTH}, {**_ASKED, "annotations": ["example.com/contact"]}),
        _object({}),
        Example([Part("kubernetes:core/v1:ServiceList", "all", {"items": [{"metadata": {"labels": {}}}]})], _ASKED),
    ],
    good=[
        _object({"labels": _BOTH}),
        _object({"labels": {**_BOTH, "team": UNKNOWN}}),
        _object({"labels": secret(_BOTH)}),
        _object({"labels": _BOTH, "annotations": {"a": "b"}}, {**_ASKED, "annotations": ["a"]}),
    ],
    unsure=[
        _object({"labels": UNKNOWN}),
        _object(UNKNOWN),
    ],
)
def kubernetes_missing_label(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the labels and annotations that are missing or blank."""
    for each in objects(resource):
        metadata = each["metadata"]
        for key in parameters["labels"]:
            yield from _asked(metadata["labels"], key, "label")
        for key in parameters["annotations"]:
            yield from _asked(metadata["annotations"], key, "annotation")


def _asked(place: Value, key: str, noun: str) -> Iterator[Finding]:
    value = place[key]
    there = value.exists()
    yield Finding(f"{noun} {key} is missing", at=place, when=~there)
    if there.is_true and value.is_text and not (value.text() or "").strip():
        yield Finding(f"{noun} {key} is blank", at=value)
