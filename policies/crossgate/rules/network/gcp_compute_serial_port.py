"""Interactive serial console of Compute Engine is open.

Why: the serial console takes connections from every address: neither firewall rules nor authorized ranges apply to it.
Whoever has a key for the instance, or its project, gets to a login and to the boot loader.

Fix: leave ``serial-port-enable`` out of the metadata, or set it to ``"false"``. Switch it on for the hour in which it
is needed.

Sources:
    https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-using-serial-console
    https://www.pulumi.com/registry/packages/gcp/api-docs/compute/instance/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network.gcp_compute_public_address import INSTANCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

KEY: Final = "serial-port-enable"
ITEM: Final = "gcp:compute/projectMetadataItem:ProjectMetadataItem"
MESSAGE: Final = "the serial console takes connections from every address, past all firewall rules"


def _is_on(entry: Value) -> Truth:
    """Is it on, in one of the spellings that the metadata server takes?"""
    return entry.test(lambda content: str(content).lower() in {"true", "1", "y", "yes"})


@rule(
    types=(*INSTANCES, "gcp:compute/projectMetadata:ProjectMetadata", ITEM),
    severity=Severity.MEDIUM,
    frameworks=("CIS GCP 3.0 4.5",),
    equivalents=("checkov:CKV_GCP_35", "trivy:AVD-GCP-0032", "kics:97fa667a-d05b-4f16-9071-58b939f34751"),
    bad=[
        {"machineType": "e2-micro", "metadata": {KEY: "true"}},
        {"metadata": {KEY: "TRUE"}},
        {"metadata": {KEY: "1"}},
        Part(INSTANCES[1], "web", {"metadata": {KEY: True}}),
        Part("gcp:compute/projectMetadata:ProjectMetadata", "all", {"metadata": {KEY: "true"}}),
        Part(ITEM, "serial", {"key": KEY, "value": "true"}),
    ],
    good=[
        {"machineType": "e2-micro", "metadata": {KEY: "false"}},
        {"machineType": "e2-micro"},
        Part(ITEM, "serial", {"key": KEY, "value": "false"}),
        Part(ITEM, "login", {"key": "enable-oslogin", "value": "true"}),
    ],
    unsure=[{"metadata": {KEY: UNKNOWN}}, {"metadata": UNKNOWN}, Part(ITEM, "x", {"key": UNKNOWN, "value": "true"})],
)
def gcp_compute_serial_port(resource: Resource) -> Iterator[Finding]:
    """Yield the metadata entry that opens the serial console."""
    if resource.token == ITEM:
        value = resource["value"]
        yield Finding(MESSAGE, at=value, when=resource["key"].equals(KEY) & _is_on(value))
        return
    entry = resource["metadata"][KEY]
    yield Finding(MESSAGE, at=entry, when=_is_on(entry))
