"""Gateways of the Gateway API.

Source: https://gateway-api.sigs.k8s.io/reference/spec/
"""

from __future__ import annotations

from typing import Final

GATEWAYS: Final = tuple(
    f"kubernetes:gateway.networking.k8s.io/{version}:Gateway" for version in ("v1", "v1beta1", "v1alpha2")
)
