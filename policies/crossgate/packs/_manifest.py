"""The manifest of a pack: what it judges, at which level, and what can be set. Its diff is what a reviewer reads."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crossgate.pack import Entry, Pack


def manifest(pack: Pack, version: str) -> str:
    """Return the manifest as JSON text, its policies sorted by id."""
    document = {
        "name": pack.name,
        "version": version,
        "description": pack.title,
        "policies": [_policy(entry) for entry in sorted(pack.entries, key=lambda entry: entry.rule.id)],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _policy(entry: Entry) -> dict[str, Any]:
    rule = entry.rule
    return {
        "id": rule.id,
        "title": rule.title,
        "level": entry.level.value,
        "severity": rule.severity.value,
        "undetermined": rule.undetermined,
        "judges": "stack" if rule.over_stack else "resource",
        "types": sorted(rule.types),
        "frameworks": list(rule.frameworks),
        "parameters": rule.parameters,
        "required": list(rule.required),
        "defaults": {**rule.defaults, **entry.parameters},
        "url": rule.url,
    }


def version_of(project: str) -> str:
    """Return the version that the text of a PulumiPolicy.yaml states.

    Raises:
        ValueError: it states none.

    """
    match = re.search(r"^version:\s*[\"']?([^\s\"'#]+)", project, re.MULTILINE)
    if match is None:
        raise ValueError("PulumiPolicy.yaml states no version")
    return match[1]
