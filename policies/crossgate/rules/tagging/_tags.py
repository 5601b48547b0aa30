"""The tags that a resource will carry, called labels on Google Cloud: its own, and those that its provider adds.

A key is looked for in the resource's tags, then in the provider's default tags, then in ``tagsAll``: the AWS provider's
own merge of the two, which is unknown as a whole once any tag or any setting of the provider is, and so says something
only while it is known. What the provider ignores is taken away.

Sources:
    https://github.com/pulumi/pulumi-aws/blob/master/provider/tags.go (the merge)
    https://www.pulumi.com/registry/packages/aws/api-docs/provider/ (defaultTags, ignoreTags)
    https://www.pulumi.com/registry/packages/gcp/api-docs/provider/ (defaultLabels)
    https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations (case of names)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from crossgate import FALSE, TRUE, Gap, Truth, Value, any_of, unknown
from crossgate.value import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossgate import Resource, Stack
    from crossgate.rules.tagging._taggable import TagProperty

_NONE: Final = Value(ABSENT)
_DEFAULTS: Final = {"aws": "defaultTags", "gcp": "defaultLabels"}
"""The provider's setting, by cloud. Azure's providers have none."""
_ENVIRONMENT: Final = "TF_AWS_DEFAULT_TAGS_"
"""Begins the names of environment variables that set default tags too, where the engine runs."""


class Found(NamedTuple):
    """What is known of one key."""

    present: Truth
    value: Value
    """Absent when there is no such tag; unknown when it cannot be told which value wins."""
    inherited: bool
    """It is the provider that gives the value."""
    ignored: Truth
    """The provider is told to leave tags with this key alone."""


class _Settings:
    """What a provider is configured to do to the tags of its resources."""

    __slots__ = ("_ignored", "_keys", "_prefixes", "defaults")

    def __init__(self, defaults: Value = _NONE, keys: Value = _NONE, prefixes: Value = _NONE) -> None:
        """Hold the default tags, and the keys and beginnings of keys that are ignored."""
        self.defaults = defaults
        self._keys = keys
        self._prefixes = prefixes
        self._ignored: dict[str, Truth] = {}

    def ignores(self, key: str) -> Truth:
        """Is ``key`` one that the provider leaves alone?"""
        ignored = self._ignored.get(key)
        if ignored is None:
            named = any_of(item.equals(key) for item in self._keys.each())
            begun = any_of(item.test(lambda start: key.startswith(str(start))) for item in self._prefixes.each())
            ignored = self._ignored[key] = named | begun
        return ignored


class Tags:
    """The tags of one resource, from every place that gives it some."""

    __slots__ = ("_bridged", "_exact", "_inherits", "_merged", "_settings", "at")

    def __init__(self, resource: Resource, where: TagProperty) -> None:
        """Read the tags of ``resource``, whose type carries them ``where``."""
        at = resource.inputs
        for name in where.path:
            at = at[name]
        self.at = at
        """The resource's own tags."""
        self._exact = where.cloud != "azure"
        self._inherits = where.provider_defaults
        self._bridged = resource.token.startswith("aws:")
        self._merged = resource["tagsAll"] if self._bridged else _NONE
        self._settings = _settings_of(resource, where.cloud)

    def find(self, key: str, *, from_environment: bool = False) -> Found:
        """Look for ``key``; ``from_environment``: variables of the engine's environment may set it too."""
        own, value = _look_up(self.at, key, exact=self._exact)
        present = own
        if not own.is_true:
            default, inherited = self._inherited(key, from_environment=from_environment)
            present = own | default
            value = inherited if own.is_false else value
        ignored = self._settings.ignores(key)
        return Found(present & ~ignored, value, own.is_false, ignored)

    def any(self) -> Truth:
        """Is there any tag at all?"""
        places = [self.at]
        if self._inherits:
            places.append(self._merged if self._merged.is_map else self._settings.defaults)
        return any_of(present & ~self._settings.ignores(key) for place in places for key, present, _ in _entries(place))

    def all(self) -> Iterator[tuple[str, Truth, bool]]:
        """Yield each key, whether it is really there, and whether the provider adds it.

        Of a place that cannot be read one key, of which nothing is known.
        """
        for key, present, _ in _entries(self.at):
            yield key, present & ~self._settings.ignores(key), False
        if self._inherits:
            place = self._merged if self._merged.is_map else self._settings.defaults
            for key, present, _ in _entries(place):
                yield key, present & ~self._settings.ignores(key), True

    def known_keys(self) -> set[str]:
        """Return the keys that are known, but for those of maps that are marked secret as a whole."""
        return {
            key
            for place in (self.at, *self._inheritance())
            if not place.secret
            for key, present, _ in _entries(place)
            if present.is_true
        }

    def default_stops_short(self, key: str) -> bool:
        """Return whether the provider has a default for ``key`` that does not reach this type."""
        return not self._inherits and _look_up(self._settings.defaults, key, exact=True)[0].is_true

    def _inheritance(self) -> tuple[Value, ...]:
        return (self._settings.defaults, self._merged) if self._inherits else ()

    def _inherited(self, key: str, *, from_environment: bool) -> tuple[Truth, Value]:
        """Look for ``key`` in what the provider adds.

        Defaults that cannot be read matter only while the provider's own merge cannot be read either.
        """
        if not self._inherits:
            return FALSE, _NONE
        present, value = _look_up(self._settings.defaults, key, exact=True)
        if not present.is_true and self._merged.is_map:
            present, value = _look_up(self._merged, key, exact=True)
        if present.is_false and from_environment and self._bridged:
            gap = Gap("", "", f"{_ENVIRONMENT}{key}, where the engine runs, may set it")
            return unknown(gap), Value.gap_of(gap)
        return present, value


