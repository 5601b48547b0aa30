"""Container that runs privileged.

Why: a privileged container has every capability and every device of its node. Whoever breaks into it owns the node, and
with it every pod and secret there; no network policy holds for what it does on the node. The Pod Security Standards
forbid it from their ``baseline`` level on. Init containers and ephemeral ones count: they run on the same node.

Of a patch only what it states is judged: where it leaves the containers out, the answer is undetermined.

Fix: leave ``privileged`` out, and add the one capability that is needed under ``capabilities.add``. Where a node's own
agent needs it, keep that one in a namespace of its own and exempt it by name.

Sources:
    https://kubernetes.io/docs/concepts/security/pod-security-standards
    https://kubernetes.io/docs/tasks/configure-pod-container/security-context/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.kubernetes import _examples
from crossgate.rules.kubernetes._objects import left_out
from crossgate.rules.kubernetes._pods import STATING_PODS, pods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_LISTS: Final = ("containers", "initContainers", "ephemeralContainers")
_WEB: Final[dict[str, Any]] = {"name": "web", "image": "registry.example/web:1"}
_PRIVILEGED: Final[dict[str, Any]] = {**_WEB, "securityContext": {"privileged": True}}


@rule(
    types=STATING_PODS,
    severity=Severity.HIGH,
    undetermined="warn",
    frameworks=("CIS Kubernetes 1.8 5.2.2",),
    equivalents=(
        "checkov:CKV_K8S_16",
        "trivy:AVD-KSV-0017",
        "kics:dd29336b-fe57-445b-a26e-e6aa867ae609",
        "kics:87065ef8-de9b-40d8-9753-f4a4303e27a4",
    ),
    bad=[
        {"spec": {"containers": [_PRIVILEGED]}},
        {"spec": {"containers": [_WEB], "initContainers": [_PRIVILEGED]}},
        {"spec": {"containers": [_WEB], "ephemeralContainers": [_PRIVILEGED]}},
        _examples.deployment("shop", {"app": "web"}, {"containers": [_WEB, _PRIVILEGED]}),
        Part("kubernetes:core/v1:PodList", "list", {"items": [{"spec": {"containers": [_PRIVILEGED]}}]}),
        Part(
            "kubernetes:apps/v1:DaemonSetPatch",
            "agent",
            {"spec": {"template": {"spec": {"containers": [_PRIVILEGED]}}}},
        ),
    ],
    good=[
        {"spec": {"containers": [_WEB]}},
        {"spec": {"containers": [{**_WEB, "securityContext": {"privileged": False}}]}},
        {"spec": {"containers": [{**_WEB, "securityContext": {"capabilities": {"add": ["NET_BIND_SERVICE"]}}}]}},
        _examples.deployment("shop", {"app": "web"}),
    ],
    unsure=[
        {"spec": UNKNOWN},
        {"spec": {"containers": [{**_WEB, "securityContext": UNKNOWN}]}},
        Part("kubernetes:apps/v1:DeploymentPatch", "web", {"spec": {"replicas": 3}}),
    ],
)
def kubernetes_privileged_container(resource: Resource) -> Iterator[Finding]:
    """Yield the containers, of all three lists, that run privileged."""
    for pod in pods(resource):
        spec = pod.template["spec"]
        for key in _LISTS:
            for container in spec[key].each():
                place = container["securityContext"]["privileged"]
                yield Finding("runs privileged: whoever breaks into it owns the node", at=place, when=place.is_true())
        yield Finding(
            "its containers may run privileged", at=spec["containers"], when=left_out(resource, spec["containers"])
        )
