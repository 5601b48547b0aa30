"""What a rule is: a generator function with its facts, all of them in the rule's own file.

The docstring of the rule's module is its documentation: the first line is the title, and the sections ``Why:``,
``Fix:`` and ``Sources:`` are shown to whoever is blocked. The function's name, with hyphens, is the rule's id.
"""

from __future__ import annotations

import enum
import re
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Required, TypedDict

from crossgate.model import PROVIDER_PREFIX, Resource, Stack
from crossgate.truth import TRUE, Truth
from crossgate.value import SECRET, SIGNATURE_KEY, UNKNOWN, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

__all__ = [
    "UNKNOWN",
    "Example",
    "Finding",
    "Leak",
    "Note",
    "Part",
    "Rule",
    "Severity",
    "ref",
    "rule",
    "secret",
    "stack_rule",
]

DOCS_PAGES: Final = "docs/rules"

ANY_TYPE: Final = "*"
"""In ``types``: the rule tells by ``applies`` which types it judges."""


class Severity(enum.Enum):
    """How bad a violation is. CrossGuard's four."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for low to 3 for critical."""
        return _SEVERITIES.index(self)


_CLOUDS: Final = {"aws-native": "aws", "azure-native": "azure", "google-native": "gcp"}
"""The cloud of a package that is not named like it."""
_NOTHING: Final[Mapping[str, Any]] = {}
_SEVERITIES: Final = tuple(Severity)
_HIGH: Final = Severity.HIGH.rank


class Leak:
    """A text that a rule names as a secret. Known to the redactor; whoever prints it sees only that it is one."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        """Hold the secret ``text``."""
        self._text = text

    def reveal(self) -> str:
        """Return the secret itself, for what must find it in a text."""
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Leak) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "<Leak>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        msg = "a leaked secret is not written anywhere"
        raise TypeError(msg)


class Finding:
    """A violation: the fact, then its reach, in lower case; never a value of a property that may be secret."""

    __slots__ = ("at", "leaks", "message", "when")

    def __init__(self, message: str, *, at: Value | str = "", when: Truth = TRUE, leaks: Iterable[str] = ()) -> None:
        """Hold a violation at property ``at`` that stands under the condition ``when``.

        ``leaks`` are the texts that the finding is about when it names a secret: the redactor has to know them, and
        nobody else may.
        """
        self.message = message
        self.at = at
        self.when = when
        self.leaks = tuple(map(Leak, leaks))

    @property
    def path(self) -> str:
        """The property path, such as ``ingress[0].cidrBlocks``."""
        return self.at if isinstance(self.at, str) else self.at.path


class Note(Finding):
    """A remark that is no violation: the verdict stays what it is."""

    __slots__ = ()


class Part(NamedTuple):
    """One resource of an example. ``inputs`` may hold :func:`ref`, :data:`UNKNOWN` and :func:`secret`."""

    type: str
    name: str
    inputs: Mapping[str, Any] = {}
    provider: str = ""
    parent: str = ""


class Example(NamedTuple):
    """An example of a rule: some resources, and the parameters it is judged with."""

    parts: Sequence[Part]
    parameters: Mapping[str, Any] = {}

    def stack(self) -> Stack:
        """Return the example as the stack that a preview would show."""
        urns = {part.name: _example_urn(part) for part in self.parts}
        return Stack(_example_resource(part, urns) for part in self.parts)


class _Reference(NamedTuple):
    name: str


def ref(name: str) -> Any:
    """Return, for an example's inputs, an output of the example's resource ``name``: unknown, with its edge."""
    return _Reference(name)


def secret(value: Any) -> Any:
    """Return, for an example's inputs, ``value`` marked as a secret."""
    return {SIGNATURE_KEY: SECRET, "value": value}


def _example_urn(part: Part) -> str:
    return f"urn:pulumi:dev::example::{part.type}::{part.name}"


def _example_resource(part: Part, urns: Mapping[str, str]) -> Resource:
    edges: dict[str, list[str]] = {}
    inputs = {key: _example_value(value, edges.setdefault(key, []), urns) for key, value in part.inputs.items()}
    return Resource(
        urns[part.name],
        part.type,
        part.name,
        inputs,
        provider=f"{urns[part.provider]}::{UNKNOWN}" if part.provider else "",
        parent=urns[part.parent] if part.parent else "",
        dependencies=[urn for targets in edges.values() for urn in targets],
        property_dependencies={key: targets for key, targets in edges.items() if targets},
    )


