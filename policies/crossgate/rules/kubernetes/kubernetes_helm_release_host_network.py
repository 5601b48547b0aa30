"""Helm release that opens the network of its nodes.

Why: the objects of a ``helm.sh/v3:Release`` are made by Helm, out of sight of Pulumi: neither a preview nor a state
shows them, so no rule here can judge what runs with them. That is undetermined, and said once for each release, unless
its values already ask for the host's network or for a port of the nodes, which fails.

The objects of a ``Chart`` are resources of the stack, and each is judged like any other: the chart itself passes. The
same holds for what ``kubernetes:yaml`` and ``kubernetes:kustomize`` bring. While the values of a chart are not known,
Pulumi cannot render it, and its objects are missing from the preview.

Fix: take the value back. To have the objects judged, use ``helm.sh/v4:Chart``, or judge what ``helm template`` writes
by another tool and exempt the release by name.

Sources:
    https://www.pulumi.com/registry/packages/kubernetes/api-docs/helm/v3/release/
    https://www.pulumi.com/registry/packages/kubernetes/api-docs/helm/v4/chart/
    https://kubernetes.io/docs/concepts/security/pod-security-standards
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Gap, Part, Severity, rule, unknown
from crossgate.rules.kubernetes._objects import HELM_RELEASE
from crossgate.value import as_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Value

_CHARTS: Final = ("kubernetes:helm.sh/v4:Chart", "kubernetes:helm.sh/v3:Chart")
_NETWORK: Final = ("hostNetwork", "useHostNetwork")
_PORT: Final = "hostPort"
_DEPTH: Final = 12
NOT_SHOWN: Final = "what this Helm release brings is not shown; the objects of a Chart are judged one by one"


@rule(
    types=(HELM_RELEASE, *_CHARTS),
    severity=Severity.MEDIUM,
    undetermined="warn",
    bad=[
        {"chart": "ingress-nginx", "values": {"controller": {"hostNetwork": True}}},
        {"chart": "ingress-nginx", "values": {"controller": {"hostPort": {"enabled": True}}}},
        {"chart": "traefik", "values": {"ports": {"web": {"port": 8000, "hostPort": 80}}}},
    ],
    good=[
        Part("kubernetes:helm.sh/v4:Chart", "web", {"chart": "web", "values": {"replicaCount": 2}}),
        Part("kubernetes:helm.sh/v3:Chart", "web", {}),
    ],
    unsure=[
        {"chart": "web", "values": {"replicaCount": 2}},
        {"chart": "web", "values": {"hostNetwork": False}},
        {"chart": "web", "values": UNKNOWN},
        Part("kubernetes:helm.sh/v4:Chart", "web", {"chart": "web", "values": {"tag": UNKNOWN}}),
    ],
)
def kubernetes_helm_release_host_network(resource: Resource) -> Iterator[Finding]:
    """Yield the values that open the nodes' network, and once that the rest is not shown."""
    if resource.token != HELM_RELEASE:
        for hidden in _hidden(resource.inputs, _DEPTH):
            yield Finding("its objects cannot be rendered yet", at=hidden, when=unknown(hidden.gap))
        return
    for value, message in _asked(resource["values"], _DEPTH):
        yield Finding(message, at=value)
    yield Finding(
        "may bring objects that open the network", at="chart", when=unknown(Gap(resource.urn, "chart", NOT_SHOWN))
    )


def _hidden(value: Value, depth: int) -> Iterator[Value]:
    """Yield the parts that are not known."""
    if not value.readable:
        yield value
    elif depth and value.is_map:
        for _, inner in value.entries():
            yield from _hidden(inner, depth - 1)
    elif depth and value.is_list:
        for inner in value.each():
            yield from _hidden(inner, depth - 1)


def _asked(value: Value, depth: int) -> Iterator[tuple[Value, str]]:
    """Yield the values that ask for the nodes' network or ports."""
    if not depth:
        return
    for key, inner in value.entries():
        if key in _NETWORK and inner.is_true().is_true:
            yield inner, "its values put pods into the host's network"
        elif key == _PORT and (inner.test(_is_port).is_true or inner["enabled"].is_true().is_true):
            yield inner, "its values take a port of the nodes"
        else:
            yield from _asked(inner, depth - 1)
    if value.is_list:
        for inner in value.each():
            yield from _asked(inner, depth - 1)


def _is_port(content: object) -> bool:
    return (as_number(content) or 0) > 0
