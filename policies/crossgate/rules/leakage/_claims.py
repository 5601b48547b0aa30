"""What the rules about one kind of place judge, so that the rule about every property leaves it to them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from crossgate.rules.leakage import (
    kubernetes_configmap_secret,
    kubernetes_helm_values_secret,
    kubernetes_secret_in_clear,
    secret_in_environment,
    secret_in_user_data,
    secret_input_unmarked,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Tree = dict[str, Any]

_MERGED: Final = ("tagsAll", "effectiveLabels", "effectiveAnnotations", "pulumiLabels")
"""What the provider makes of a resource's tags and its own defaults."""
_SOURCES: Final = (
    kubernetes_configmap_secret,
    kubernetes_helm_values_secret,
    kubernetes_secret_in_clear,
    secret_in_environment,
    secret_in_user_data,
    secret_input_unmarked,
)


@lru_cache(maxsize=4096)
def claims(token: str) -> Tree:
    """Return what other rules judge in resources of a type, as a tree of keys; an empty branch is claimed whole.

    ``*`` stands for each element of a list and each entry of a map.
    """
    tree: Tree = {}
    for path in _paths(token):
        here = tree
        for key in path:
            here = here.setdefault(key.removesuffix("()"), {})
        here.clear()
    for merged in _MERGED:
        tree[merged] = {}
    return tree


def _paths(token: str) -> Iterator[Sequence[str]]:
    paths: Iterable[Sequence[str]]
    for source in _SOURCES:
        paths = source.judged_paths(token)
        yield from paths
