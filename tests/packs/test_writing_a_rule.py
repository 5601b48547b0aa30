"""The guide's rule is a sound rule, and the guide knows the whole facade."""

import re
import subprocess
import sys
from pathlib import Path

import crossgate
from crossgate.rule import Facts

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "writing-a-rule.md").read_text(encoding="utf-8")

ONLY_THIS_RULE = """
import importlib, sys
import pytest
from crossgate.pack import Level, Pack
from crossgate.packs import baseline

folder, name, *tests = sys.argv[1:]
sys.path.insert(0, folder)
baseline.PACK = Pack("guide", "The guide's rule", [(getattr(importlib.import_module(name), name), Level.MANDATORY)])
sys.exit(pytest.main([*tests, "-q", "-p", "no:cacheprovider"]))
"""


def the_rule() -> tuple[str, str]:
    """Return the name of the guide's rule and its file's text."""
    blocks = re.findall(r"^`(\w+)\.py`:\n\n```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    (found,) = blocks
    assert f"def {found[0]}(" in found[1]
    return found[0], found[1]


def judged(name: str, text: str, folder: Path, *tests: str) -> "subprocess.CompletedProcess[str]":
    """Run the tests of every rule on this one alone."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", ONLY_THIS_RULE, str(folder), name, "tests/test_rules.py", *tests]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_the_rule_of_the_guide_passes_what_every_rule_must_pass(tmp_path: Path) -> None:
    done = judged(*the_rule(), tmp_path)
    assert 0 == done.returncode, done.stdout + done.stderr
    passed = re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)
    assert passed, done.stdout
    assert int(passed[1]) > 30, "each example goes through every test"


def test_the_tests_would_see_a_rule_that_is_not_sound(tmp_path: Path) -> None:
    """The same rule with a plain `if` in the loop: a violation behind an unknown is lost."""
    name, text = the_rule()
    question = 'served = action["type"].equals("forward")\n'
    assert question in text
    careless = text.replace(question, f"{question}        if not served:\n            continue\n")
    done = judged(name, careless, tmp_path, "-k", "test_an_unknown_beside_a_violation_changes_nothing")
    assert 1 == done.returncode, done.stdout + done.stderr
    assert "Outcome.UNDETERMINED" in done.stdout


def test_the_guide_names_every_word_of_the_facade() -> None:
    words = set(re.findall(r"\w+", GUIDE))
    assert set(crossgate.__all__) <= words


def test_the_guide_explains_every_fact_of_a_rule() -> None:
    rows = "\n".join(line.split("|")[1] for line in GUIDE.splitlines() if line.startswith("| `"))
    assert set(Facts.__annotations__) == set(re.findall(r"`(\w+)`", rows))


def test_the_files_that_the_guide_names_are_there() -> None:
    for path in re.findall(r"`((?:tests|policies|packs|docs)/[^`]+)`", GUIDE):
        pattern = re.sub(r"<[^>]+>", "*", path)
        assert list(ROOT.glob(pattern)), path
