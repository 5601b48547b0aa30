"""Resource lacks a required tag.

Why: a resource without its tags has no owner to ask and no cost centre to charge, and what selects resources by tag,
such as a backup plan or an access policy, passes it by. Tags that the provider adds by default count as the resource's
own, where they reach it: they do not reach an AWS auto scaling group. So does a tag whose value is not known yet, when
any value will do. A blank value does not: it tells nobody anything. Types that carry no tags are not asked. A tag that
is a resource of its own, such as ``aws:ec2/tag:Tag``, does not count: the resource it is put on takes it off again.

On AWS the case of a key counts, on Azure it does not. Labels on Google Cloud have lower case alone: ``CostCenter`` is
looked for there as ``costcenter``, and a character that a label may not hold as ``_``, unless the parameter spells the
key for ``gcp``. The key ``*`` asks for any tag at all.

Fix: add the tags to the resource, or to every resource at once by the default tags of its provider: ``defaultTags`` on
AWS, ``defaultLabels`` on Google Cloud. Azure's providers have none. Where a tag is not known in the preview, give a map
whose keys are written down, so that at most their values are computed.

Sources:
    https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/standards-tagging.html
    https://www.pulumi.com/registry/packages/aws/api-docs/provider/
    https://www.pulumi.com/registry/packages/aws/api-docs/ec2/tag/
    https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations
    https://cloud.google.com/resource-manager/docs/labels-overview
    https://www.hashicorp.com/blog/default-tags-in-the-terraform-aws-provider
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from crossgate import TRUE, UNKNOWN, Example, Finding, Part, Severity, rule, secret
from crossgate.rule import ANY_TYPE
from crossgate.rules.tagging._keys import ANY_KEY, near_misses, required
from crossgate.rules.tagging._tags import Tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from crossgate import Resource
    from crossgate.rules.tagging._keys import Required
    from crossgate.rules.tagging._taggable import TagProperty
    from crossgate.rules.tagging._tags import Found

_NAMED_AT_MOST: Final = 6
_MEANT_AT_MOST: Final = 2

_KEY: Final = {"type": "string", "minLength": 1}
# One schema for both forms, without `anyOf`: what is wrong with a tag is then told by its place and name.
_TAG: Final = {
    "type": ["string", "object"],
    "minLength": 1,
    "required": ["key"],
    "additionalProperties": False,
    "properties": {
        "key": {**_KEY, "description": "the tag's key"},
        "values": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "description": "the values that are allowed",
        },
        "pattern": {
            "type": "string",
            "format": "regex",
            "description": "a regular expression that the whole value matches",
        },
        "aws": {**_KEY, "description": "the key on AWS, when it is another one there"},
        "azure": {**_KEY, "description": "the key on Azure, when it is another one there"},
        "gcp": {**_KEY, "description": "the key on Google Cloud, when it is not the key in lower case"},
    },
}


def takes_tags(token: str, parameters: Mapping[str, Any]) -> bool:
    """Return whether resources of a type can carry tags, and are not exempt."""
    if any(fnmatchcase(token, pattern) for pattern in parameters["exemptTypes"]):
        return False
    return _place_of_tags(token) is not None


def _place_of_tags(token: str) -> TagProperty | None:
    from crossgate.rules.tagging._taggable import tag_property  # a large table: not loaded until the rule is configured

    return tag_property(token)


_QUEUE: Final = "aws:sqs/queue:Queue"
_ASKED: Final = {"tags": ["Owner", "CostCenter"]}
_BOTH: Final = {"Owner": "team-a", "CostCenter": "4711"}
_RESTRICTED: Final = {
    "tags": [
        {"key": "Environment", "values": ["prod", "test"], "gcp": "env"},
        {"key": "CostCenter", "pattern": "[0-9]{4}"},
    ]
}


def _asked(*parts: Part, **parameters: Any) -> Example:
    return Example(parts, {**_ASKED, **parameters})


def _restricted(type_: str, inputs: Mapping[str, Any]) -> Example:
    return Example([Part(type_, "example", inputs)], _RESTRICTED)


def _queue(**inputs: Any) -> Part:
    return Part(_QUEUE, "jobs", inputs, provider="eu")


def _provider(**inputs: Any) -> Part:
    return Part("pulumi:providers:aws", "eu", {"region": "eu-west-1", **inputs})


def _default_tags(**tags: Any) -> str:
    return json.dumps({"tags": tags})


@rule(
    types=(ANY_TYPE,),
    applies=takes_tags,
    severity=Severity.LOW,
    equivalents={
        "checkov:CKV_AWS_153": {"tags": [ANY_KEY]},
        "checkov:CKV_GCP_21": {"tags": [ANY_KEY]},
        "trivy:AVD-GCP-0051": {"tags": [ANY_KEY]},
        "kics:65c1bc7a-4835-4ac4-a2b6-13d310b0648d": {"tags": [ANY_KEY]},
        "kics:e38a8e0a-b88b-4902-b3fe-b0fcb17d5c10": {"tags": [ANY_KEY]},
    },
    parameters={
        "tags": {
            "type": "array",
            "items": _TAG,
            "description": "the tags that every resource carries: keys, or objects that also say which values are "
            "allowed, and how the key is spelled in each cloud",
        },
        "exemptTypes": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "default": [],
            "description": "types that are not asked, with * for any text: aws:iam/*",
        },
        "environmentTags": {
            "type": "boolean",
            "default": False,
            "description": "the machines that run the engine set TF_AWS_DEFAULT_TAGS_… variables: a tag that is "
            "missing from an AWS resource is then undetermined",
        },
    },
    required=("tags",),
    bad=[
        _asked(Part(_QUEUE, "jobs", {"tags": {"Owner": "team-a"}})),
        _asked(Part(_QUEUE, "jobs", {})),
        _asked(_queue(tags={"App": "orders"}), _provider()),
        _asked(_queue(tags={"owner": "team-a", "CostCenter": UNKNOWN}, tagsAll=UNKNOWN), _provider()),
        _asked(_queue(tags={"App": "orders"}), _provider(defaultTags=_default_tags(Owner="team-a"))),
        _asked(_queue(tags={"App": "orders"}), _provider(defaultTags={"tags": {"Owner": "team-a"}})),
        _asked(
            Part("aws:autoscaling/group:Group", "workers", {"maxSize": 3}, provider="eu"),
            _provider(defaultTags=_default_tags(**_BOTH)),
        ),
        _asked(Part("aws-native:sqs:Queue", "jobs", {})),
        _asked(Part("azure-native:storage:StorageAccount", "data", {"tags": {"owner": "team-a"}})),
        _asked(Part("gcp:container/cluster:Cluster", "apps", {"resourceLabels": {"owner": "team-a"}})),
        _asked(Part("gcp:sql/databaseInstance:DatabaseInstance", "orders", {"settings": {"tier": "db-f1-micro"}})),
        _restricted(_QUEUE, {"tags": {"Environment": "production", "CostCenter": "4711"}}),
        _restricted(_QUEUE, {"tags": {"Environment": UNKNOWN, "CostCenter": "47-11"}}),
        _restricted("gcp:storage/bucket:Bucket", {"labels": {"env": "dev", "costcenter": "4711"}}),
        _restricted(
            "aws:autoscaling/group:Group",
            {"tags": [{"key": "Environment", "value": "dev"}, {"key": "CostCenter", "value": "4711"}]},
        ),
        Example([Part("gcp:container/cluster:Cluster", "apps", {"initialNodeCount": 1})], {"tags": [ANY_KEY]}),
    ],
    good=[
        _asked(Part(_QUEUE, "jobs", {"tags": _BOTH})),
        _asked(Part(_QUEUE, "jobs", {"tags": {"Owner": UNKNOWN, "CostCenter": "4711"}, "tagsAll": UNKNOWN})),
        _asked(Part(_QUEUE, "jobs", {"tags": secret(_BOTH)})),
        _asked(_queue(tags={"Owner": "team-a"}, tagsAll=_BOTH), _provider(defaultTags=UNKNOWN)),
        _asked(_queue(tags={"App": "orders"}), _provider(defaultTags=_default_tags(**_BOTH))),
        _asked(
            _queue(tags={"Owner": UNKNOWN}, tagsAll=UNKNOWN), _provider(defaultTags=_default_tags(CostCenter="4711"))
        ),
        _asked(
            Part(
                "aws:autoscaling/group:Group",
                "workers",
                {"tags": [{"key": key, "value": value, "propagateAtLaunch": True} for key, value in _BOTH.items()]},
            )
        ),
        _asked(
            Part("aws-native:sqs:Queue", "jobs", {"tags": [{"key": "Owner", "value": "team-a"}]}, provider="eu"),
            Part("pulumi:providers:aws-native", "eu", {"defaultTags": _default_tags(CostCenter="4711")}),
        ),
        _asked(Part("azure:storage/account:Account", "data", {"tags": {"owner": "team-a", "COSTCENTER": "4711"}})),
        _asked(
            Part("gcp:storage/bucket:Bucket", "data", {"labels": {"owner": "team-a"}}, provider="eu"),
            Part("pulumi:providers:gcp", "eu", {"defaultLabels": '{"costcenter": "4711"}'}),
        ),
        _asked(
            Part(
                "gcp:sql/databaseInstance:DatabaseInstance",
                "orders",
                {"settings": {"userLabels": {"owner": "team-a", "costcenter": "4711"}}},
            )
        ),
        _restricted(_QUEUE, {"tags": {"Environment": "prod", "CostCenter": 4711}}),
        _restricted("gcp:storage/bucket:Bucket", {"labels": {"env": "prod", "costcenter": "4711"}}),
        Example([Part("gcp:container/cluster:Cluster", "apps", {"resourceLabels": {"a": "b"}})], {"tags": [ANY_KEY]}),
    ],
    unsure=[
        _asked(Part(_QUEUE, "jobs", {"tags": UNKNOWN})),
        _asked(_queue(tags={"Owner": "team-a"}), _provider(defaultTags=UNKNOWN)),
        _asked(_queue(tags={"Owner": "team-a"}), _provider(defaultTags=secret(UNKNOWN))),
        _asked(_queue(tags=_BOTH), _provider(ignoreTags=UNKNOWN)),
        _asked(Part("aws:autoscaling/group:Group", "workers", {"tags": [{"key": UNKNOWN, "value": "team-a"}]})),
        _asked(Part(_QUEUE, "jobs", {"tags": {"Owner": "team-a"}}), environmentTags=True),
        _asked(Part("azure-native:storage:StorageAccount", "data", {"tags": UNKNOWN})),
        _restricted(_QUEUE, {"tags": {"Environment": UNKNOWN, "CostCenter": "4711"}}),
    ],
)
def missing_required_tag(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the tags that are missing, together, and each one that is blank or has a value that is not allowed."""
    where = _place_of_tags(resource.token)
    if where is None:
        return
    tags = Tags(resource, where)
    noun = "label" if where.cloud == "gcp" else "tag"
    missing: list[str] = []
    ignored: list[str] = []
    for tag in required(parameters["tags"], where.cloud):
        if tag.key == ANY_KEY:
            yield Finding(f"no {noun} at all", at=tags.at, when=~tags.any())
            continue
        found = tags.find(tag.key, from_environment=parameters["environmentTags"])
        if found.ignored.is_true:
            ignored.append(tag.key)
        elif found.present.is_false:
            missing.append(tag.key)
        elif found.present.is_unknown:
            yield Finding(f"{noun} {tag.key} may be missing", at=tags.at, when=~found.present)
        else:
            yield from _about_value(tag, found, tags, noun)
    if missing:
        yield Finding(f"{_are(noun, missing)} missing{''.join(_remarks(missing, tags, where.cloud))}", at=tags.at)
    if ignored:
        yield Finding(f"{_are(noun, ignored)} ignored by the provider (ignoreTags)", at=tags.at)


