"""Cognito identity pool gives AWS credentials to guests.

Why: with unauthenticated identities on, anyone who knows the pool's id, which every client carries, gets credentials of
the pool's role for guests. What that role allows is then allowed to everyone.

Fix: set ``allowUnauthenticatedIdentities`` to false. Where an app has guests by design, keep the guests' role to what
everyone may do, and exempt the pool by name.

Sources:
    https://docs.aws.amazon.com/cognito/latest/developerguide/getting-credentials.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=("aws:cognito/identityPool:IdentityPool", "aws-native:cognito:IdentityPool"),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AWS_366",),
    bad=[
        {"allowUnauthenticatedIdentities": True},
        {"allowUnauthenticatedIdentities": True, "identityPoolName": UNKNOWN},
        Part("aws-native:cognito:IdentityPool", "pool", {"allowUnauthenticatedIdentities": True}),
    ],
    good=[{}, {"allowUnauthenticatedIdentities": False}],
    unsure=[{"allowUnauthenticatedIdentities": UNKNOWN}],
)
def aws_cognito_guest_access(pool: Resource) -> Iterator[Finding]:
    """Yield the setting when guests get credentials."""
    setting = pool["allowUnauthenticatedIdentities"]
    yield Finding("everyone gets AWS credentials of the role for guests", at=setting, when=setting.is_true())
