"""Google Cloud's databases: whether they have a public address, and which networks may use it.

Sources:
    https://cloud.google.com/sql/docs/mysql/configure-ip
    https://cloud.google.com/alloydb/docs/connect-public-ip
    https://www.pulumi.com/registry/packages/gcp/api-docs/sql/databaseinstance/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, TRUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

SQL: Final = "gcp:sql/databaseInstance:DatabaseInstance"
ALLOYDB: Final = "gcp:alloydb/instance:Instance"
INSTANCES: Final = (SQL, ALLOYDB)


def switch(instance: Resource) -> Value:
    """Return the switch for a public address, or where it would stand when its surroundings are left out."""
    if instance.token == ALLOYDB:
        return instance["networkConfig"]["enablePublicIp"]
    configuration = instance["settings"]["ipConfiguration"]
    return instance["settings"] if configuration.exists().is_false else configuration["ipv4Enabled"]


def has_public_address(instance: Resource) -> Truth:
    """Does the instance have a public address? Cloud SQL gives one unless it is told not to, AlloyDB does not."""
    if instance.token == ALLOYDB:
        return instance["networkConfig"]["enablePublicIp"].is_true()
    settings = instance["settings"]
    if settings["ipConfiguration"].exists().is_false:
        return FALSE if settings.exists().is_false and not instance["clone"].exists().is_false else TRUE
    return settings["ipConfiguration"]["ipv4Enabled"].is_true(absent=True)


def authorized(instance: Resource) -> Iterator[Value]:
    """Yield the address ranges that may connect to the public address."""
    if instance.token == ALLOYDB:
        for network in instance["networkConfig"]["authorizedExternalNetworks"].each():
            yield network["cidrRange"]
    else:
        for network in instance["settings"]["ipConfiguration"]["authorizedNetworks"].each():
            yield network["value"]
