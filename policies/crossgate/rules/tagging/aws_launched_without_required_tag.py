"""Launch template or auto scaling group launches machines without a required tag.

Why: the tags of a launch template and of an auto scaling group are their own. Instances and volumes, which are what
costs money, get those tags alone that are to be passed on: ``tagSpecifications`` of the template for the kind of
resource, and tags of the group with ``propagateAtLaunch``. Default tags of the provider reach neither.

A group passes when its launch template, where the stack shows it, tags the instances. A template passes for the
instances of groups that tag them themselves only by saying so itself, since others may launch from it too.

Fix: give the template ``tagSpecifications`` with the tags for ``instance`` and for ``volume``, and set
``propagateAtLaunch`` on the tags of the group.

Sources:
    https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html
    https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_LaunchTemplateTagSpecificationRequest.html
    https://www.pulumi.com/registry/packages/aws/api-docs/ec2/launchtemplate/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, UNKNOWN, Example, Finding, Gap, Part, Severity, any_of, ref, rule, unknown
from crossgate.model import parse_urn
from crossgate.rules.tagging._keys import ANY_KEY, required

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from crossgate import Resource, Truth, Value

_TEMPLATE: Final = "aws:ec2/launchTemplate:LaunchTemplate"
_GROUP: Final = "aws:autoscaling/group:Group"
_ASKED: Final = {"tags": ["Owner"]}
_TAGS: Final = {"Owner": "team-a"}


def _specification(kind: Any, tags: Any) -> dict[str, Any]:
    return {"resourceType": kind, "tags": tags}


def _template(*specifications: Any, kinds: tuple[str, ...] = ("instance", "volume")) -> Example:
    return Example(
        [Part(_TEMPLATE, "workers", {"tagSpecifications": list(specifications)})],
        {**_ASKED, "resourceTypes": list(kinds)},
    )


def _group(tags: Any, *more: Part) -> Example:
    launch = {"launchTemplate": {"id": ref(more[0].name)}} if more else {}
    return Example([Part(_GROUP, "workers", {"maxSize": 3, "tags": tags, **launch}), *more], _ASKED)


def _tag(key: Any, propagate: Any) -> dict[str, Any]:
    return {"key": key, "value": "team-a", "propagateAtLaunch": propagate}


_TAGGING: Final = Part(
    _TEMPLATE,
    "template",
    {"tagSpecifications": [_specification("instance", _TAGS), _specification("volume", _TAGS)]},
)


@rule(
    types=(_TEMPLATE, _GROUP),
    severity=Severity.LOW,
    neighbours=(_TEMPLATE,),
    parameters={
        "tags": {
            "type": "array",
            "items": {"type": ["string", "object"], "minLength": 1, "required": ["key"]},
            "description": "the tags that every machine carries, in the form of missing-required-tag; keys alone count",
        },
        "resourceTypes": {
            "type": "array",
            "items": {"type": "string", "enum": ["instance", "volume", "network-interface", "spot-instances-request"]},
            "default": ["instance", "volume"],
            "description": "what a launch template has to tag",
        },
    },
    required=("tags",),
    bad=[
        Example([Part(_TEMPLATE, "workers", {"instanceType": "t3.small"})], _ASKED),
        _template(_specification("instance", {"App": UNKNOWN}), _specification("volume", _TAGS)),
        _group([_tag("Owner", propagate=False)]),
        _group([_tag("Owner", propagate=False)], Part(_TEMPLATE, "template", {})),
        Example([Part(_GROUP, "workers", {"maxSize": 3})], _ASKED),
    ],
    good=[
        _template(_specification("instance", _TAGS), _specification("volume", _TAGS)),
        _template(_specification("instance", {"Owner": UNKNOWN}), kinds=("instance",)),
        _group([_tag("Owner", propagate=True)]),
        _group([], _TAGGING),
        _group([_tag("Owner", propagate=False)], _TAGGING),
    ],
    unsure=[
        _template(_specification("instance", UNKNOWN), _specification("volume", _TAGS)),
        _template(_specification(UNKNOWN, _TAGS), _specification("volume", _TAGS)),
        _group([_tag("Owner", propagate=UNKNOWN)]),
        _group([_tag(UNKNOWN, propagate=True)]),
        Example([Part(_GROUP, "workers", {"launchTemplate": {"id": "lt-0123456789abcdef0"}})], _ASKED),
    ],
)
def aws_launched_without_required_tag(resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the tags that are not passed on to what is launched."""
    keys = [tag.key for tag in required(parameters["tags"], "aws") if tag.key != ANY_KEY]
    if resource.token == _TEMPLATE:
        for kind in parameters["resourceTypes"]:
            for key in keys:
                yield Finding(
                    f"tag {key} is not given to what it launches: {kind}",
                    at=resource["tagSpecifications"],
                    when=~_template_tags(resource, kind, key),
                )
        return
    for key in keys:
        passed_on = _group_passes_on(resource["tags"], key)
        if not passed_on.is_true:
            passed_on |= _template_of_group_tags(resource, key)
        yield Finding(f"tag {key} is not passed on to the instances", at=resource["tags"], when=~passed_on)


def _template_tags(template: Resource, kind: str, key: str) -> Truth:
    """Does a launch template tag what it launches of a kind with ``key``?"""
    return _decided(
        (each["resourceType"].equals(kind), each["tags"][key].exists()) for each in template["tagSpecifications"].each()
    )


def _group_passes_on(tags: Value, key: str) -> Truth:
    return _decided((tag["key"].equals(key), tag["propagateAtLaunch"].is_true()) for tag in tags.each())


def _decided(elements: Iterable[tuple[Truth, Truth]]) -> Truth:
    """Return the answer of the element that is meant, which stands in the list once; false when there is none."""
    answers = []
    for meant, answer in elements:
        if meant.is_true:
            return answer
        answers.append(meant & answer)
    return any_of(answers)


def _template_of_group_tags(group: Resource, key: str) -> Truth:
    """Does a launch template of the group tag its instances? One that the stack does not show may do so."""
    answer = FALSE
    for name in ("launchTemplate", "mixedInstancesPolicy"):
        if group[name].exists().is_false:
            continue
        urns = [urn for urn in group.property_dependencies.get(name, ()) if parse_urn(urn).type == _TEMPLATE]
        template = group.stack.get(urns[0]) if len(urns) == 1 else None
        if template is None:
            answer |= unknown(Gap(group.urn, name, "it is not shown which launch template this is"))
        else:
            answer |= _template_tags(template, "instance", key)
    return answer
