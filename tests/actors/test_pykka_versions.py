"""The tests of the actors on each pykka that pyproject.toml allows: minutes, and it installs from the index."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSIONS = ["4.0.0", "4.1.0", "4.2.0", "4.3.0", "4.4.0", "4.4.2", "4.5.0"]
"""Each minor version's first; the last patch of the one that had some."""


def python(*arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(path)}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=600
    )


@pytest.mark.heavy
@pytest.mark.parametrize("version", VERSIONS)
def test_the_actors_pass_their_tests_on_pykka(version: str, tmp_path: Path) -> None:
    installed = python(
        "-m", "pip", "install", "-q", "--target", str(tmp_path), f"pykka=={version}", path=tmp_path
    )
    assert installed.returncode == 0, installed.stderr
    shown = python("-c", "from importlib.metadata import version; print(version('pykka'))", path=tmp_path)
    assert shown.stdout.strip() == version
    where = python("-c", "import pykka; print(pykka.__file__)", path=tmp_path)
    assert Path(where.stdout.strip()).is_relative_to(tmp_path)
    # what a journal keeps on disk, and how much memory a room takes, does not depend on pykka
    options = ("-q", "-p", "no:cacheprovider", "--ignore-glob=*durab*", "--ignore-glob=*memory*")
    done = python("-m", "pytest", *options, "tests/actors", path=tmp_path)
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_versions_tried_are_those_that_are_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (bounds,) = [line for line in project["dependencies"] if line.startswith("pykka")]
    assert bounds == f"pykka>={VERSIONS[0].removesuffix('.0')},<5"
