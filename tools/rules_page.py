"""The rules' pages, written from the rules' own files.

``docs/rules.md`` lists all; ``docs/rules/<id>.md`` tells everything about one, and is what every finding names;
``docs/from-<tool>.md`` tells whoever comes from another tool which rule asks what a check of theirs asks.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from crossgate.judge import judge
from crossgate.pack import Entry, Level, Pack
from crossgate.packs import _build
from crossgate.rule import Example, Part, Rule, ref
from crossgate.rules.leakage._detector import decoded, find
from crossgate.value import ARCHIVE, ASSET, OUTPUT_VALUE, SECRET, SIGNATURE_KEY, UNKNOWNS
from crossgate.words import violation_text
from tools import migration

ROOT: Final = Path(__file__).resolve().parents[1]
INDEX: Final = "docs/rules.md"
FOLDER: Final = "docs/rules"
DECLINED: Final = "docs/peers.md"

_MANY: Final = 12
"""Of more types than this, ``_SOME`` are named; the pack's manifest holds all that a rule judges."""
_SOME: Final = 4

_REFERENCE: Final = type(ref("name"))

_WORDS: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "an object",
    "string": "text",
}

_MADE: Final = "<!-- Written by `make golden` from the rule's own file; edit that. -->"

_INTRODUCTION: Final = """\
# Rules

<!-- Written by `make golden` from the rules' own files; edit those. -->

What the shipped packs ask of a stack. A rule's id is its name in findings, in the engine's policy configuration and in
exemptions.

`crossgate rules` lists them too, by family, cloud, severity, framework or type. Who comes from another tool finds its
checks here: [checkov](from-checkov.md), [trivy](from-trivy.md), [KICS](from-kics.md).

- **Level** is the rule's enforcement level in a pack, as the engine knows it: a violation of a *mandatory* rule blocks
  the change, that of an *advisory* one is shown. Any level can be set in the file given to `--policy-pack-config`:
  `{"<id>": {"enforcementLevel": "advisory"}}`.
- **Not known** says what happens to a mandatory rule when its answer depends on a value that is not known before the
  update. It is never a pass: it *blocks*, or it *warns* and is judged again, with the real value, before the resource
  is created. A rule about what the program states in clear passes what is computed.
- **Judges** names the types of resources; where there are many, some. All are in the pack's `manifest.json`.
- **Examples** are written as Pulumi YAML. They are the rule's own test cases. `${other.output}` stands for a value that
  is not known before the update, `${name.id}` for an output of the resource of that name.
"""


class Place(NamedTuple):
    """A rule's line in a pack."""

    pack: Pack
    entry: Entry


def golden() -> Mapping[str, str | None]:
    """Return the pages by their paths, and nothing for that of a rule that is no more."""
    packs = [_build.load(name) for name in _build.names()]
    old = (ROOT / FOLDER).glob("*.md")
    written = {**pages(packs), **migration.pages(packs, (ROOT / DECLINED).read_text(encoding="utf-8"))}
    return {**dict.fromkeys(f"{FOLDER}/{file.name}" for file in old), **written}


def pages(packs: Sequence[Pack]) -> dict[str, str]:
    """Return the index of the rules of ``packs``, and a page for each, by their paths."""
    rules = _by_rule(packs)
    chapters: dict[str, list[list[Place]]] = {}
    titles = {pack.name: pack.title for pack in packs}
    for _, places in sorted(rules.items()):
        home = min(places, key=lambda place: (len(place.pack.entries), place.pack.name)).pack
        chapters.setdefault(home.name, []).append(places)
    parts = [_INTRODUCTION]
    for name in sorted(chapters):
        parts += [f"## Pack {name}\n\n{titles[name]}.\n", _index(chapters[name])]
    found = {f"{FOLDER}/{id_}.md": "\n".join(_page(places)) for id_, places in rules.items()}
    return {INDEX: "\n".join(parts), **found}


def _by_rule(packs: Sequence[Pack]) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for pack in packs:
        for entry in pack.entries:
            found.setdefault(entry.rule.id, []).append(Place(pack, entry))
    return found


def _index(rules: Iterable[list[Place]]) -> str:
    lines = ["| rule | severity | level | what it finds |", "| --- | --- | --- | --- |"]
    for places in rules:
        entry = places[0].entry
        rule, level = entry.rule, "mandatory" if any(place.entry.level.blocks for place in places) else "advisory"
        link = f"[{rule.id}](rules/{rule.id}.md)"
        lines.append(f"| {link} | {rule.severity.value} | {level} | {_cell(_text(rule.title))} |")
    return "\n".join([*lines, ""])


