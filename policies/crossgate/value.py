"""One property value of a resource: plain, unknown, secret, or something that is not text at all.

Every door (live analysis, preview digest, state) hands over Pulumi's own property encoding: plain JSON in which an
unknown is one of seven sentinel UUIDs and secrets, assets, archives, resource references and output values are maps
with a signature key. A :class:`Value` reads that encoding lazily, so that a large file costs only what rules look at.

Sources:
    https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/plugin/rpc.go (sentinels)
    https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/sig/sig.go (signatures)
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NoReturn

from crossgate.truth import FALSE, TRUE, Gap, Truth, Undetermined, truth, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from crossgate.model import Resource

SIGNATURE_KEY: Final = "4dabf18193072939515e22adb298388d"
SECRET: Final = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 - Pulumi's public signature, not a password
ASSET: Final = "c44067f5952c0a294b673a41bacd8c17"
ARCHIVE: Final = "0def7320c3a5731c473e5ecbe6d01bc7"
RESOURCE_REFERENCE: Final = "5cf8f73096256a8f31e491e813e4eb8e"
OUTPUT_VALUE: Final = "d0e6a833031e9bbcd3f4e8bde6ca49a4"

UNKNOWN: Final = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The sentinel of an unknown string. The engine uses one sentinel per kind; all seven mean "not known yet"."""
UNKNOWNS: Final = frozenset(
    {
        UNKNOWN,
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # boolean
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # number
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # array
        "030794c1-ac77-496b-92df-f27374a8bd58",  # asset
        "e48ece36-62e2-4504-bad9-02848725956a",  # archive
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # object
    }
)
HIDDEN: Final = "[secret]"
"""What digests and event streams show in the place of a secret value."""

NOT_YET: Final = "not known until the update"
UNREADABLE: Final = "secret, unreadable"
NOT_JSON: Final = "not valid JSON"

_JSON_LIMIT: Final = 4_000_000  # characters of JSON inside a string; cloud APIs refuse documents far below this


