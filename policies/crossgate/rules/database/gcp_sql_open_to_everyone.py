"""Cloud SQL or AlloyDB instance lets the whole internet connect.

Why: the authorized networks are what keeps strangers from the public address of the database. With ``0.0.0.0/0`` among
them, anyone may try passwords.

Fix: list the ranges that need access, or none: connections through the Cloud SQL Auth Proxy need no authorized network.
Better still, set ``ipv4Enabled`` (AlloyDB: ``enablePublicIp``) to false and connect over a private network.

Sources:
    https://cloud.google.com/sql/docs/mysql/configure-ip
    https://cloud.google.com/sql/docs/mysql/authorize-networks
    https://cloud.google.com/alloydb/docs/connect-public-ip
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.database import _gcp
from crossgate.rules.network._cidr import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def _sql(*ranges: object, **configuration: object) -> dict[str, Any]:
    networks = [{"name": "office", "value": each} for each in ranges]
    return {"settings": {"tier": "db-f1-micro", "ipConfiguration": {"authorizedNetworks": networks, **configuration}}}


def _alloy(cidr: object, **config: object) -> Part:
    network = {"authorizedExternalNetworks": [{"cidrRange": cidr}], **config}
    return Part(_gcp.ALLOYDB, "orders", {"networkConfig": network})


_WORLD: Final = "0.0.0.0/0"


@rule(
    types=_gcp.INSTANCES,
    severity=Severity.HIGH,
    frameworks=("CIS GCP 2.0 6.5",),
    equivalents=(
        "checkov:CKV_GCP_11",
        "trivy:AVD-GCP-0017",
        "kics:b187edca-b81e-4fdc-aff4-aab57db45edb",
    ),
    bad=[
        _sql(_WORLD),
        _sql("203.0.113.0/24", _WORLD, ipv4Enabled=True),
        _sql("0.0.0.0/1", "128.0.0.0/1"),
        _alloy(_WORLD, enablePublicIp=True),
    ],
    good=[
        _sql("203.0.113.0/24"),
        _sql(_WORLD, ipv4Enabled=False),
        _sql(ipv4Enabled=True),
        {"settings": {"tier": "db-f1-micro"}},
        _alloy(_WORLD, enablePublicIp=False),
        _alloy(_WORLD),
        _alloy("203.0.113.0/24", enablePublicIp=True),
    ],
    unsure=[
        _sql(UNKNOWN),
        _sql(_WORLD, ipv4Enabled=UNKNOWN),
        {"settings": UNKNOWN},
        _alloy(_WORLD, enablePublicIp=UNKNOWN),
    ],
)
def gcp_sql_open_to_everyone(instance: Resource) -> Iterator[Finding]:
    """Yield the authorized networks that, alone or together, are the whole internet."""
    networks = list(_gcp.authorized(instance))
    together = Sources()
    for network in networks:
        together.add(network)
    if not networks:
        return
    place = networks[0]
    for network in networks:
        alone = Sources()
        alone.add(network)
        if alone.world().is_true:
            place = network
            break
    yield Finding(
        "the authorized networks are the whole internet: anyone may connect",
        at=place,
        when=together.world() & _gcp.has_public_address(instance),
    )
