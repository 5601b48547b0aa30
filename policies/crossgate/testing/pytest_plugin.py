"""Fixtures for tests that run the real engine: ``engine``, ``provider`` and, once per session, ``engine_tools``.

Nothing of Pulumi is imported before a test asks for one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from crossgate.testing.driver import Engine, Tools
    from crossgate.testing.echo_provider import EchoProvider


@pytest.fixture(scope="session")
def engine_tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    """The engine and its language hosts, installed or built once and supervised."""
    from crossgate.testing.driver import Tools
    from crossgate.testing.engine import install_engine, install_yaml_host

    return Tools.make(tmp_path_factory.mktemp("tools") / "pulumi", install_engine(), install_yaml_host())


@pytest.fixture
def provider() -> Iterator[EchoProvider]:
    """Stand-ins for the providers of all packages, and the cloud behind them."""
    from crossgate.testing.echo_provider import EchoProvider

    with EchoProvider() as started:
        yield started


@pytest.fixture
def engine(engine_tools: Tools, provider: EchoProvider, tmp_path: Path) -> Engine:
    """An engine with a backend, a home and a cloud of its own."""
    from crossgate.testing.driver import Engine

    return Engine(engine_tools, tmp_path, provider)