def _example_value(value: Any, edges: list[str], urns: Mapping[str, str]) -> Any:
    if isinstance(value, _Reference):
        if urns[value.name] not in edges:
            edges.append(urns[value.name])
        return UNKNOWN
    if isinstance(value, dict):
        return {key: _example_value(item, edges, urns) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_example_value(item, edges, urns) for item in value]
    return value


class Facts(TypedDict, total=False):
    """What a rule states about itself, as the arguments of :func:`rule` and :func:`stack_rule`."""

    types: Required[Sequence[str]]
    """Type tokens it judges; azure-native ones without their API version. ``(ANY_TYPE,)``: as ``applies`` tells."""
    applies: Callable[[str, Mapping[str, Any]], bool]
    """With ``ANY_TYPE``: called with a type token and the complete parameters, whether it judges such resources.

    For what thousands of types share. Of a type that it does not judge there is no verdict, not even a pass.
    """
    severity: Required[Severity]
    """How bad a violation is."""
    neighbours: Sequence[str]
    """Types of resources that can excuse a violation, read through ``related`` or ``targets``."""
    aggravated_by: Sequence[str]
    """Types of resources that are read too and can only make it worse: no verdict is held back for them."""
    undetermined: Literal["block", "warn"]
    """What an undetermined verdict does where the rule is mandatory; by default ``block`` at high and critical."""
    literals: bool
    """It asks what the program states in clear. An unknown value is computed, so it is no literal, and passes."""
    frameworks: Sequence[str]
    """Controls it serves, each with its version: ``CIS AWS 3.0 2.1.4``."""
    equivalents: Sequence[str] | Mapping[str, Mapping[str, Any]]
    """Peers' checks that ask the same question, ``tool:ID``; a map narrows each to ports or a property path."""
    parameters: Mapping[str, Any]
    """JSON Schema per parameter; with any, the function takes the parameters as its second argument."""
    required: Sequence[str]
    """Parameters without which the rule is not configured and is not judged."""
    bad: Sequence[Any]
    """Examples that must fail: a map of inputs of the first type, a Part, a list of parts, or an Example."""
    good: Sequence[Any]
    """Examples that must pass."""
    unsure: Sequence[Any]
    """Examples that must be undetermined."""


