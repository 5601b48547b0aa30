"""Reads the policies of IAM identities: what they allow for every resource, and to whom nothing else limits it.

A statement that names resources, or has a condition, is narrowed and is not looked into: what it leaves open is for
whoever wrote it to know.

Sources:
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notaction.html
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate import any_of
from crossgate.rules._paths import at_paths, split_paths
from crossgate.value import UNKNOWNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crossgate import Resource, Truth, Value

POLICIES: Final = split_paths(
    {
        "aws:iam/policy:Policy": "policy",
        "aws:iam/rolePolicy:RolePolicy": "policy",
        "aws:iam/userPolicy:UserPolicy": "policy",
        "aws:iam/groupPolicy:GroupPolicy": "policy",
        "aws:iam/role:Role": "inlinePolicies.*.policy",
        "aws:ssoadmin/permissionSetInlinePolicy:PermissionSetInlinePolicy": "inlinePolicy",
        "aws-native:iam:ManagedPolicy": "policyDocument",
        "aws-native:iam:RolePolicy": "policyDocument",
        "aws-native:iam:UserPolicy": "policyDocument",
        "aws-native:iam:GroupPolicy": "policyDocument",
        "aws-native:iam:Role": "policies.*.policyDocument",
        "aws-native:iam:User": "policies.*.policyDocument",
        "aws-native:iam:Group": "policies.*.policyDocument",
    }
)
"""Where the policies stand in each type."""
_EVERYTHING: Final = r"\*|arn:[^:]*:(?!s3:)[^:]*:[^:]*:[^:]*:(?:\*|[\w-]+[/:]\*)"
"""``*``, or every resource of a kind: ``role/*``. What stands before the slash in S3 is a bucket's name."""
_WIDE: Final = re.compile(rf'"(?:{_EVERYTHING})"|NotResource|\\')
"""Everything in quotes, or what may hide it: an escaped character."""
_EVERY_ACTION: Final = ("*", "*:*")
_SPARING: Final = ("*", "*:*", "iam:*")
"""What ``NotAction`` has to spare for its holder to be no administrator."""
_SHOWN: Final = 3


def statements(resource: Resource) -> Iterator[Value]:
    """Yield the statements of every policy that may be for every resource; none of what is no JSON: IAM refuses it."""
    paths = POLICIES[resource.token]
    if len(paths) == 1 and len(paths[0]) == 1:
        raw = resource.raw_inputs.get(paths[0][0])
        if type(raw) is str and not _may_be_wide(raw):
            return
    for policy in at_paths(resource, paths):
        document = policy.json()
        if not policy.readable or document.readable:
            yield from document["Statement"].each()


@lru_cache(maxsize=1024)
def _may_be_wide(text: str) -> bool:
    """Return whether a policy's text names everything somewhere: a quick answer, never a wrong no."""
    return _WIDE.search(text) is not None or any(sentinel in text for sentinel in UNKNOWNS)


def allows_everywhere(statement: Value) -> Truth:
    """Does it allow something for every resource, or for every one of a kind, under no condition?"""
    every = any_of(item.test(_is_everything) for item in statement["Resource"].each())
    covers = every | statement["NotResource"].exists()
    return statement["Effect"].equals("Allow") & covers & statement["Condition"].is_empty()


def _is_everything(content: Any) -> bool:
    return isinstance(content, str) and re.fullmatch(_EVERYTHING, content) is not None


def allows_all(statement: Value) -> Truth:
    """Does it make an administrator: every action, or every one but a few, for every resource alike?"""
    allowed = allows_everywhere(statement)
    if allowed.is_false:
        return allowed
    every = any_of(item.equals("*") for item in statement["Resource"].each()) | statement["NotResource"].exists()
    actions = any_of(item.is_in(_EVERY_ACTION) for item in statement["Action"].each())
    spared = statement["NotAction"]
    rest = spared.exists() & ~any_of(item.test(_spares_identities) for item in spared.each())
    return allowed & every & (actions | rest)


def _spares_identities(content: Any) -> bool:
    return isinstance(content, str) and content.lower() in _SPARING


class Granted(NamedTuple):
    """A statement that allows some actions for every resource."""

    actions: str
    """Words for those that it is known to allow."""
    at: Value
    """The property that says which they are."""
    when: Truth


def granted(resource: Resource, actions: tuple[str, ...], otherwise: str) -> Iterator[Granted]:
    """Yield the statements that allow, or may allow, one of ``actions`` for every resource.

    ``otherwise`` are the words for a statement that is not known to allow any of them.
    """
    for statement in statements(resource):
        allowed = allows_everywhere(statement)
        if not allowed.is_false:
            words = _shown(statement, actions, otherwise)
            yield Granted(words, actions_of(statement), allowed & names_any(statement, actions))


def names_any(statement: Value, actions: tuple[str, ...]) -> Truth:
    """Is one of ``actions`` among those that the statement is for?"""
    given = any_of(item.test(lambda content: bool(_matched(content, actions))) for item in statement["Action"].each())
    spared = statement["NotAction"]
    if spared.is_absent:
        return given
    rest = any_of(~any_of(item.test(_matches(name)) for item in spared.each()) for name in actions)
    return given | (spared.exists() & rest)


def actions_of(statement: Value) -> Value:
    """Return the property that says which actions it is for."""
    return statement["Action"] if statement["NotAction"].is_absent else statement["NotAction"]


def _matches(name: str) -> Callable[[Any], bool]:
    return lambda content: bool(_matched(content, (name,)))


def _matched(pattern: Any, actions: tuple[str, ...]) -> tuple[str, ...]:
    return _actions_like(pattern, actions) if isinstance(pattern, str) else ()


@lru_cache(maxsize=2048)
def _actions_like(pattern: str, actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the actions that ``pattern`` names; case does not count, ``*`` and ``?`` stand for any text."""
    like = pattern.lower().replace("[", "[[]")
    return tuple(name for name in actions if fnmatchcase(name.lower(), like))


def _shown(statement: Value, actions: tuple[str, ...], otherwise: str) -> str:
    """Name some of ``actions`` that the statement is known to be for; ``otherwise`` when none is."""
    found: dict[str, None] = {}
    for item in statement["Action"].each():
        if item.is_text:
            found.update(dict.fromkeys(_matched(item.text(), actions)))
    names = list(found)
    if not names:
        return otherwise
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more such actions" if more > 0 else "")
