"""Transfer server takes files from the whole internet.

Why: a server with a public endpoint, which is the default, can be reached from every address: no security group stands
before it, and anyone can try names, keys and passwords. In a VPC, even with Elastic IP addresses, a security group says
who may connect.

Fix: set ``endpointType`` to ``VPC``, and name the VPC, its subnets and a security group in ``endpointDetails``.

Sources:
    https://docs.aws.amazon.com/transfer/latest/userguide/create-server-in-vpc.html
    https://docs.aws.amazon.com/transfer/latest/userguide/API_EndpointDetails.html
    https://www.pulumi.com/registry/packages/aws/api-docs/transfer/server/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NATIVE = "aws-native:transfer:Server"


@rule(
    types=("aws:transfer/server:Server", _NATIVE),
    severity=Severity.MEDIUM,
    equivalents=("checkov:CKV_AWS_164",),
    bad=[
        {"protocols": ["SFTP"], "endpointType": "PUBLIC"},
        {"protocols": ["SFTP"]},
        Part(_NATIVE, "inbox", {"protocols": ["SFTP"]}),
    ],
    good=[
        {
            "protocols": ["SFTP"],
            "endpointType": "VPC",
            "endpointDetails": {"vpcId": "vpc-0a1b2c3d", "subnetIds": ["subnet-0a1b2c3d"]},
        },
        {"endpointType": "VPC_ENDPOINT", "endpointDetails": {"vpcEndpointId": UNKNOWN}},
        Part(_NATIVE, "inbox", {"endpointType": "VPC"}),
    ],
    unsure=[{"endpointType": UNKNOWN}],
)
def aws_transfer_server_public(server: Resource) -> Iterator[Finding]:
    """Yield the type of endpoint that is public, which it is when none is given."""
    kind = server["endpointType"]
    yield Finding(
        "the endpoint is public: every address on the internet may try to sign in",
        at=kind,
        when=kind.is_empty() | kind.equals("PUBLIC"),
    )
