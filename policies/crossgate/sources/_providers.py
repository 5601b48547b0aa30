"""The providers that the engine makes itself, from the stack's configuration. Digests do not show them.

Source: https://www.pulumi.com/docs/iac/concepts/resources/providers/#default-provider-configuration
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from crossgate.model import PROVIDER_PREFIX, Resource, parse_urn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MADE_NAME: Final = re.compile(r"default(_\d.*)?")
"""``default``, or with the provider's version: ``default_7_51_1``."""


def is_internal(urn: str) -> bool:
    """Return whether the engine leaves this provider out of digests and of their counts.

    It goes by the name alone, and so also leaves out a program's own provider whose name begins like this.
    Source: https://github.com/pulumi/pulumi/blob/master/sdk/go/common/providers/reference.go (IsDefaultProvider)
    """
    above, _, name = urn.rpartition("::")
    return name.startswith("default") and above.rpartition("::")[2].startswith(PROVIDER_PREFIX)


def default_providers(resources: Iterable[Resource], config: Mapping[str, str]) -> Iterator[Resource]:
    """Yield the default providers that manage ``resources``, each with what ``config`` sets for its package.

    The inputs are as a state has them: text by setting, nested settings as JSON text.
    """
    for urn in {resource.provider_urn: None for resource in resources}:
        if not is_internal(urn):
            continue
        parts = parse_urn(urn)
        if _MADE_NAME.fullmatch(parts.name):
            package = f"{parts.type.removeprefix(PROVIDER_PREFIX)}:"
            inputs = {key.removeprefix(package): value for key, value in config.items() if key.startswith(package)}
            yield Resource(urn, parts.type, parts.name, inputs)
