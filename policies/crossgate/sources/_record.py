"""One resource as digests and states write it, made into the model's.

Only the frame is looked at: property values stay as they are, however many there are.
Source: https://github.com/pulumi/pulumi/blob/master/sdk/go/common/apitype/core.go (ResourceV3)
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from crossgate.model import Position, Resource, Urn, parse_urn
from crossgate.sources._source import SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PROJECT: Final = "project:///"
_INSTALLED: Final = frozenset({"site-packages", "dist-packages", "node_modules", "vendor"})
"""Folders of code that somebody else wrote: the line that calls it is the one to show."""


def resource_of(record: Any, where: str, *, known_id: str = "") -> Resource:
    """Return the resource that ``record`` describes.

    Args:
        record: a resource in the engine's JSON form.
        where: the record's place in the file, for the error.
        known_id: the provider's id where the record itself does not have it.

    Raises:
        SourceError: it is not of that form.

    """
    fields = _map(record, where)
    urn = urn_of(fields, where)
    inputs = fields.get("inputs")
    outputs = fields.get("outputs")
    if not (inputs is None or inputs.__class__ is dict) or not (outputs is None or outputs.__class__ is dict):
        raise SourceError(f"{where}: inputs and outputs must be objects")
    edges = fields.get("propertyDependencies")
    dependencies = fields.get("dependencies")
    aliases = fields.get("aliases")
    return Resource(
        urn,
        _required(fields, "type", where),
        parse(urn, where).name,
        inputs,
        outputs=outputs,
        id_=_text(fields, "id", where) or known_id,
        custom=fields.get("custom") is not False,
        parent=_text(fields, "parent", where),
        provider=_text(fields, "provider", where),
        dependencies=_texts(dependencies, "dependencies", where) if dependencies else (),
        property_dependencies=_edges(edges, where) if edges else None,
        aliases=_texts(aliases, "aliases", where) if aliases else (),
        position=_position_of(fields),
    )


def urn_of(record: Any, where: str) -> str:
    """Return the URN of a record.

    Raises:
        SourceError: it has none, or something else in its place.

    """
    return _required(_map(record, where), "urn", where)


def parse(urn: str, where: str) -> Urn:
    """Return the parts of ``urn``.

    Raises:
        SourceError: it is not a Pulumi URN.

    """
    try:
        return parse_urn(urn)
    except ValueError:
        raise SourceError(f"{where}: its URN is not a Pulumi URN") from None


def position(text: str) -> Position | None:
    """Return the place that ``project:///FILE#LINE,COLUMN`` names; None for code outside the project.

    The engine writes paths relative to the project's folder, also of code that is not in it.
    Source: https://github.com/pulumi/pulumi/blob/master/pkg/resource/deploy/source_eval.go (parseSourcePosition)
    """
    return _position(text)


@lru_cache(maxsize=1024)
def _position(text: str) -> Position | None:
    if not text.startswith(_PROJECT):
        return None
    path, _, place = text[len(_PROJECT) :].rpartition("#")
    line = place.partition(",")[0]
    if not path or not line.isascii() or not line.isdigit() or len(line) > 9 or int(line) < 1:
        return None
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path)
    folders = path.split("/")
    if ".." in folders or not folders[0] or not _INSTALLED.isdisjoint(folders):
        return None
    return Position(path, int(line))


def _position_of(fields: Mapping[str, Any]) -> Position | None:
    """Return the innermost place in the project's own code at which the resource was registered."""
    own = fields.get("sourcePosition")
    found = _position(own) if own.__class__ is str else None
    if found is not None:
        return found
    frames = fields.get("stackTrace")
    for frame in frames if isinstance(frames, list) else ():
        text = frame.get("sourcePosition") if isinstance(frame, dict) else None
        found = _position(text) if isinstance(text, str) else None
        if found is not None:
            return found
    return None


def _map(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SourceError(f"{where}: must be an object")
    return value


def _required(fields: Mapping[str, Any], key: str, where: str) -> str:
    value = fields.get(key)
    if value.__class__ is str and value:
        return value
    raise SourceError(f"{where}: {key} must be text")


def _text(fields: Mapping[str, Any], key: str, where: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if value.__class__ is str:
        return value
    raise SourceError(f"{where}: {key} must be text")


def _texts(value: Any, key: str, where: str) -> list[str]:
    if value.__class__ is not list or not _TEXT_ALONE.issuperset(map(type, value)):
        raise SourceError(f"{where}: {key} must be a list of texts")
    return value


_TEXT_ALONE: Final = frozenset({str})


def _edges(value: Any, where: str) -> dict[str, list[str]]:
    """Return the edges by property, without the empty ones: the engine writes those as null or as an empty list."""
    if not isinstance(value, dict):
        raise SourceError(f"{where}: propertyDependencies must be an object")
    return {name: _texts(urns, "propertyDependencies", where) for name, urns in value.items() if urns}
