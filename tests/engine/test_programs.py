"""Everyday programs, as the vendors' documentation writes them, pass their first preview with default settings."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from crossgate.testing.driver import Engine
from crossgate.testing.packs import stage_pack

PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*.py"))


def load(path: Path) -> Callable[[], object]:
    spec = importlib.util.spec_from_file_location(f"everyday_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    program: Callable[[], object] = module.program
    return program


def test_there_are_enough_of_them() -> None:
    assert len(PROGRAMS) >= 40


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_everyday_program_passes_its_first_preview(path: Path, engine: Engine, tmp_path: Path) -> None:
    run = engine.preview(load(path), policy_packs=[stage_pack("baseline", tmp_path / "packs")])
    blocked = [(event.policy, event.urn, event.message) for event in run.policy_events if event.level == "mandatory"]
    assert blocked == []
    assert run.success, run.errors
