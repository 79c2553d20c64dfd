"""The README's first command, in a fresh copy of the tree: minutes, and it installs from the index."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.heavy
def test_the_first_command_of_the_readme_installs_and_plays(tmp_path: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    command = re.findall(r"```shell\n(.*)\n```", readme)[0]
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "bb/100" in done.stdout
