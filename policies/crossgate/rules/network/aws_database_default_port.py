"""Database listens on the default port of its engine.

Why: whoever gets into the network finds the database by trying the well-known port, as scanners and worms do first.
Another port stops nobody who looks longer; security groups do.

It hides more than it protects, so the packs leave this rule off. It is for accounts that are held to Security Hub's
control about it.

Fix: set ``port`` to another number, in the database, in its security group and in what connects to it.

Sources:
    https://docs.aws.amazon.com/securityhub/latest/userguide/rds-controls.html#rds-23
    https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html
    https://docs.aws.amazon.com/redshift/latest/APIReference/API_CreateCluster.html
    https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_CreateCacheCluster.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, any_of, rule, unknown
from crossgate.rules._given import is_given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crossgate import Resource, Truth, Value

_INSTANCE: Final = "aws:rds/instance:Instance"
_CACHE: Final = "aws:elasticache/cluster:Cluster"
_ENGINES: Final = {
    "postgres": 5432,
    "mysql": 3306,
    "mariadb": 3306,
    "oracle": 1521,
    "sqlserver": 1433,
    "db2": 50000,
    "redis": 6379,
    "valkey": 6379,
    "memcached": 11211,
}
"""The default port of engines with this word in their name."""
_AURORA: Final = "aurora"
_REDIS: Final = "redis"
"""The engine of a cache that names none."""
_WORDS: Final = {
    _INSTANCE: "database",
    "aws:rds/cluster:Cluster": "database",
    "aws-native:rds:DbInstance": "database",
    "aws-native:rds:DbCluster": "database",
    _CACHE: "cache",
    "aws:elasticache/replicationGroup:ReplicationGroup": "cache",
    "aws-native:elasticache:CacheCluster": "cache",
    "aws-native:elasticache:ReplicationGroup": "cache",
    "aws:redshift/cluster:Cluster": "warehouse",
    "aws-native:redshift:Cluster": "warehouse",
}
_WAREHOUSE_PORT: Final = 5439
_ORIGINS: Final = (
    "dbSnapshotIdentifier",
    "replicateSourceDb",
    "replicationSourceIdentifier",
    "replicationGroupId",
    "restoreToPointInTime",
    "snapshotIdentifier",
    "sourceDbClusterIdentifier",
    "sourceDbInstanceIdentifier",
)
"""What a database can be made from, whose port it then takes over."""


@rule(
    types=tuple(_WORDS),
    severity=Severity.LOW,
    frameworks=("AWS FSBP 1.0 RDS.23",),
    equivalents={
        "kics:bca7cc4d-b3a4-4345-9461-eb69c68fcd26": {"message": "database"},
        "kics:5d89db57-8b51-4b38-bb76-b9bd42bd40f0": {"message": "cache"},
        "kics:41abc6cc-dde1-4217-83d3-fb5f0cc09d8f": {"message": "warehouse"},
    },
    bad=[
        {"engine": "postgres", "port": 5432},
        {"engine": "postgres"},
        {"engine": "sqlserver-se", "port": "1433"},
        {"engine": UNKNOWN},
        Part("aws:rds/cluster:Cluster", "orders", {"engine": "aurora", "port": 3306}),
        Part("aws-native:rds:DbInstance", "orders", {"engine": "mariadb", "port": "3306"}),
        Part(_CACHE, "sessions", {"engine": "memcached", "port": 11211}),
        Part("aws:elasticache/replicationGroup:ReplicationGroup", "sessions", {"port": 6379}),
        *(Part(token, "store", {}) for token in _WORDS),
        Part("aws:redshift/cluster:Cluster", "sales", {"port": 5439}),
    ],
    good=[
        {"engine": "postgres", "port": 5433},
        {"engine": "mysql", "port": 5432},
        Part(_CACHE, "sessions", {"engine": "memcached", "port": 11311}),
        Part("aws:redshift/cluster:Cluster", "sales", {"port": 5440}),
    ],
    unsure=[
        {"engine": "postgres", "port": UNKNOWN},
        {"engine": UNKNOWN, "port": 5432},
        {"replicateSourceDb": "orders"},
        Part(_CACHE, "reader", {"replicationGroupId": "sessions"}),
    ],
)
def aws_database_default_port(database: Resource) -> Iterator[Finding]:
    """Yield the port that everyone tries first."""
    port = database["port"]
    kind = _WORDS[database.token]
    yield Finding(
        f"the {kind} listens on the default port of its engine, which everyone tries first",
        at=port,
        when=_by_default(database, port) | (is_given(port) & _is_default(database, port)),
    )


def _by_default(database: Resource, port: Value) -> Truth:
    absent = ~is_given(port)
    if absent.is_false:
        return FALSE
    made_from = any_of(is_given(database[key]) for key in _ORIGINS)
    gap = port.gap._replace(why="taken over from what it is made from")
    return absent & (~made_from | unknown(gap))


def _is_default(database: Resource, port: Value) -> Truth:
    kind = _WORDS[database.token]
    if kind == "warehouse":
        return port.equals(_WAREHOUSE_PORT)
    engine = database["engine"]
    unnamed = _REDIS if kind == "cache" else ""
    return any_of(
        port.equals(number) & engine.test(_is_named(word), absent=word == unnamed) for word, number in _ENGINES.items()
    )


def _is_named(word: str) -> Callable[[Any], bool]:
    def named(content: Any) -> bool:
        text = str(content).lower()
        return word in text or (text == _AURORA and word == "mysql")

    return named
