"""Settings that every test runs under."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from crossgate.rules.leakage import _detector

ENGINE = Path(__file__).parent / "engine"

# In the small environments of the oldest and the newest Python there is neither pulumi nor grpcio (tools/pythons.py).
collect_ignore = [] if find_spec("pulumi") else ["crossguard", "engine"]

# The same examples in every run: what passes here passes in continuous integration.
# HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what stands in tests/engine: a forgotten marker would start the engine in `make check`."""
    if ENGINE in item.path.parents:
        item.add_marker("engine")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a parameter instead of showing it where a test's name would hold a secret, made up as it is."""
    if not isinstance(val, str):
        return None
    words = [val, *val.split()]
    if any(_detector.detect(None, word) or _detector.looks_random("", word) for word in words):
        return argname
    return None
