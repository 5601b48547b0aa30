"""Resource carries a tag that is not allowed.

Why: a tag of an earlier scheme keeps bills and selections divided between the old and the new name, and some do harm: a
tag that switches off a backup or a firewall, or a person's name where everybody who lists resources reads it.

On AWS the case of a key counts, on Azure it does not; labels on Google Cloud have small letters alone. ``*`` in a key
stands for any text. Tags that the provider adds by default count as the resource's own.

Fix: remove the tag, or use the one that replaces it.

Sources:
    https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
    https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources
    https://cloud.google.com/resource-manager/docs/labels-overview
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Example, Finding, Part, Severity, rule
from crossgate.rule import ANY_TYPE
from crossgate.rules.tagging._keys import label_text
from crossgate.rules.tagging._tags import Tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource
    from crossgate.rules.tagging._taggable import TagProperty

_QUEUE: Final = "aws:sqs/queue:Queue"


def _applies(token: str, _parameters: Mapping[str, Any]) -> bool:
    return _place_of_tags(token) is not None


def _place_of_tags(token: str) -> TagProperty | None:
    from crossgate.rules.tagging._taggable import tag_property  # a large table: not loaded until the rule is configured

    return tag_property(token)


def _with(type_: str, inputs: Mapping[str, Any], *more: Part) -> Example:
    provider = more[0].name if more else ""
    return Example([Part(type_, "example", inputs, provider=provider), *more], {"keys": ["Owner Name", "legacy:*"]})


@rule(
    types=(ANY_TYPE,),
    applies=_applies,
    severity=Severity.LOW,
    parameters={
        "keys": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "description": "the keys that no resource carries, with * for any text",
        },
    },
    required=("keys",),
    bad=[
        _with(_QUEUE, {"tags": {"Owner Name": "somebody"}}),
        _with(_QUEUE, {"tags": {"legacy:team": UNKNOWN, "Team": "a"}}),
        _with("aws-native:sqs:Queue", {"tags": [{"key": "legacy:team", "value": "a"}]}),
        _with("azure:storage/account:Account", {"tags": {"owner name": "somebody"}}),
        _with("gcp:storage/bucket:Bucket", {"labels": {"owner_name": "somebody"}}),
        _with(_QUEUE, {}, Part("pulumi:providers:aws", "eu", {"defaultTags": '{"tags": {"legacy:team": "a"}}'})),
    ],
    good=[
        _with(_QUEUE, {}),
        _with(_QUEUE, {"tags": {"Team": UNKNOWN, "owner name": "case counts on AWS"}}),
        _with("azure:storage/account:Account", {"tags": {"Owner": "somebody"}}),
    ],
    unsure=[
        _with(_QUEUE, {"tags": UNKNOWN}),
        _with("aws-native:sqs:Queue", {"tags": [{"key": UNKNOWN, "value": "a"}]}),
        _with(_QUEUE, {}, Part("pulumi:providers:aws", "eu", {"defaultTags": UNKNOWN})),
    ],
)
def forbidden_tag(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the tags whose keys are not allowed."""
    where = _place_of_tags(resource.token)
    if where is None:
        return
    tags = Tags(resource, where)
    noun = "label" if where.cloud == "gcp" else "tag"
    spelled = [_spelled(key, where.cloud) for key in parameters["keys"]]
    seen = set()
    for key, present, inherited in tags.all():
        if present.is_unknown:
            yield Finding(f"may carry a {noun} that is not allowed", at=tags.at, when=present)
            continue
        own = key if where.cloud == "aws" else key.casefold()
        if own not in seen and any(fnmatchcase(own, pattern) for pattern in spelled):
            seen.add(own)
            added = ", which the provider adds," if inherited else ""
            yield Finding(f"{noun} {key}{added} is not allowed", at=tags.at)


def _spelled(key: str, cloud: str) -> str:
    """Return a pattern as the cloud spells keys."""
    if cloud == "gcp":
        key = "*".join(map(label_text, key.split("*")))
    plain = key.replace("[", "[[]").replace("?", "[?]")
    return plain if cloud == "aws" else plain.casefold()
