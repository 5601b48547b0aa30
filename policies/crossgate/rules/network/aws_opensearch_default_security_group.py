"""OpenSearch domain is guarded by the VPC's default security group.

Why: a domain in a VPC that names no security group gets the default one of the VPC. So does everything else that was
started without a choice, and whatever is in that group may connect to the domain.

Fix: make a security group for the domain, which lets in those who search, and name it in
``vpcOptions.securityGroupIds``.

Sources:
    https://docs.aws.amazon.com/opensearch-service/latest/APIReference/API_VPCOptions.html
    https://docs.aws.amazon.com/vpc/latest/userguide/default-security-group.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, ref, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_DOMAINS: Final = (
    "aws:opensearch/domain:Domain",
    "aws:elasticsearch/domain:Domain",
    "aws-native:opensearchservice:Domain",
)


@rule(
    types=_DOMAINS,
    severity=Severity.LOW,
    equivalents=("checkov:CKV_AWS_248",),
    bad=[
        {"domainName": "search", "vpcOptions": {"subnetIds": ["subnet-0a1b2c3d"]}},
        *(Part(token, "search", {"vpcOptions": {"subnetIds": [UNKNOWN]}}) for token in _DOMAINS),
    ],
    good=[
        {
            "domainName": "search",
            "vpcOptions": {"subnetIds": ["subnet-0a1b2c3d"], "securityGroupIds": ["sg-0a1b2c3d"]},
        },
        [
            Part(_DOMAINS[0], "search", {"vpcOptions": {"securityGroupIds": [ref("search-clients")]}}),
            Part("aws:ec2/securityGroup:SecurityGroup", "search-clients", {}),
        ],
        {"domainName": "search"},
    ],
    unsure=[{"vpcOptions": UNKNOWN}, {"vpcOptions": {"securityGroupIds": UNKNOWN}}],
)
def aws_opensearch_default_security_group(domain: Resource) -> Iterator[Finding]:
    """Yield the VPC options that name no security group."""
    options = domain["vpcOptions"]
    groups = options["securityGroupIds"]
    yield Finding(
        "no security group is named: whatever is in the VPC's default group may connect to the domain",
        at=groups,
        when=options.exists() & groups.is_empty(),
    )
