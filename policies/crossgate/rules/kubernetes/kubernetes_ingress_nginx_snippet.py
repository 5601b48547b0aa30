"""Ingress that puts a piece of configuration into nginx.

Why: the controller writes what a snippet annotation says into its own configuration. Whoever may write Ingresses can so
run Lua in the controller or serve its files, and read the service account token with which it reads the Secrets of all
namespaces (CVE-2021-25742).

Fix: use the annotation made for the purpose, such as ``nginx.ingress.kubernetes.io/auth-url`` or
``nginx.ingress.kubernetes.io/custom-headers``, or the controller's ConfigMap, and keep ``allow-snippet-annotations``
off there, which is the default since version 1.9.

Sources:
    https://github.com/kubernetes/kubernetes/issues/126811
    https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/
    https://docs.nginx.com/nginx-ingress-controller/configuration/ingress-resources/advanced-configuration-with-snippets/
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, unknown
from crossgate.rules.kubernetes._ingresses import INGRESSES
from crossgate.rules.kubernetes._objects import left_out, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_PREFIX: Final = "nginx.ingress.kubernetes.io/"
_LUA: Final = re.compile(r"(?:\b|_)lua(?:\b|_)", re.IGNORECASE)
_FILES: Final = re.compile(r"(?:^|[;{\s])(?:alias|root)\s+[^;\s]", re.IGNORECASE)
_ANY: Final = "*"
"""The key of an entry of a map that is not known."""


def _ingress(annotations: Any) -> dict[str, Any]:
    return {"metadata": {"name": "web", "annotations": annotations}, "spec": {"ingressClassName": "nginx"}}


@rule(
    types=INGRESSES,
    severity=Severity.MEDIUM,
    equivalents={
        "checkov:CKV_K8S_152": {"message": "Lua"},
        "checkov:CKV_K8S_153": {},
        "checkov:CKV_K8S_154": {"message": "files"},
    },
    bad=[
        _ingress({f"{_PREFIX}configuration-snippet": "more_set_headers 'X-Frame-Options: DENY';"}),
        _ingress({f"{_PREFIX}server-snippet": "location /x {\n  content_by_lua_block { ngx.say('x') }\n}"}),
        _ingress({f"{_PREFIX}server-snippet": "location /x { alias /etc/nginx/; }"}),
        _ingress({f"{_PREFIX}configuration-snippet": UNKNOWN}),
        _ingress({"nginx.org/location-snippets": "deny all;"}),
        Part(
            "kubernetes:extensions/v1beta1:Ingress",
            "old",
            {"metadata": {"annotations": {f"{_PREFIX}auth-snippet": "proxy_set_header X-Id 1;"}}},
        ),
    ],
    good=[
        _ingress({"kubernetes.io/ingress.class": "nginx"}),
        _ingress({f"{_PREFIX}rewrite-target": "/"}),
        {"spec": {"ingressClassName": "nginx"}},
    ],
    unsure=[
        _ingress(UNKNOWN),
        Part("kubernetes:networking.k8s.io/v1:IngressPatch", "patch", {"spec": {"ingressClassName": "nginx"}}),
    ],
)
def kubernetes_ingress_nginx_snippet(resource: Resource) -> Iterator[Finding]:
    """Yield each snippet, and what it does that reaches beyond the Ingress."""
    for ingress in objects(resource):
        notes = ingress["metadata"]["annotations"]
        yield Finding("may put configuration into nginx", at=notes, when=left_out(resource, notes))
        for key, snippet in notes.entries():
            if key == _ANY and not snippet.readable:
                yield Finding("may put configuration into nginx", at=notes, when=unknown(snippet.gap))
            if not key.partition("/")[2].endswith(("-snippet", "-snippets")):
                continue
            yield Finding("puts configuration of its own into nginx", at=snippet, when=snippet.exists())
            yield Finding(
                "runs Lua code in nginx, which reads the controller's files and its service account's token",
                at=snippet,
                when=snippet.test(lambda text: isinstance(text, str) and _LUA.search(text) is not None),
            )
            yield Finding(
                "serves files of the controller, its service account's token included",
                at=snippet,
                when=snippet.test(lambda text: isinstance(text, str) and _FILES.search(text) is not None),
            )
