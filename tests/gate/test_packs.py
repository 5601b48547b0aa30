"""Packs by name."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossgate.gate.errors import CannotJudgeError, GateError, UsageError
from crossgate.gate.packs import DEFAULT, SHIPPED, load_pack, pack_of
from crossgate.pack import Level, Pack
from tests.gate import outcomes
from tests.gate.conftest import ROOT

PASSWORD = "hunter" + "2"


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of modules that can be imported."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_pack_is_found_by_its_name(name: str) -> None:
    assert name == load_pack(name).name


def test_the_shipped_packs_are_those_of_the_checkout() -> None:
    assert sorted(SHIPPED) == sorted(path.parent.name for path in (ROOT / "packs").glob("*/PulumiPolicy.yaml"))
    assert DEFAULT in SHIPPED


def test_a_table_of_one_s_own_is_found_by_its_module(modules: Path) -> None:
    assert outcomes.PACK is load_pack("tests.gate.outcomes")
    (modules / "ours.py").write_text("from tests.gate.outcomes import PACK\nOTHER = PACK\n")
    assert outcomes.PACK is load_pack("ours:OTHER") is load_pack("ours:PACK") is load_pack("ours:")


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("nonsense", UsageError, "no pack is named nonsense; there are baseline, network-policy, "),
        ("", UsageError, "no pack is named ; there are"),
        ("../baseline", UsageError, "pack ../baseline: not the name of a module"),
        (".relative", UsageError, "pack .relative: not the name of a module"),
        ("nowhere.pack", UsageError, "pack nowhere.pack: there is no module nowhere on Python's path (PYTHONPATH)"),
        ("crossgate.nowhere", UsageError, "pack crossgate.nowhere: there is no module crossgate.nowhere on"),
        ("broken:PACK", CannotJudgeError, "pack broken:PACK cannot be loaded: RuntimeError in broken.py:3"),
        ("garbled:PACK", CannotJudgeError, "pack garbled:PACK cannot be loaded: SyntaxError in garbled.py:2"),
        ("needy:PACK", CannotJudgeError, "pack needy:PACK cannot be loaded: the module no_such_module is missing"),
        ("empty:PACK", CannotJudgeError, "pack empty:PACK cannot be loaded: empty has no pack PACK"),
        ("empty:NUMBER", CannotJudgeError, "pack empty:NUMBER cannot be loaded: empty has no pack NUMBER"),
    ],
)
def test_what_is_no_pack_is_said(modules: Path, name: str, error: type[GateError], words: str) -> None:
    (modules / "broken.py").write_text(f"\n\nraise RuntimeError({PASSWORD!r})\n")
    (modules / "garbled.py").write_text("x = 1\ndef (\n")
    (modules / "needy.py").write_text("import no_such_module\n")
    (modules / "empty.py").write_text("NUMBER = 7\n")
    with pytest.raises(error) as caught:
        load_pack(name)
    assert str(caught.value).startswith(words)
    assert PASSWORD not in str(caught.value)


def test_several_packs_are_one(modules: Path) -> None:
    stricter = Pack("stricter", "", [(entry.rule, Level.MANDATORY) for entry in outcomes.PACK.entries])
    (modules / "strict.py").write_text("PACK = None")
    import strict  # type: ignore[import-not-found] # written by the line above

    strict.PACK = stricter
    both = pack_of(["tests.gate.outcomes", "strict:PACK"])
    assert [Level.MANDATORY] * 4 == [entry.level for entry in both.entries]
    assert outcomes.PACK is pack_of(["tests.gate.outcomes", "tests.gate.outcomes"])