def _page(places: list[Place]) -> Iterator[str]:
    rule = places[0].entry.rule
    yield f"# {rule.id}\n"
    yield f"{_MADE}\n"
    yield f"**{_text(rule.title)}.**\n"
    yield f"{_sentence(rule.why)}\n"
    yield f"**Fix:** {_sentence(rule.fix)}\n"
    yield from (f"- {name}: {fact}" for name, fact in _facts(places) if fact)
    yield ""
    if rule.parameters:
        yield from _parameters(places)
    yield from _example("Bad", rule, rule.bad[0])
    yield from _example("Good", rule, _nearest(rule.good, rule.bad[0]))


def _facts(places: list[Place]) -> Iterator[tuple[str, str]]:
    rule = places[0].entry.rule
    yield "Family", rule.family
    yield "Severity", rule.severity.value
    yield "Level", _levels(places)
    yield "Judges", ("the whole stack, for each of " if rule.over_stack else "") + _judged(rule)
    yield "Can be excused by", _types(tuple(type_ for type_ in rule.neighbours if type_ not in rule.types))
    yield "Can be made worse by", _types(rule.aggravated_by)
    if rule.literals:
        yield "Not known", "is computed, so it is no literal, and passes"
    elif any(place.entry.level.blocks for place in places):
        yield "Not known", "blocks" if rule.undetermined == "block" else "warns"
    yield "Frameworks", ", ".join(rule.frameworks)
    yield "Same question", _equivalents(rule)
    yield "Sources", ", ".join(f"<{url}>" for url in rule.sources)


def _levels(places: list[Place]) -> str:
    packs: dict[Level, list[str]] = {}
    for place in places:
        packs.setdefault(place.entry.level, []).append(f"`{place.pack.name}`")
    return "; ".join(f"{level.value} in {' and '.join(sorted(names))}" for level, names in packs.items())


def _judged(rule: Rule) -> str:
    """Return the types that the rule judges; those of its examples when it tells by a function."""
    if rule.applies is None:
        return _types(rule.types)
    examples = [*rule.bad, *rule.good]
    shown = {part.type for example in examples for part in example.parts if rule.judges(part.type, example.parameters)}
    return f"every type that this is a question for, such as {_types(tuple(sorted(shown))[:_MANY])}"


def _types(types: tuple[str, ...]) -> str:
    """Return the types, or of very many the number of each provider's and the first."""
    if len(types) <= _MANY:
        return ", ".join(f"`{type_}`" for type_ in types)
    providers = Counter(type_.partition(":")[0] for type_ in types)
    counts = ", ".join(f"{count} of {name}" for name, count in sorted(providers.items()))
    return f"{len(types)} types ({counts}), such as {_types(types[:_SOME])}"


def _equivalents(rule: Rule) -> str:
    """Return the peers' checks, grouped by tool: `checkov` CKV_AWS_24 (ports 22)."""
    tools: dict[str, list[str]] = {}
    for name, narrowing in rule.equivalents.items():
        tool, _, check = name.partition(":")
        to = migration.narrowed_to(narrowing)
        tools.setdefault(tool, []).append(f"{check} ({to})" if to else check)
    return "; ".join(f"{tool} {', '.join(checks)}" for tool, checks in tools.items())


def _parameters(places: list[Place]) -> Iterator[str]:
    entry = places[0].entry
    settings = {**entry.rule.defaults, **entry.parameters}
    yield "| parameter | what it sets | accepts | default |"
    yield "| --- | --- | --- | --- |"
    for name, schema in entry.rule.parameters.items():
        default = f"`{json.dumps(settings[name])}`" if name in settings else "none"
        if name in entry.rule.required:
            default = f"{default}; must be set" if settings.get(name) else "must be set"
        row = (f"`{name}`", _text(schema.get("description", "")), _accepts(schema), default)
        yield f"| {' | '.join(map(_cell, row))} |"
    yield ""
    if entry.rule.required:
        yield "Not judged until it is configured. In the file given to `--policy-pack-config`:\n"
        yield configuration(entry.rule)


def _accepts(schema: Mapping[str, Any]) -> str:
    """Return in words what a JSON Schema accepts; the bounds stand in the pack's manifest."""
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for combined in ("anyOf", "oneOf"):
        if combined in schema:
            return ", or ".join(map(_accepts, schema[combined]))
    types = schema.get("type", "anything")
    if isinstance(types, list):
        return " or ".join(_accepts({**schema, "type": type_}) for type_ in types)
    if types == "array" and "items" in schema:
        return f"a list, each {_accepts(schema['items'])}"
    if types == "object" and schema.get("properties"):
        keys = schema["properties"].items()
        words = [f"`{key}` ({_text(part.get('description') or _accepts(part))})" for key, part in keys]
        return f"an object with {', '.join(words)}"
    return _WORDS.get(types, str(types))


def configuration(rule: Rule) -> str:
    """Return the lines that switch on a rule that must be configured, as a JSON block: the values of its examples."""
    examples = (*rule.bad, *rule.good)
    given = next(example.parameters for example in examples if rule.configured(example.parameters))
    return f"```json\n{json.dumps({rule.id: given}, indent=2)}\n```\n"


