import sys
from pathlib import Path

import pytest

from crossgate.pulumi_cli import OLDEST, Version, version_in, version_of

LIMITS = Path(__file__).parents[1] / "docs" / "limits.md"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v3.274.1\n", (3, 274, 1)),
        ("3.229.0", (3, 229, 0)),
        ("v3.230.0-alpha.1+dirty", (3, 230, 0)),
        ("go version go1.27 linux/amd64", (1, 27, 0)),
        ("", (0, 0, 0)),
        ("none", (0, 0, 0)),
    ],
)
def test_a_version_is_found_in_what_a_tool_prints(text: str, version: tuple[int, int, int]) -> None:
    assert version == version_in(text)


def test_versions_compare_by_number() -> None:
    assert Version(3, 99, 9) < OLDEST < Version(3, 1000)
    assert "3.229.0" == str(OLDEST)


def test_a_command_is_asked_in_its_environment() -> None:
    command = [sys.executable, "-c", "import os; print(os.environ['SHOWN'], os.environ['PULUMI_SKIP_UPDATE_CHECK'])"]
    assert (4, 5, 6) == version_of(command, SHOWN="v4.5.6")


def test_the_limits_page_names_the_oldest() -> None:
    assert f"| `crossgate preview` | {OLDEST.major}.{OLDEST.minor} |" in LIMITS.read_text(encoding="utf-8")
