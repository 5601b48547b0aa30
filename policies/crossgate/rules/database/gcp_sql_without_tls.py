"""Cloud SQL instance takes connections without TLS.

Why: whoever stands between a client and the database reads and changes what is sent, the password included. Cloud SQL
takes both kinds of connections unless it is told not to. Clients that come through the Cloud SQL Auth Proxy are
encrypted anyway, and lose nothing.

Fix: set ``settings.ipConfiguration.sslMode`` to ``ENCRYPTED_ONLY``, or to ``TRUSTED_CLIENT_CERTIFICATE_REQUIRED`` where
clients have certificates.

Sources:
    https://cloud.google.com/sql/docs/configure-ssl-instance
    https://cloud.google.com/sql/docs/sqlserver/configure-ssl-instance
    https://www.pulumi.com/registry/packages/gcp/api-docs/sql/databaseinstance/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Severity, rule
from crossgate.rules.database import _gcp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_ENCRYPTED: Final = ("ENCRYPTED_ONLY", "TRUSTED_CLIENT_CERTIFICATE_REQUIRED")
_TIER: Final = {"tier": "db-f1-micro"}


@rule(
    types=(_gcp.SQL,),
    severity=Severity.MEDIUM,
    frameworks=("CIS GCP 2.0 6.4",),
    equivalents=("checkov:CKV_GCP_6", "trivy:AVD-GCP-0015", "kics:02474449-71aa-40a1-87ae-e14497747b00"),
    bad=[
        {"settings": {**_TIER, "ipConfiguration": {"sslMode": "ALLOW_UNENCRYPTED_AND_ENCRYPTED"}}},
        {"settings": {**_TIER, "ipConfiguration": {"ipv4Enabled": False}}},
        {"settings": {**_TIER, "ipConfiguration": {"requireSsl": False}}},
        {"settings": _TIER},
    ],
    good=[
        {"settings": {**_TIER, "ipConfiguration": {"sslMode": "ENCRYPTED_ONLY"}}},
        {"settings": {**_TIER, "ipConfiguration": {"sslMode": "TRUSTED_CLIENT_CERTIFICATE_REQUIRED"}}},
        {"settings": {**_TIER, "ipConfiguration": {"requireSsl": True}}},
        {"clone": {"sourceInstanceName": "orders"}},
    ],
    unsure=[
        {"settings": {**_TIER, "ipConfiguration": {"sslMode": UNKNOWN}}},
        {"settings": UNKNOWN},
    ],
)
def gcp_sql_without_tls(instance: Resource) -> Iterator[Finding]:
    """Yield the mode that lets unencrypted connections in, or the place where none is set."""
    settings = instance["settings"]
    configuration = settings["ipConfiguration"]
    mode = configuration["sslMode"]
    encrypted = mode.is_in(_ENCRYPTED) | (mode.is_empty() & configuration["requireSsl"].is_true())
    copied = ~instance["clone"].is_empty() & ~settings.exists()
    yield Finding(
        "the instance takes connections without TLS: anyone on the way reads what is sent, the password included",
        at=mode if configuration.exists().is_true else settings,
        when=~encrypted & ~copied,
    )
