"""Helm values hold a secret in clear.

Why: the values of a release are stored in the cluster with it, stand in the state and in previews, and are rendered
into whatever the chart makes of them. A literal stands in the program's history as well.

A value that is marked secret does not count: it is encrypted in the state. A reference such as ``existingSecret`` does
not count either.

Fix: let the chart use a Secret that exists (most charts have a value ``existingSecret``), or take the value from
``config.require_secret``, which marks it.

Sources:
    https://helm.sh/docs/chart_template_guide/values_files/
    https://fluxcd.io/flux/components/helm/helmreleases/#values
    https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
    https://www.pulumi.com/docs/iac/concepts/secrets/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule, secret
from crossgate.rules._paths import at_paths, split_paths
from crossgate.rules.leakage._places import document_in_clear, judged, leaves

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crossgate import Resource

_RELEASE: Final = "kubernetes:helm.sh/v3:Release"
_FLUX: Final = "kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease"
_ARGO: Final = "kubernetes:argoproj.io/v1alpha1:Application"
_VALUES: Final = split_paths(
    {
        _RELEASE: "values",
        "kubernetes:helm.sh/v3:Chart": "values",
        "kubernetes:helm.sh/v4:Chart": "values",
        _FLUX: "spec.values",
        "kubernetes:helm.toolkit.fluxcd.io/v2beta1:HelmRelease": "spec.values",
        "kubernetes:helm.toolkit.fluxcd.io/v2beta2:HelmRelease": "spec.values",
        _ARGO: (
            "spec.source.helm.values spec.source.helm.valuesObject spec.source.helm.parameters "
            "spec.sources.*.helm.values spec.sources.*.helm.valuesObject spec.sources.*.helm.parameters"
        ),
    }
)
_REACH: Final = "whoever may read the release, the state or a preview can use it"
_WORD: Final = "hunter" + "2-Tr0ub4dor"


def judged_paths(token: str) -> Iterator[Sequence[str]]:
    """Yield the paths that this rule judges in resources of a type."""
    yield from _VALUES.get(token, ())


@rule(
    types=tuple(_VALUES),
    severity=Severity.HIGH,
    undetermined="warn",
    literals=True,
    bad=[
        {"chart": "postgresql", "values": {"auth": {"username": "app", "password": _WORD}}},
        {"values": {"extraEnv": [{"name": "DB_PASSWORD", "value": _WORD}]}},
        {"values": {"config": f"host: db.internal\npassword: {_WORD}\n"}},
        Part("kubernetes:helm.sh/v4:Chart", "db", {"values": {"adminPassword": _WORD}}),
        Part(_FLUX, "db", {"spec": {"values": {"adminPassword": _WORD}}}),
        Part(_ARGO, "db", {"spec": {"source": {"helm": {"values": f"adminPassword: {_WORD}\n"}}}}),
        Part(_ARGO, "db", {"spec": {"sources": [{"helm": {"parameters": [{"name": "password", "value": _WORD}]}}]}}),
    ],
    good=[
        {"chart": "postgresql"},
        {"values": {"auth": {"username": "app", "password": secret(_WORD)}}},
        {"values": "[secret]"},
        {"values": {"auth": {"existingSecret": "db", "secretKeys": {"adminPasswordKey": "password"}}}},
        {"values": {"auth": {"password": ""}, "image": {"tag": "16.2.0"}, "passwordPolicy": {"minLength": 12}}},
        {"values": {"auth": {"password": UNKNOWN}}},
        Part(
            _FLUX, "db", {"spec": {"valuesFrom": [{"kind": "Secret", "name": "db"}], "values": {"password": "${pw}"}}}
        ),
    ],
    unsure=[{"values": UNKNOWN}],
)
def kubernetes_helm_values_secret(resource: Resource) -> Iterator[Finding]:
    """Yield the values that hold a secret in clear."""
    for values in at_paths(resource, _VALUES[resource.token]):
        whole = document_in_clear(values)
        if whole.is_unknown:
            yield Finding(f"may hold a secret in clear; {_REACH}", at=values, when=whole)
            continue
        for name, leaf in leaves(values):
            yield from judged(name, leaf, _REACH)
