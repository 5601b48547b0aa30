"""Workload identity pool of Google Cloud takes tokens of everyone's workloads.

Why: an identity provider that many customers share, such as GitHub Actions, signs tokens for all of them. Without an
attribute condition the pool accepts each of these tokens, so that every workflow on GitHub is an identity of the pool,
and one grant to the whole pool, or to an attribute that others can set, lets strangers in.

Fix: set ``attributeCondition`` to one that only your organisation fulfils, such as
``assertion.repository_owner_id == '123456'``.

Sources:
    https://docs.cloud.google.com/iam/docs/best-practices-for-using-workload-identity-federation
    https://docs.cloud.google.com/iam/docs/reference/rest/v1/projects.locations.workloadIdentityPools.providers
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SHARED: Final = re.compile(
    r"https://(?:token\.actions\.githubusercontent\.com|gitlab\.com|app\.terraform\.io)/*", re.IGNORECASE
)
"""Issuers that sign the tokens of all their customers. GitHub gives an enterprise one of its own, below a path."""
_GITHUB: Final = {"issuerUri": "https://token.actions.githubusercontent.com"}
_ALL: Final = ("", "true")


def _provider(condition: object = None, oidc: object = _GITHUB) -> dict[str, Any]:
    inputs = {"workloadIdentityPoolProviderId": "github", "oidc": oidc}
    return inputs if condition is None else {**inputs, "attributeCondition": condition}


@rule(
    types=("gcp:iam/workloadIdentityPoolProvider:WorkloadIdentityPoolProvider",),
    severity=Severity.HIGH,
    undetermined="warn",
    equivalents=("checkov:CKV_GCP_118", "trivy:AVD-GCP-0068"),
    bad=[
        _provider(),
        _provider("true"),
        _provider(oidc={"issuerUri": "https://gitlab.com/"}),
    ],
    good=[
        _provider("assertion.repository_owner_id == '123456'"),
        _provider(oidc={"issuerUri": "https://token.actions.githubusercontent.com/octo-corp"}),
        _provider(oidc={"issuerUri": "https://login.example.com"}),
        {"aws": {"accountId": "111122223333"}},
        {**_provider(), "disabled": True},
    ],
    unsure=[_provider(UNKNOWN), _provider(oidc={"issuerUri": UNKNOWN})],
)
def gcp_workload_identity_open_to_everyone(provider: Resource) -> Iterator[Finding]:
    """Yield the condition that a provider for tokens of a shared issuer lacks."""
    condition = provider["attributeCondition"]
    yield Finding(
        "no condition tells your tokens from those of the issuer's other customers: the pool takes them all",
        at=condition,
        when=provider["oidc"]["issuerUri"].test(lambda issuer: _SHARED.fullmatch(str(issuer)) is not None)
        & condition.test(lambda text: str(text).strip() in _ALL, absent=True)
        & ~provider["disabled"].is_true(),
    )
