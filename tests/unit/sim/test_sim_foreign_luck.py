"""A run whose bots take luck from elsewhere says so."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from poker_actors.bots import Faults
from poker_actors.bots.faults import Usage
from poker_actors.cli import main
from poker_actors.cli.simulate import _is_quick_program
from poker_actors.rules import Action, View
from poker_actors.sim import Match, Simulation, UntilDecided


def own_luck(view: View) -> Action:
    return view.legal.all_in or view.legal.passive if view.rng.random() < 0.1 else view.legal.passive


def foreign_luck(view: View) -> Action:
    return view.legal.all_in or view.legal.passive if random.random() < 0.1 else view.legal.passive


@pytest.mark.parametrize("kind", [Simulation, UntilDecided])
def test_luck_from_the_module_random_is_noticed_and_that_of_the_view_is_not(kind: type[Simulation]) -> None:
    for bot, noticed in ((own_luck, False), (foreign_luck, True)):
        simulation = kind(Match.of([bot, "random"], hands=200, seed=1))
        assert not simulation.foreign_luck
        simulation.run()
        assert simulation.foreign_luck is noticed


def test_simulate_notes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "luck.py").write_text(
        "import random\nfrom poker_actors import Check, Call\n"
        "def bot(view):\n    random.random()\n    return Call() if view.to_call else Check()\n"
    )
    hands = ["--hands", "20", "--seed", "1"]
    assert main(["simulate", "--bot", f"{tmp_path / 'luck.py'}:bot", "--bot", "random", *hands]) == 0
    assert "draws from the module random" in capsys.readouterr().err
    assert main(["simulate", "--bot", "random", "--bot", "tight", *hands]) == 0
    assert "module random" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", [Simulation, UntilDecided])
def test_luck_is_noticed_in_other_processes_too(kind: type[Simulation], tmp_path: Path) -> None:
    (tmp_path / "luck.py").write_text(
        "import random\ndef bot(view):\n    random.random()\n    return view.legal.passive\n"
        "def pure(view):\n    view.rng.random()\n    return view.legal.passive\n"
    )
    for name, noticed in (("pure", False), ("bot", True)):
        match = Match.of([f"{tmp_path / 'luck.py'}:{name}", "random"], hands=200, seed=1)
        simulation = kind(match, workers=2)
        simulation.run()
        assert simulation.foreign_luck is noticed


PROGRAM = """
import json, random, sys
for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] == "hello":
        print('{"type": "hello", "version": 1}', flush=True)
        continue
    luck = random.Random(turn["seed"]) if "seeded" in sys.argv else random
    print(json.dumps({"act": "all_in" if turn["legal"]["all_in"] and luck.random() < 0.3 else "fold"}), flush=True)
"""


@pytest.mark.parametrize(("how", "said"), [("", True), (" seeded", False)])
def test_a_quick_program_is_asked_again_for_its_luck(
    how: str, said: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(PROGRAM)
    bots = ["--bot", f"cmd:{sys.executable} program.py{how}", "--bot", "random"]
    assert main(["simulate", *bots, "--hands", "20", "--seed", "1"]) == 0
    assert ("answers the same view differently when asked again" in capsys.readouterr().err) is said
    assert (tmp_path / "impure.jsonl").exists() is said


def test_a_program_that_thinks_long_and_other_bots_are_not_asked_again() -> None:
    def player(calls: int, seconds: float) -> Any:
        return SimpleNamespace(faults=Faults(used=Usage(calls=calls, seconds=seconds)))

    asked: list[tuple[Any, int, float, bool]] = [
        ("cmd:./bot", 10, 0.1, True),
        ("cage:bots.py:bot", 10, 0.1, True),
        ("cmd:./bot", 10, 0.3, False),
        ("cmd:./bot", 0, 0.0, False),
        ("mit:bots", 10, 0.1, False),
    ]
    for spec, calls, seconds, again in asked:
        assert _is_quick_program(spec, player(calls, seconds)) is again
