"""Cloud Run service or function is open to everyone.

Why: a service that ``allUsers`` may invoke, or that has the check of its callers switched off with
``invokerIamDisabled``, answers whoever finds its address; with ``allAuthenticatedUsers`` any Google account is enough.
That is how a public site or API is made, so it should be one. An ingress setting that takes internal traffic, or
traffic from a load balancer alone, keeps strangers from the address, and Identity-Aware Proxy asks them to log in.

Fix: grant ``roles/run.invoker`` to the service accounts and groups that call the service, leave ``invokerIamDisabled``
off, or set ``ingress`` to ``INGRESS_TRAFFIC_INTERNAL_ONLY``. Exempt a service that is public on purpose.

Sources:
    https://cloud.google.com/run/docs/authenticating/public
    https://cloud.google.com/run/docs/securing/managing-access
    https://cloud.google.com/run/docs/securing/ingress
    https://cloud.google.com/run/docs/securing/identity-aware-proxy-cloud-run
    https://cloud.google.com/functions/docs/securing/managing-access-iam
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Note, Part, Severity, ref, rule
from crossgate.rules.public import _gcp_iam, _gcp_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_GRANT: Final = {"name": ref("api"), "role": "roles/run.invoker", "member": "allUsers"}
_MEMBER: Final = Part("gcp:cloudrunv2/serviceIamMember:ServiceIamMember", "public", _GRANT)
_POLICY: Final = json.dumps({"bindings": [{"role": "roles/run.invoker", "members": ["allUsers"]}]})


def _service(**inputs: object) -> Part:
    return Part("gcp:cloudrunv2/service:Service", "api", {"location": "europe-west1", **inputs})


def _v1(**annotations: object) -> Part:
    named = {f"run.googleapis.com/{key.replace('_', '-')}": value for key, value in annotations.items()}
    return Part("gcp:cloudrun/service:Service", "api", {"location": "europe-west1", "metadata": {"annotations": named}})


def _v1_member(member: object) -> Part:
    return Part("gcp:cloudrun/iamMember:IamMember", "m", {"service": ref("api"), "role": "roles/x", "member": member})


def _function(member: object = "allUsers", function: object = "job") -> Part:
    inputs = {"cloudFunction": function, "role": "roles/cloudfunctions.invoker", "member": member}
    return Part("gcp:cloudfunctions/functionIamMember:FunctionIamMember", "public", inputs)


@rule(
    types=(*_gcp_run.SERVICES, *_gcp_run.GRANTS),
    severity=Severity.MEDIUM,
    neighbours=(*_gcp_run.SERVICES, *_gcp_run.FUNCTIONS),
    equivalents=("checkov:CKV_GCP_102", "checkov:CKV_GCP_107"),
    bad=[
        [_MEMBER, _service()],
        [_MEMBER, _service(ingress="INGRESS_TRAFFIC_ALL", iapEnabled=False)],
        _service(ingress="INGRESS_TRAFFIC_ALL", invokerIamDisabled=True),
        _v1(invoker_iam_disabled="true"),
        [_v1_member("allAuthenticatedUsers"), _v1(ingress="all")],
        [_function(function=ref("job")), Part("gcp:cloudfunctions/function:Function", "job", {"triggerHttp": True})],
        Part("gcp:cloudfunctionsv2/functionIamBinding:FunctionIamBinding", "b", {"members": ["allUsers"]}),
        Part("gcp:cloudrun/iamPolicy:IamPolicy", "p", {"service": "api", "policyData": _POLICY}),
    ],
    good=[
        [
            Part(
                "gcp:cloudrunv2/serviceIamMember:ServiceIamMember",
                "caller",
                {"name": ref("api"), "role": "roles/run.invoker", "member": "group:ops@example.com"},
            ),
            _service(),
        ],
        [_MEMBER, _service(ingress="INGRESS_TRAFFIC_INTERNAL_ONLY")],
        [_MEMBER, _service(iapEnabled=True)],
        _service(invokerIamDisabled=True, ingress="INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"),
        _service(invokerIamDisabled=True, iapEnabled=True),
        _service(invokerIamDisabled=False),
        [_v1_member("allUsers"), _v1(ingress="internal")],
        [
            _function(function=ref("job")),
            Part("gcp:cloudfunctions/function:Function", "job", {"ingressSettings": "ALLOW_INTERNAL_ONLY"}),
        ],
    ],
    unsure=[
        [_MEMBER, _service(ingress=UNKNOWN)],
        _service(invokerIamDisabled=UNKNOWN),
        _service(invokerIamDisabled=True, ingress=UNKNOWN),
        _function(UNKNOWN),
    ],
)
def gcp_run_open_to_everyone(resource: Resource) -> Iterator[Finding]:
    """Yield the switch or the grants that let everyone call, where nothing stands before the service."""
    if resource.token in _gcp_run.SERVICES:
        switch = _gcp_run.unchecked(resource)
        shielded = _gcp_run.is_internal(resource) | _gcp_run.is_behind_iap(resource)
        words = "the check of callers is switched off: anyone can call the service"
        yield Finding(words, at=switch, when=switch.is_true() & ~shielded)
        return
    grants = [grant for grant in _gcp_iam.grants(resource) if not grant[1].is_false]
    if grants:
        shielded = _gcp_run.is_shielded(resource)
        for at, public, reach, _ in grants:
            words = f"IAM grant to {reach}"
            yield Finding(words, at=at, when=public & ~shielded)
            yield Note(
                f"{words}; internal ingress or Identity-Aware Proxy stands before it", at=at, when=public & shielded
            )
