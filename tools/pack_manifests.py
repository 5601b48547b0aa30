"""The manifest of each pack, packs/<name>/manifest.json: what a change of a rule or a table means, as a diff."""

from collections.abc import Mapping

from crossgate.packs import _build
from crossgate.packs._manifest import manifest


def golden() -> Mapping[str, str]:
    """Return the manifests by their paths."""
    return {f"packs/{name}/manifest.json": manifest(_build.load(name), _build.version(name)) for name in _build.names()}