def _nearest(examples: Sequence[Example], other: Example) -> Example:
    """Return the example that has the most types and properties in common with ``other``, and the fewest besides."""
    outline = _outline(other)

    def rank(example: Example) -> tuple[int, int]:
        found = _outline(example)
        return (-len(found & outline), len(found - outline))

    return min(examples, key=rank)


def _outline(example: Example) -> set[tuple[str, str]]:
    return {(part.type, key) for part in example.parts for key in ("", *part.inputs)}


def _example(kind: str, rule: Rule, example: Example) -> Iterator[str]:
    stack = example.stack()
    verdicts = [judge(rule, subject, example.parameters) for subject in rule.subjects(stack, example.parameters)]
    given = f", with `{json.dumps(dict(example.parameters))}`" if example.parameters else ""
    yield f"{kind}{given}:\n"
    yield f"```yaml\n{program(example, [leak.reveal() for verdict in verdicts for leak in verdict.leaks])}```\n"
    texts = dict.fromkeys(violation_text(violation) for verdict in verdicts for violation in verdict.violations)
    if texts:
        yield "\n>\n".join(f"> {_cell(text)}" for text in texts) + "\n"


def program(example: Example, secrets: Sequence[str] = ()) -> str:
    """Return the example as the resources of a Pulumi YAML program.

    ``secrets``, and whatever else looks like one, are not written: they are fake, but a scanner cannot tell.
    """
    write = _Writer(secrets)
    resources = {part.name: write.resource(part) for part in example.parts}
    return yaml.dump({"resources": resources}, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


class _Writer:
    """Writes resources as Pulumi YAML has them: outputs, secrets, assets and JSON documents have forms of their own."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = sorted(secrets, key=len, reverse=True)

    def resource(self, part: Part) -> dict[str, Any]:
        found: dict[str, Any] = {"type": part.type}
        if part.inputs:
            found["properties"] = {key: self._plain(value, key) for key, value in part.inputs.items()}
        options = {"provider": part.provider, "parent": part.parent}
        if any(options.values()):
            found["options"] = {key: f"${{{name}}}" for key, name in options.items() if name}
        return found

    def _plain(self, value: Any, key: str) -> Any:
        if isinstance(value, _REFERENCE):
            return f"${{{value.name}.id}}"
        if isinstance(value, str):
            return "${other.output}" if value in UNKNOWNS else self._text(value, key)
        if isinstance(value, dict) and SIGNATURE_KEY in value:
            return self._special(value, key)
        if isinstance(value, Mapping):
            return {name: self._plain(item, _meant(name, value)) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._plain(item, key) for item in value]
        return value

    def _special(self, value: dict[str, Any], key: str) -> Any:
        signature = value[SIGNATURE_KEY]
        if signature == ASSET:
            if "text" in value:
                return {"fn::stringAsset": self._text(value["text"], key)}
            return {"fn::fileAsset": value.get("path", "./file")}
        if signature == ARCHIVE:
            return {"fn::fileArchive": value.get("path", "./folder")}
        inner = self._plain(value["value"], key) if "value" in value else "${other.output}"
        marked = signature == SECRET or (signature == OUTPUT_VALUE and value.get("secret"))
        return {"fn::secret": inner} if marked else inner

    def _text(self, text: str, key: str) -> Any:
        if text[:1] in {"{", "["}:
            with suppress(ValueError):
                return {"fn::toJSON": self._plain(json.loads(text), key)}
        return self._masked(text, key)

    def _masked(self, text: str, key: str) -> str:
        """Return the text with the kind of each secret in its place."""
        whole, inside = text, decoded(text)
        for found in find(key, text):
            text = text.replace(found.text, f"<{found.kind}>")
        for secret in self._secrets:
            text = text.replace(secret, "<a secret>")
        kinds = [found.kind for found in find(key, inside)] if inside != whole else []
        kinds += ["a secret" for secret in self._secrets if secret in inside and inside != whole]
        return f"<base64 of a text with {kinds[0]}>" if kinds else text


def _meant(name: str, entry: Mapping[str, Any]) -> str:
    """Return the name that an entry is about: in ``{name: TOKEN, value: …}`` the value stands under TOKEN."""
    named = entry.get("name")
    return named if name == "value" and isinstance(named, str) else name


class _Dumper(yaml.SafeDumper):
    """Writes lists indented, and text of several lines as a block."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - as the base has it
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - as the base has it
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _represent_text)


def _text(prose: str) -> str:
    """Return a docstring's prose as Markdown."""
    return re.sub(r"``(.+?)``", r"`\1`", prose)


def _sentence(prose: str) -> str:
    text = _text(prose)
    return text[:1].upper() + text[1:]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
