"""Cloud SQL or AlloyDB instance has a public address.

Why: a database with a public address is one entry in its authorized networks away from the internet. Cloud SQL gives
every instance one unless it is told not to. Without authorized networks only those with permissions reach it, through
the Cloud SQL Auth Proxy.

Fix: set ``settings.ipConfiguration.ipv4Enabled`` to false and name a ``privateNetwork`` (AlloyDB:
``networkConfig.enablePublicIp`` to false).

Sources:
    https://cloud.google.com/sql/docs/mysql/configure-ip
    https://cloud.google.com/sql/docs/mysql/configure-private-ip
    https://www.pulumi.com/registry/packages/gcp/api-docs/sql/databaseinstance/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.database import _gcp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


@rule(
    types=_gcp.INSTANCES,
    severity=Severity.MEDIUM,
    frameworks=("CIS GCP 2.0 6.6",),
    equivalents={
        "checkov:CKV_GCP_60": {"path": "settings.ipConfiguration"},
        "trivy:AVD-GCP-0017": {},
        "kics:b187edca-b81e-4fdc-aff4-aab57db45edb": {},
    },
    bad=[
        {"settings": {"tier": "db-f1-micro", "ipConfiguration": {"ipv4Enabled": True}}},
        {"settings": {"tier": "db-f1-micro", "ipConfiguration": {"privateNetwork": "projects/p/global/networks/n"}}},
        {"settings": {"tier": "db-f1-micro"}},
        Part(_gcp.ALLOYDB, "orders", {"networkConfig": {"enablePublicIp": True}}),
    ],
    good=[
        {"settings": {"tier": "db-f1-micro", "ipConfiguration": {"ipv4Enabled": False}}},
        Part(_gcp.ALLOYDB, "orders", {"networkConfig": {"enablePublicIp": False}}),
        Part(_gcp.ALLOYDB, "orders", {"instanceType": "PRIMARY"}),
    ],
    unsure=[
        {"settings": {"tier": "db-f1-micro", "ipConfiguration": {"ipv4Enabled": UNKNOWN}}},
        {"settings": UNKNOWN},
        Part(_gcp.ALLOYDB, "orders", {"networkConfig": {"enablePublicIp": UNKNOWN}}),
    ],
)
def gcp_sql_public_address(instance: Resource) -> Iterator[Finding]:
    """Yield the switch that is on, or left out where that means on."""
    place = _gcp.switch(instance)
    by_default = place.path == "settings" or place.exists().is_false
    state = "has a public address by default" if by_default else "has a public address"
    yield Finding(f"the instance {state}", at=place, when=_gcp.has_public_address(instance))
