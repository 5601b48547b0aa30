"""Lay a pack out so that the engine can start it from a checkout, without installing anything."""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]


def stage_pack(name: str, folder: Path) -> Path:
    """Make a copy of the shipped pack ``name`` in ``folder`` and return it.

    Its code is the checkout's, by a link, and its virtual environment is the one this process runs in, so that the
    pack's PulumiPolicy.yaml stands as it ships.
    """
    pack = folder / name
    pack.mkdir(parents=True)
    for file in (_ROOT / "packs" / name).iterdir():
        if file.is_file():
            (pack / file.name).write_bytes(file.read_bytes())
    (pack / "crossgate").symlink_to(_ROOT / "policies" / "crossgate")
    (pack / "venv").symlink_to(sys.prefix)
    return pack


def stage_test_pack(folder: Path, table: str) -> Path:
    """Make a pack in ``folder`` whose ``__main__.py`` is ``table``: Python that ends with ``serve(PACK)``."""
    pack = folder / "test-pack"
    pack.mkdir(parents=True)
    (pack / "PulumiPolicy.yaml").write_text(
        "version: 0.0.1\nruntime:\n  name: python\n  options:\n    toolchain: pip\n    virtualenv: venv\n"
    )
    (pack / "__main__.py").write_text(table)
    (pack / "crossgate").symlink_to(_ROOT / "policies" / "crossgate")
    (pack / "venv").symlink_to(sys.prefix)
    return pack