class _Absent:
    """Marks a property that is not there; different from null, unknown and empty."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()

# What a Value is. Small ints, since every property that a rule reads is classified once.
_PLAIN, _UNKNOWN, _HIDDEN, _OPAQUE, _BROKEN = range(5)


class Value:
    """A property value and the place where it stands.

    Navigation never fails: a key that is not there gives an absent Value, a child of an unknown is unknown. Questions
    (``exists``, ``equals``, ``test`` …) answer with a :class:`~crossgate.truth.Truth`. Extractors (``text``,
    ``number``, ``flag``, ``plain``) raise :class:`~crossgate.truth.Undetermined` when the value is not known.
    """

    __slots__ = ("_gap", "_key", "_kind", "_origin", "_parent", "_raw", "_why", "owner", "secret")

    def __init__(
        self,
        raw: Any,
        owner: Resource | None = None,
        parent: Value | None = None,
        key: str | int | None = None,
        secret: bool = False,  # not by keyword alone: a call with keywords takes half as long again
    ) -> None:
        """Wrap ``raw`` (Pulumi's property encoding), which stands at ``parent[key]`` of resource ``owner``."""
        self.owner = owner
        self.secret: bool = secret
        """Marked secret, here or at a level above. A readable secret still answers questions."""
        self._parent = parent
        self._key = key
        self._origin: Value | None = None
        self._gap: Gap | None = None
        self._why = NOT_YET
        self._raw = raw
        self._kind = _PLAIN
        kind = type(raw)
        if kind is str:
            if raw in _SPECIAL_TEXT:
                self._take_text(raw)
        elif kind is dict and SIGNATURE_KEY in raw:
            self._unwrap(raw)

    def _take_text(self, raw: str) -> None:
        if raw == HIDDEN:
            self._kind, self.secret, self._why = _HIDDEN, True, UNREADABLE
        else:
            self._kind = _UNKNOWN
        self._raw = ABSENT

    def _unwrap(self, raw: dict[str, Any]) -> None:
        signature = raw[SIGNATURE_KEY]
        inner: Any = ABSENT
        if signature == SECRET:
            self.secret = True
            inner = _secret_content(raw)
        elif signature == OUTPUT_VALUE:
            self.secret = self.secret or raw.get("secret") is True
            inner = raw.get("value", UNKNOWN)
        elif isinstance(signature, str) and signature in _OPAQUE_SIGNATURES:
            self._kind = _OPAQUE
            return
        if inner is ABSENT:
            self._kind, self._why, self._raw = _HIDDEN, UNREADABLE, ABSENT
            if signature != SECRET:
                self._why = "in an encoding that is not known"
            return
        nested = Value(inner, self.owner, self._parent, self._key, self.secret)
        self._raw, self._kind, self._why, self.secret = nested._raw, nested._kind, nested._why, nested.secret

    @classmethod
    def gap_of(cls, gap: Gap, owner: Resource | None = None) -> Value:
        """Return a value of which nothing is known, for the reason that ``gap`` gives."""
        value = cls(UNKNOWN, owner)
        value._gap = gap
        value._origin = value  # whether anything is set is not known either
        return value

    # -- where it is -------------------------------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """Property path from the resource's inputs, such as ``ingress[0].cidrBlocks``."""
        parts: list[str] = []
        here: Value | None = self
        while here is not None and here._parent is not None:
            key = here._key
            if isinstance(key, int):
                parts.append(f"[{key}]")
            elif key is not None:
                parts.append(f".{key}" if _is_plain_key(key) else f"[{json.dumps(key, ensure_ascii=False)}]")
            here = here._parent
        return "".join(reversed(parts)).lstrip(".")

    @property
    def property_name(self) -> str:
        """Name of the top-level property this value belongs to; empty for the inputs as a whole."""
        name = ""
        here: Value | None = self
        while here is not None and here._parent is not None:
            if here._key is not None:
                name = str(here._key)
            here = here._parent
        return name

    @property
    def gap(self) -> Gap:
        """Why this value cannot be read, and where the unreadable part begins."""
        origin = self if self._origin is None else self._origin
        return origin._gap or Gap(self.owner.urn if self.owner is not None else "", origin.path, origin._why)

    # -- what it is --------------------------------------------------------------------------------------------------

    @property
    def readable(self) -> bool:
        """The content is there to read: not unknown, not a hidden secret, not broken."""
        return self._kind in (_PLAIN, _OPAQUE)

    @property
    def is_unknown(self) -> bool:
        """Not known until the update."""
        return self._kind == _UNKNOWN

    @property
    def is_hidden(self) -> bool:
        """A secret that this source does not show."""
        return self._kind == _HIDDEN

    @property
    def is_opaque(self) -> bool:
        """An asset, an archive or a resource reference: there, but not text, number, list or map."""
        return self._kind == _OPAQUE

    @property
    def is_absent(self) -> bool:
        """Not there at all. Null is not absent, see :meth:`exists`."""
        return self._raw is ABSENT and self._kind == _PLAIN

    @property
    def is_map(self) -> bool:
        """Known to be a map."""
        return self._kind == _PLAIN and type(self._raw) is dict

    @property
    def is_list(self) -> bool:
        """Known to be a list."""
        return self._kind == _PLAIN and type(self._raw) is list

    @property
    def is_text(self) -> bool:
        """Known to be text."""
        return self._kind == _PLAIN and type(self._raw) is str

    # -- navigation --------------------------------------------------------------------------------------------------

    def __getitem__(self, key: str | int) -> Value:
        """Return the child at ``key``: absent when there is none, unknown when this value is."""
        if self._kind != _PLAIN:
            return self._child_of_gap(key)
        raw = self._raw
        child: Any = ABSENT
        if type(raw) is dict:
            if key.__class__ is str:
                child = raw.get(key, ABSENT)
        elif type(raw) is list and key.__class__ is int and -len(raw) <= int(key) < len(raw):
            child = raw[int(key)]
        return Value(child, self.owner, self, key, self.secret)

    def _child_of_gap(self, key: str | int) -> Value:
        child = Value(ABSENT, self.owner, self, key, self.secret)
        if self._kind != _OPAQUE:
            child._kind, child._why = self._kind, self._why
            child._origin = self if self._origin is None else self._origin
        return child

    def each(self) -> Iterator[Value]:
        """Yield the elements of a list.

        A value that is not a list counts as a list of one, since APIs accept both; absent and null have no elements;
        an unknown list yields one unknown element.
        """
        if self._kind == _PLAIN:
            raw = self._raw
            if type(raw) is list:
                for index, item in enumerate(raw):
                    yield Value(item, self.owner, self, index, self.secret)
            elif raw is not ABSENT and raw is not None:
                yield self
        elif self._kind == _OPAQUE:
            yield self
        else:
            yield self._child_of_gap(0)

    def entries(self) -> Iterator[tuple[str, Value]]:
        """Yield the entries of a map, without the ``__defaults`` that bridged providers write into inputs.

        Anything but a map has none; an unknown map yields one unknown entry with the key ``*``.
        """
        if self._kind == _PLAIN:
            if type(self._raw) is dict:
                for key, item in self._raw.items():
                    if key != "__defaults":
                        yield key, Value(item, self.owner, self, key, self.secret)
        elif self._kind != _OPAQUE:
            yield "*", self._child_of_gap("*")

    def present(self, keys: Iterable[str]) -> Iterator[Value]:
        """Yield what stands under those of ``keys`` that are there; nothing for anything but a known map."""
        if self.is_map:
            yield from (self[key] for key in keys if key in self._raw)

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Return the texts of the list under ``key`` of a known map; None for anything but a list of known texts.

        The short way for lists that are read very often; what is None is asked for by ``self[key].each()``.
        """
        if self._kind != _PLAIN or type(self._raw) is not dict:
            return None
        if key not in self._raw:
            return ()
        items = self._raw[key]
        if type(items) is not list:
            return None
        for item in items:
            if type(item) is not str or item in _SPECIAL_TEXT:
                return None
        return tuple(items)

    def json(self) -> Value:
        """Return the document that this value holds, whether it stands there as JSON text or as an object.

        Text that is not JSON gives an unreadable Value ("not valid JSON"): questions about it stay undetermined.
        """
        if self._kind != _PLAIN or type(self._raw) is not str:
            return self
        try:
            document = parse_json(self._raw)
        except ValueError:
            broken = Value(ABSENT, self.owner, self._parent, self._key, self.secret)
            broken._kind, broken._why = _BROKEN, NOT_JSON
            return broken
        return Value(document, self.owner, self._parent, self._key, self.secret)

    # -- questions ---------------------------------------------------------------------------------------------------

    def exists(self) -> Truth:
        """Is something set here? The key answers: an unknown value is set, a child of an unknown may or may not be."""
        if self._kind in (_PLAIN, _OPAQUE):
            return truth(self._raw is not ABSENT and self._raw is not None)
        return TRUE if self._origin is None else unknown(self.gap)

    def is_empty(self) -> Truth:
        """Absent, null, or an empty text, list or map."""
        return self.test(lambda content: content in ("", [], {}, {"__defaults": []}), absent=True)

    def equals(self, expected: str | float) -> Truth:
        """Is it this text, number or boolean? Numbers may stand as text and booleans as ``"true"``, as inputs do."""
        return self.test(lambda content: same(content, expected))

    def is_in(self, expected: Collection[str]) -> Truth:
        """Is it one of these texts?"""
        return self.test(lambda content: content.__class__ is str and content in expected)

    def is_true(self, *, absent: bool = False) -> Truth:
        """Is it switched on? ``absent`` is the provider's default for a property that is not set."""
        return self.test(lambda content: content is True or content == "true", absent=absent)

    def is_false(self, *, absent: bool = False) -> Truth:
        """Is it switched off? ``absent`` tells whether a property that is not set counts as off."""
        return self.test(lambda content: content is False or content == "false", absent=absent)

    def test(
        self, predicate: Callable[[Any], bool], *, absent: bool = False, never_from: tuple[str, ...] = ()
    ) -> Truth:
        """Return whether ``predicate`` holds for the content: a text, number, boolean, list or map as Python has it.

        Args:
            predicate: called with the known content only.
            absent: the answer for a value that is absent or null.
            never_from: resource types that cannot yield a value for which ``predicate`` holds. An unknown that comes
                from visible resources of these types alone answers false (see :meth:`comes_only_from`).

        """
        if self._kind == _PLAIN:
            if self._raw is ABSENT or self._raw is None:
                return TRUE if absent else FALSE
            return TRUE if predicate(self._raw) else FALSE
        if self._kind == _OPAQUE:
            return FALSE
        if never_from and self.comes_only_from(never_from):
            return FALSE
        return unknown(self.gap)

    def comes_only_from(self, types: tuple[str, ...]) -> bool:
        """Return whether this unknown is made from resources of these types alone, all of them visible.

        The engine tells, per top-level property, which resources it was computed from.
        """
        if self._kind != _UNKNOWN or self.owner is None:
            return False
        return self.owner.property_comes_only_from(self.property_name, types)

    # -- extraction --------------------------------------------------------------------------------------------------

    def text(self) -> str | None:
        """Return the text; None when absent, null or not text.

        Raises:
            Undetermined: the value is not known.

        """
        content = self._known()
        return content if isinstance(content, str) else None

    def number(self) -> int | float | None:
        """Return the number, whole ones as int; None when absent, null or not numeric. ``"22"`` is the number 22.

        Raises:
            Undetermined: the value is not known.

        """
        return as_number(self._known())

    def flag(self, *, absent: bool = False) -> bool:
        """Return the switch; ``absent`` when it is not set, or set to something that is no boolean.

        Raises:
            Undetermined: the value is not known.

        """
        content = self._known()
        if content in (True, "true"):
            return True
        if content in (False, "false"):
            return False
        return absent

    def plain(self) -> Any:
        """Return the whole content as plain JSON; None when absent.

        Raises:
            Undetermined: some part of it is not known.

        """
        content = self._known()
        if isinstance(content, dict):
            return {key: item.plain() for key, item in self.entries()}
        if isinstance(content, list):
            return [item.plain() for item in self.each()]
        return content

    def _known(self) -> Any:
        if self._kind == _PLAIN:
            return None if self._raw is ABSENT else self._raw
        if self._kind == _OPAQUE:
            return None
        raise Undetermined((self.gap,))

    def __bool__(self) -> bool:
        """Refuse: ``if value:`` is ambiguous; ask ``exists()``, ``is_true()`` or ``is_empty()``."""
        msg = "a Value has no truth of its own; ask exists(), is_true() or is_empty()"
        raise TypeError(msg)

    def __repr__(self) -> str:
        """Show the place and never the content."""
        return f"<Value {self.path or '.'}>"


_SPECIAL_TEXT: Final = UNKNOWNS | {HIDDEN}
_OPAQUE_SIGNATURES: Final = frozenset({ASSET, ARCHIVE, RESOURCE_REFERENCE})
_PLAIN_KEY: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def parse_json(text: str) -> Any:
    """Parse JSON that stands inside a string.

    Raises:
        ValueError: it is not JSON, is nested too deeply, or is longer than any cloud API takes.

    """
    if len(text) > _JSON_LIMIT:
        raise ValueError(NOT_JSON)
    try:
        return _JSON.decode(text)
    except RecursionError:
        raise ValueError(NOT_JSON) from None


def _refuse_constant(_name: str) -> NoReturn:
    """Refuse ``NaN`` and ``Infinity``: Python reads them, and nobody to whom such a document is sent does."""
    raise ValueError(NOT_JSON)


_JSON: Final = json.JSONDecoder(parse_constant=_refuse_constant)


def as_number(content: Any) -> int | float | None:
    """Return ``content`` as a number, whole ones as int; None when it is none. Text such as ``"22"`` counts."""
    if content.__class__ is int:
        found: int = content
        return found
    if isinstance(content, bool) or not isinstance(content, (int, float, str)):
        return None
    try:
        number = float(content)
        return int(number) if number.is_integer() else number
    except (ValueError, OverflowError):
        return None


def same(content: Any, expected: str | float) -> bool:
    """Compare as inputs are meant: 22.0, 22 and "22" are one number, True and "true" one switch."""
    if isinstance(expected, bool):
        return content is expected or content == ("true" if expected else "false")
    if isinstance(expected, str):
        return isinstance(content, str) and content == expected
    return as_number(content) == expected


def _secret_content(raw: dict[str, Any]) -> Any:
    """Return what a secret envelope holds: live ``value``, state ``plaintext`` (JSON text), or nothing readable."""
    if "value" in raw:
        return raw["value"]
    plaintext = raw.get("plaintext")
    if isinstance(plaintext, str):
        try:
            return parse_json(plaintext)
        except ValueError:
            return ABSENT
    return ABSENT


def _is_plain_key(key: str) -> bool:
    return key != "" and _PLAIN_KEY.issuperset(key)
