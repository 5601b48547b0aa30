"""The Pulumi CLI that is installed: which version it is, and which is needed."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SECONDS: Final = 60.0


class Version(NamedTuple):
    """A version by its numbers; ``0.0.0`` stands for none."""

    major: int = 0
    minor: int = 0
    patch: int = 0

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


OLDEST: Final = Version(3, 229, 0)
"""The oldest CLI whose events tell all that is needed; docs/limits.md says the same."""


def version_in(text: str) -> Version:
    """Return the first version that stands in ``text``, such as ``v3.274.1``; 0.0.0 when there is none."""
    match = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    return Version(int(match[1]), int(match[2]), int(match[3] or 0)) if match else Version()


def version_of(command: Sequence[str | Path], **environment: str) -> Version:
    """Return the version that ``command`` prints, with ``environment`` added to this process's.

    Raises:
        OSError: it cannot be run.
        subprocess.TimeoutExpired: it did not end within a minute.

    """
    env = os.environ | {"PULUMI_SKIP_UPDATE_CHECK": "true"} | environment
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=_SECONDS, check=False)
    return version_in(done.stdout)
