"""The engine's own policy configuration file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from crossgate import Finding, Resource, Severity, rule
from crossgate.config.engine import ConfigError, configure, read_engine_config
from crossgate.pack import Level, Pack


@rule(
    types=("t:t:T",),
    severity=Severity.HIGH,
    parameters={
        "ports": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 65535}, "default": [22]},
        "mode": {"type": "string", "enum": ["strict", "lax"], "default": "strict"},
    },
)
def open_port(resource: Resource, parameters: Any) -> Iterator[Finding]:
    """Any rule with parameters."""
    del resource, parameters
    yield from ()


@rule(types=("t:t:T",), severity=Severity.HIGH)
def plain(resource: Resource) -> Iterator[Finding]:
    """Any rule without parameters."""
    del resource
    yield from ()


PACK = Pack("p", "", [(open_port, Level.MANDATORY), (plain, Level.ADVISORY)])


def configured(policies: dict[str, Any], **rest: Any) -> Pack:
    text = json.dumps({"version": 2, "policies": policies, **rest})
    return configure(PACK, read_engine_config(text).policies)


def levels(pack: Pack) -> dict[str, str]:
    return {entry.rule.id: entry.level.value for entry in pack.entries}


def test_levels_are_raised_and_lowered() -> None:
    assert levels(configured({"open-port": "advisory", "plain": {"enforcementLevel": "mandatory"}})) == {
        "open-port": "advisory",
        "plain": "mandatory",
    }


def test_all_sets_every_level_and_one_named_policy_stands_above_it() -> None:
    assert levels(configured({"all": "disabled", "plain": "mandatory"})) == {
        "open-port": "disabled",
        "plain": "mandatory",
    }
    assert levels(configured({"plain": "mandatory", "all": "disabled"}))["plain"] == "mandatory"


def test_parameters_are_taken_over_and_the_level_stays() -> None:
    entry = configured({"open-port": {"ports": [3389]}}).entry("open-port")
    assert entry is not None
    assert (entry.level, entry.parameters) == (Level.MANDATORY, {"ports": [3389]})


def test_version_one_has_the_policies_at_the_top() -> None:
    assert levels(configure(PACK, read_engine_config('{"plain": "mandatory"}').policies))["plain"] == "mandatory"


def test_exceptions_name_policies_and_exact_resources() -> None:
    urn = "urn:pulumi:dev::p::t:t:T::one"
    body = {"reason": "moving", "match": [{"policies": ["plain"], "targets": [urn]}]}
    [exception] = read_engine_config(json.dumps({"version": 2, "exceptions": {"E-1": body}})).exceptions
    assert (exception.id, exception.reason) == ("E-1", "moving")
    assert exception.covers("plain", urn)
    assert not exception.covers("open-port", urn)
    assert not exception.covers("plain", urn + "x")


def test_the_pairs_of_one_match_are_not_mixed_with_those_of_another() -> None:
    one, two = "urn:pulumi:d::p::t:t:T::one", "urn:pulumi:d::p::t:t:T::two"
    matches = [{"policies": ["a"], "targets": [one]}, {"policies": ["b"], "targets": [two]}]
    body = {"version": 2, "exceptions": {"E": {"reason": "r", "match": matches}}}
    [exception] = read_engine_config(json.dumps(body)).exceptions
    assert exception.covers("a", one)
    assert not exception.covers("a", two)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "exceptions.E.reason: is required"),
        ({"reason": "r"}, "exceptions.E.match: must list at least one"),
        ({"reason": "r", "match": [{"policies": ["all"], "targets": []}]}, "exceptions.E.match[0].policies: must name"),
        ({"reason": "r", "match": [{"policies": ["a"]}]}, "exceptions.E.match[0].targets: must list at least one URN"),
        (
            {"reason": "r", "match": [{"policies": ["a"], "targets": ["urn:*"]}]},
            "exceptions.E.match[0].targets[0]: is not a URN",
        ),
        (
            {
                "reason": "r",
                "match": [{"policies": ["a"], "targets": ["urn:pulumi:d::p::t:t:T::n"]}],
                "expires": "2026-01-01",
            },
            "exceptions.E.expires: unknown key; an exception has reason and match",
        ),
        (
            {
                "reason": "r",
                "match": [{"policies": ["a"], "targets": ["urn:pulumi:d::p::t:t:T::n"], "stacks": ["dev"]}],
            },
            "exceptions.E.match[0].stacks: unknown key; an entry has policies and targets",
        ),
    ],
)
def test_an_exception_is_read_as_strictly_as_the_engine_reads_it(body: Any, words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_engine_config(json.dumps({"version": 2, "exceptions": {"E": body}}))
    assert str(refused.value).startswith(words)


def test_an_empty_file_sets_nothing_and_environments_are_left_to_the_engine() -> None:
    assert read_engine_config(" \n").policies == {}
    assert read_engine_config('{"environments": ["team/dev"], "version": 2}').policies == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not valid JSON"),
        ("[" * 50_000, "not valid JSON"),
        ("[]", "must be a JSON object of policies"),
        ('{"version": 3}', "version: only version 2 is known"),
        (
            '{"version": 2, "polices": {}}',
            "polices: unknown key; version 2 has version, policies, exceptions and environments",
        ),
        ('{"version": 2, "policies": [1]}', "policies: must be a JSON object"),
        ('{"version": 2, "policies": []}', "policies: must be a JSON object"),
        ('{"version": 2, "exceptions": 0}', "exceptions: must be a JSON object"),
        ('{"plain": "mandatry"}', "plain: must be one of advisory, mandatory, remediate, disabled"),
        ('{"version": 2, "policies": {"plain": 3}}', "policies.plain: must be a JSON object"),
        (
            '{"version": 2, "exceptions": {"E": {"reason": "r", "match": [{"policies": "x"}]}}}',
            "exceptions.E.match[0].policies: must be a list of strings",
        ),
    ],
)
def test_a_file_of_another_shape_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_engine_config(text)
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize(
    ("policies", "words"),
    [
        ({"no-such": "mandatory"}, "policies.no-such: pack p has no such policy"),
        ({"plain": {"ports": [1]}}, "policies.plain.ports: unknown parameter; plain takes: none"),
        ({"open-port": {"port": [1]}}, "policies.open-port.port: unknown parameter; open-port takes: mode, ports"),
        ({"open-port": {"ports": [99999]}}, "policies.open-port.ports.0: must be smaller than or equal to 65535"),
        ({"open-port": {"mode": "x"}}, "policies.open-port.mode: must be one of ['strict', 'lax']"),
    ],
)
def test_what_the_pack_does_not_take_is_refused_with_its_place(policies: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        configured(policies)
    assert str(refused.value) == words
