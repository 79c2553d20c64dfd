"""The files around the package say what the package says: versions, extras, commands, and the one script of checks."""

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from poker_actors import __version__

yaml = pytest.importorskip("yaml", reason="reads YAML")

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
YAML_FILES = sorted(
    path
    for pattern in (".*.yaml", "CITATION.cff", ".github/**/*.yml", "deploy/*.yaml")
    for path in ROOT.glob(pattern)
)


def read(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def loaded(*parts: str) -> Any:
    return yaml.safe_load(read(*parts))


@pytest.mark.parametrize("path", YAML_FILES, ids=lambda path: path.name)
def test_a_file_of_settings_reads(path: Path) -> None:
    assert yaml.safe_load(path.read_text(encoding="utf-8"))


def test_there_are_the_files_that_people_look_for() -> None:
    names = (
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
        "CITATION.cff",
        ".pre-commit-config.yaml",
        ".readthedocs.yaml",
    )
    assert [name for name in names if not (ROOT / name).is_file()] == []


def test_the_citation_is_of_this_version() -> None:
    assert loaded("CITATION.cff")["version"] == __version__


def test_the_workflow_runs_the_one_script_on_every_python_it_claims() -> None:
    job = loaded(".github", "workflows", "tests.yml")["jobs"]["everything"]
    assert any(step.get("run") == ".ci/run" for step in job["steps"])
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert job["strategy"]["matrix"]["python"][0] == oldest


def test_every_extra_that_a_file_installs_is_there() -> None:
    texts = [read("deploy", "Dockerfile"), *(path.read_text(encoding="utf-8") for path in YAML_FILES)]
    wanted = {
        name for text in texts for found in re.findall(r"'\.\[([\w,]+)]'", text) for name in found.split(",")
    }
    wanted |= set(loaded(".readthedocs.yaml")["python"]["install"][0]["extra_requirements"])
    assert wanted
    assert wanted <= set(PROJECT["optional-dependencies"])


def serve_lines() -> list[list[str]]:
    docker = re.search(r"^CMD \[(.*)]$", read("deploy", "Dockerfile"), re.MULTILINE)
    unit = re.search(
        r"^ExecStart=\S+/poker-actors (.*)$", read("deploy", "poker-actors.service"), re.MULTILINE
    )
    assert docker is not None
    assert unit is not None
    compose = loaded("deploy", "compose.yaml")["services"]["room"]["command"]
    return [[part.strip(' "') for part in docker[1].split(",")], compose, shlex.split(unit[1])]


@pytest.mark.parametrize("line", serve_lines(), ids=("docker", "compose", "systemd"))
def test_a_server_is_started_with_options_that_exist(line: list[str]) -> None:
    import inspect

    from poker_actors.cli.serve import serve

    assert line[0] == "serve"
    options = {part[2:].replace("-", "_") for part in line if part.startswith("--")}
    assert options <= set(inspect.signature(serve).parameters)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "poker-actors.service"
    unit.write_text(
        re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", read("deploy", "poker-actors.service"), flags=re.M)
    )
    run = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert "Unknown" not in run.stderr
