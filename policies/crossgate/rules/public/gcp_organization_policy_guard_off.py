"""Organization policy switches a guard against public access off.

Why: these constraints refuse what a program gets wrong: a bucket that is shared with everyone, a database with a public
address, a member from outside the organisation. A policy that switches one off, or lets every value pass, takes the
guard away from a project, a folder or the whole organisation, and nothing else refuses the next mistake there. A policy
that is reset to Google's default does the same: by default none of them is enforced.

A rule with a condition is an exception for what it names, and passes.

Fix: enforce the constraint, and make the exception as narrow as what needs it: a rule with a condition on a tag, or a
policy on the one project that is public.

Sources:
    https://cloud.google.com/resource-manager/docs/organization-policy/org-policy-constraints
    https://cloud.google.com/storage/docs/org-policy-constraints
    https://cloud.google.com/resource-manager/docs/organization-policy/restricting-domains
    https://www.pulumi.com/registry/packages/gcp/api-docs/orgpolicy/policy/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Truth, Value

POLICY: Final = "gcp:orgpolicy/policy:Policy"
OLDER: Final = (
    "gcp:projects/organizationPolicy:OrganizationPolicy",
    "gcp:folder/organizationPolicy:OrganizationPolicy",
    "gcp:organizations/policy:Policy",
)
"""The types of the first API, which name the constraint by itself."""
ENFORCED: Final = ("storage.publicAccessPrevention", "sql.restrictPublicIp", "sql.restrictAuthorizedNetworks")
"""Constraints that are on or off."""
LISTED: Final = ("iam.allowedPolicyMemberDomains", "compute.vmExternalIpAccess")
"""Constraints that list what they let pass."""


def _policy(constraint: Any, *rules: Any, **spec: Any) -> Part:
    name = constraint if constraint == UNKNOWN else f"projects/shop/policies/{constraint}"
    return Part(POLICY, "guard", {"name": name, "parent": "projects/shop", "spec": {"rules": list(rules), **spec}})


def _older(constraint: Any, token: str = OLDER[0], **inputs: Any) -> Part:
    return Part(token, "guard", {"constraint": constraint, **inputs})


_ON: Final = {"enforce": "TRUE"}
_OFF: Final = {"enforce": "FALSE"}
_TAGGED: Final = {"condition": {"expression": "resource.matchTag('123/public', 'yes')"}}


@rule(
    types=(POLICY, *OLDER),
    severity=Severity.MEDIUM,
    bad=[
        _policy("storage.publicAccessPrevention", _OFF),
        _policy("sql.restrictPublicIp", UNKNOWN, _OFF),
        _policy("iam.allowedPolicyMemberDomains", {"allowAll": "TRUE"}),
        _policy("compute.vmExternalIpAccess", reset=True),
        _older("constraints/sql.restrictAuthorizedNetworks", booleanPolicy={"enforced": False}),
        _older("iam.allowedPolicyMemberDomains", OLDER[1], listPolicy={"allow": {"all": True}}),
        _older("constraints/storage.publicAccessPrevention", OLDER[2], restorePolicy={"default": True}),
    ],
    good=[
        _policy("storage.publicAccessPrevention", _ON),
        _policy("storage.publicAccessPrevention", _ON, {**_OFF, **_TAGGED}),
        _policy("iam.allowedPolicyMemberDomains", {"values": {"allowedValues": ["C0abc123"]}}),
        _policy("compute.requireOsLogin", _OFF),
        _older("constraints/sql.restrictPublicIp", booleanPolicy={"enforced": True}),
        _older("compute.vmExternalIpAccess", listPolicy={"deny": {"all": True}}),
        _older("constraints/compute.requireOsLogin", booleanPolicy={"enforced": False}),
    ],
    unsure=[
        _policy("storage.publicAccessPrevention", {"enforce": UNKNOWN}),
        _policy(UNKNOWN, _OFF),
        _older("constraints/sql.restrictPublicIp", booleanPolicy=UNKNOWN),
    ],
)
def gcp_organization_policy_guard_off(policy: Resource) -> Iterator[Finding]:
    """Yield what switches a constraint off, or lets every value pass."""
    if policy.token == POLICY:
        name, spec = policy["name"], policy["spec"]
        for each in spec["rules"].each():
            everywhere = each["condition"].is_empty()
            yield _off(each["enforce"], _names(name, ENFORCED) & everywhere & _says(each["enforce"], "false"))
            yield _open(each["allowAll"], _names(name, LISTED) & everywhere & _says(each["allowAll"], "true"))
        reset = spec["reset"]
    else:
        name = policy["constraint"]
        enforced, every = policy["booleanPolicy"]["enforced"], policy["listPolicy"]["allow"]["all"]
        yield _off(enforced, _names(name, ENFORCED) & _says(enforced, "false"))
        yield _open(every, _names(name, LISTED) & _says(every, "true"))
        reset = policy["restorePolicy"]["default"]
    yield Finding(
        "the guard is reset to Google's default, which is off",
        at=reset,
        when=_names(name, (*ENFORCED, *LISTED)) & reset.is_true(),
    )


def _off(at: Value, when: Truth) -> Finding:
    return Finding("the guard is switched off: nothing refuses what it was there to refuse", at=at, when=when)


def _open(at: Value, when: Truth) -> Finding:
    return Finding("every value passes: nothing refuses what the guard was there to refuse", at=at, when=when)


def _names(name: Value, constraints: tuple[str, ...]) -> Truth:
    return name.test(lambda content: str(content).rpartition("/")[2] in constraints)


def _says(value: Value, word: str) -> Truth:
    return value.test(lambda content: str(content).lower() == word)
