"""crossgate: policy packs for Pulumi that tell pass, fail and "cannot know" apart.

This module is the facade for rule authors.
"""

try:
    from crossgate.model import Link, Resource, Stack
    from crossgate.rule import UNKNOWN, Example, Finding, Note, Part, Rule, Severity, ref, rule, secret, stack_rule
    from crossgate.truth import FALSE, TRUE, Gap, Truth, all_of, any_of, truth, unknown
    from crossgate.value import Value
except Exception as error:  # noqa: BLE001 - an install so broken must still start the command's guard, which tells it
    _cause = error

    def __getattr__(name: str) -> object:
        raise ImportError(f"crossgate is not installed completely: it has no {name}", name=__name__) from _cause


__all__ = [
    "FALSE",
    "TRUE",
    "UNKNOWN",
    "Example",
    "Finding",
    "Gap",
    "Link",
    "Note",
    "Part",
    "Resource",
    "Rule",
    "Severity",
    "Stack",
    "Truth",
    "Value",
    "all_of",
    "any_of",
    "ref",
    "rule",
    "secret",
    "stack_rule",
    "truth",
    "unknown",
]
