"""Following imports without running anything: what counts, what does not, and what cannot be followed."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from crossgate.packs._imports import ImportGapError, Needs, needs


def follow(folder: Path, program: str, modules: Mapping[str, str]) -> Needs:
    """Write ``modules``, by path below the package, with the ``__init__.py`` of each folder, and follow ``program``."""
    package = folder / "crossgate"
    for path, text in {"__init__.py": "", **modules}.items():
        file = package / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        for around in file.relative_to(package).parents:
            (package / around / "__init__.py").touch()
    (folder / "program.py").write_text(program)
    return needs(folder / "program.py", folder)


def ours(found: Needs) -> list[str]:
    return [path.removeprefix("crossgate/") for path in found.modules if not path.endswith("__init__.py")]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("import crossgate.a.b", ["a/b.py"]),
        ("import crossgate.a.b as other", ["a/b.py"]),
        ("from crossgate.a import b", ["a/b.py"]),
        ("from crossgate.a import b, nothing", ["a/b.py"]),
        ("from crossgate.a.b import value", ["a/b.py"]),
        ("from crossgate.a.b import *", ["a/b.py"]),
        ("def later():\n    from crossgate.a import b", ["a/b.py"]),
        ("try:\n    from crossgate.a import b\nexcept ImportError:\n    pass", ["a/b.py"]),
        ("import importlib\nimportlib.import_module('crossgate.a.b')", ["a/b.py"]),
        ("__import__('crossgate.a.b')", ["a/b.py"]),
        ("if TYPE_CHECKING:\n    from crossgate.a import b", []),
        ("import typing\nif typing.TYPE_CHECKING:\n    from crossgate.a import b", []),
        ("if TYPE_CHECKING:\n    import crossgate.c\nelse:\n    from crossgate.a import b", ["a/b.py"]),
        ("text = 'from crossgate.a import b'", []),
        ("from crossgate.d import x", ["a/b.py", "c.py", "d.py"]),
        ("import crossgate.e", ["a/b.py", "e/f.py"]),
    ],
)
def test_our_modules_are_found(program: str, expected: list[str], tmp_path: Path) -> None:
    modules = {
        "a/b.py": "",
        "c.py": "from .a import b",
        "d.py": "from . import c",
        "e/__init__.py": "from .f import x",
        "e/f.py": "from ..a.b import value",
    }
    assert expected == ours(follow(tmp_path, program, modules))


def test_the_packages_around_a_module_are_needed_and_read(tmp_path: Path) -> None:
    """Python runs them first, so what they import is needed too."""
    found = follow(tmp_path, "import crossgate.a.b", {"a/__init__.py": "import crossgate.c", "a/b.py": "", "c.py": ""})
    assert ["__init__.py", "a/__init__.py", "a/b.py", "c.py"] == [
        path.removeprefix("crossgate/") for path in found.modules
    ]


def test_modules_that_import_each_other_end(tmp_path: Path) -> None:
    assert ["a.py", "b.py"] == ours(
        follow(tmp_path, "import crossgate.a", {"a.py": "import crossgate.b", "b.py": "import crossgate.a"})
    )


def test_what_others_must_bring_is_named(tmp_path: Path) -> None:
    program = "import json, yaml.nodes\nfrom google.protobuf import empty_pb2\nfrom crossgate import a"
    assert frozenset({"yaml", "google", "grpc"}) == follow(tmp_path, program, {"a.py": "import grpc"}).outside


def test_a_module_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportGapError, match=r"^program\.py imports crossgate\.a\.c, which is not there$"):
        follow(tmp_path, "import crossgate.a.c", {"a/b.py": ""})


def test_a_module_below_something_that_is_no_package_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportGapError, match=r"crossgate\.a\.b\.c"):
        follow(tmp_path, "from crossgate.a.b.c import d", {"a/b.py": ""})


@pytest.mark.parametrize(
    "call", ["import_module(name)", "importlib.import_module('crossgate.' + name)", "__import__(n)"]
)
def test_a_computed_name_is_an_error_since_nobody_can_tell_what_it_needs(call: str, tmp_path: Path) -> None:
    with pytest.raises(ImportGapError, match=r"^a\.py, line 2: imports a module by a computed name$"):
        follow(tmp_path, "import crossgate.a", {"a.py": f"\n{call}"})
