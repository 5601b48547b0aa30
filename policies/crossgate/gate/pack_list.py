"""`crossgate pack list`: the shipped packs, their versions, and what they do to a stack."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from crossgate.pack import Level
from crossgate.packs import _build

if TYPE_CHECKING:
    import argparse

    from crossgate.gate.console import Console
    from crossgate.pack import Pack


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments: there are none."""
    del parser


def run(options: argparse.Namespace, console: Console) -> int:
    """List the packs, one a line."""
    del options
    rows = [(name, _build.version(name), _policies(pack), pack.title) for name, pack in _packs()]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        console.write(f"{'  '.join([*cells, row[3]])}\n")
    return 0


def _packs() -> list[tuple[str, Pack]]:
    return [(name, _build.load(name)) for name in _build.names()]


def _policies(pack: Pack) -> str:
    """Return how many policies the pack has at each level: ``12 mandatory, 3 advisory``."""
    counts = Counter(entry.level for entry in pack.entries)
    return ", ".join(f"{counts[level]} {level.value}" for level in reversed(Level) if counts[level])
