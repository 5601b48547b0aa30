"""``crossgate rules``: list the rules of a pack, explain one, or find the equivalent of a peer's check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from crossgate.gate.console import Span, painted, wrapped
from crossgate.gate.errors import UsageError
from crossgate.gate.packs import DEFAULT, pack_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from crossgate.gate.console import Console, Line
    from crossgate.pack import Entry

NONE_FOUND: Final = 1
_TYPES_SHOWN: Final = 12


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``crossgate rules``."""
    add = parser.add_argument
    add("rule", nargs="?", metavar="ID", help="explain this rule")
    add(
        "--equivalent",
        metavar="CHECK",
        help="list the rules that ask what this check of another tool asks: CKV_AWS_20 or checkov:CKV_AWS_20",
    )
    add("--pack", action="append", metavar="NAME", help=f"the rules of this pack (default: {DEFAULT})")


def run(options: argparse.Namespace, console: Console) -> int:
    """Print; return 0, or 1 when no rule asks what a check asks.

    Raises:
        UsageError: there is no such rule, or too much was asked for at once.

    """
    pack = pack_of(options.pack or [DEFAULT])
    if options.rule and options.equivalent:
        raise UsageError("name a rule or a check, not both")
    if options.rule:
        entry = pack.entry(options.rule)
        if entry is None:
            raise UsageError(f"pack {pack.name} has no rule {options.rule}; `crossgate rules` lists them")
        _print(console, _explained(entry, console.view().width))
        return 0
    entries = sorted(pack.entries, key=lambda entry: entry.rule.id)
    if options.equivalent:
        entries = [entry for entry in entries if _narrowing(entry, options.equivalent) is not None]
        if not entries:
            console.say(f"no rule asks what {options.equivalent} asks")
            return NONE_FOUND
    _print(console, ((Span(line),) for line in _listed(entries, options.equivalent)))
    return 0


def _print(console: Console, lines: Iterable[Line]) -> None:
    console.write(painted(lines, color=False))


def _listed(entries: Sequence[Entry], check: str | None) -> Iterator[str]:
    """Yield a line per rule: id, severity, level, title, and to what it is narrowed for a check."""
    width = max((len(entry.rule.id) for entry in entries), default=0)
    for entry in entries:
        line = f"{entry.rule.id:<{width}}  {entry.rule.severity.value:<8}  {entry.level.value:<9}  {entry.rule.title}"
        narrowing = _narrowing(entry, check) if check else None
        yield f"{line} (narrowed to {json.dumps(narrowing)})" if narrowing else line


def _narrowing(entry: Entry, check: str) -> Mapping[str, Any] | None:
    """Return to what the rule is narrowed to ask what ``check`` asks, an empty map for nothing; None: it does not."""
    for name, narrowing in entry.rule.equivalents.items():
        if check.casefold() in (name.casefold(), name.partition(":")[2].casefold()):
            return narrowing
    return None


def _explained(entry: Entry, width: int) -> Iterator[Line]:
    """Yield the rule's facts and its page."""
    rule = entry.rule
    facts = {
        "severity": rule.severity.value,
        "level": entry.level.value,
        "undetermined": {"block": "blocks where the rule is mandatory", "warn": "warns"}[rule.undetermined],
        "judges": _some(rule.types),
        "frameworks": ", ".join(rule.frameworks),
        "equivalent": ", ".join(rule.equivalents),
        "docs": rule.url,
    }
    yield from wrapped([Span(f"{rule.id}: {rule.title}")], width)
    yield ()
    for key, words in facts.items():
        if words:
            yield from wrapped([Span(f"{key:<14}{words}")], width, 0, 14)
    for heading, prose in (("Why", rule.why), ("Fix", rule.fix)):
        yield ()
        yield from wrapped([Span(f"{heading}: {prose}")], width)
    if rule.parameters:
        yield ()
        yield (Span("Parameters:"),)
    for name, schema in rule.parameters.items():
        needed = ", required" if name in rule.required else ""
        words = str(schema.get("description", schema.get("type", "")))
        yield from wrapped([Span(f"{name}{needed}: {words}")], width, 2, 4)
    yield ()
    yield (Span("Sources:"),)
    for source in rule.sources:
        yield (Span(f"  {source}"),)


def _some(types: Sequence[str]) -> str:
    shown = ", ".join(types[:_TYPES_SHOWN])
    return f"{shown} and {len(types) - _TYPES_SHOWN} more" if len(types) > _TYPES_SHOWN else shown