def _about_value(tag: Required, found: Found, tags: Tags, noun: str) -> Iterator[Finding]:
    """Yield what is wrong with the value of a tag that is there."""
    value = found.value
    if value.is_absent or (value.is_text and not (value.text() or "").strip()):
        wrong, when = "is blank", TRUE
    elif tag.is_restricted:
        wrong, when = _demand(tag), ~value.test(tag.allows)
    else:
        return
    words = f"{noun} {tag.key}{', which the provider adds,' if found.inherited else ''}"
    yield Finding(f"{words} {wrong}", at=tags.at if found.inherited else value, when=when)


def _demand(tag: Required) -> str:
    """Return what a value that is not allowed fails to be; the parameters alone, never the value."""
    unmet = []
    if tag.values is not None:
        shown = ", ".join(tag.values[:_NAMED_AT_MOST])
        more = len(tag.values) - _NAMED_AT_MOST
        unmet.append(f"is none of {shown}{f' and {more} more' if more > 0 else ''}")
    if tag.pattern is not None:
        unmet.append(f"does not match {tag.pattern}")
    return " or ".join(unmet)


def _remarks(missing: Sequence[str], tags: Tags, cloud: str) -> Iterator[str]:
    """Yield what explains why keys are missing: others that were meant to be them, and defaults out of reach."""
    others = tags.known_keys()
    for key in missing:
        for other in near_misses(key, others)[:_MEANT_AT_MOST]:
            same = cloud == "aws" and other.casefold() == key.casefold()
            yield f"; {other} is another key{', since case counts' if same else ''}"
    short = [key for key in missing if tags.default_stops_short(key)]
    if short:
        several = len(short) > 1
        yield f"; the provider's default{'s' if several else ''} for {_listed(short)} "
        yield f"{'do' if several else 'does'} not reach this type"


def _are(noun: str, keys: Sequence[str]) -> str:
    """Return ``tag A is``, ``tags A and B are`` …."""
    return f"{noun}s {_listed(keys)} are" if len(keys) > 1 else f"{noun} {keys[0]} is"


def _listed(keys: Sequence[str]) -> str:
    before = ", ".join(keys[:-1])
    return f"{before} and {keys[-1]}" if before else keys[-1]
