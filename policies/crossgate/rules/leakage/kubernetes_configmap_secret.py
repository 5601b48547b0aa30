"""ConfigMap holds a secret in clear.

Why: a ConfigMap is not encrypted at rest, most roles may read it, ``kubectl describe`` prints it, and it stands in the
state and in previews. It is for what is no secret.

A value that is marked secret does not count, and a reference does not either.

Fix: move the entry to a Secret whose value comes from ``config.require_secret``, or to an ExternalSecret that fetches
it from a secret store.

Sources:
    https://kubernetes.io/docs/concepts/configuration/configmap/
    https://kubernetes.io/docs/concepts/security/secrets-good-practices/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret
from crossgate.rules._paths import values_at
from crossgate.rules.leakage._detector import decoded, find
from crossgate.rules.leakage._places import in_clear, judged, leak

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crossgate import Resource

_REACH: Final = "whoever may read the namespace's configuration, the state or a preview can use it"
_WORD: Final = "hunter" + "2-Tr0ub4dor"
_TYPES: Final = (
    "kubernetes:core/v1:ConfigMap",
    "kubernetes:core/v1:ConfigMapPatch",
    "kubernetes:core/v1:ConfigMapList",
)


def judged_paths(token: str) -> Iterator[Sequence[str]]:
    """Yield the paths that this rule judges in resources of a type."""
    if token in _TYPES:
        items = ("items", "*") if token.endswith("List") else ()
        yield (*items, "data")
        yield (*items, "binaryData")


@rule(
    types=_TYPES,
    severity=Severity.HIGH,
    undetermined="warn",
    literals=True,
    equivalents=("trivy:AVD-KSV-0109", "kics:a88baa34-e2ad-44ea-ad6f-8cac87bc7c71"),
    bad=[
        {"data": {"password": _WORD}},
        {"data": {"app.properties": f"db.host=db.internal\ndb.password={_WORD}\n"}},
        {"data": {"config.json": '{"db": {"user": "app", "password": "' + _WORD + '"}}'}},
        Part("kubernetes:core/v1:ConfigMapList", "list", {"items": [{"data": {"db_password": _WORD}}]}),
    ],
    good=[
        {},
        {"data": {"log-level": "debug", "app.properties": "db.host=db.internal\ndb.password=${DB_PASSWORD}\n"}},
        {"data": {"password": secret(_WORD)}},
        {"data": {"passwordFile": "/run/secrets/db", "secretName": "db", "tokenUrl": "https://login.example/token"}},
        {"data": {"password": UNKNOWN}},
    ],
    unsure=[{"data": UNKNOWN}],
)
def kubernetes_configmap_secret(resource: Resource) -> Iterator[Finding]:
    """Yield the entries of a ConfigMap that hold a secret in clear."""
    maps = values_at(resource.inputs, ("items", "*")) if resource.token.endswith("List") else iter((resource.inputs,))
    for config in maps:
        for key, value in config["data"].entries():
            yield from judged(key, value, _REACH)
        for key, value in config["binaryData"].entries():
            clear = in_clear(value)
            if clear.is_true and (found := find(key, decoded(value.text() or ""))):
                yield leak(found, value, value.text() or "", _REACH)
            elif clear.is_unknown:
                yield Finding(f"may hold a secret in clear; {_REACH}", at=value, when=clear)
