"""Lay the gate's own packs out as one pack that the engine can start, with nothing installed for it.

The engine starts a pack in a folder by the language host for Python, which runs ``python -m pulumi.policy`` in the
virtual environment that PulumiPolicy.yaml names. Here that one only hands over to the interpreter that runs the gate,
so that the pack sees the modules which the gate sees, a team's own tables among them.

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
    """Return the path of a virtual environment whose Python is the one that runs here."""
    if os.name == "nt":
        if sys.prefix == sys.base_prefix:
            raise CannotJudgeError("install crossgate in a virtual environment: the engine starts packs in one")
        return sys.prefix
    environment = folder / "venv"
    (environment / "bin").mkdir(parents=True)
    python = environment / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    python.chmod(0o700)
    return str(environment)


def engine_config(policies: Mapping[str, PolicySetting], file: Path) -> None:
    """Write levels and parameters as every version of the engine reads them; exceptions are applied by the gate."""
    document: dict[str, Any] = {}
    for name, setting in policies.items():
        level = {} if setting.level is None else {"enforcementLevel": setting.level.value}
        document[name] = {**level, **setting.parameters}
    file.write_text(json.dumps(document), encoding="utf-8")
