"""Cloud function takes requests from the whole internet.

Why: with ingress ``ALLOW_ALL``, the default, the function's address answers from everywhere, and the check of the
caller's identity is all that stands before the code. A function that only other services call needs no such door.

Fix: set ``ingressSettings`` (in ``serviceConfig`` for the second generation) to ``ALLOW_INTERNAL_ONLY``, or to
``ALLOW_INTERNAL_AND_GCLB`` behind a load balancer.

Sources:
    https://cloud.google.com/functions/docs/networking/network-settings
    https://cloud.google.com/run/docs/securing/ingress
    https://www.pulumi.com/registry/packages/gcp/api-docs/cloudfunctions/function/
    https://www.pulumi.com/registry/packages/gcp/api-docs/cloudfunctionsv2/function/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import FALSE, UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.public import _gcp_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def _second(**config: object) -> Part:
    return Part(_gcp_run.FUNCTION_V2, "job", {"location": "europe-west1", "serviceConfig": config})


@rule(
    types=_gcp_run.FUNCTIONS,
    severity=Severity.LOW,
    equivalents=("checkov:CKV_GCP_124",),
    bad=[
        {"runtime": "python312", "triggerHttp": True, "ingressSettings": "ALLOW_ALL"},
        {"runtime": "python312", "triggerHttp": True},
        _second(ingressSettings="ALLOW_ALL"),
        _second(availableMemory="256M"),
        Part(_gcp_run.FUNCTION_V2, "job", {"location": "europe-west1"}),
    ],
    good=[
        {"runtime": "python312", "triggerHttp": True, "ingressSettings": "ALLOW_INTERNAL_ONLY"},
        {"runtime": "python312", "triggerHttp": True, "ingressSettings": "ALLOW_INTERNAL_AND_GCLB"},
        {"runtime": "python312", "eventTrigger": {"eventType": "google.pubsub.topic.publish", "resource": "orders"}},
        _second(ingressSettings="ALLOW_INTERNAL_ONLY"),
    ],
    unsure=[{"triggerHttp": True, "ingressSettings": UNKNOWN}, _second(ingressSettings=UNKNOWN)],
)
def gcp_function_open_ingress(function: Resource) -> Iterator[Finding]:
    """Yield the ingress setting that lets everything in; a first-generation function on events has no address."""
    setting = _gcp_run.ingress(function)
    eventful = FALSE
    if function.token == _gcp_run.FUNCTION_V1:
        eventful = function["eventTrigger"].exists() & ~function["triggerHttp"].is_true()
    state = "left out, and so ALLOW_ALL" if setting.exists().is_false else "ALLOW_ALL"
    yield Finding(
        f"ingress is {state}: the function's address answers from the whole internet",
        at=setting,
        when=~_gcp_run.is_internal(function) & ~eventful,
    )
