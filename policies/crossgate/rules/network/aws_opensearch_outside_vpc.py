"""OpenSearch domain stands outside a VPC.

Why: the endpoint of a domain without VPC options is on the internet, and its access policy alone keeps strangers out.
It cannot be moved into a VPC later.

Fix: set ``vpcOptions`` with the subnets and security groups of the domain.

Sources:
    https://docs.aws.amazon.com/opensearch-service/latest/developerguide/vpc.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/opensearch-controls.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NATIVE: Final = "aws-native:opensearchservice:Domain"


@rule(
    types=("aws:opensearch/domain:Domain", "aws:elasticsearch/domain:Domain", _NATIVE),
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 Opensearch.2", "AWS FSBP 1.0 ES.2"),
    equivalents=("checkov:CKV_AWS_137",),
    bad=[
        {"domainName": "search"},
        Part("aws:elasticsearch/domain:Domain", "search", {"elasticsearchVersion": "7.10"}),
        Part(_NATIVE, "search", {"engineVersion": "OpenSearch_2.11"}),
    ],
    good=[
        {"vpcOptions": {"subnetIds": ["subnet-0a1b2c3d"]}},
        {"vpcOptions": {"subnetIds": [UNKNOWN]}},
        Part(_NATIVE, "search", {"vpcOptions": {"subnetIds": ["subnet-0a1b2c3d"]}}),
    ],
    unsure=[{"vpcOptions": UNKNOWN}],
)
def aws_opensearch_outside_vpc(domain: Resource) -> Iterator[Finding]:
    """Yield the domain whose VPC options name no subnet."""
    options = domain["vpcOptions"]
    yield Finding(
        "the domain is in no VPC: its endpoint is on the internet", at=options, when=options["subnetIds"].is_empty()
    )
