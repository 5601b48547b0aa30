"""The fixtures of the harness, until an installed plugin brings them."""

from crossgate.testing.pytest_plugin import engine, engine_tools, provider

__all__ = ["engine", "engine_tools", "provider"]
