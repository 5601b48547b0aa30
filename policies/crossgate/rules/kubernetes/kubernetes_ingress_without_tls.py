"""Ingress that serves plain HTTP only.

Why: without TLS whoever stands between a visitor and the cluster reads and changes what is sent, passwords and session
cookies included.

A certificate may also come from the cloud: the annotations of the AWS, Google and Azure controllers count, and so does
a passthrough of TLS. Internal ones of AWS and Google Cloud are left alone. TLS that ends in something before the
cluster is not seen; exempt such an Ingress by name.

Fix: name a Secret with the certificate in ``spec.tls``, or let cert-manager make it; or give the cloud's controller a
certificate by its annotation.

Sources:
    https://kubernetes.io/docs/concepts/services-networking/ingress/
    https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/
    https://cloud.google.com/kubernetes-engine/docs/concepts/ingress-xlb
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, any_of, rule
from crossgate.rules.kubernetes._ingresses import INGRESSES
from crossgate.rules.kubernetes._objects import left_out, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

_ALB: Final = "alb.ingress.kubernetes.io/"
_CERTIFICATES: Final = (
    f"{_ALB}certificate-arn",
    "networking.gke.io/managed-certificates",
    "ingress.gcp.kubernetes.io/pre-shared-cert",
    "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
    "kubernetes.azure.com/tls-cert-keyvault-uri",
)
"""Annotations that name a certificate."""
_SWITCHES: Final = (
    "nginx.ingress.kubernetes.io/ssl-passthrough",
    "haproxy.org/ssl-passthrough",
    "haproxy-ingress.github.io/ssl-passthrough",
    "traefik.ingress.kubernetes.io/router.tls",
)
_CLASS: Final = "kubernetes.io/ingress.class"
_RULES: Final = [{"host": "shop.example.com", "http": {"paths": []}}]


def _ingress(annotations: Any = None, **spec: Any) -> dict[str, Any]:
    metadata = {"name": "web"} if annotations is None else {"name": "web", "annotations": annotations}
    return {"metadata": metadata, "spec": {"rules": _RULES, **spec}}


@rule(
    types=INGRESSES,
    severity=Severity.MEDIUM,
    bad=[
        _ingress(),
        _ingress({_CLASS: "nginx"}),
        _ingress({f"{_ALB}scheme": "internet-facing"}, ingressClassName="alb"),
        _ingress({f"{_ALB}scheme": "internet-facing", f"{_ALB}listen-ports": '[{"HTTP": 80}]'}),
        Part("kubernetes:extensions/v1beta1:Ingress", "old", {"spec": {"backend": {"serviceName": "web"}}}),
    ],
    good=[
        _ingress(tls=[{"hosts": ["shop.example.com"], "secretName": "shop-tls"}]),
        _ingress({f"{_ALB}certificate-arn": "arn:aws:acm:eu-west-1:111122223333:certificate/web"}),
        _ingress({f"{_ALB}listen-ports": '[{"HTTP": 80}, {"HTTPS": 443}]'}),
        _ingress({"networking.gke.io/managed-certificates": "shop"}),
        _ingress({_CLASS: "gce-internal"}),
        _ingress(ingressClassName="alb"),
        _ingress({"nginx.ingress.kubernetes.io/ssl-passthrough": "true"}),
    ],
    unsure=[
        _ingress(tls=UNKNOWN),
        _ingress(UNKNOWN),
        Part("kubernetes:networking.k8s.io/v1:IngressPatch", "patch", {"metadata": {"labels": {"team": "web"}}}),
    ],
)
def kubernetes_ingress_without_tls(resource: Resource) -> Iterator[Finding]:
    """Yield the Ingresses that no certificate belongs to."""
    for ingress in objects(resource):
        tls = ingress["spec"]["tls"]
        if _none(tls).is_false:
            continue
        yield Finding(
            "serves plain HTTP: anyone on the way can read and change what is sent",
            at=ingress["spec"],
            when=_none(tls) & ~_has_certificate(ingress) & ~_is_internal(ingress) & ~left_out(resource, tls),
        )


def _none(entries: Value) -> Truth:
    return ~any_of(each.exists() for each in entries.each())


def _has_certificate(ingress: Value) -> Truth:
    notes = ingress["metadata"]["annotations"]
    named = any_of(~notes[key].is_empty() for key in _CERTIFICATES)
    listens = notes[f"{_ALB}listen-ports"].test(lambda text: "HTTPS" in str(text))
    return named | listens | any_of(notes[key].is_true() for key in _SWITCHES)


def _is_internal(ingress: Value) -> Truth:
    notes, named = ingress["metadata"]["annotations"], ingress["spec"]["ingressClassName"]
    scheme = notes[f"{_ALB}scheme"]
    of_alb = named.equals("alb") | notes[_CLASS].equals("alb")
    of_google = named.equals("gce-internal") | notes[_CLASS].equals("gce-internal")
    return scheme.equals("internal") | (of_alb & ~scheme.exists()) | of_google
