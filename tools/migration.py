"""For whoever comes from another tool, docs/from-<tool>.md: which rule asks what a check of theirs asks.

Written from the rules' ``equivalents`` and from docs/peers.md, which says why some checks are not asked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from crossgate.pack import Pack
from crossgate.rule import Rule


class Tool(NamedTuple):
    """A tool that others come from."""

    name: str
    title: str
    silences: str
    """How a finding of it is silenced."""


TOOLS: Final = (
    Tool("checkov", "checkov", "comments `checkov:skip=CHECK:reason` and `--skip-check`"),
    Tool("trivy", "trivy", "comments `trivy:ignore:CHECK` and lines of `.trivyignore`"),
    Tool("kics", "KICS", "comments `kics-scan ignore-line` and `--exclude-queries`"),
)

_INTRODUCTION: Final = """\
# Coming from {title}

<!-- Written by `make golden` from the rules' own files and peers.md; edit those. -->

Which rule asks what a check of {title} asks; `crossgate rules --equivalent CHECK` tells the same. Where the two answer
one question differently, [disagreements.md](disagreements.md) says why.

- {title} reads source files. The gate reads what Pulumi is about to do, so a value that a program computes is judged as
  it will be, and one that is not known before the update is *undetermined*: never a pass.
- What {silences} did is data here: an exception in the policy configuration,
  which names the rule, the resource's URN and a reason. See [the gate](gate.md).
- To compare before you switch, let every rule advise, with `{{"version": 2, "policies": {{"all": "advisory"}}}}` in the
  file given to `--policy-pack-config`.
"""

_DECLINED: Final = re.compile(r"^\| (\w+) (\S+) \| (.+) \|$", re.MULTILINE)


class Declined(NamedTuple):
    """A row of docs/peers.md: a check that no rule asks."""

    tool: str
    check: str
    why: str


def declined_in(page: str) -> list[Declined]:
    """Read the rows of docs/peers.md."""
    return [Declined(*row) for row in _DECLINED.findall(page)]


def pages(packs: Sequence[Pack], declined: str) -> dict[str, str]:
    """Return a page for each tool by its path; ``declined`` is the text of docs/peers.md."""
    rules = {entry.rule.id: entry.rule for pack in packs for entry in pack.entries}
    return {f"docs/from-{tool.name}.md": "\n".join(_page(tool, rules, declined)) for tool in TOOLS}


def _page(tool: Tool, rules: Mapping[str, Rule], declined: str) -> Iterator[str]:
    yield _INTRODUCTION.format(title=tool.title, silences=tool.silences)
    yield "| check | rule | narrowed to |\n| --- | --- | --- |"
    claims = sorted(
        (check.partition(":")[2], rule.id, narrowed_to(narrowing))
        for rule in rules.values()
        for check, narrowing in rule.equivalents.items()
        if check.partition(":")[0] == tool.name
    )
    for check, rule, narrowing in claims:
        yield f"| {check} | [{rule}](rules/{rule}.md) | {narrowing} |"
    claimed = {check for check, _, _ in claims}
    reasons = [row for row in declined_in(declined) if row.tool == tool.name and row.check not in claimed]
    if reasons:
        yield "\n## Not asked\n\n| check | why |\n| --- | --- |"
        yield from (f"| {check} | {why} |" for _, check, why in sorted(reasons))
    yield ""


def narrowed_to(narrowing: Mapping[str, Any]) -> str:
    """Return in words to what a rule is narrowed for a check: ``ports 22, 3389``; nothing when it is not."""
    return "; ".join(f"{key} {_inline(value)}" for key, value in narrowing.items())


def _inline(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    return str(value)
