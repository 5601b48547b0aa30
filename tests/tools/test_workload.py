"""The benchmark's workload is what it claims to be."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import workload

ROOT = Path(__file__).resolve().parents[2]


def test_the_same_size_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    """Figures of different days and machines are of one workload."""
    digests = set()
    for hash_seed in ("0", "1"):
        command = [sys.executable, "-m", "tools.workload", "100", str(tmp_path / "preview.json")]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=60)
        digests.add(hashlib.sha256((tmp_path / "preview.json").read_bytes()).hexdigest())
    assert {"c759d2bf2d6839c5c144900b63dd4a19e4a3af19867e9cd458fb78b397e809fd"} == digests


@pytest.mark.parametrize("size", [0, 1, 50, 101])
def test_a_preview_has_that_many_custom_resources(size: int, tmp_path: Path) -> None:
    workload.write(tmp_path / "preview.json", size, "preview")
    document = json.loads((tmp_path / "preview.json").read_text(encoding="utf-8"))
    states = [step["newState"] for step in document["steps"]]
    custom = [state for state in states if state["custom"] and not state["type"].startswith("pulumi:")]
    assert size == len(custom)
    assert len({state["urn"] for state in states}) == len(states) == document["changeSummary"]["create"]


def test_a_stack_export_has_no_unknowns_and_no_readable_password(tmp_path: Path) -> None:
    workload.write(tmp_path / "stack.json", 200, "stack")
    text = (tmp_path / "stack.json").read_text(encoding="utf-8")
    states = json.loads(text)["deployment"]["resources"]
    assert workload.UNKNOWN not in text
    marked = [state["inputs"]["password"] for state in states if "additionalSecretOutputs" in state]
    assert marked
    assert all({workload.SIGNATURE, "ciphertext"} == set(password) for password in marked)


def test_a_tenth_of_the_resources_is_wrong() -> None:
    names = {name for found in workload.truth(2000).values() for name in found}
    assert 150 < len(names) < 300
    made = {one.name: one for one in workload.resources(2000)}
    assert all(made[name].wrong for name in names)
