"""Snapshot, image or document is shared with every AWS account.

Why: a public snapshot is a copy of the database that anyone restores in an account of their own, past every firewall
and password of the original. A public image, or an SSM document, shows whatever was left in it: keys, host names,
scripts.

Fix: share with the ids of the accounts that need it, in ``sharedAccounts``, ``accountId`` or ``account_ids``, or with
an organisation where the service takes one.

Sources:
    https://docs.aws.amazon.com/access-analyzer/latest/APIReference/API_RdsDbSnapshotAttributeValue.html
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/sharingamis-intro.html
    https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-ssm-sharing.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SNAPSHOTS: Final = (
    "aws:rds/snapshot:Snapshot",
    "aws:rds/clusterSnapshot:ClusterSnapshot",
    "aws:rds/snapshotCopy:SnapshotCopy",
    "aws:rds/clusterSnapshotCopy:ClusterSnapshotCopy",
)
_IMAGES: Final = "aws:ec2/amiLaunchPermission:AmiLaunchPermission"
_DOCUMENTS: Final = "aws:ssm/document:Document"
_ACCOUNT_IDS: Final = ("account_ids", "accountIds")
"""The provider's name in its map of text, and the name that Pulumi's own examples write."""


def _document(ids: Any) -> Part:
    return Part(_DOCUMENTS, "document", {"permissions": {"type": "Share", "account_ids": ids}})


@rule(
    types=(*_SNAPSHOTS, _IMAGES, _DOCUMENTS),
    severity=Severity.CRITICAL,
    frameworks=("AWS FSBP 1.0 RDS.1", "AWS FSBP 1.0 SSM.4"),
    equivalents={"checkov:CKV_AWS_302": {"message": "snapshot"}, "checkov:CKV_AWS_303": {"message": "document"}},
    bad=[
        {"sharedAccounts": ["all"]},
        {"sharedAccounts": ["111122223333", "all"], "dbInstanceIdentifier": UNKNOWN},
        {"sharedAccounts": [UNKNOWN, "all"]},
        *(Part(token, "snapshot", {"sharedAccounts": ["all"]}) for token in _SNAPSHOTS),
        Part(_IMAGES, "image", {"imageId": "ami-1a2b", "group": "all"}),
        _document("All"),
        _document("all"),
        Part(_DOCUMENTS, "document", {"permissions": {"type": "Share", "accountIds": "All"}}),
    ],
    good=[
        {},
        {"sharedAccounts": ["111122223333"]},
        Part(_IMAGES, "image", {"imageId": "ami-1a2b", "accountId": "111122223333"}),
        Part(_DOCUMENTS, "document", {}),
        _document("111122223333,444455556666"),
    ],
    unsure=[
        {"sharedAccounts": UNKNOWN},
        {"sharedAccounts": [UNKNOWN]},
        Part(_IMAGES, "image", {"imageId": "ami-1a2b", "group": UNKNOWN}),
        _document(UNKNOWN),
    ],
)
def aws_shared_with_everyone(resource: Resource) -> Iterator[Finding]:
    """Yield what shares it with every account."""
    if resource.token == _IMAGES:
        group = resource["group"]
        yield Finding("every AWS account may launch the image", at=group, when=group.equals("all"))
    elif resource.token == _DOCUMENTS:
        for ids in (resource["permissions"][key] for key in _ACCOUNT_IDS):
            yield Finding("every AWS account may read and run the document", at=ids, when=ids.test(_names_all))
    else:
        for account in resource["sharedAccounts"].each():
            yield Finding("every AWS account may restore the snapshot", at=account, when=account.equals("all"))


def _names_all(content: Any) -> bool:
    return isinstance(content, str) and "all" in (item.strip() for item in content.lower().split(","))
