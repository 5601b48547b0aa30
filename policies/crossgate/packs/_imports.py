"""Which modules a program needs, found by reading its imports: nothing is run."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PACKAGE: Final = "crossgate"
_COMPUTED: Final = "*computed*"


class ImportGapError(Exception):
    """An import that cannot be followed, so that nobody can tell what the program needs."""


class Needs(NamedTuple):
    """What a program needs beside the standard library."""

    modules: Mapping[str, Path]
    """Our own modules: the file by its path below the source root, such as ``crossgate/judge.py``; sorted."""
    outside: frozenset[str]
    """Top-level names of everybody else's, such as ``grpc``."""


def needs(program: Path, root: Path) -> Needs:
    """Follow the imports of ``program`` through the package below ``root``.

    Imports in functions count, since they happen sooner or later; those under ``if TYPE_CHECKING`` never happen.

    Raises:
        ImportGapError: a module of ours that is not there, or one that is named by a computed text.

    """
    modules: dict[str, Path] = {}
    outside: set[str] = set()
    to_read = [("", program)]
    while to_read:
        package, file = to_read.pop()
        for name, required in _imported(file.read_bytes(), file.name, package):
            top = name.partition(".")[0]
            if top != PACKAGE:
                outside.update({top} - sys.stdlib_module_names)
                continue
            for module, found in _files_of(name, root, file, required=required):
                path = found.relative_to(root).as_posix()
                if path not in modules:
                    modules[path] = found
                    to_read.append((module if found.name == "__init__.py" else module.rpartition(".")[0], found))
    return Needs(dict(sorted(modules.items())), frozenset(outside))


def _files_of(name: str, root: Path, importer: Path, *, required: bool) -> Iterator[tuple[str, Path]]:
    """Yield the module and the packages around it, each with its file; nothing for a name that is no module."""
    parts = name.split(".")
    found = [_file_of(root.joinpath(*parts[:length])) for length in range(1, len(parts) + 1)]
    for length, file in enumerate(found, start=1):
        if file is not None:
            yield ".".join(parts[:length]), file
        elif required or length < len(parts):
            raise ImportGapError(f"{importer.name} imports {name}, which is not there")


def _file_of(stem: Path) -> Path | None:
    return next((file for file in (stem / "__init__.py", stem.with_suffix(".py")) if file.is_file()), None)


@cache
def _imported(source: bytes, name: str, package: str) -> tuple[tuple[str, bool], ...]:
    """Return each module name that a file of ``package`` imports, and whether it must be a module.

    In ``from a import b``, ``b`` may be a module or anything else.

    Raises:
        ImportGapError: see :func:`needs`.

    """
    found: dict[tuple[str, bool], None] = {}
    for node in _executed(ast.parse(source, name)):
        if isinstance(node, ast.Import):
            found.update(((alias.name, True), None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            found[base, True] = None
            found.update(((f"{base}.{alias.name}", False), None) for alias in node.names)
        elif isinstance(node, ast.Call) and (called := _called_for(node)):
            if called == _COMPUTED:
                raise ImportGapError(f"{name}, line {node.lineno}: imports a module by a computed name")
            found[called, True] = None
    return tuple(found)


def _executed(tree: ast.Module) -> Iterator[ast.stmt | ast.Call]:
    """Yield the statements and calls of ``tree``, without what stands under ``if TYPE_CHECKING``."""
    to_visit: list[ast.AST] = list(tree.body)
    while to_visit:
        node = to_visit.pop()
        if isinstance(node, (ast.stmt, ast.Call)):
            yield node
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            to_visit.extend(node.orelse)
        else:
            to_visit.extend(ast.iter_child_nodes(node))


def _is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def _absolute(node: ast.ImportFrom, package: str) -> str:
    """Return the module that ``from … import`` names, a relative one resolved in ``package``."""
    if not node.level:
        return node.module or ""
    above = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*above, node.module] if node.module else above)


def _called_for(node: ast.Call) -> str:
    """Return the name that a call of ``import_module`` or ``__import__`` imports; empty for any other call."""
    function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if function not in {"import_module", "__import__"} or not node.args:
        return ""
    name = node.args[0]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else _COMPUTED
