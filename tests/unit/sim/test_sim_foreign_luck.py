"""A run whose bots take luck from elsewhere says so."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from poker_actors.cli import main
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
    assert "takes luck from the module random" in capsys.readouterr().err
    assert main(["simulate", "--bot", "random", "--bot", "tight", *hands]) == 0
    assert "module random" not in capsys.readouterr().err
