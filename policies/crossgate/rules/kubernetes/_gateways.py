"""Gateways of the Gateway API.

Source: https://gateway-api.sigs.k8s.io/concepts/security-model/
"""

from __future__ import annotations

from typing import Final

GROUP: Final = "kubernetes:gateway.networking.k8s.io"
VERSIONS: Final = ("v1", "v1beta1", "v1alpha2")
GATEWAYS: Final = tuple(f"{GROUP}/{version}:Gateway" for version in VERSIONS)
