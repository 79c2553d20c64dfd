"""The worker: what a test notices is killed, what none does lives, on a toy whose mutants are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation import run as mutation

pytest.importorskip("mutmut")

TOY = """
def held(chips):
    return chips + 1


def loose(chips):
    return chips + 1


def alone(chips):
    return chips + 1
"""
TESTS = """
from toy.room import held, loose


def test_to_the_chip():
    assert held(3) == 4


def test_hardly_anything():
    assert loose(3) > 0
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A target's folder, as `prepare` makes it."""
    for name, text in {"toy/__init__.py": "", "toy/room.py": TOY, "tests/test_toy.py": TESTS}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    target = mutation.Target("toy/*.py", ["tests/test_toy.py"])
    settings = mutation.settings(target).replace("    poker_actors\n", "    toy\n")
    (tmp_path / "setup.cfg").write_text(settings, encoding="utf-8")
    return tmp_path


def tried(work: Path, *options: str) -> dict[str, set[int | None]]:
    """Try its mutants for a minute at most; gives what became of those of each function, as mutmut keeps it."""
    command = [sys.executable, str(mutation.WORKER), "60", "1", *options]
    subprocess.run(command, cwd=work, check=True, capture_output=True, text=True)
    kept = json.loads((work / "mutants/toy/room.py.meta").read_text(encoding="utf-8"))
    found: dict[str, set[int | None]] = {}
    for name, code in kept["exit_code_by_key"].items():
        function = name.partition(".x_")[2].partition("__mutmut_")[0]
        found.setdefault(function, set()).add(code)
    return found


def test_a_planted_change_is_killed_where_a_test_looks_and_lives_where_none_does(work: Path) -> None:
    found = tried(work)
    assert found["held"] == {1}
    assert 0 in found["loose"]
    assert found["alone"] == {33}  # no test reaches it


DATABASE = """
from pathlib import Path


def missing():
    return None


class ServerOfForks:
    def __init__(self):
        Path("../stopped").unlink(missing_ok=True)

    def remove(self):
        Path("../stopped").touch()
"""
BLOCKED = """
from toy.room import held


def test_postgres():
    if held(3) != 4:
        with open("../reached", "w"), open("../never"):
            pass
"""


def test_a_worker_that_is_asked_to_end_stops_its_database(work: Path) -> None:
    for name, text in {"tests/test_toy.py": BLOCKED, "tests/actors/postgres_server.py": DATABASE}.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(text, encoding="utf-8")
    for name in ("reached", "never"):
        os.mkfifo(work / name)
    command = [sys.executable, str(mutation.WORKER), "60", "1"]
    with (
        subprocess.Popen(command, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as worker,
        (work / "reached").open(),  # a fork tries a mutant, and waits for what never comes
    ):
        worker.terminate()
        worker.wait()
    assert (work / "stopped").exists()


@pytest.mark.heavy
def test_what_lives_is_asked_again_when_there_are_new_tests(work: Path) -> None:
    tried(work)
    stricter = TESTS.replace("loose(3) > 0", "loose(3) == 4")
    (work / "tests/test_toy.py").write_text(stricter, encoding="utf-8")
    assert 0 in tried(work)["loose"]
    assert tried(work, "--again")["loose"] == {1}
