"""A match in which a bot was ejected says so, wherever a result is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.sim import simulate, table_rows
from poker_actors.sim.exploiting import aivat_match
from poker_actors.sim.results.words import rank_words

BROKEN = "scripted:actions=bet 1"


def test_the_table_and_the_ranks_name_an_ejected_bot() -> None:
    result = simulate([BROKEN, "tight"], hands=300, seed=1)
    hand = result.players[0].faults.ejected
    assert hand is not None
    assert [row[1] for row in table_rows(result)] == [f"{BROKEN} (ejected)", "tight"]
    assert f"{BROKEN} 2nd, but ejected in hand {hand}" in rank_words(result)
    assert "ejected" not in rank_words(simulate(["caller", "tight"], hands=300, seed=1))


@pytest.mark.parametrize(("bot", "status"), [(BROKEN, 1), ("caller", 0)])
def test_simulate_and_rank_end_with_1_when_a_bot_was_ejected(
    capsys: pytest.CaptureFixture[str], bot: str, status: int
) -> None:
    assert main(["simulate", "--bot", bot, "--bot", "tight", "--hands", "300", "--seed", "1"]) == status
    assert ("(ejected)" in capsys.readouterr().out) == bool(status)
    assert main(["rank", "--bot", bot, "--bot", "tight", "--hands", "300", "--seed", "1"]) == status
    assert ("was ejected in hand" in capsys.readouterr().err) == bool(status)


def test_a_bot_that_a_function_made_plays_with_workers(tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text(
        "from poker_actors import Call, Check, Fold\n"
        "def make(most):\n"
        "    def bot(view):\n"
        "        if not view.to_call:\n"
        "            return Check()\n"
        "        return Call() if view.to_call < most * view.pot else Fold()\n"
        "    return bot\n"
        "mine = make(.75)\n"
    )
    bots = [f"{tmp_path / 'made.py'}:mine", "tight"]
    alone = simulate(bots, hands=60, seed=1)
    assert simulate(bots, hands=60, seed=1, workers=2).digest == alone.digest


@pytest.mark.parametrize("known", [["tight"], [2], "01", [True]])
def test_aivat_refuses_to_know_what_is_no_seat(known: list[int]) -> None:
    with pytest.raises(BadSpec, match="it must name seats, 0 for the first bot and 1 for the second"):
        aivat_match("caller", "tight", hands=2, known=known)
