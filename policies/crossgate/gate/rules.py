"""``crossgate rules``: list the rules of a pack, explain one, or find the equivalent of a peer's check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from crossgate.gate.console import Span, painted, wrapped
from crossgate.gate.errors import UsageError
from crossgate.gate.packs import DEFAULT, pack_of
from crossgate.model import unversioned_type
from crossgate.rule import Severity

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from crossgate.gate.console import Console, Line
    from crossgate.pack import Entry, Pack

NONE_FOUND: Final = 1
_TYPES_SHOWN: Final = 12
_OLD_TRIVY: Final = "avd-"
"""Trivy writes AVD-AWS-0107 in older versions and AWS-0107 in newer ones."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``crossgate rules``."""
    add = parser.add_argument
    add("rule", nargs="?", metavar="ID", help="explain this rule")
    add(
        "--equivalent",
        metavar="CHECK",
        help="list the rules that ask what this check of another tool asks: CKV_AWS_20 or checkov:CKV_AWS_20",
    )
    add("--family", metavar="NAME", help="only rules of this kind, such as public or network")
    add("--cloud", metavar="NAME", help="only rules for this cloud, such as aws or kubernetes")
    add("--severity", choices=[each.value for each in Severity], help="only rules of this severity")
    add("--framework", metavar="NAME", help='only rules that serve this framework or control, such as "CIS AWS"')
    add("--type", metavar="TOKEN", help="only rules that judge this type, such as aws:s3/bucket:Bucket")
    add("--pack", action="append", metavar="NAME", help=f"the rules of this pack (default: {DEFAULT})")


def run(options: argparse.Namespace, console: Console) -> int:
    """Print; return 0, or 1 when there is no rule of the kind that was asked for.

    Raises:
        UsageError: there is no such rule, family or cloud, or too much was asked for at once.

    """
    pack = pack_of(options.pack or [DEFAULT])
    filters = _filters(options, pack)
    if options.rule and filters:
        raise UsageError(f"name a rule or --{next(iter(filters))}, not both")
    if options.rule:
        entry = pack.entry(options.rule)
        if entry is None:
            raise UsageError(f"pack {pack.name} has no rule {options.rule}; `crossgate rules` lists them")
        _print(console, _explained(entry, console.view().width))
        return 0
    entries = sorted(pack.entries, key=lambda entry: entry.rule.id)
    for matches in filters.values():
        entries = list(filter(matches, entries))
    if not entries:
        console.say(_none(options, filters))
        return NONE_FOUND
    _print(console, ((Span(line),) for line in _listed(entries, options.equivalent)))
    return 0


def _filters(options: argparse.Namespace, pack: Pack) -> dict[str, Callable[[Entry], bool]]:
    """Return what an entry has to satisfy, by the option that asks for it.

    Raises:
        UsageError: the pack knows no such family or cloud.

    """
    family, cloud, framework = options.family, options.cloud, (options.framework or "").casefold()
    _refuse_unknown("family", family, {entry.rule.family for entry in pack.entries})
    _refuse_unknown("cloud", cloud, {name for entry in pack.entries for name in entry.rule.clouds})
    matches: dict[str, Callable[[Entry], bool]] = {
        "equivalent": lambda entry: _narrowing(entry, options.equivalent) is not None,
        "family": lambda entry: entry.rule.family == family,
        "cloud": lambda entry: cloud in entry.rule.clouds or not entry.rule.clouds,
        "severity": lambda entry: entry.rule.severity.value == options.severity,
        "framework": lambda entry: any(f"{each} ".casefold().startswith(framework) for each in entry.rule.frameworks),
        "type": lambda entry: entry.rule.judges(unversioned_type(options.type), entry.parameters),
    }
    return {name: match for name, match in matches.items() if getattr(options, name)}


def _refuse_unknown(option: str, name: str | None, known: Iterable[str]) -> None:
    if name is not None and name not in known:
        raise UsageError(f"--{option} {name}: there is none; there are: {', '.join(sorted(known))}")


def _none(options: argparse.Namespace, filters: Iterable[str]) -> str:
    if list(filters) == ["equivalent"]:
        return f"no rule asks what {options.equivalent} asks"
    return f"no rule with {', '.join(f'--{name} {getattr(options, name)}' for name in filters)}"


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
    asked = check.casefold().replace(_OLD_TRIVY, "")
    for name, narrowing in entry.rule.equivalents.items():
        known = name.casefold().replace(_OLD_TRIVY, "")
        if asked in (known, known.partition(":")[2]):
            return narrowing
    return None


def _explained(entry: Entry, width: int) -> Iterator[Line]:
    """Yield the rule's facts and its page."""
    rule = entry.rule
    facts = {
        "family": rule.family,
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
