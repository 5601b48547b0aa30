"""Lay the gate's own packs out as one pack that the engine can start, with nothing installed for it.

The engine starts a pack in a folder by the language host for Python, which runs ``python -m pulumi.policy`` in the
virtual environment that PulumiPolicy.yaml names. Here that one has the interpreter that runs the gate, and the pack
looks for modules where the gate does, so that it sees a team's own tables as well.

Sources:
    https://github.com/pulumi/pulumi/blob/master/sdk/python/toolchain/pip.go
    https://github.com/pulumi/pulumi/blob/master/sdk/python/lib/pulumi/policy/__main__.py
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crossgate.gate.errors import CannotJudgeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from crossgate.config.engine import PolicySetting

NAME: Final = "crossgate-preview"
"""The staged pack's name: of no pack that is published, so that the engine's events tell them apart."""

_MAIN: Final = """\
import sys

sys.path[:] = {path!r}

from crossgate.crossguard.server import serve
from crossgate.gate.packs import pack_of
from crossgate.pack import Pack

serve(Pack({name!r}, "", pack_of({packs!r}).entries))
"""


def stage(packs: Sequence[str], folder: Path) -> Path:
    """Make the union of ``packs`` (names, as the command line takes them) a pack in ``folder``; return its folder.

    Raises:
        CannotJudgeError: there is no way to start this interpreter as a pack.

    """
    staged = folder / NAME
    staged.mkdir()
    project = {
        "description": "The packs of one run of `crossgate preview`",
        "version": "0.0.0",
        "runtime": {"name": "python", "options": {"toolchain": "pip", "virtualenv": _environment(folder)}},
    }
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in project.items()]
    (staged / "PulumiPolicy.yaml").write_text("".join(lines), encoding="utf-8")
    path = [str(Path(entry).absolute()) for entry in sys.path]
    main = _MAIN.format(path=path, name=NAME, packs=list(packs))
    (staged / "__main__.py").write_text(main, encoding="utf-8")
    return staged


def _environment(folder: Path) -> str:
    """Return the path of a virtual environment whose Python is the one that runs here.

    Where there is none, one is made up in ``folder`` that only hands over: a system's Python may have no other name
    than ``python3``, and the engine asks for ``python``.
    """
    windows = os.name == "nt"
    python = Path(sys.prefix, "Scripts/python.exe" if windows else "bin/python")
    if python.exists() and (windows or python.samefile(sys.executable)):
        return sys.prefix
    if windows:
        raise CannotJudgeError("install crossgate in a virtual environment: the engine starts packs in one")
    handing_over = folder / "venv" / "bin" / "python"
    handing_over.parent.mkdir(parents=True)
    handing_over.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    handing_over.chmod(0o700)
    return str(folder / "venv")


def engine_config(policies: Mapping[str, PolicySetting], file: Path) -> None:
    """Write levels and parameters as every version of the engine reads them; exceptions are applied by the gate."""
    document: dict[str, Any] = {}
    for name, setting in policies.items():
        level = {} if setting.level is None else {"enforcementLevel": setting.level.value}
        document[name] = {**level, **setting.parameters}
    file.write_text(json.dumps(document), encoding="utf-8")
