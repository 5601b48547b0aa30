"""Required tags: resources without the tags or labels that the organisation asks for."""

from crossgate.pack import Level, Pack
from crossgate.rules.tagging.missing_required_tag import missing_required_tag

PACK = Pack(
    "required-tags",
    "Resources without the tags or labels that the organisation asks for",
    [
        (missing_required_tag, Level.MANDATORY),
    ],
)
