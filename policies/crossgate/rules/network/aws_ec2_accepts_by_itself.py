"""VPC endpoint service or transit gateway takes in whoever asks.

Why: an endpoint service that needs no acceptance lets every permitted account reach the service behind it at once; a
transit gateway that accepts attachments by itself joins every network of the accounts it is shared with to yours.

Fix: set ``acceptanceRequired`` of the endpoint service, and leave ``autoAcceptSharedAttachments`` of the gateway at
``disable``.

Sources:
    https://docs.aws.amazon.com/vpc/latest/privatelink/configure-endpoint-service.html#accept-reject-connection-requests
    https://docs.aws.amazon.com/vpc/latest/tgw/tgw-transit-gateways.html
    https://docs.aws.amazon.com/securityhub/latest/userguide/ec2-controls.html#ec2-23
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_SERVICES: Final = ("aws:ec2/vpcEndpointService:VpcEndpointService", "aws-native:ec2:VpcEndpointService")
_GATEWAYS: Final = ("aws:ec2transitgateway/transitGateway:TransitGateway", "aws-native:ec2:TransitGateway")


@rule(
    types=(*_SERVICES, *_GATEWAYS),
    severity=Severity.MEDIUM,
    frameworks=("AWS FSBP 1.0 EC2.23",),
    equivalents={
        "checkov:CKV_AWS_123": {"path": "acceptanceRequired"},
        "checkov:CKV_AWS_331": {"path": "autoAcceptSharedAttachments"},
    },
    bad=[
        {"acceptanceRequired": False},
        Part(_GATEWAYS[0], "hub", {"autoAcceptSharedAttachments": "enable"}),
        Part(_GATEWAYS[1], "hub", {"autoAcceptSharedAttachments": "enable"}),
    ],
    good=[
        {"acceptanceRequired": True},
        Part(_GATEWAYS[0], "hub", {"autoAcceptSharedAttachments": "disable"}),
        Part(_GATEWAYS[0], "hub", {}),
    ],
    unsure=[
        {"acceptanceRequired": UNKNOWN},
        Part(_GATEWAYS[0], "hub", {"autoAcceptSharedAttachments": UNKNOWN}),
    ],
)
def aws_ec2_accepts_by_itself(resource: Resource) -> Iterator[Finding]:
    """Yield the switch that lets others in unasked."""
    if resource.token in _SERVICES:
        required = resource["acceptanceRequired"]
        yield Finding("connections need nobody's acceptance", at=required, when=required.is_false())
    else:
        accepts = resource["autoAcceptSharedAttachments"]
        yield Finding("attachments of other accounts are accepted unasked", at=accepts, when=accepts.equals("enable"))
