"""Imports point one way, so that a rule can be read, tested and shipped alone."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

POLICIES = Path(__file__).resolve().parents[2] / "policies"
MODULES = {
    ".".join(path.relative_to(POLICIES).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (POLICIES / "crossgate").rglob("*.py")
}
VALUES = {"model", "truth", "value"}
RULES = VALUES | {"", "rule", "rules"}
KERNEL = RULES | {"judge", "pack", "words"}


def part(module: str) -> str:
    """Return the folder or file below `crossgate` that a module belongs to; the facade is the empty name."""
    return module.partition(".")[2].partition(".")[0]


def imported(module: str) -> Iterator[str]:
    """Yield the modules that one imports anywhere in it, also late ones and those for its types alone."""
    path = MODULES[module]
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *filter(None, [node.module])])
            inner = [f"{origin}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else origin for name in inner)


def arrows(start: set[str]) -> Iterator[tuple[str, str]]:
    """Yield each import within crossgate, as the importing module and the part it imports from."""
    for module in MODULES:
        if part(module) in start:
            yield from ((module, part(name)) for name in imported(module) if name.partition(".")[0] == "crossgate")


ALL = {part(module) for module in MODULES}


@pytest.mark.parametrize(
    ("start", "allowed"),
    [
        pytest.param(VALUES, VALUES, id="values know nothing of rules"),
        pytest.param({"rule"}, VALUES | {"rule"}, id="rule"),
        pytest.param({"rules"}, RULES, id="rules know neither the judge nor the doors"),
        pytest.param({"judge"}, RULES - {"rules"} | {"judge"}, id="judge"),
        pytest.param({"", "pack"}, KERNEL - {"rules"}, id="the kernel knows no rule"),
        pytest.param({"sources", "crossguard"}, ALL - {"gate", "testing", "rules"}, id="doors know no rule"),
        pytest.param(ALL - {"gate"}, ALL - {"gate"}, id="nothing imports the gate"),
        pytest.param(ALL - {"gate", "testing"}, ALL - {"gate", "testing"}, id="nothing relies on the harness"),
    ],
)
def test_imports_point_one_way(start: set[str], allowed: set[str]) -> None:
    assert [] == [arrow for arrow in arrows(start) if arrow[1] not in allowed]


def test_the_kernel_and_the_rules_need_only_the_standard_library() -> None:
    outside = [
        (module, name)
        for module in MODULES
        if part(module) in KERNEL
        for name in imported(module)
        if name.partition(".")[0] not in sys.stdlib_module_names | {"crossgate"}
    ]
    assert [] == outside


def test_the_search_sees_relative_and_late_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("from . import b\nfrom ..gate.cli import main\ndef f():\n    import yaml.nodes\n")
    monkeypatch.setitem(MODULES, "crossgate.rules.a", tmp_path / "a.py")
    monkeypatch.setitem(MODULES, "crossgate.rules.b", tmp_path / "b.py")
    assert ["crossgate.rules.b", "crossgate.gate.cli", "yaml.nodes"] == list(imported("crossgate.rules.a"))
