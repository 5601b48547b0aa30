"""Azure compute gallery is open to everyone.

Why: whoever has an Azure account can start a machine from each image of a community gallery and read its whole disk,
with the configuration, the code and the keys that were built into it.

Fix: set ``sharing.permission`` to ``Private`` or ``Groups`` (azure-native: ``sharingProfile.permissions``) and share
the gallery with the subscriptions, tenants or principals that need it.

Sources:
    https://learn.microsoft.com/azure/virtual-machines/share-gallery
    https://learn.microsoft.com/azure/virtual-machines/azure-compute-gallery
    https://www.pulumi.com/registry/packages/azure/api-docs/compute/sharedimagegallery/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crossgate import UNKNOWN, Finding, Part, Severity, rule
from crossgate.rules.network._settings import follow, says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource

_PLACES: Final = {
    "azure:compute/sharedImageGallery:SharedImageGallery": ("sharing", "permission"),
    "azure-native:compute:Gallery": ("sharingProfile", "permissions"),
}
_, _NATIVE = _PLACES


@rule(
    types=tuple(_PLACES),
    severity=Severity.MEDIUM,
    bad=[
        {"sharing": {"permission": "Community", "communityGallery": {"prefix": "acme"}}},
        Part(_NATIVE, "images", {"sharingProfile": {"permissions": "Community"}}),
        Part("azure-native:compute/v20220303:Gallery", "images", {"sharingProfile": {"permissions": "Community"}}),
    ],
    good=[
        {"description": "images of the shop"},
        {"sharing": {"permission": "Groups"}},
        Part(_NATIVE, "images", {"sharingProfile": {"permissions": "Private"}}),
    ],
    unsure=[
        {"sharing": {"permission": UNKNOWN}},
        Part(_NATIVE, "images", {"sharingProfile": UNKNOWN}),
    ],
)
def azure_image_gallery_public(gallery: Resource) -> Iterator[Finding]:
    """Yield the permission that makes it a community gallery."""
    permission = follow(gallery, _PLACES[gallery.token])
    yield Finding("everyone in Azure can use its images", at=permission, when=says(permission, "community"))
