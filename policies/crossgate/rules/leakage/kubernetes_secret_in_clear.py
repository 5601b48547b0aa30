"""Kubernetes Secret is written in clear.

Why: rendered from YAML, from a chart or as an untyped resource, a Secret loses its mark: its values stand in the state
and in previews as base64, which everyone can read. Sealed and external secrets are no all-clear: their templates are
copied as they stand.

The SDK marks ``data`` and ``stringData`` of the typed resource by itself, so a program that uses it passes here.
Empty values, public certificates, service account tokens that the cluster fills in, values encrypted by SOPS and
references to a secret store do not count.

Fix: take the value from ``config.require_secret``, mark the chart's values with ``Output.secret``, or use an
ExternalSecret or SealedSecret and keep its template free of secrets.

Sources:
    https://kubernetes.io/docs/concepts/configuration/secret/
    https://www.pulumi.com/docs/iac/concepts/secrets/
    https://github.com/bitnami-labs/sealed-secrets#sealedsecrets-as-templates-for-secrets
    https://external-secrets.io/latest/guides/templating/
    https://getsops.io/docs/
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, Value, rule, secret
from crossgate.rules._paths import values_at
from crossgate.rules.leakage._detector import decoded, find
from crossgate.rules.leakage._literal import is_reference
from crossgate.rules.leakage._places import in_clear, leak

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crossgate import Resource, Truth

_SECRETS: Final = ("kubernetes:core/v1:Secret", "kubernetes:core/v1:SecretPatch")
_LIST: Final = "kubernetes:core/v1:SecretList"
_SOPS: Final = tuple(f"kubernetes:isindir.github.com/{version}:SopsSecret" for version in ("v1alpha2", "v1alpha3"))
_SEALED: Final = "kubernetes:bitnami.com/v1alpha1:SealedSecret"
_EXTERNAL: Final = tuple(
    f"kubernetes:external-secrets.io/{version}:{kind}"
    for version in ("v1", "v1beta1", "v1alpha1")
    for kind in ("ExternalSecret", "ClusterExternalSecret")
)
_TEMPLATE: Final = {
    _SEALED: ("spec", "template"),
    **{
        token: ("spec", *(("externalSecretSpec",) if "Cluster" in token else ()), "target", "template")
        for token in _EXTERNAL
    },
}
_PUBLIC: Final = ("tls.crt", "ca.crt")
_REACH: Final = "base64 is no protection, so whoever may read the state or a preview can use it"
_REACH_OF_COPY: Final = "the template is copied as it stands, so whoever may read it, the state or a preview can use it"
_TEMPLATED: Final = r"\{\{.*?\}\}"

_WORD: Final = "hunter" + "2-Tr0ub4dor"
_URL: Final = "redis://:" + _WORD + "@cache:6379"
_CERTIFICATE: Final = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----\n"
_PRIVATE_KEY: Final = "-----BEGIN " + "PRIVATE KEY-----\n" + "MC4CAQAwBQYDK2VwBCIEIH" * 4 + "\n-----END"
_SEALED_TEXT: Final = "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]"


def judged_paths(token: str) -> Iterator[Sequence[str]]:
    """Yield the paths that this rule judges in resources of a type."""
    if token in _SECRETS:
        yield ("data",)
        yield ("stringData",)
    elif token == _LIST:
        yield ("items",)
    elif token in _SOPS or token in _TEMPLATE:
        yield ("spec",)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@rule(
    types=(*_SECRETS, _LIST, *_SOPS, *_TEMPLATE),
    severity=Severity.HIGH,
    undetermined="warn",
    literals=True,
    bad=[
        {"data": {"api-key": _base64(_WORD)}},
        {"stringData": {"password": _WORD}, "type": "Opaque"},
        {"data": {"tls.crt": _base64(_CERTIFICATE), "tls.key": _base64(_PRIVATE_KEY)}, "type": "kubernetes.io/tls"},
        {"stringData": {"tls.crt": _CERTIFICATE + _PRIVATE_KEY}},
        {"stringData": {"a": _SEALED_TEXT, "b": _WORD}, "sops": {"mac": "ENC"}},
        Part(_LIST, "list", {"items": [{"stringData": {"password": _WORD}}]}),
        Part(_SEALED, "db", {"spec": {"template": {"data": {"app.properties": f"db.password={_WORD}\n"}}}}),
        Part(_SEALED, "db", {"spec": {"template": {"metadata": {"annotations": {"password": _WORD}}}}}),
        Part(_EXTERNAL[0], "db", {"spec": {"target": {"template": {"data": {"url": _URL}}}}}),
        Part(_SOPS[0], "db", {"spec": {"secretTemplates": [{"name": "a", "stringData": {"token": _WORD}}]}}),
    ],
    good=[
        {},
        {"data": secret({"api-key": _base64(_WORD)})},
        {"data": "[secret]"},
        {"stringData": {"password": secret(_WORD), "empty": ""}},
        {"data": {"tls.crt": _base64(_CERTIFICATE), "ca.crt": _base64(_CERTIFICATE)}},
        {"type": "kubernetes.io/service-account-token", "data": {"extra": _base64(_WORD)}},
        {"stringData": {"password": "{{ .Values.password }}", "token": "ref+vault://kv/app#token"}},
        {"stringData": {"a": _SEALED_TEXT}, "sops": {"mac": "ENC[x]"}},
        {"stringData": {"password": UNKNOWN}},
        Part(
            _SEALED,
            "db",
            {"spec": {"encryptedData": {"password": "AgBy3i4O" * 8}, "template": {"data": {"db.host": "db.internal"}}}},
        ),
        Part(
            _EXTERNAL[0],
            "db",
            {"spec": {"target": {"template": {"data": {"url": "redis://:{{ .password }}@r:6379", "p": "x={{ .p }}"}}}}},
        ),
    ],
    unsure=[
        {"data": UNKNOWN},
        {"stringData": {"password": _WORD}, "type": UNKNOWN},
        Part(_SEALED, "db", {"spec": {"template": UNKNOWN}}),
    ],
)
def kubernetes_secret_in_clear(resource: Resource) -> Iterator[Finding]:
    """Yield the values of Secrets, and of the templates of sealed and external ones, that stand in clear."""
    token = resource.token
    if token in _TEMPLATE:
        yield from _templates(values_at(resource.inputs, _TEMPLATE[token]))
        return
    encrypted = _is_encrypted(resource.inputs)
    if token in _SOPS:
        secrets = values_at(resource.inputs, ("spec", "secretTemplates", "*"))
    elif token == _LIST:
        secrets = values_at(resource.inputs, ("items", "*"))
    else:
        secrets = iter((resource.inputs,))
    for one in secrets:
        yield from _values(one, encrypted | _is_encrypted(one))


def _is_encrypted(document: Value) -> Truth:
    """Has SOPS encrypted the document? Without a ``mac`` nothing vouches for it."""
    return document["sops"]["mac"].exists()


def _values(one: Value, encrypted: Truth) -> Iterator[Finding]:
    filled_in = one["type"].equals("kubernetes.io/service-account-token")
    if filled_in.is_true:
        return
    for field in ("data", "stringData"):
        for key, value in one[field].entries():
            clear = in_clear(value)
            excused = filled_in
            if clear.is_true:
                text = value.text() or ""
                plain = decoded(text) if field == "data" else text
                if text.startswith("ENC["):
                    excused |= encrypted
                elif _is_harmless(key, plain):
                    continue
                yield Finding(
                    f"stands in clear; {_REACH}", at=value, when=~excused, leaks=(text, plain, *_named(key, plain))
                )
            elif clear.is_unknown:
                yield Finding(f"may stand in clear; {_REACH}", at=value, when=clear & ~excused)


def _is_harmless(key: str, plain: str) -> bool:
    """Return whether the value is empty, a reference, or a public certificate."""
    if not plain.strip() or is_reference(plain):
        return True
    is_certificate = key in _PUBLIC or "BEGIN CERTIFICATE" in plain
    return is_certificate and "PRIVATE KEY" not in plain


def _named(key: str, plain: str) -> list[str]:
    return [found.text for found in find(key, plain)]


def _templates(templates: Iterator[Value]) -> Iterator[Finding]:
    for template in templates:
        places = [template["data"], template["metadata"]["annotations"]]
        for place in places:
            for key, value in place.entries():
                yield from _copied(key, value)
        for literal in values_at(template, ("templateFrom", "*", "literal")):
            yield from _copied(None, literal)


def _copied(key: str | None, value: Value) -> Iterator[Finding]:
    """Yield the finding about a value of a template: what stands outside ``{{ }}`` is copied."""
    clear = in_clear(value)
    if clear.is_true:
        text = value.text() or ""
        if found := find(key, re.sub(_TEMPLATED, "${}", text, flags=re.DOTALL)):
            yield leak(found, value, text, _REACH_OF_COPY)
    elif clear.is_unknown:
        yield Finding(f"may hold a secret in clear; {_REACH_OF_COPY}", at=value, when=clear)
