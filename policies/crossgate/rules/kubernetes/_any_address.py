"""Rules of network policies that let any address of the internet through, on whatever ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossgate import Finding
from crossgate.rules.kubernetes import _isolation
from crossgate.rules.kubernetes._objects import left_out, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource


def open_rules(resource: Resource, direction: str, message: str) -> Iterator[Finding]:
    """Yield the rules of ``direction`` that let any address through; of a patch without any, what it may hide."""
    for manifest in objects(resource):
        for policy in _isolation.policies_of(resource, manifest):
            for rule, admits in policy.admits(direction):
                yield Finding(message, at=rule, when=admits)
            yield Finding(message, at=manifest, when=left_out(resource, policy.spec[direction]))
