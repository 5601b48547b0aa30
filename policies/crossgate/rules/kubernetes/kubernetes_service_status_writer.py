"""Role binding that lets someone change the status of Services.

Why: who may write ``services/status`` can put any address into ``status.loadBalancer.ingress``, and nodes then send
what goes to that address to the Service: traffic of other pods can be taken over (CVE-2020-8554). Only the controller
that provides load balancers needs it.

A rule that names ``services/status`` under another of Kubernetes' own API groups counts too: no other one has it, so it
says what was meant. The roles that Kubernetes itself brings, such as ``cluster-admin``, are not asked about here.

Fix: leave ``services/status`` and wildcards out of the role, or bind it to nothing but the load balancer's controller.

Sources:
    https://github.com/kubernetes/kubernetes/issues/97076
    https://kubernetes.io/docs/reference/access-authn-authz/rbac/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import FALSE, UNKNOWN, Finding, Gap, Part, Severity, any_of, ref, rule, truth, unknown
from crossgate.rules.kubernetes import _rbac
from crossgate.rules.kubernetes._objects import every_form, kind_of, left_out, objects, with_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Stack, Truth, Value

ROLES: Final = with_lists(_rbac.tokens("ClusterRole", "Role"))

_NAMED: Final = "services/status"
_WILDCARDS: Final = ("*", "*/status")
_WRITES: Final = ("update", "patch", "*")
_BUILT_IN: Final = ("cluster-admin", "admin", "edit", "view")

_SUBJECT: Final = {"kind": "ServiceAccount", "name": "worker", "namespace": "default"}


def _role(*rules: Any, name: Any = "writer", kind: str = "ClusterRole") -> Part:
    return Part(f"kubernetes:{_rbac.GROUP}/v1:{kind}", "writer", {"metadata": {"name": name}, "rules": list(rules)})


def _binding(name: Any = "writer", kind: str = "ClusterRole", subjects: Any = (_SUBJECT,)) -> Part:
    role = {"apiGroup": _rbac.GROUP, "kind": kind, "name": name}
    return Part(
        f"kubernetes:{_rbac.GROUP}/v1:ClusterRoleBinding", "bound", {"roleRef": role, "subjects": list(subjects)}
    )


def _grant(resources: Any, verbs: Any, groups: Any = ("",)) -> dict[str, Any]:
    return {"apiGroups": list(groups), "resources": list(resources), "verbs": list(verbs)}


@rule(
    types=every_form(_rbac.tokens("ClusterRoleBinding", "RoleBinding")),
    severity=Severity.MEDIUM,
    neighbours=ROLES,
    equivalents=("checkov:CKV2_K8S_4",),
    bad=[
        [_binding(), _role(_grant([_NAMED], ["patch"]))],
        [_binding(ref("writer")), _role(_grant([_NAMED], ["update"]))],
        [_binding(), _role(_grant(["pods"], ["get"]), _grant(["*"], ["*"], ["*"]))],
        [_binding(), _role(_grant([_NAMED], ["*"], [_rbac.GROUP]))],
        [_binding(kind="Role"), _role(_grant(["*/status"], ["patch"]), kind="Role")],
    ],
    good=[
        [_binding(), _role(_grant([_NAMED], ["get", "list"]))],
        [_binding(), _role(_grant(["services"], ["update", "patch"]))],
        [_binding(), _role(_grant(["*"], ["create"], [_rbac.GROUP]))],
        [_binding(), _role(_grant(["*"], ["*"], [_rbac.GROUP]))],
        [_binding(), _role(_grant([_NAMED], ["*"], ["serving.knative.dev"]))],
        [_binding(subjects=()), _role(_grant([_NAMED], ["patch"]))],
        [_binding("view")],
        [_binding("system:auth-delegator")],
    ],
    unsure=[
        [_binding("of-another-stack")],
        [_binding(UNKNOWN)],
        [_binding(), _role(_grant([_NAMED], [UNKNOWN]))],
    ],
)
def kubernetes_service_status_writer(resource: Resource) -> Iterator[Finding]:
    """Yield the bindings of roles that may write the status of Services."""
    for binding in objects(resource):
        place = binding["roleRef"]
        somebody = any_of(subject.exists() for subject in binding["subjects"].each())
        yield Finding(
            "lets its subjects change the status of Services, and so take over what is sent to other addresses",
            at=place,
            when=(somebody | left_out(resource, binding["subjects"])) & _granted(resource, place),
        )


class _Role(NamedTuple):
    resource: Resource
    kind: str
    name: Value
    grants: Truth


def _roles(stack: Stack) -> list[_Role]:
    return [
        _Role(resource, kind_of(resource).rpartition(":")[2], manifest["metadata"]["name"], _grants(manifest))
        for resource in stack.of_type(*ROLES)
        for manifest in objects(resource)
    ]


def _granted(resource: Resource, place: Value) -> Truth:
    """Does the role that stands at ``place`` grant it?"""
    name = place["name"]
    edges = resource.property_dependencies.get("roleRef", ())
    found, granted = FALSE, FALSE
    for role in resource.stack.derived(_roles):
        is_kind = place["kind"].equals(role.kind)
        linked = is_kind & (_is_named(name, role.name) | truth(role.resource.urn in edges))
        found |= linked
        granted |= linked & role.grants
    text = name.text() or "" if name.is_text else ""
    if text in _BUILT_IN or text.startswith("system:"):
        return granted
    why = "a role that this stack does not show" if name.readable else name.gap.why
    return granted | (~found & unknown(Gap(resource.urn, name.path, why)))


def _is_named(name: Value, role: Value) -> Truth:
    if not name.is_text:
        return FALSE
    return role.test(lambda text: text == name.text())


def _grants(role: Value) -> Truth:
    aggregated = role["aggregationRule"]
    filled = aggregated.exists() & unknown(aggregated.gap._replace(why="rules that other roles fill in"))
    return filled | any_of(_writes(entry) for entry in role["rules"].each())


def _writes(entry: Value) -> Truth:
    resources = list(entry["resources"].each())
    named = _rbac.is_of_kubernetes(entry) & any_of(each.equals(_NAMED) for each in resources)
    wildcard = _rbac.covers_core(entry) & any_of(each.is_in(_WILDCARDS) for each in resources)
    return (named | wildcard) & any_of(verb.is_in(_WRITES) for verb in entry["verbs"].each())
