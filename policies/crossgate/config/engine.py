"""The engine's own policy configuration file, version 2, read as the engine reads it.

``{"version": 2, "policies": {NAME: LEVEL | {"enforcementLevel": LEVEL, PARAMETER: …}}, "exceptions": {ID: {…}}}``;
without ``version`` the map of policies stands at the top (version 1). The key ``all`` sets the level of every policy.

Source: https://www.pulumi.com/docs/insights/policy/policy-packs/configuration/
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate.model import parse_urn
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


class PolicyException(NamedTuple):
    """An exception of the file: some policies do not block some resources, for a reason."""

    id: str
    reason: str
    matches: tuple[tuple[frozenset[str], frozenset[str]], ...]
    """Pairs of policy names and exact URNs."""

    def covers(self, policy: str, urn: str) -> bool:
        """Return whether a violation of ``policy`` on ``urn`` is excepted."""
        return any(policy in policies and urn in targets for policies, targets in self.matches)


class EngineConfig(NamedTuple):
    """What a configuration file says."""

    policies: Mapping[str, PolicySetting] = {}
    exceptions: tuple[PolicyException, ...] = ()


class PolicySetting(NamedTuple):
    """Level (None: as the pack has it) and parameters of one policy."""

    level: Level | None
    parameters: Mapping[str, Any]


def read_engine_config(text: str) -> EngineConfig:
    """Read a configuration file.

    Raises:
        ConfigError: it is not JSON, or not of this shape.

    """
    if not text.strip():
        return EngineConfig()
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigError("", "not valid JSON") from None
    if not isinstance(document, dict):
        raise ConfigError("", "must be a JSON object of policies")
    _texts(document.pop("environments", []), "environments")  # ESC environments: for the engine alone
    version = document.get("version")
    if isinstance(version, bool) or not isinstance(version, (int, float)):
        return EngineConfig(_policies(document, ""))  # unversioned: a policy may be called "version"
    if version != VERSION:
        raise ConfigError("version", "only version 2 is known")
    _only(
        document,
        ("version", "policies", "exceptions"),
        "",
        "version 2 has version, policies, exceptions and environments",
    )
    return EngineConfig(
        _policies(_section(document, "policies"), "policies."),
        tuple(_exception(id_, body) for id_, body in _section(document, "exceptions").items()),
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


_EXCEPTION_ID: Final = re.compile(r"[A-Za-z0-9_.-]+")


def _exception(id_: str, body: Any) -> PolicyException:
    """Read one exception, as strictly as the engine does; a key that is not known might be meant to narrow it.

    Source: https://github.com/pulumi/pulumi/blob/master/pkg/resource/analyzer/exceptions.go
    """
    where = f"exceptions.{id_}"
    if not _EXCEPTION_ID.fullmatch(id_):
        raise ConfigError(where, "the id may hold only letters, digits, '-', '.' and '_'")
    fields = _map(body, where)
    _only(fields, ("reason", "match"), f"{where}.", "an exception has reason and match")
    reason = fields.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise ConfigError(f"{where}.reason", "is required")
    matches = fields.get("match")
    if not isinstance(matches, list) or not matches:
        raise ConfigError(f"{where}.match", 'must list at least one {"policies", "targets"} entry')
    return PolicyException(
        id_, reason, tuple(_match(match, f"{where}.match[{number}]") for number, match in enumerate(matches))
    )


def _match(match: Any, where: str) -> tuple[frozenset[str], frozenset[str]]:
    fields = _map(match, where)
    _only(fields, ("policies", "targets"), f"{where}.", "an entry has policies and targets")
    policies = _texts(fields.get("policies", []), f"{where}.policies")
    targets = _texts(fields.get("targets", []), f"{where}.targets")
    if not policies or ALL in policies or "" in policies:
        raise ConfigError(f"{where}.policies", f'must name policies; "{ALL}" is not allowed')
    if not targets:
        raise ConfigError(f"{where}.targets", "must list at least one URN")
    for number, target in enumerate(targets):
        try:
            parse_urn(target)
        except ValueError:
            raise ConfigError(f"{where}.targets[{number}]", "is not a URN; patterns are not known here") from None
    return frozenset(policies), frozenset(targets)


def _texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(where, "must be a list of strings")
    return value


def _section(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = document.get(key)
    return {} if found is None else _map(found, key)


def _only(fields: Mapping[str, Any], known: tuple[str, ...], where: str, hint: str) -> None:
    unexpected = sorted(set(fields) - set(known))
    if unexpected:
        raise ConfigError(f"{where}{unexpected[0]}", f"unknown key; {hint}")


def _map(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(where, "must be a JSON object")
    return value
