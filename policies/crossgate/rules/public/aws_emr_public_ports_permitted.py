"""EMR's block of public access has exceptions for more ports than SSH.

Why: EMR refuses to start a cluster whose security groups let the whole internet in, but for the ports that the
account's configuration permits. Each port in that list can be opened to everyone in all the clusters of the Region:
Hadoop's and Spark's own interfaces ask for no password. Port 22 is EMR's default exception.

Fix: take the range out of ``permittedPublicSecurityGroupRuleRanges``. Reach the clusters' interfaces through a bastion,
a VPN or Session Manager.

Sources:
    https://docs.aws.amazon.com/emr/latest/ManagementGuide/emr-block-public-access.html
    https://docs.aws.amazon.com/emr/latest/APIReference/API_BlockPublicAccessConfiguration.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Severity, all_of, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Value

SSH: Final = 22


def _permitting(*ranges: Any, on: object = True) -> dict[str, Any]:
    listed = [{"minRange": first, "maxRange": last} for first, last in ranges]
    return {"blockPublicSecurityGroupRules": on, "permittedPublicSecurityGroupRuleRanges": listed}


@rule(
    types=("aws:emr/blockPublicAccessConfiguration:BlockPublicAccessConfiguration",),
    severity=Severity.MEDIUM,
    bad=[
        _permitting((22, 22), (8088, 8088)),
        _permitting((0, 65535)),
        _permitting((22, 23), on=UNKNOWN),
    ],
    good=[
        _permitting((22, 22)),
        _permitting(),
        {"blockPublicSecurityGroupRules": True},
    ],
    unsure=[
        _permitting((22, UNKNOWN)),
        {"blockPublicSecurityGroupRules": True, "permittedPublicSecurityGroupRuleRanges": UNKNOWN},
    ],
)
def aws_emr_public_ports_permitted(guard: Resource) -> Iterator[Finding]:
    """Yield each range of ports, other than SSH alone, that clusters may open to everyone."""
    for ports in guard["permittedPublicSecurityGroupRuleRanges"].each():
        is_ssh = all_of(ports[end].equals(SSH) for end in ("minRange", "maxRange"))
        yield Finding(f"{_named(ports)} may be open to the whole internet in every cluster", at=ports, when=~is_ssh)


def _named(ports: Value) -> str:
    first, last = ports["minRange"], ports["maxRange"]
    if not (first.readable and last.readable):
        return "more ports than SSH"
    return f"ports {first.number()} to {last.number()}"
