"""The engine's own policy configuration file, version 2, read as the engine reads it.

``{"version": 2, "policies": {NAME: LEVEL | {"enforcementLevel": LEVEL, PARAMETER: …}}, "exceptions": {ID: {…}}}``;
without ``version`` the map of policies stands at the top (version 1). The key ``all`` sets the level of every policy.

Source: https://www.pulumi.com/docs/insights/policy/policy-packs/configuration/
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate.pack import Entry, Level, Pack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from crossgate.rule import Rule

ALL: Final = "all"
VERSION: Final = 2


class ConfigError(ValueError):
    """A setting that is wrong: ``where`` is its path in the file, the text says what to do."""

    def __init__(self, where: str, message: str) -> None:
        """Hold the place and the words; neither holds a parameter's value."""
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


class Exception_(NamedTuple):  # noqa: N801 - the file's own word is "exceptions"; a bare name would hide the builtin
    """An exception of the file: these policies do not block these resources."""

    id: str
    reason: str
    policies: frozenset[str]
    targets: frozenset[str]

    def covers(self, policy: str, urn: str) -> bool:
        """Return whether a violation of ``policy`` on ``urn`` is excepted."""
        return policy in self.policies and urn in self.targets


class EngineConfig(NamedTuple):
    """What a configuration file says."""

    policies: Mapping[str, PolicySetting] = {}
    exceptions: tuple[Exception_, ...] = ()


class PolicySetting(NamedTuple):
    """Level (None: as the pack has it) and parameters of one policy."""

    level: Level | None
    parameters: Mapping[str, Any]


def read_engine_config(text: str) -> EngineConfig:
    """Read a configuration file.

    Raises:
        ConfigError: it is not JSON, or not of this shape.

    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigError("", "not valid JSON") from None
    if not isinstance(document, dict):
        raise ConfigError("", "must be a JSON object of policies")
    if "version" not in document:
        return EngineConfig(_policies(document, ""))
    if document["version"] != VERSION or isinstance(document["version"], bool):
        raise ConfigError("version", "only version 2 is known")
    unexpected = sorted(set(document) - {"version", "policies", "exceptions"})
    if unexpected:
        raise ConfigError(unexpected[0], "unknown key; version 2 has version, policies and exceptions")
    return EngineConfig(
        _policies(_map(document.get("policies", {}), "policies"), "policies."),
        tuple(
            _exception(id_, _map(body, f"exceptions.{id_}"))
            for id_, body in _map(document.get("exceptions", {}), "exceptions").items()
        ),
    )


def configure(pack: Pack, policies: Mapping[str, PolicySetting], where: str = "policies.") -> Pack:
    """Return ``pack`` with the levels and parameters of ``policies``.

    Raises:
        ConfigError: a policy that the pack does not have, or a parameter that its schema refuses.

    """
    changed: dict[str, Entry] = {}
    everything = policies.get(ALL)
    if everything is not None and everything.level is not None:
        changed = {entry.rule.id: entry._replace(level=everything.level) for entry in pack.entries}
    for name, setting in policies.items():
        if name == ALL:
            continue
        entry = changed.get(name) or pack.entry(name)
        if entry is None:
            raise ConfigError(f"{where}{name}", f"pack {pack.name} has no such policy")
        check_parameters(entry.rule, setting.parameters, f"{where}{name}")
        changed[name] = Entry(entry.rule, setting.level or entry.level, {**entry.parameters, **setting.parameters})
    return pack.with_entries(changed)


def check_parameters(rule: Rule, parameters: Mapping[str, Any], where: str) -> None:
    """Check ``parameters`` against the rule's schema.

    Raises:
        ConfigError: with the path of the first parameter that does not fit.

    """
    if not parameters:
        return
    unexpected = sorted(set(parameters) - set(rule.parameters))
    if unexpected:
        known = ", ".join(sorted(rule.parameters)) or "none"
        raise ConfigError(f"{where}.{unexpected[0]}", f"unknown parameter; {rule.id} takes: {known}")
    import fastjsonschema

    try:
        fastjsonschema.compile(schema_of(rule))(dict(parameters))
    except fastjsonschema.JsonSchemaValueException as error:
        path = ".".join(str(part) for part in error.path[1:])
        expectation = (error.message or "").removeprefix(error.name or "").strip()
        raise ConfigError(f"{where}.{path}", expectation) from None


def schema_of(rule: Rule) -> dict[str, Any]:
    """Return the JSON Schema of a rule's parameters."""
    return {"type": "object", "properties": rule.parameters, "additionalProperties": False}


def _policies(document: Mapping[str, Any], where: str) -> dict[str, PolicySetting]:
    return {name: _setting(body, f"{where}{name}") for name, body in document.items()}


def _setting(body: Any, where: str) -> PolicySetting:
    if isinstance(body, str):
        return PolicySetting(_level(body, where), {})
    parameters = dict(_map(body, where))
    level = parameters.pop("enforcementLevel", None)
    return PolicySetting(None if level is None else _level(level, f"{where}.enforcementLevel"), parameters)


def _level(text: Any, where: str) -> Level:
    try:
        return Level(text)
    except ValueError:
        raise ConfigError(where, "must be one of advisory, mandatory, remediate, disabled") from None


def _exception(id_: str, body: Mapping[str, Any]) -> Exception_:
    where = f"exceptions.{id_}"
    policies: set[str] = set()
    targets: set[str] = set()
    matches = body.get("match", [])
    if not isinstance(matches, list):
        raise ConfigError(f"{where}.match", "must be a list")
    for number, match in enumerate(matches):
        place = f"{where}.match[{number}]"
        policies.update(_texts(_map(match, place).get("policies", []), f"{place}.policies"))
        targets.update(_texts(match.get("targets", []), f"{place}.targets"))
    return Exception_(id_, str(body.get("reason", "")), frozenset(policies), frozenset(targets))


def _texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(where, "must be a list of strings")
    return value


def _map(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(where, "must be a JSON object")
    return value
