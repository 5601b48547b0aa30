r"""Tag is one that its cloud refuses.

Why: a tag that is too long, has a character that the cloud does not take, or begins with a prefix that the cloud keeps
for itself is refused when the resource is created or changed: the deployment stops half-way. Some providers leave such
a tag out instead, and what selects resources by it passes this one by.

Each cloud has limits of its own: labels on Google Cloud have small letters alone, names of tags on Azure none of
``< > % & \ ? /``, keys on AWS no ``aws:`` at the beginning, and labels in Kubernetes a letter or a digit at both ends.
What is not known before the update does not count.

Fix: shorten the tag, or spell it as the cloud takes it: ``cost-center`` instead of ``Cost Center`` on Google Cloud.

Sources:
    https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
    https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-ecs-service-tag.html
    https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations
    https://cloud.google.com/resource-manager/docs/labels-overview
    https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret
from crossgate.rule import ANY_TYPE
from crossgate.rules.tagging._limits import KUBERNETES, faults_of_key, faults_of_value, known_to, limits_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate import Resource, Value
    from crossgate.rules.tagging._limits import Limits

_CLOUDS: Final = {"aws": "aws", "aws-native": "aws", "azure": "azure", "azure-native": "azure", "gcp": "gcp"}
_LABELS: Final = ("labels", "resourceLabels", "userLabels", "settings", "metadata")
"""Where labels may stand on Google Cloud; which of them it is for a type, a table tells."""
_QUEUE: Final = "aws:sqs/queue:Queue"


def _applies(token: str, _parameters: Mapping[str, Any]) -> bool:
    package = token.partition(":")[0]
    return package in _CLOUDS or package == "kubernetes"


def _deployment(**labels: Any) -> Part:
    return Part("kubernetes:apps/v1:Deployment", "web", {"metadata": {"labels": labels}})


@rule(
    types=(ANY_TYPE,),
    applies=_applies,
    severity=Severity.MEDIUM,
    literals=True,
    equivalents={
        "kics:1123031a-f921-4c5b-bd86-ef354ecfd37a": {"path": "metadata"},
        "kics:bc3dabb6-fd50-40f8-b9ba-7429c9f1fb0e": {"path": "metadata"},
    },
    bad=[
        Part(_QUEUE, "jobs", {"tags": {"aws:owner": "team-a"}}),
        Part(_QUEUE, "jobs", {"tags": {"AWS:Owner": UNKNOWN}}),
        Part(_QUEUE, "jobs", {"tags": {"Owner": "a" * 257}}),
        Part(_QUEUE, "jobs", {"tags": {f"tag{number}": "x" for number in range(51)}}),
        Part("aws:iam/role:Role", "ci", {"tags": {"Owner": "team-a, team-b"}}),
        Part("aws:s3/bucketObject:BucketObject", "page", {"tags": {f"tag{number}": "x" for number in range(11)}}),
        Part("aws-native:sqs:Queue", "jobs", {"tags": [{"key": "k" * 129, "value": "x"}]}),
        Part("aws:autoscaling/group:Group", "workers", {"tags": [{"key": "aws:a", "value": "x"}]}),
        Part("azure:storage/account:Account", "data", {"tags": {"cost/center": "4711"}}),
        Part("azure-native:storage:StorageAccount", "data", {"tags": {"k" * 129: "x"}}),
        Part("gcp:storage/bucket:Bucket", "data", {"labels": {"Owner": "team-a"}}),
        Part("gcp:storage/bucket:Bucket", "data", {"labels": {"owner": "Team A"}}),
        Part("gcp:container/cluster:Cluster", "apps", {"resourceLabels": {"1st": "a"}}),
        _deployment(app="web server"),
        _deployment(**{"-app": "web"}),
    ],
    good=[
        Part(_QUEUE, "jobs", {}),
        Part(_QUEUE, "jobs", {"tags": {"Owner": "team-a", "Note": UNKNOWN, "Cost Center": "4711 (shared)"}}),
        Part(_QUEUE, "jobs", {"tags": secret({"Owner": "team-a"})}),
        Part("aws:iam/role:Role", "ci", {"tags": {"Owner": "team-a@example.com", "Path": "a/b=c:d+e_f.g"}}),
        Part("azure:storage/account:Account", "data", {"tags": {"Cost Center": "4711/7 & more"}}),
        Part("gcp:storage/bucket:Bucket", "data", {"labels": {"cost_center": "4711-a", "ort": "köln"}}),
        Part("gcp:monitoring/notificationChannel:NotificationChannel", "ops", {"labels": {"email_address": "A@b.c"}}),
        Part("gcp:compute/instance:Instance", "web", {"tags": ["Web Server"]}),
        _deployment(**{"app.kubernetes.io/name": "web", "tier": "", "version": "1.2.3_b"}),
    ],
)
def invalid_tag(resource: Resource) -> Iterator[Finding]:
    """Yield the tags that the resource's cloud refuses."""
    token = resource.token
    package = token.partition(":")[0]
    if package == "kubernetes":
        yield from _faults(resource["metadata"]["labels"], KUBERNETES)
    elif package == "gcp":
        inputs = resource.raw_inputs
        if any(name in inputs for name in _LABELS):
            yield from _of_google(resource)
    elif not known_to(token, _CLOUDS[package]).has_all(resource.raw_inputs.get("tags")):
        yield from _faults(resource["tags"], limits_of(token, _CLOUDS[package]))


def _of_google(resource: Resource) -> Iterator[Finding]:
    from crossgate.rules.tagging._taggable import tag_property  # a large table: loaded for whoever has labels

    where = tag_property(resource.token)
    if where is not None:
        labels = resource.inputs
        for name in where.path:
            labels = labels[name]
        yield from _faults(labels, limits_of(resource.token, "gcp"))


def _faults(tags: Value, limits: Limits) -> Iterator[Finding]:
    noun = limits.noun
    pairs: list[tuple[str, Value]] = []
    if tags.is_list:
        for item in tags.each():
            name = item["key"]
            if name.is_text and item["value"].exists().is_true:
                pairs.append((name.text() or "", item["value"]))
    elif tags.is_map:
        pairs.extend(tags.entries())
    if len(pairs) > limits.most:
        yield Finding(f"{len(pairs)} {noun}s, at most {limits.most} are taken", at=tags)
    for key, value in pairs:
        for fault in faults_of_key(key, limits):
            yield Finding(f"a {noun} {fault}", at=value)
        if value.is_text:
            for fault in faults_of_value(value.text() or "", limits):
                yield Finding(f"a {noun} {fault}", at=value)
