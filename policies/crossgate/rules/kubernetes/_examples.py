"""Parts of the examples, and parameters, that the rules about network policies share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import Part
from crossgate.rules.kubernetes import _cilium
from crossgate.rules.kubernetes._namespaces import SYSTEM_NAMESPACES
from crossgate.rules.kubernetes._objects import NAMESPACE
from crossgate.rules.kubernetes._policy import DIRECTIONS, INGRESS

if TYPE_CHECKING:
    from collections.abc import Mapping

DIRECTIONS_SCHEMA: Final[dict[str, Any]] = {
    "type": "array",
    "items": {"enum": list(DIRECTIONS)},
    "default": [INGRESS],
    "description": "directions that are asked about",
}
SYSTEM_NAMESPACES_SCHEMA: Final[dict[str, Any]] = {
    "type": "array",
    "items": {"type": "string"},
    "default": list(SYSTEM_NAMESPACES),
    "description": "namespaces of the cluster itself, which are not asked about",
}


def namespace(name: str) -> Part:
    """Return a Namespace with this name."""
    return Part(NAMESPACE, name, {"metadata": {"name": name}})


def _part(token: str, name: str, namespace_: Any, spec: Any) -> Part:
    metadata = {"name": name} if namespace_ is None else {"name": name, "namespace": namespace_}
    return Part(token, name, {"metadata": metadata, "spec": spec})


def policy(namespace_: Any, spec: Any, name: str = "deny") -> Part:
    """Return a NetworkPolicy."""
    return _part("kubernetes:networking.k8s.io/v1:NetworkPolicy", name, namespace_, spec)


def cilium(namespace_: Any, spec: Any, specs: Any = None) -> Part:
    """Return a CiliumNetworkPolicy with ``spec``, or with ``specs``."""
    part = _part(_cilium.NAMESPACED, "cilium", namespace_, spec)
    if specs is None:
        return part
    return part._replace(inputs={"metadata": part.inputs["metadata"], "specs": specs})


def clusterwide(spec: Any) -> Part:
    """Return a CiliumClusterwideNetworkPolicy."""
    return _part(_cilium.CLUSTERWIDE, "clusterwide", None, spec)


def calico(namespace_: Any, spec: Any) -> Part:
    """Return a NetworkPolicy of Calico."""
    return _part("kubernetes:projectcalico.org/v3:NetworkPolicy", "calico", namespace_, spec)


def calico_global(spec: Any) -> Part:
    """Return a GlobalNetworkPolicy of Calico."""
    return _part("kubernetes:projectcalico.org/v3:GlobalNetworkPolicy", "global", None, spec)


def admin(subject: Mapping[str, Any], action: str) -> Part:
    """Return an AdminNetworkPolicy that does ``action`` to all pods of the cluster."""
    rules = [{"action": action, "from": [{"namespaces": {}}]}]
    spec = {"priority": 10, "subject": subject, "ingress": rules}
    return _part("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", "admin", None, spec)


def _template(labels: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, Any]:
    containers = [{"name": "main", "image": "registry.example/main:1"}]
    return {"metadata": {"labels": labels}, "spec": {"containers": containers, **spec}}


def deployment(namespace_: Any, labels: Mapping[str, Any], pod_spec: Mapping[str, Any] | None = None) -> Part:
    """Return a Deployment whose pods have ``labels``."""
    return _part("kubernetes:apps/v1:Deployment", "web", namespace_, {"template": _template(labels, pod_spec or {})})


def job(namespace_: Any, labels: Mapping[str, Any]) -> Part:
    """Return a Job whose pods have ``labels``."""
    return _part("kubernetes:batch/v1:Job", "once", namespace_, {"template": _template(labels, {})})


def cron_job(namespace_: Any, labels: Mapping[str, Any]) -> Part:
    """Return a CronJob whose pods have ``labels``."""
    spec = {"jobTemplate": {"spec": {"template": _template(labels, {})}}}
    return _part("kubernetes:batch/v1:CronJob", "nightly", namespace_, spec)


def pod(namespace_: Any, labels: Mapping[str, Any]) -> Part:
    """Return a Pod with ``labels``."""
    template = _template(labels, {})
    metadata = {"name": "single", "namespace": namespace_, **template["metadata"]}
    return Part("kubernetes:core/v1:Pod", "single", {"metadata": metadata, "spec": template["spec"]})
