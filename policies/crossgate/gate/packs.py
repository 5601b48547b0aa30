"""Packs by name: those that are shipped, and a team's own tables."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from crossgate.gate.errors import CannotJudgeError, UsageError
from crossgate.pack import Pack, union

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT: Final = "baseline"
SHIPPED: Final = ("baseline", "network-policy", "public-access", "required-tags", "secret-leakage")
_TABLE: Final = "PACK"


def pack_of(names: Sequence[str]) -> Pack:
    """Return one pack of all rules of the packs with these names, each at the highest level any of them gives it.

    Raises:
        UsageError: there is no such pack.
        CannotJudgeError: a pack does not start.

    """
    packs = [load_pack(name) for name in dict.fromkeys(names)]
    return packs[0] if len(packs) == 1 else union(" and ".join(pack.name for pack in packs), "", packs)


def load_pack(name: str) -> Pack:
    """Return the table of a pack: a shipped one by its name, another as ``package.module`` or ``package.module:NAME``.

    Raises:
        UsageError: there is no such pack.
        CannotJudgeError: one of its modules cannot be imported, or it holds no pack.

    """
    module, colon, table = name.partition(":")
    if name in SHIPPED:
        module = f"crossgate.packs.{name.replace('-', '_')}"
    elif "." not in module and not colon:
        raise UsageError(
            f"no pack is named {name}; there are {', '.join(SHIPPED)}, or name a table of your own: package.module:PACK"
        )
    elif not all(part.isidentifier() for part in module.split(".")):
        raise UsageError(f"pack {name}: not the name of a module; a table of your own is named package.module:PACK")
    try:
        found = getattr(import_module(module), table or _TABLE, None)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}.") and name not in SHIPPED:
            raise UsageError(f"pack {name}: there is no module {error.name} on Python's path (PYTHONPATH)") from None
        raise CannotJudgeError(f"pack {name} cannot be loaded: the module {error.name} is missing") from None
    except Exception as error:  # noqa: BLE001 - a rule file may fail with anything; its text may hold anything
        raise CannotJudgeError(f"pack {name} cannot be loaded: {_place(error)}") from None
    if not isinstance(found, Pack):
        raise CannotJudgeError(f"pack {name} cannot be loaded: {module} has no pack {table or _TABLE}")
    return found


def _place(error: Exception) -> str:
    """Return what kind of error it is and where it arose, by file and line."""
    from traceback import walk_tb

    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__} in {_file(error.filename)}:{error.lineno}"
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    file, line = next((place for place in reversed(places) if not place[0].startswith("<frozen")), places[-1])
    return f"{type(error).__name__} in {_file(file)}:{line}"


def _file(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
