"""Container takes a secret as an environment variable.

Why: every process that the container starts inherits its variables, and crash reports, debug pages and logs print them;
a file is read by whoever opens it, and follows when the Secret changes. Many images take their password as a variable
and nothing else: then there is no choice, and this is a remark to weigh.

Fix: mount the Secret as a volume and let the program read the file; many images take the file's path in a variable of
the same name with ``_FILE`` at its end.

Sources:
    https://kubernetes.io/docs/concepts/configuration/secret/
    https://kubernetes.io/docs/concepts/security/secrets-good-practices/
    https://kubernetes.io/docs/tasks/inject-data-application/distribute-credentials-secure/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules._paths import values_at
from crossgate.rules.kubernetes._objects import objects
from crossgate.rules.leakage.secret_in_environment import CONTAINERS, WORKLOADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_REFERENCE: Final = {"secretKeyRef": {"name": "db", "key": "password"}}
_VARIABLE: Final = {"name": "DB_PASSWORD", "valueFrom": _REFERENCE}


def _pod(**container: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "web", **container}]}}


def _deployment(**container: Any) -> Part:
    return Part("kubernetes:apps/v1:Deployment", "web", {"spec": {"template": _pod(**container)}})


@rule(
    types=tuple(WORKLOADS),
    severity=Severity.LOW,
    frameworks=("CIS Kubernetes 1.9 5.4.1",),
    equivalents=(
        "checkov:CKV_K8S_35",
        "kics:3d658f8b-d988-41a0-a841-40043121de1e",
        "kics:6d8f1a10-b6cd-48f0-b960-f7c535d5cdb8",
    ),
    bad=[
        _deployment(env=[_VARIABLE]),
        _deployment(envFrom=[{"secretRef": {"name": "db"}}]),
        _deployment(env=[{"name": "A", "value": "b"}, UNKNOWN, _VARIABLE]),
        Part("kubernetes:core/v1:Pod", "web", {"spec": {"initContainers": [{"name": "init", "env": [_VARIABLE]}]}}),
        Part("kubernetes:core/v1:PodList", "pods", {"items": [_pod(env=[_VARIABLE])]}),
    ],
    good=[
        _deployment(env=[{"name": "STAGE", "value": "prod"}]),
        _deployment(volumeMounts=[{"name": "db", "mountPath": "/run/secrets/db"}]),
        _deployment(env=[{"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]),
        _deployment(envFrom=[{"configMapRef": {"name": "settings"}}]),
        _deployment(env=[{"name": "STAGE", "value": UNKNOWN}]),
        Part("kubernetes:core/v1:Pod", "web", _pod()),
    ],
    unsure=[
        _deployment(env=UNKNOWN),
        _deployment(envFrom=[UNKNOWN]),
    ],
)
def kubernetes_secret_as_variable(resource: Resource) -> Iterator[Finding]:
    """Yield the variables that come from a Secret."""
    path = WORKLOADS[resource.token]
    for workload in objects(resource):
        for kind in CONTAINERS:
            for container in values_at(workload, (*path, "spec", kind, "*")):
                for variable in container["env"].each():
                    reference = variable["valueFrom"]["secretKeyRef"]
                    yield Finding(
                        "takes a secret as a variable, which child processes inherit and crash reports print",
                        at=reference,
                        when=reference.exists(),
                    )
                for source in container["envFrom"].each():
                    reference = source["secretRef"]
                    yield Finding(
                        "takes all of a Secret as variables, which child processes inherit and crash reports print",
                        at=reference,
                        when=reference.exists(),
                    )
