"""Azure container registry lets anyone pull its images.

Why: with anonymous pull, whoever knows the registry's name downloads every image in it, with all that was built into
them: source code, configuration, now and then a key. Nobody signs in, so nobody can be told apart.

Fix: leave ``anonymousPullEnabled`` out, and give the clusters that pull the role AcrPull.

Sources:
    https://learn.microsoft.com/azure/container-registry/anonymous-pull-access
    https://www.pulumi.com/registry/packages/azure/api-docs/containerservice/registry/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_NATIVE: Final = "azure-native:containerregistry:Registry"
_WITH_ANONYMOUS_PULL: Final = ("Standard", "Premium")
"""The service tiers that have it; in another one Azure refuses it."""


@rule(
    types=("azure:containerservice/registry:Registry", _NATIVE),
    severity=Severity.HIGH,
    equivalents=("checkov:CKV_AZURE_138",),
    bad=[
        {"sku": "Premium", "anonymousPullEnabled": True},
        {"sku": "Standard", "anonymousPullEnabled": True},
        Part(_NATIVE, "images", {"sku": {"name": "Premium"}, "anonymousPullEnabled": True}),
    ],
    good=[
        {"sku": "Premium"},
        {"sku": "Premium", "anonymousPullEnabled": False},
        {"sku": "Basic", "anonymousPullEnabled": True},
        Part(_NATIVE, "images", {"sku": {"name": "Standard"}}),
    ],
    unsure=[
        {"sku": "Premium", "anonymousPullEnabled": UNKNOWN},
        {"sku": UNKNOWN, "anonymousPullEnabled": True},
    ],
)
def azure_container_registry_anonymous_pull(registry: Resource) -> Iterator[Finding]:
    """Yield the switch that lets anyone pull."""
    tier = registry["sku"]["name"] if registry.token == _NATIVE else registry["sku"]
    switch = registry["anonymousPullEnabled"]
    yield Finding(
        "anyone can pull its images without signing in",
        at=switch,
        when=switch.is_true() & tier.is_in(_WITH_ANONYMOUS_PULL),
    )
