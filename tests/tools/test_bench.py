"""A budget is kept or exceeded by what was measured, and what is measured is what an installed package does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import bench
from tools.bench import Bench, Result, Usage


def test_a_line_tells_whether_the_budget_is_kept() -> None:
    kept, over = Result("a check", 1.5, 2, "times"), Result("a check", 2.5, 2, "times")
    assert kept.kept
    assert not over.kept
    assert str(kept).split() == ["ok", "a", "check", "1.500", "of", "2", "times", "75%"]
    assert str(over).split()[0] == "OVER"


def test_nothing_may_be_the_budget() -> None:
    assert Result("imports", 0, 0, "packages").kept
    assert not Result("imports", 1, 0, "packages").kept
    assert str(Result("imports", 0, 0, "packages")).split() == ["ok", "imports", "0.000", "of", "0", "packages"]


def test_an_exceeded_budget_ends_with_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--quick"])
    for measured, status in ((1.0, 0), (3.0, 1)):
        monkeypatch.setattr(Bench, "results", lambda _, measured=measured, **__: [Result("a", measured, 2, "s")])
        assert bench.main() == status
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["ok", "OVER"]


def test_of_rounds_the_middle_ratio_counts_and_of_moments_the_fastest() -> None:
    ours, theirs = [[Usage(seconds, 0) for seconds in column] for column in ((4, 9, 6), (2, 3, 1))]
    assert bench.middle(ours, theirs) == 3
    assert bench.fastest(ours) == 4


def test_compiled_files_are_there_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    usage = Bench(tmp_path).measured([sys.executable, "-c", "import json.tool"])
    assert 0 < usage.seconds < 60
    assert usage.peak > 1_000_000
    assert any(file.name.startswith("tool.") for file in (tmp_path / "compiled").rglob("*.pyc"))


def test_a_command_that_fails_is_not_measured(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 3"):
        Bench(tmp_path).measured([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.engine
def test_a_pack_judges_as_many_resources_as_it_is_asked_to(tmp_path: Path) -> None:
    with Bench(tmp_path).judging(bench.BASELINE, 3) as judge:
        assert 0 < judge() < 10
        assert 0 < judge() < 10