class Rule:
    """A rule and everything that is known about it."""

    def __init__(
        self, check: Callable[..., Iterator[Finding]], page: str, *, over_stack: bool, **facts: Unpack[Facts]
    ) -> None:
        """Build a rule; rule files use the decorators :func:`rule` and :func:`stack_rule`."""
        equivalents = facts.get("equivalents", ())
        self.check = check
        self.id = str(check.__name__).replace("_", "-")
        self.types = tuple(facts["types"])
        self.applies = facts.get("applies")
        if (self.types == (ANY_TYPE,)) is (self.applies is None):
            raise ValueError(f"rule {self.id}: the types are ({ANY_TYPE!r},) exactly when `applies` tells them")
        self.severity = facts["severity"]
        self.over_stack = over_stack
        """Judged when the whole stack is known, not resource by resource."""
        self.neighbours = tuple(facts.get("neighbours", ()))
        self.aggravated_by = tuple(facts.get("aggravated_by", ()))
        self.undetermined = facts.get("undetermined") or ("block" if self.severity.rank >= _HIGH else "warn")
        self.literals = facts.get("literals", False)
        self.frameworks = tuple(facts.get("frameworks", ()))
        self.equivalents: dict[str, Mapping[str, Any]] = (
            dict(equivalents) if isinstance(equivalents, dict) else {name: {} for name in equivalents}
        )
        self.parameters = dict(facts.get("parameters", {}))
        self.required = tuple(facts.get("required", ()))
        self._facts = facts
        self._page = page

    @cached_property
    def bad(self) -> tuple[Example, ...]:
        """Examples that must fail. Built when they are asked for, since a run of the gate asks for none."""
        return tuple(map(self._example, self._facts.get("bad", ())))

    @cached_property
    def good(self) -> tuple[Example, ...]:
        """Examples that must pass."""
        return tuple(map(self._example, self._facts.get("good", ())))

    @cached_property
    def unsure(self) -> tuple[Example, ...]:
        """Examples that must be undetermined."""
        return tuple(map(self._example, self._facts.get("unsure", ())))

    @cached_property
    def title(self) -> str:
        """What the rule finds, in a line."""
        return self._sections[0]

    @cached_property
    def why(self) -> str:
        """What can happen."""
        return self._sections[1]

    @cached_property
    def fix(self) -> str:
        """What to write instead."""
        return self._sections[2]

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Where the vendors say so."""
        return self._sections[3]

    @cached_property
    def _sections(self) -> tuple[str, str, str, tuple[str, ...]]:
        return _read_page(self._page)

    @property
    def url(self) -> str:
        """Where the rule is documented."""
        return f"{DOCS_PAGES}/{self.id}.md"

    @property
    def family(self) -> str:
        """What kind of question it is, such as ``public`` or ``network``: the folder of its file."""
        return str(self.check.__module__).rpartition(".")[0].rpartition(".")[2]

    @cached_property
    def clouds(self) -> tuple[str, ...]:
        """The clouds whose resources it names, such as ``aws``; none when it tells by a function which it judges."""
        packages = {token.partition(":")[0] for token in self.types if token != ANY_TYPE}
        return tuple(sorted({_CLOUDS.get(package, package) for package in packages}))

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The default of every parameter that has one."""
        return {name: schema["default"] for name, schema in self.parameters.items() if "default" in schema}

    def configured(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether every required parameter is given and not empty."""
        return all(parameters.get(name) not in (None, [], {}, "") for name in self.required)

    def findings(self, resource: Resource, parameters: Mapping[str, Any]) -> Iterator[Finding]:
        """Run the rule on one resource with the complete ``parameters``."""
        return self.check(resource, parameters) if self.parameters else self.check(resource)

    def _example(self, example: Any) -> Example:
        """Accept the short forms: the inputs of the first type, or a list of parts."""
        if isinstance(example, Example):
            return example
        if isinstance(example, Part):
            return Example((example,))
        if isinstance(example, dict):
            return Example((Part(self.types[0], "example", example),))
        return Example(tuple(example))

    def judges(self, token: str, parameters: Mapping[str, Any] = _NOTHING) -> bool:
        """Return whether this rule, with ``parameters`` over its defaults, judges resources of a type."""
        if self.applies is None:
            return token in self.types
        return not token.startswith(PROVIDER_PREFIX) and self.applies(token, {**self.defaults, **parameters})

    def subjects(self, stack: Stack, parameters: Mapping[str, Any] = _NOTHING) -> list[Resource]:
        """Return the resources of ``stack`` that this rule judges."""
        types = self.types
        if self.applies is not None:
            types = tuple(token for token in stack.tokens if self.judges(token, parameters))
        return stack.of_type(*types)

    def __repr__(self) -> str:
        """Show the id."""
        return f"<Rule {self.id}>"


_SECTION: Final = re.compile(r"^(Why|Fix|Sources):[ \t]*", re.MULTILINE)


def _read_page(page: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Split a rule's docstring into title, why, fix and source URLs."""
    title, _, body = page.strip().partition("\n")
    pieces = _SECTION.split(body)
    sections = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    sources = tuple(word for word in sections.get("Sources", "").split() if word.startswith("https://"))
    return title.rstrip("."), _prose(sections.get("Why", "")), _prose(sections.get("Fix", "")), sources


def _prose(section: str) -> str:
    """Join the lines of each paragraph, and write code as Markdown and terminals do: `so`."""
    paragraphs = (" ".join(paragraph.split()).replace("``", "`") for paragraph in section.split("\n\n"))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def rule(**facts: Unpack[Facts]) -> Callable[[Callable[..., Iterator[Finding]]], Rule]:
    """Make a rule about one resource out of a generator of findings; see :class:`Facts`."""
    return lambda check: Rule(check, _page_of(check), over_stack=False, **facts)


def stack_rule(**facts: Unpack[Facts]) -> Callable[[Callable[..., Iterator[Finding]]], Rule]:
    """Make a rule about something that is missing from the stack; see :class:`Facts`.

    It starts from the resource to protect: the function is called once per resource of ``types``, when the whole
    stack is known, and looks for the protector through ``related`` or ``resource.stack``.
    """
    return lambda check: Rule(check, _page_of(check), over_stack=True, **facts)


def _page_of(check: Callable[..., Any]) -> str:
    return sys.modules[check.__module__].__doc__ or ""
