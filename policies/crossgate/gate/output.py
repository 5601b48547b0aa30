"""The file that a report goes to: there as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from crossgate.gate.console import reason
from crossgate.gate.errors import CannotJudgeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


class OutputFile:
    """A file to be written at the end; that it can be is made sure at the start, before anything is judged."""

    def __init__(self, name: str) -> None:
        """Choose the file.

        Raises:
            UsageError: it cannot be written.

        """
        self.name = name
        try:
            self._file = Path(name)
            if self._file.is_dir():
                raise UsageError(f"--output {name}: a folder, not a file")
            self._device = self._file.exists() and not self._file.is_file()
            if not self._device:  # a link stays one, and what it leads to is replaced
                self._file = self._file.resolve()
            self._part = self._file.with_name(f".{self._file.name}.{os.getpid()}.part")
            if not self._device:
                self._part.touch()
                self._part.unlink()
        except (OSError, ValueError) as error:
            raise UsageError(f"--output {name}: cannot be written: {reason(error)}") from None

    def write(self, text: str) -> None:
        """Write the file, in UTF-8.

        Raises:
            CannotJudgeError: it could not be written; what stood there before still does.

        """
        content = text.encode("utf-8", "backslashreplace")
        try:
            if self._device:  # or a pipe: nothing can be renamed over it
                self._file.write_bytes(content)
            else:
                self._replace(content)
        except OSError as error:
            raise CannotJudgeError(f"--output {self.name}: cannot be written: {reason(error)}") from None

    def _replace(self, content: bytes) -> None:
        try:
            self._part.write_bytes(content)
            self._part.replace(self._file)
        finally:
            self._part.unlink(missing_ok=True)

    def is_one_of(self, names: Iterable[str]) -> bool:
        """Return whether one of the files with these names is this one."""
        return self._file.exists() and any(Path(name).exists() and self._file.samefile(name) for name in names)
