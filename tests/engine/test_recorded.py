"""The fixtures are what the engine writes today: recorded anew, they say the same."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from crossgate.sources import SourceError, load
from tests.fixtures.record import HERE, recorded, scrubbed


def summary(text: str) -> dict[str, Any]:
    """What must not depend on the run: not generated names, nor the order in which resources were registered."""
    document = json.loads(text)
    try:
        source = load(text)
    except SourceError as error:
        return {"refused": str(error)}
    return {
        "keys": sorted(document),
        "resources": sorted(each.urn for each in source.stack.resources),
        "properties": sorted((each.urn, *sorted(each.raw_inputs)) for each in source.stack.resources),
        "edges": sorted(
            (each.urn, name, tuple(urns))
            for each in source.stack.resources
            for name, urns in each.property_dependencies.items()
        ),
        "positions": sorted((each.urn, each.position or ("", 0)) for each in source.stack.resources),
        "steps": Counter((each["op"], each["urn"]) for each in document.get("steps", ())),
        "changes": (document.get("changeSummary"), source.changes),
        "unjudged": (source.unjudged._replace(reads=()), sorted(source.unjudged.reads)),
        "config": sorted(source.config.items()),
        "marks": source.holds_marks,
    }


def test_the_engine_still_writes_what_was_recorded(tmp_path: Path) -> None:
    found = {name: summary(json.dumps(scrubbed(json.loads(text)))) for name, text in recorded(tmp_path)}
    assert {path.stem for path in HERE.glob("*.json")} == set(found)
    for name, fresh in found.items():
        assert summary((HERE / f"{name}.json").read_text(encoding="utf-8")) == fresh, name
