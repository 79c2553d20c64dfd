"""The bench plays every kind of game: the same harm, and every promise holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.rules import GAMES, HOLDEM, Game
from poker_actors.testing import run_chaos
from poker_actors.testing.chaos import RunSettings

KINDS = ("stud8", "2-7-triple-draw", "badugi", "omaha8", "kuhn", "open-face-pineapple", "8-game")
"""Open cards and bring-ins, reshuffles, two halves, hands of two actions, rows, and all in turn."""


@pytest.mark.parametrize("game", KINDS)
def test_every_promise_holds_in_every_kind_of_game(game: str) -> None:
    report = run_chaos(3, 30, game=game)
    assert report.verdicts == ()
    assert (report.chips_lost, report.hands_unfinished) == (0, 0)
    # a hand that is asked for during the last one is played, too: this seed does so in one game
    assert report.hands == (31 if game == "kuhn" else 30)
    assert report.crashes > 0


@pytest.mark.heavy
@pytest.mark.parametrize("game", GAMES)
def test_many_hands_of_every_game_keep_every_promise(game: str) -> None:
    report = run_chaos(1, 1_000, game=game)
    assert report.verdicts == ()
    assert (report.chips_lost, report.hands_unfinished) == (0, 0)


def test_the_cards_of_a_folded_hand_may_come_again_after_a_reshuffle() -> None:
    assert run_chaos(1, 50, run=183911389416376, game="2-7-triple-draw").verdicts == ()


def test_stud_keeps_its_promises_on_threads(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--game=stud8", "--runtime=threads", "--seed=1", "--hands=20", "--json=-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["hands"], report["chips_lost"], report["promises_broken"]) == (20, 0, 0)


def test_a_run_of_holdem_is_the_same_whether_it_is_named_or_not() -> None:
    assert run_chaos(1, 20, run=5) == run_chaos(1, 20, run=5, game="holdem")


def test_other_games_are_played_in_every_third_run_or_so_and_tables_with_options_too() -> None:
    drawn = [RunSettings.draw(seed, 50) for seed in range(300)]
    others = [one for one in drawn if one.game is not HOLDEM]
    assert 80 < len(others) < 120
    assert len({one.game.name for one in others if isinstance(one.game, Game)}) > 20
    assert sum(one.options is not None for one in drawn) > 40


def test_a_game_of_a_file_is_played_without_a_journal(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from poker_actors.rules.games import Betting, Street, row\n"
        "MINE = row('mine', 'Mine', (Street('third', hole=3), Street('sixth', hole=3)), Betting.POT_LIMIT, 'high', max_seats=8)\n"
    )
    report = run_chaos(1, 60, game=f"{file}:MINE")
    assert (report.verdicts, report.hands) == ((), 60)
    assert report.situations["process died and came back"] == 0


@pytest.mark.parametrize("game", ["whist", "dealers-choice"])
def test_a_game_that_cannot_be_played_is_refused_in_one_line(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chaos", "--game", game, "--hands", "5"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
