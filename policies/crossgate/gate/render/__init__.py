"""A report in words: one module per format, loaded only when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from crossgate.gate.render._counts import summary_line

if TYPE_CHECKING:
    from crossgate.gate.console import View
    from crossgate.gate.report import Report

__all__ = ["FORMATS", "render", "summary_line"]

_RENDERERS: Final = {
    "text": "crossgate.gate.render.text",
    "json": "crossgate.gate.render.json_v1",
}
FORMATS: Final = tuple(_RENDERERS)
"""The names of the formats, the default one first."""


def render(report: Report, format_: str, view: View) -> str:
    """Return ``report`` in the format of this name: the same text for the same report."""
    text: str = import_module(_RENDERERS[format_]).render(report, view)
    return text
