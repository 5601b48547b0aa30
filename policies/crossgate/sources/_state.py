"""A stack export: ``pulumi stack export``, the stack as it is.

Source: https://github.com/pulumi/pulumi/blob/master/sdk/go/common/apitype/core.go (DeploymentV3)
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from crossgate.model import Stack
from crossgate.sources._record import parse, resource_of, urn_of
from crossgate.sources._source import Kind, Source, SourceError, Unjudged

_NOTHING: Final = "the state holds no resources, not even its stack: nothing to judge"


class State(NamedTuple):
    """The records of a state: by URN those that are there and managed, and what else stands in it."""

    resources: dict[str, dict[str, Any]]
    reads: tuple[str, ...]
    deleted: int
    pending: int

    @property
    def stack(self) -> tuple[str, str]:
        """The names of the stack and of its project; empty ones where no record tells them."""
        for urn in (*self.resources, *self.reads)[:1]:
            parts = parse(urn, "the first resource")
            return parts.stack, parts.project
        return "", ""


def is_state(document: Any) -> bool:
    """Return whether ``document`` is a stack export."""
    return isinstance(document, dict) and isinstance(document.get("deployment"), dict)


def read(document: dict[str, Any], *, marks: bool) -> Source:
    """Return what a stack export holds; ``marks`` tells whether it can hold readable secrets.

    Raises:
        SourceError: it is not of that form, or holds nothing.

    """
    state = records(document)
    if not state.resources and not state.reads:
        raise SourceError(_NOTHING)
    stack = Stack(resource_of(record, f"the resource {urn}") for urn, record in state.resources.items())
    name, project = state.stack
    return Source(Kind.STATE, stack, name, project, {}, Unjudged(state.reads, state.deleted, state.pending), marks)


def records(document: dict[str, Any]) -> State:
    """Sort the records of a stack export.

    Resources that are being deleted or wait to be replaced are left out: the cloud no longer has them, or they are on
    their way out.

    Raises:
        SourceError: it is not of that form, or two records have one URN.

    """
    deployment = document["deployment"]
    found = deployment.get("resources")
    pending = deployment.get("pending_operations")
    if not isinstance(found, list | None) or not isinstance(pending, list | None):
        raise SourceError("deployment.resources and deployment.pending_operations must be lists")
    resources: dict[str, dict[str, Any]] = {}
    reads: list[str] = []
    deleted = 0
    for number, record in enumerate(found or ()):
        where = f"deployment.resources[{number}]"
        urn = urn_of(record, where)
        parse(urn, where)
        if record.get("delete") is True or record.get("pendingReplacement") is True:
            deleted += 1
        elif record.get("external") is True:
            reads.append(urn)
        elif urn in resources:
            raise SourceError(f"{where}: a second resource with the URN {urn}")
        else:
            resources[urn] = record
    return State(resources, tuple(reads), deleted, len(pending or ()))
