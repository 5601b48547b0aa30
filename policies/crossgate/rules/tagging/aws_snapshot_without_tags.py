"""Snapshots of a database do not carry its tags.

Why: snapshots stay when the database is gone. Without its tags nobody can tell whose they are, who pays for them, and
how long to keep what is in them, and permissions by tag do not reach them.

Fix: set ``copyTagsToSnapshot`` to true, which is off by default.

Sources:
    https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_Tagging.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/rds-controls.html#rds-16
    https://docs.aws.amazon.com/config/latest/developerguide/neptune-cluster-copy-tags-to-snapshot-enabled.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_INSTANCE: Final = "aws:rds/instance:Instance"
_OTHERS: Final = {
    "aws:rds/cluster:Cluster": "cluster",
    "aws:neptune/cluster:Cluster": "graph",
    "aws-native:rds:DbInstance": "instance",
    "aws-native:rds:DbCluster": "cluster",
    "aws-native:neptune:DbCluster": "graph",
}
_WORDS: Final = {_INSTANCE: "instance", **_OTHERS}


@rule(
    types=tuple(_WORDS),
    severity=Severity.LOW,
    frameworks=("AWS FSBP 1.0 RDS.16", "AWS FSBP 1.0 RDS.17", "AWS FSBP 1.0 Neptune.8"),
    equivalents={
        "checkov:CKV2_AWS_60": {"message": "instance"},
        "checkov:CKV_AWS_313": {"message": "cluster"},
        "checkov:CKV_AWS_362": {"message": "graph"},
    },
    bad=[
        {"engine": "postgres", "copyTagsToSnapshot": False},
        {"engine": "postgres"},
        *(Part(token, "orders", {"copyTagsToSnapshot": False}) for token in _OTHERS),
        *(Part(token, "bare", {}) for token in _OTHERS),
    ],
    good=[
        {"engine": "postgres", "copyTagsToSnapshot": True},
        *(Part(token, "orders", {"copyTagsToSnapshot": True}) for token in _OTHERS),
    ],
    unsure=[{"copyTagsToSnapshot": UNKNOWN}],
)
def aws_snapshot_without_tags(database: Resource) -> Iterator[Finding]:
    """Yield the switch that leaves the tags out of snapshots."""
    switch = database["copyTagsToSnapshot"]
    kind = _WORDS[database.token]
    yield Finding(f"snapshots of the {kind} do not carry its tags", at=switch, when=~switch.is_true())