def _look_up(place: Value, key: str, *, exact: bool) -> tuple[Truth, Value]:
    """Return whether ``place``, a map or a list of keys and values, has ``key``, and its value."""
    if exact and not place.is_list:
        value = place[key]
        return value.exists(), value
    doubt = FALSE
    doubtful = _NONE
    for name, present, value in _entries(place):
        if present.is_unknown:
            doubt, doubtful = doubt | present, value
        elif present.is_true and (name == key if exact else name.casefold() == key.casefold()):
            return TRUE, value
    return doubt, doubtful


def _entries(place: Value) -> Iterator[tuple[str, Truth, Value]]:
    """Yield each key of a map, or of a list of keys and values, whether it is really there, and its value."""
    if not place.is_list:
        for key, value in place.entries():
            yield key, value.exists(), value
        return
    for item in place.each():
        name = item["key"]
        if name.is_text:
            yield name.text() or "", TRUE, item["value"]
        elif not name.readable:
            yield "", unknown(name.gap), name


def _settings_of(resource: Resource, cloud: str) -> _Settings:
    """Return the settings of the resource's provider, read once per provider and stack."""
    urn = resource.provider_urn
    if not urn or cloud not in _DEFAULTS:
        return _NO_SETTINGS
    known = resource.stack.derived(_settings_by_provider)
    settings = known.get(urn)
    if settings is None:
        settings = known[urn] = _read_settings(resource, urn, cloud)
    return settings


def _settings_by_provider(_stack: Stack) -> dict[str, _Settings]:
    return {}


def _read_settings(resource: Resource, urn: str, cloud: str) -> _Settings:
    """Read the provider's settings: nested ones stand there as JSON text, or as they are.

    A provider that the source does not show may add any tag. It is not taken to ignore one that the resource has:
    then every tag would be in doubt.
    """
    provider = resource.provider
    if provider is None:
        stack = resource.stack
        hidden = Gap(urn, "", "not shown, nor are the default tags that it may set")
        return _Settings(Value.gap_of(hidden if stack.is_complete else stack.incomplete))
    defaults = provider[_DEFAULTS[cloud]].json()
    if cloud != "aws":
        return _Settings(defaults)
    ignored = provider["ignoreTags"].json()
    return _Settings(defaults["tags"], ignored["keys"], ignored["keyPrefixes"])


_NO_SETTINGS: Final = _Settings()
