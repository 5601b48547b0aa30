"""What the README promises is there. Its console blocks are goldens, see tests/gate/goldens.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crossgate.config.engine import configure, read_engine_config
from crossgate.gate.cli import COMMANDS
from crossgate.packs.baseline import PACK

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
README = DOCUMENTS[0].read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_configuration_is_one_that_the_baseline_takes() -> None:
    [block] = blocks("json")
    config = read_engine_config(block)
    lacking = [entry.rule.id for entry in configure(PACK, config.policies).not_configured]
    assert not [name for name in lacking if name in config.policies]
    for exception in config.exceptions:
        for policies, _ in exception.matches:
            assert all(PACK.entry(policy) for policy in policies)


def test_every_make_target_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z]+)", README))
    assert named
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_that_is_named_exists(document: Path) -> None:
    words = {command.words for command in COMMANDS}
    text = document.read_text(encoding="utf-8")
    for first, second in re.findall(
        r"\bcrossgate (check|preview|rules|pack|[a-z]+)(?: ([a-z]+))?",
        "\n".join([*blocks("sh", text), *blocks("console", text)]),
    ):
        assert first in words or f"{first} {second}" in words, (first, second)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (document.parent / target).exists(), target


def test_every_pack_is_named() -> None:
    packs = {folder.name for folder in (ROOT / "packs").iterdir() if folder.is_dir()}
    assert packs == {"public-access", "secret-leakage", "network-policy", "required-tags", "baseline"}
    assert all(f"`{pack}`" in README for pack in packs)
