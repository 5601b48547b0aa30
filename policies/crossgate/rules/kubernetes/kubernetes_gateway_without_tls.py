"""Gateway that serves plain HTTP only.

Why: without TLS whoever stands between a visitor and the cluster reads and changes what is sent. An HTTP listener beside
one for HTTPS or TLS is fine: it is there to send visitors on.

Fix: add a listener with protocol ``HTTPS`` and a certificate in ``tls.certificateRefs``, and let the HTTP listener
redirect.

Sources:
    https://gateway-api.sigs.k8s.io/guides/tls/
    https://gateway-api.sigs.k8s.io/guides/http-redirect-rewrite/
    https://cloud.google.com/kubernetes-engine/docs/how-to/deploying-gateways
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules.kubernetes._gateways import GATEWAYS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_HTTP: Final = {"name": "http", "protocol": "HTTP", "port": 80}
_HTTPS: Final = {
    "name": "https",
    "protocol": "HTTPS",
    "port": 443,
    "tls": {"mode": "Terminate", "certificateRefs": [{"name": "shop-tls"}]},
}


def _gateway(*listeners: Any, of: str = "envoy") -> dict[str, Any]:
    return {"spec": {"gatewayClassName": of, "listeners": list(listeners)}}


@rule(
    types=GATEWAYS,
    severity=Severity.MEDIUM,
    undetermined="warn",
    bad=[
        _gateway(_HTTP),
        Part("kubernetes:gateway.networking.k8s.io/v1beta1:Gateway", "old", _gateway(_HTTP)),
    ],
    good=[
        _gateway(_HTTPS),
        _gateway(_HTTP, _HTTPS),
        _gateway({"name": "tcp", "protocol": "TCP", "port": 5432}),
        _gateway(_HTTP, of="gke-l7-rilb"),
    ],
    unsure=[_gateway(UNKNOWN), _gateway(_HTTP, of=UNKNOWN), {"spec": UNKNOWN}],
)
def kubernetes_gateway_without_tls(gateway: Resource) -> Iterator[Finding]:
    """Yield the HTTP listeners of a gateway that has none with TLS."""
    spec = gateway["spec"]
    listeners = list(spec["listeners"].each())
    safe = any_of(listener["protocol"].is_in(("HTTPS", "TLS")) for listener in listeners)
    internal = spec["gatewayClassName"].test(lambda name: isinstance(name, str) and name.endswith("-rilb"))
    for listener in listeners:
        yield Finding(
            "serves plain HTTP, and the gateway has no listener with TLS",
            at=listener["protocol"],
            when=listener["protocol"].equals("HTTP") & ~safe & ~internal,
        )
