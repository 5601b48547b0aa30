"""Ingress that answers for every host name.

Why: a rule without a host takes the requests for any name that nothing else claims, and one for ``*.example.com`` those
of names that are only made later. Who points a name at the load balancer gets an answer, and on a shared controller
this Ingress can take what was meant for another team's.

Fix: write the host name in each rule, and a rule for each name.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/ingress/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules.kubernetes._ingresses import INGRESSES
from crossgate.rules.kubernetes._objects import left_out, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_HTTP: Final = {"paths": [{"path": "/", "pathType": "Prefix"}]}


@rule(
    types=INGRESSES,
    severity=Severity.LOW,
    bad=[
        {"spec": {"rules": [{"http": _HTTP}]}},
        {"spec": {"rules": [{"host": "shop.example.com", "http": _HTTP}, {"host": "*.example.com", "http": _HTTP}]}},
        {"spec": {"defaultBackend": {"service": {"name": "web", "port": {"number": 80}}}}},
        Part("kubernetes:extensions/v1beta1:Ingress", "old", {"spec": {"backend": {"serviceName": "web"}}}),
    ],
    good=[
        {"spec": {"rules": [{"host": "shop.example.com", "http": _HTTP}]}},
        {"spec": {"ingressClassName": "nginx"}},
    ],
    unsure=[
        {"spec": {"rules": [{"host": UNKNOWN, "http": _HTTP}]}},
        {"spec": {"rules": UNKNOWN}},
        Part("kubernetes:networking.k8s.io/v1:IngressPatch", "patch", {"metadata": {"labels": {"team": "web"}}}),
    ],
)
def kubernetes_ingress_any_host(resource: Resource) -> Iterator[Finding]:
    """Yield each rule without a host of its own, and a backend for what no rule matches."""
    for ingress in objects(resource):
        spec = ingress["spec"]
        for entry in spec["rules"].each():
            host = entry["host"]
            yield Finding("answers for every host name that nothing else claims", at=entry, when=host.is_empty())
            yield Finding(
                "answers for every name of a domain",
                at=host,
                when=host.test(lambda text: isinstance(text, str) and text.startswith("*")),
            )
        yield Finding(
            "answers for every host name that no rule claims",
            at=spec,
            when=any_of(spec[key].exists() for key in ("defaultBackend", "backend"))
            | left_out(resource, spec["rules"]),
        )
