"""Required tags: resources without the tags or labels that the organisation asks for."""

from crossgate.pack import Level, Pack
from crossgate.rules.tagging.aws_launched_without_required_tag import aws_launched_without_required_tag
from crossgate.rules.tagging.aws_snapshot_without_tags import aws_snapshot_without_tags
from crossgate.rules.tagging.forbidden_tag import forbidden_tag
from crossgate.rules.tagging.invalid_tag import invalid_tag
from crossgate.rules.tagging.kubernetes_missing_label import kubernetes_missing_label
from crossgate.rules.tagging.missing_required_tag import missing_required_tag

PACK = Pack(
    "required-tags",
    "Resources without the tags or labels that the organisation asks for",
    [
        (aws_launched_without_required_tag, Level.ADVISORY),
        (aws_snapshot_without_tags, Level.ADVISORY),
        (forbidden_tag, Level.MANDATORY),
        (invalid_tag, Level.ADVISORY),
        (kubernetes_missing_label, Level.MANDATORY),
        (missing_required_tag, Level.MANDATORY),
    ],
)
