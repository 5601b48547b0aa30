"""Search collection can be reached from every network.

Why: a network policy with ``AllowFromPublic`` puts the collection's endpoint, or its dashboards, on the internet. Data
access policies still ask who calls, but a leaked key then works from anywhere, and the sign-in page is everyone's.

Fix: set ``AllowFromPublic`` to false, and name the VPC endpoints in ``SourceVPCEs``, or services such as
``bedrock.amazonaws.com`` in ``SourceServices``.

Sources:
    https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-network.html
    https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-data-access.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NATIVE: Final = "aws-native:opensearchserverless:SecurityPolicy"
_RULES: Final = [{"ResourceType": "collection", "Resource": ["collection/books"]}]
_PUBLIC: Final = {"Rules": _RULES, "AllowFromPublic": True}
_PRIVATE: Final = {"Rules": _RULES, "AllowFromPublic": False, "SourceVPCEs": ["vpce-0a1b2c3d"]}


def _policy(*groups: Any) -> dict[str, Any]:
    return {"type": "network", "policy": json.dumps(groups)}


@rule(
    types=("aws:opensearch/serverlessSecurityPolicy:ServerlessSecurityPolicy", _NATIVE),
    severity=Severity.MEDIUM,
    bad=[
        _policy(_PUBLIC),
        _policy(_PRIVATE, _PUBLIC),
        {"type": "network", "policy": [_PUBLIC]},
        {"type": "network", "policy": [UNKNOWN, {"Rules": UNKNOWN, "AllowFromPublic": True}]},
        Part(_NATIVE, "books", _policy(_PUBLIC)),
    ],
    good=[
        _policy(_PRIVATE),
        {"type": "encryption", "policy": json.dumps({"Rules": _RULES, "AWSOwnedKey": True})},
        {"type": "encryption", "policy": UNKNOWN},
        Part(_NATIVE, "books", _policy(_PRIVATE)),
    ],
    unsure=[
        {"type": "network", "policy": UNKNOWN},
        {"type": "network", "policy": "[not JSON"},
        {"type": UNKNOWN, "policy": [_PUBLIC]},
    ],
)
def aws_opensearch_serverless_public_network(policy: Resource) -> Iterator[Finding]:
    """Yield each group of rules that lets every network in."""
    applies = policy["type"].equals("network")
    if applies.is_false:
        return
    for group in policy["policy"].json().each():
        switch = group["AllowFromPublic"]
        yield Finding(
            "the internet reaches the endpoint: what stands before the data is a signature alone",
            at=switch,
            when=applies & switch.is_true(),
        )
