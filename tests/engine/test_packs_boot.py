"""Each pack as the engine starts it: a process that prints its port, and tells its policies over gRPC.

From the checkout, where a link brings the code, and unpacked from the archive, where nothing but the archive and what
requirements.txt names can be imported.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import grpc
import pytest
from google.protobuf import empty_pb2
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc

from crossgate.packs import _build
from tests.packaging.conftest import NOBODY, started

ROOT = Path(__file__).resolve().parents[2]
PACKS = _build.names()
SITE = str(Path(grpc.__file__).parents[1])
SECONDS = 30

#: Runs the pack of a folder with the standard library, and of everything installed only what is named.
ALONE = """
import runpy, sys
folder, installed, *allowed = sys.argv[1:]


class OnlyRequirements:
    def find_spec(self, name, path=None, target=None):
        ours = {"__main__", "crossgate"}
        if path is None and name not in {*ours, *allowed, *sys.stdlib_module_names}:
            raise ModuleNotFoundError(f"{name} is in no requirement of the pack", name=name)


sys.meta_path.insert(0, OnlyRequirements())
sys.path.append(installed)
sys.argv = [folder, "127.0.0.1:1"]
runpy.run_path(folder, run_name="__main__")
"""


def info(port: int) -> analyzer_pb2.AnalyzerInfo:
    """Return what the pack tells about itself; it must take back the settings that it says it starts with."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = analyzer_pb2_grpc.AnalyzerStub(channel)
        told: analyzer_pb2.AnalyzerInfo = stub.GetAnalyzerInfo(empty_pb2.Empty(), timeout=SECONDS)
        stub.Configure(analyzer_pb2.ConfigureAnalyzerRequest(policyConfig=told.initialConfig), timeout=SECONDS)
    return told


def as_its_table_says(pack: str, told: analyzer_pb2.AnalyzerInfo) -> None:
    table = _build.load(pack)
    assert (pack, _build.version(pack)) == (told.name, told.version)
    policies = {
        policy.name: (
            analyzer_pb2.EnforcementLevel.Name(policy.enforcementLevel).lower(),
            analyzer_pb2.PolicySeverity.Name(policy.severity).removeprefix("POLICY_SEVERITY_").lower(),
            set(policy.configSchema.properties.fields),
        )
        for policy in told.policies
    }
    assert policies
    assert policies == {
        entry.rule.id: (entry.level.value, entry.rule.severity.value, set(entry.rule.parameters))
        for entry in table.entries
    }


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_of_the_checkout_tells_its_policies(pack: str) -> None:
    with started([sys.executable, ROOT / "packs" / pack, NOBODY]) as port:
        as_its_table_says(pack, info(port))


@pytest.mark.parametrize("pack", PACKS)
def test_an_unpacked_archive_tells_its_policies_with_nothing_but_its_requirements(pack: str, tmp_path: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(_build.archive(pack, _build.contents(pack)))) as tar:
        tar.extractall(tmp_path, filter="data")
    lines = (tmp_path / pack / "requirements.txt").read_text(encoding="utf-8").splitlines()
    command = [sys.executable, "-I", "-S", "-c", ALONE, str(tmp_path / pack), SITE, *modules_of(lines)]
    with started(command) as port:
        as_its_table_says(pack, info(port))


def modules_of(lines: Sequence[str]) -> list[str]:
    """Return the top-level modules of the distributions in ``lines`` and of all that they need."""
    brought: set[str] = set()
    to_read = list(map(Requirement, lines))
    while to_read:
        requirement = to_read.pop()
        name = canonicalize_name(requirement.name)
        if name not in brought and (not requirement.marker or requirement.marker.evaluate({"extra": ""})):
            brought.add(name)
            to_read += map(Requirement, requires(name) or ())
    return sorted(
        module
        for module, distributions in packages_distributions().items()
        if brought & set(map(canonicalize_name, distributions))
    )


def test_a_module_that_no_requirement_brings_stops_an_archive(tmp_path: Path) -> None:
    """The search above would see one that is missing."""
    (tmp_path / "__main__.py").write_text("import fastjsonschema\n")
    command = [sys.executable, "-I", "-S", "-c", ALONE, str(tmp_path), SITE, "grpc"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, cwd="/")
    assert "fastjsonschema is in no requirement of the pack" in done.stderr
