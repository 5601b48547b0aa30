"""How well the secret detector tells secrets from other texts: ``python -m tools.accuracy_secrets``.

Each labelled row (``key``, ``value``, ``expected``: ``secret`` or ``not-secret``) is put to the rules as an environment
variable, and a text of several lines also as user data. Prints precision and recall, and the line numbers of the rows
that disagree: never a value.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crossgate.judge import Outcome, judge
from crossgate.model import Resource, Stack
from crossgate.rules.leakage.secret_in_environment import secret_in_environment
from crossgate.rules.leakage.secret_in_user_data import secret_in_user_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from crossgate import Rule

CASES: Final = Path(__file__).parents[2] / "shared" / "cases" / "secrets.jsonl"
GROUPS: Final = {"all": (), "checkov+kics": ("checkov", "kics")}
"""What is scored: all rows, and those of the sources that look at infrastructure code."""


class Row(NamedTuple):
    """A row that was put to the rules. Holds no value."""

    line: int
    source: str
    kind: str
    is_secret: bool
    found: bool


class Score(NamedTuple):
    """How often the rules and the labels agree."""

    precision: float
    recall: float
    wrong: int
    """Findings about what is no secret."""
    missed: int
    total: int


def read(cases: Path) -> list[Row]:
    """Put each row that is not contested to the rules."""
    rows = []
    with cases.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            if row["strength"] != "weak":
                found = _is_found(row["key"] or "", row["value"])
                rows.append(Row(number, row["source"], row["kind"], row["expected"] == "secret", found))
    return rows


def _is_found(key: str, value: Any) -> bool:
    if not isinstance(value, str):
        return False
    places: list[tuple[Rule, str, dict[str, Any]]] = [
        (secret_in_environment, "aws:lambda/function:Function", {"environment": {"variables": {key: value}}})
    ]
    if "\n" in value:
        places.append((secret_in_user_data, "aws:ec2/instance:Instance", {"userData": value}))
    return any(_fails(rule, token, inputs) for rule, token, inputs in places)


def _fails(rule: Rule, token: str, inputs: dict[str, Any]) -> bool:
    resource = Resource(f"urn:pulumi:dev::accuracy::{token}::row", token, "row", inputs)
    return judge(rule, Stack([resource]).resources[0]).outcome is Outcome.FAIL


def score(cases: Path, sources: Sequence[str] = ()) -> Score:
    """Return the score over the rows of ``sources``, of all of them when none is named."""
    return score_of(row for row in read(cases) if not sources or row.source in sources)


def score_of(rows: Iterable[Row]) -> Score:
    """Return the score over ``rows``."""
    rows = list(rows)
    right = sum(row.found and row.is_secret for row in rows)
    wrong = sum(row.found and not row.is_secret for row in rows)
    missed = sum(row.is_secret and not row.found for row in rows)
    return Score(right / (right + wrong or 1), right / (right + missed or 1), wrong, missed, len(rows))


def main() -> int:
    """Print the scores and the rows that disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path, nargs="?", default=CASES, help="the labelled rows")
    rows = read(parser.parse_args().cases)
    for name, sources in GROUPS.items():
        result = score_of(row for row in rows if not sources or row.source in sources)
        print(
            f"{name}: precision {result.precision:.3f}, recall {result.recall:.3f} "
            f"({result.wrong} wrong, {result.missed} missed, {result.total} rows)"
        )
    for row in rows:
        if row.found != row.is_secret:
            print(f"line {row.line}: {row.source}, {row.kind}: {'found' if row.found else 'missed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
