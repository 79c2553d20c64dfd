"""The README's first command, in a fresh copy of the tree (minutes; it installs from the index), and what is in `-m core`."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CORE, NOT_CORE, in_core

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


def test_every_file_kept_out_of_the_heart_is_there() -> None:
    files = [path.name for folder in CORE for path in folder.rglob("test_*.py")]
    gone = [end for end in NOT_CORE if not any(name.endswith(end) for name in files)]
    assert not gone, f"named in tests/conftest.py, but no file of the heart ends so: {', '.join(gone)}"


def test_the_heart_is_one_rule_command_or_bot_at_a_time() -> None:
    tests = ROOT / "tests"
    assert in_core(tests / "unit/rules/test_refusals.py")
    assert not in_core(tests / "unit/bots/test_bots_cage.py"), "it starts programs"
    assert not in_core(tests / "actors/test_durability_crashes.py"), "it breaks a room at each message"
    assert not in_core(tests / "unit/sim/test_sim_match.py"), "another folder"
