"""A pack as a release ships it: one folder, or one archive, that needs neither a checkout nor an installed crossgate.

The folder holds the pack's own files, the manifest, and of the package the modules that the pack imports. The list of
digests, SHA256SUMS, is what tells a folder that was written here from anything else.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import io
import os
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate.packs._imports import ImportGapError, needs
from crossgate.packs._manifest import manifest, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from crossgate.pack import Pack

__all__ = ["Built", "ImportGapError", "NotOursError", "archive", "build", "contents", "load", "names", "version"]

_TABLES: Final = Path(__file__).resolve().parent
_ROOT: Final = _TABLES.parents[1]
"""The folder that holds the package: ``policies`` of a checkout, or ``site-packages``."""

OWN_FILES: Final = ("CHANGELOG.md", "PulumiPolicy.yaml", "__main__.py", "requirements.txt")
DIGESTS: Final = "SHA256SUMS"
_VENV: Final = "venv"
"""Where the engine installs the requirements: PulumiPolicy.yaml says so."""
_IGNORED: Final = f"# What running the pack leaves here: not to be published.\n/{_VENV}/\n__pycache__/\n"


class NotOursError(Exception):
    """What stands in the place of the output was not written by a build, or was changed since."""

    def __init__(self, path: Path, what: str) -> None:
        """Say what is the matter with ``path``, and what to do."""
        super().__init__(f"{path} {what}: move it away, or name another --output")


class Built(NamedTuple):
    """What a build wrote."""

    pack: Pack
    version: str
    folder: Path
    archive: Path
    digest: str
    """SHA-256 of the archive, in hexadecimal."""
    files: int


def names() -> list[str]:
    """Return the names of the shipped packs, sorted."""
    return sorted(path.parent.name for path in _shipped().glob("*/PulumiPolicy.yaml"))


def _shipped() -> Path:
    """Return the folder of the packs' own files: in the wheel beside the tables, in a checkout at its top."""
    installed = _TABLES / "_files"
    return installed if installed.is_dir() else _ROOT.parent / "packs"


def load(name: str) -> Pack:
    """Return the table of the pack ``name``.

    Raises:
        LookupError: there is no such pack; the text names those that are.

    """
    if name not in names():
        raise LookupError(f"no pack is named {name!r}; there are: {', '.join(names())}")
    pack: Pack = importlib.import_module(f"{__package__}.{name.replace('-', '_')}").PACK
    return pack


def version(name: str) -> str:
    """Return the version that the pack's PulumiPolicy.yaml states."""
    return version_of((_shipped() / name / "PulumiPolicy.yaml").read_text(encoding="utf-8"))


def contents(name: str) -> dict[str, bytes]:
    """Return every file of the built pack by its path in the folder, sorted.

    Raises:
        LookupError: there is no such pack.
        ImportGapError: it cannot be told which modules it needs.

    """
    pack = load(name)
    folder = _shipped() / name
    files = {own: (folder / own).read_bytes() for own in OWN_FILES}
    files |= {path: file.read_bytes() for path, file in needs(folder / "__main__.py", _ROOT).modules.items()}
    files["manifest.json"] = manifest(pack, version(name)).encode()
    files[".gitignore"] = _IGNORED.encode()
    files[DIGESTS] = "".join(f"{_digest(content)}  {path}\n" for path, content in sorted(files.items())).encode()
    return dict(sorted(files.items()))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def archive(name: str, files: Mapping[str, bytes]) -> bytes:
    """Return ``files`` below the folder ``name`` as a .tar.gz: the same bytes for the same content.

    All entries carry one time that is drawn from the content. A constant one would be a trap: Python trusts compiled
    modules by the time and size of the source, so that an archive unpacked over an older one could run old rules.
    """
    moment = 1_000_000_000 + int.from_bytes(hashlib.sha256(files[DIGESTS]).digest()[:3], "big")
    buffer = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", fileobj=buffer, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime, entry.mode = len(content), moment, 0o644
            tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def build(name: str, output: Path) -> Built:
    """Write the pack ``name`` to the folder ``output``: as the folder NAME and as NAME-VERSION.tar.gz.

    A folder of a former build is replaced; the virtual environment that the engine made in it stays.

    Raises:
        LookupError: there is no such pack.
        ImportGapError: it cannot be told which modules it needs.
        NotOursError: the folder is there and is not the output of a former build.
        OSError: something cannot be written.

    """
    pack, folder = load(name), output / name
    _check_ours(folder)
    files = contents(name)
    packed, target = archive(name, files), output / f"{name}-{version(name)}.tar.gz"
    output.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=output))
    try:
        (staging / target.name).write_bytes(packed)
        _write(staging / name, files)
        _swap(staging / name, folder, staging / "former")
        (staging / target.name).replace(target)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return Built(pack, version(name), folder, target, _digest(packed), len(files))


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def _swap(fresh: Path, folder: Path, former: Path) -> None:
    """Put ``fresh`` in the place of ``folder``, which goes to ``former``; a half-written folder is never seen."""
    if folder.exists():
        folder.rename(former)
        if (former / _VENV).is_dir():
            (former / _VENV).rename(fresh / _VENV)
    fresh.rename(folder)


def _check_ours(folder: Path) -> None:
    """Check that nothing is lost when ``folder`` is replaced.

    Raises:
        NotOursError: with the first file that no build wrote, or that was changed since.

    """
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise NotOursError(folder, "is there and is no folder")
    written = _written(folder)
    for path in _files_in(folder):
        name = path.relative_to(folder).as_posix()
        if name == DIGESTS:
            continue
        if name not in written:
            raise NotOursError(path, "was not written by `crossgate pack build`")
        if path.is_symlink() or _digest(path.read_bytes()) != written[name]:
            raise NotOursError(path, "was changed since it was built")


def _written(folder: Path) -> dict[str, str]:
    """Return the digests, by path, that a former build left in ``folder``; none when it is not one."""
    try:
        text = (folder / DIGESTS).read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in text.splitlines())}


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield what is in ``folder`` and is no folder, sorted, without what running a pack leaves there."""
    for where, folders, files in os.walk(folder):
        here = Path(where)
        kept = sorted({*folders} - ({"__pycache__", _VENV} if here == folder else {"__pycache__"}))
        links = [name for name in kept if (here / name).is_symlink()]
        folders[:] = [name for name in kept if name not in links]
        yield from (here / name for name in sorted([*files, *links]))
