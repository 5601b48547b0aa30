"""Who can reach and call a Cloud Run service or a function, in the shapes of both generations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import FALSE, any_of
from crossgate.rules.public import _gcp_iam

if TYPE_CHECKING:
    from crossgate import Resource, Truth, Value

RUN_V1: Final = "gcp:cloudrun/service:Service"
RUN_V2: Final = "gcp:cloudrunv2/service:Service"
FUNCTION_V1: Final = "gcp:cloudfunctions/function:Function"
FUNCTION_V2: Final = "gcp:cloudfunctionsv2/function:Function"
SERVICES: Final = (RUN_V1, RUN_V2)
FUNCTIONS: Final = (FUNCTION_V1, FUNCTION_V2)
INVOKERS: Final = ("roles/run.invoker", "roles/cloudfunctions.invoker", "roles/run.servicesInvoker")
"""The roles that let call a service or a function and nothing else."""

_GRANTS: Final = {
    f"gcp:{module}/{name[0].lower()}{name[1:]}{kind}:{name}{kind}": (via, target)
    for module, name, via, target in (
        ("cloudrun", "Iam", "service", RUN_V1),
        ("cloudrunv2", "ServiceIam", "name", RUN_V2),
        ("cloudfunctions", "FunctionIam", "cloudFunction", FUNCTION_V1),
        ("cloudfunctionsv2", "FunctionIam", "cloudFunction", FUNCTION_V2),
    )
    for kind in ("Member", "Binding", "Policy")
}
GRANTS: Final = tuple(_GRANTS)
_INGRESS: Final = "run.googleapis.com/ingress"
_NO_CHECK: Final = "run.googleapis.com/invoker-iam-disabled"
_IAP: Final = "run.googleapis.com/iap-enabled"
_INTERNAL: Final = (
    "internal",
    "internal-and-cloud-load-balancing",
    "INGRESS_TRAFFIC_INTERNAL_ONLY",
    "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER",
    "INGRESS_TRAFFIC_NONE",
    "ALLOW_INTERNAL_ONLY",
    "ALLOW_INTERNAL_AND_GCLB",
)


def is_service_grant(token: str) -> bool:
    """Return whether resources of this type grant roles on a service or function that answers HTTP."""
    return token in _GRANTS and _gcp_iam.kind(token) != ""


def ingress(service: Resource) -> Value:
    """Return the setting that says from where requests are taken; left out, it means from everywhere."""
    if service.token == RUN_V1:
        return service["metadata"]["annotations"][_INGRESS]
    if service.token == RUN_V2:
        return service["ingress"]
    return service["ingressSettings"] if service.token == FUNCTION_V1 else service["serviceConfig"]["ingressSettings"]


def is_internal(service: Resource) -> Truth:
    """Does the service take requests from inside, or through a load balancer, alone?"""
    return ingress(service).is_in(_INTERNAL)


def unchecked(service: Resource) -> Value:
    """Return the switch that takes the check of callers away."""
    return service["metadata"]["annotations"][_NO_CHECK] if service.token == RUN_V1 else service["invokerIamDisabled"]


def is_behind_iap(service: Resource) -> Truth:
    """Does Identity-Aware Proxy ask every caller to log in first?"""
    if service.token in FUNCTIONS:
        return FALSE
    return (service["metadata"]["annotations"][_IAP] if service.token == RUN_V1 else service["iapEnabled"]).is_true()


def is_shielded(grant: Resource) -> Truth:
    """Is the service that a grant is about internal, or behind Identity-Aware Proxy?"""
    via, target = _GRANTS[grant.token]
    return any_of(
        link.linked & (is_internal(link.resource) | is_behind_iap(link.resource))
        for link in grant.targets(via, (target,))
    )
