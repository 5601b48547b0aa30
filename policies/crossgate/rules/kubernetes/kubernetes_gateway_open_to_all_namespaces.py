"""Gateway to which routes of every namespace may attach.

Why: with ``allowedRoutes.namespaces.from: All`` whoever may write a route in any namespace publishes what runs there,
under the gateway's address and certificate, and can take paths, or names that the listener leaves open, from others.

Fix: leave ``allowedRoutes`` out, which means the gateway's own namespace, or use ``from: Selector`` with a label that
only the cluster's owners set. Write the listener's ``hostname``.

Sources:
    https://gateway-api.sigs.k8s.io/concepts/security-model/
    https://gateway-api.sigs.k8s.io/guides/multiple-ns/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.kubernetes._gateways import GATEWAYS
from crossgate.rules.kubernetes._selectors import everything

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def _listener(namespaces: Any = None, **more: Any) -> dict[str, Any]:
    listener = {"name": "https", "protocol": "HTTPS", "port": 443, **more}
    if namespaces is not None:
        listener["allowedRoutes"] = {"namespaces": namespaces}
    return listener


def _gateway(*listeners: Any) -> dict[str, Any]:
    return {"spec": {"gatewayClassName": "envoy", "listeners": list(listeners)}}


@rule(
    types=GATEWAYS,
    severity=Severity.MEDIUM,
    bad=[
        _gateway(_listener({"from": "All"})),
        _gateway(_listener(), _listener({"from": "All"}, name="other", hostname="*.example.com")),
        _gateway(_listener({"from": "Selector", "selector": {}})),
        Part("kubernetes:gateway.networking.k8s.io/v1beta1:Gateway", "old", _gateway(_listener({"from": "All"}))),
    ],
    good=[
        _gateway(_listener()),
        _gateway(_listener({"from": "Same"})),
        _gateway(_listener({"from": "Selector", "selector": {"matchLabels": {"shared-gateway-access": "true"}}})),
    ],
    unsure=[_gateway(_listener({"from": UNKNOWN})), _gateway(UNKNOWN)],
)
def kubernetes_gateway_open_to_all_namespaces(gateway: Resource) -> Iterator[Finding]:
    """Yield the listeners that take routes from every namespace."""
    for listener in gateway["spec"]["listeners"].each():
        spaces = listener["allowedRoutes"]["namespaces"]
        chosen = spaces["from"].equals("Selector") & spaces["selector"].exists() & everything(spaces["selector"])
        yield Finding(
            "routes of every namespace may attach to it, and publish under its address",
            at=spaces,
            when=spaces["from"].equals("All") | chosen,
        )
