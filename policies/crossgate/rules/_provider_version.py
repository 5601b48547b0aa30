"""Which major version of its provider manages a resource: where a default differs between majors, it decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossgate import Resource


def provider_major(resource: Resource) -> int | None:
    """Return the major version of the provider: a default one has it in its name, any may state it."""
    named = re.search(r"::default_(\d+)_", resource.provider_urn)
    if named is not None:
        return int(named[1])
    provider = resource.provider
    stated = provider["version"] if provider is not None else None
    first = (stated.text() or "").partition(".")[0] if stated is not None and stated.is_text else ""
    return int(first) if first.isdecimal() else None
