"""SNS topic without a key of its own.

Why: without a KMS key nobody's permission to use the key is asked for: whoever may read the topic reads the messages,
and what is stored until it is delivered is not encrypted with anything that you control.

Fix: set ``kmsMasterKeyId``, to ``alias/aws/sns`` or to a key whose policy says who may use it. An AWS service that
publishes to the topic needs a key of your own.

Sources:
    https://docs.aws.amazon.com/sns/latest/dg/sns-server-side-encryption.html
    https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_KEYS: Final = ("aws:kms/key:Key", "aws:kms/alias:Alias", "aws-native:kms:Key", "aws-native:kms:Alias")


@rule(
    types=("aws:sns/topic:Topic", "aws-native:sns:Topic"),
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AWS_26", "trivy:AVD-AWS-0095"),
    bad=[
        {},
        {"kmsMasterKeyId": None},
        {"kmsMasterKeyId": ""},
        Part("aws-native:sns:Topic", "native", {"topicName": "orders"}),
    ],
    good=[
        {"kmsMasterKeyId": "alias/aws/sns"},
        [
            Part("aws:sns/topic:Topic", "orders", {"kmsMasterKeyId": ref("messages")}),
            Part("aws:kms/key:Key", "messages", {}),
        ],
    ],
    unsure=[{"kmsMasterKeyId": UNKNOWN}],
)
def aws_sns_unencrypted(topic: Resource) -> Iterator[Finding]:
    """Yield the topic when no key is set; which one it is does not matter."""
    key = topic["kmsMasterKeyId"]
    if not key.comes_only_from(_KEYS):
        yield Finding("no KMS key is set: whoever may read the topic reads its messages", at=key, when=key.is_empty())
