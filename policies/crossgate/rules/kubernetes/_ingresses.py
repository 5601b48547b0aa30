"""Ingresses in all their API groups.

Source: https://kubernetes.io/docs/concepts/services-networking/ingress/
"""

from __future__ import annotations

from typing import Final

from crossgate.rules.kubernetes._objects import every_form

INGRESSES: Final = every_form(
    (
        "kubernetes:networking.k8s.io/v1:Ingress",
        "kubernetes:networking.k8s.io/v1beta1:Ingress",
        "kubernetes:extensions/v1beta1:Ingress",
    )
)
