"""Pod templates of every kind of workload.

A policy selects pods, so the labels of the template count and not those of the workload.

Source: https://kubernetes.io/docs/concepts/workloads/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import Gap, Value
from crossgate.rules.kubernetes._objects import every_form, kind_of, objects, with_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth

_TEMPLATE: Final = ("spec", "template")
_CRON: Final = ("spec", "jobTemplate", "spec", "template")
TEMPLATES: Final[dict[str, tuple[str, ...]]] = {
    "kubernetes:core/v1:Pod": (),
    "kubernetes:core/v1:ReplicationController": _TEMPLATE,
    "kubernetes:batch/v1:Job": _TEMPLATE,
    **dict.fromkeys((f"kubernetes:batch/{version}:CronJob" for version in ("v1", "v1beta1", "v2alpha1")), _CRON),
    **dict.fromkeys(
        (
            f"kubernetes:{group}:{kind}"
            for group in ("apps/v1", "apps/v1beta1", "apps/v1beta2", "extensions/v1beta1")
            for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")
            if (group, kind)
            not in {
                ("apps/v1beta1", "DaemonSet"),
                ("apps/v1beta1", "ReplicaSet"),
                ("extensions/v1beta1", "StatefulSet"),
            }
        ),
        _TEMPLATE,
    ),
}
"""Where the pod template stands in each kind of workload."""
WORKLOADS: Final = with_lists(TEMPLATES)

_ELSEWHERE: Final[dict[str, tuple[str, ...]]] = {
    "kubernetes:core/v1:PodTemplate": ("template",),
    "kubernetes:argoproj.io/v1alpha1:Rollout": _TEMPLATE,
    "kubernetes:apps.openshift.io/v1:DeploymentConfig": _TEMPLATE,
}
"""Where it stands in objects that only lend a template, and in workloads of other software."""
STATING_PODS: Final = every_form((*TEMPLATES, *_ELSEWHERE))
"""Every type that states how pods are made, patches included."""

ADDED_LABELS: Final = frozenset(
    {
        "apps.kubernetes.io/pod-index",
        "batch.kubernetes.io/controller-uid",
        "batch.kubernetes.io/job-completion-index",
        "batch.kubernetes.io/job-name",
        "controller-revision-hash",
        "controller-uid",
        "job-name",
        "pod-template-generation",
        "pod-template-hash",
        "statefulset.kubernetes.io/pod-name",
    }
)
"""Labels that a controller puts on its pods, with values that only it knows."""


class Pod(NamedTuple):
    """The pods of one workload: the object that states them, and their template."""

    workload: Value
    template: Value

    def label(self, key: str) -> Value:
        """Return a label of the pods."""
        label = self.template["metadata"]["labels"][key]
        if label.is_absent and key in ADDED_LABELS:
            owner = label.owner
            why = "a label whose value the controller chooses"
            return Value.gap_of(Gap(owner.urn if owner is not None else "", label.path, why), owner)
        return label

    @property
    def uses_host_network(self) -> Truth:
        """Do the pods share the network of their node?"""
        return self.template["spec"]["hostNetwork"].is_true()


def pods(resource: Resource) -> Iterator[Pod]:
    """Yield the pods that ``resource`` states."""
    kind = kind_of(resource)
    path = TEMPLATES.get(kind) or _ELSEWHERE.get(kind, ())
    for workload in objects(resource):
        template = workload
        for key in path:
            template = template[key]
        yield Pod(workload, template)
