"""Getting the engine: from PATH, from the cache, or built once, however many runs want it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crossgate.testing import engine

FAKE_GO = """\
#!/bin/sh
case "$1" in
version) echo "go version go{version} linux/amd64" ;;
build)
    echo "$@" >> "{builds}"
    sleep 0.3
    while [ "$1" != "-o" ]; do shift; done
    printf '#!/bin/sh\\necho v9.9.9\\n' > "$2" && chmod +x "$2" ;;
get) {get} ;;
esac
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a PATH with nothing but the shell's tools on it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "chmod", "sleep", "echo"):
        (tools / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(tools))
    return tmp_path / "cache" / "crossgate"


def put_on_path(name: str, text: str) -> Path:
    file = Path(os.environ["PATH"]) / name
    file.write_text(text)
    file.chmod(0o755)
    return file


def put_go_on_path(tmp_path: Path, version: str = "1.27.3", get: str = "true") -> Path:
    builds = tmp_path / "builds"
    put_on_path("go", FAKE_GO.format(version=version, builds=builds, get=get))
    return builds


def test_a_new_enough_engine_on_path_is_taken(cache: Path) -> None:
    found = put_on_path("pulumi", "#!/bin/sh\necho v3.229.0\n")
    assert found == engine.install_engine()
    assert (3, 229, 0) == engine.engine_version(found)


def test_an_older_engine_on_path_is_passed_over_in_one_line(cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = put_on_path("pulumi", "#!/bin/sh\necho v3.228.1\n")
    cached = cache / "engine" / engine.ENGINE_VERSION / "pulumi"
    cached.parent.mkdir(parents=True)
    cached.touch()
    assert cached == engine.install_engine()
    assert f"{found} is version 3.228.1, older than 3.229.0: not used\n" == capfd.readouterr().err


def test_what_is_missing_is_built_once_also_when_two_runs_want_it(cache: Path, tmp_path: Path) -> None:
    builds = put_go_on_path(tmp_path)
    command = [sys.executable, "-W", "ignore", "-m", "crossgate.testing.engine", "install"]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "policies")}
    runs = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    expected = [
        cache / "engine" / engine.ENGINE_VERSION / "pulumi",
        cache / "engine" / engine.YAML_HOST_VERSION / "pulumi-language-yaml",
    ]
    for run in runs:
        assert [str(path) for path in expected] == run.communicate(timeout=60)[0].splitlines()
        assert 0 == run.returncode
    cli, host = builds.read_text().splitlines()
    assert f"version.Version=v{engine.ENGINE_VERSION}" in cli
    assert host.endswith("github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml")
    assert [each for each in expected[0].parent.iterdir() if each.is_dir()] == [], "the build's folder is gone"


def test_an_old_go_is_not_used(cache: Path, tmp_path: Path) -> None:
    builds = put_go_on_path(tmp_path, version="1.26.5")
    kept = cache / "go" / "bin" / "go"
    kept.parent.mkdir(parents=True)
    kept.write_text(FAKE_GO.format(version="1.27.3", builds=tmp_path / "kept", get="true"))
    kept.chmod(0o755)
    engine.install_engine()
    assert not builds.exists()
    assert (tmp_path / "kept").exists()


def test_a_build_that_fails_is_one_line_and_exit_status_3(
    cache: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put_go_on_path(tmp_path, get="echo first >&2; echo module not found >&2; exit 1")
    assert 3 == engine.main(["install"])
    assert "failed: module not found" in capfd.readouterr().err.splitlines()[-1]
    assert not (cache / "engine" / engine.ENGINE_VERSION / "pulumi").exists()


def test_anything_but_install_is_wrong_usage(capfd: pytest.CaptureFixture[str]) -> None:
    assert 2 == engine.main([])
    assert capfd.readouterr().err.startswith("usage:")
