"""A game in an installed package is found by its entry point; one that takes a name there is already is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.rules import game_named
from poker_actors.rules.games import Betting, Street, row

ROWS = """
from poker_actors.rules.games import Betting, Street, row

SIX_DOWN = row(
    "six-down", "Six cards down", (Street("third", hole=3), Street("sixth", hole=3)), Betting.POT_LIMIT, "high", max_seats=8
)
NO_GAME = 7
"""
POINTS = """
[poker_actors.games]
six-down = rows_of_others:SIX_DOWN
no-game = rows_of_others:NO_GAME
nowhere = no_such_module:ROW
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rows_of_others.py").write_text(ROWS, encoding="utf-8")
    about = tmp_path / "rows_of_others-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: rows-of-others\nVersion: 1.0\n", encoding="utf-8"
    )
    (about / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)


def test_a_game_of_a_package_is_found_by_its_name() -> None:
    assert game_named("six-down").title == "Six cards down"


def test_a_game_of_a_package_is_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["--bot", "caller", "--bot", "tight"]
    assert main(["simulate", "--game", "six-down", *bots, "--hands", "20", "--seed", "3"]) == 0
    assert capsys.readouterr().out.startswith("20 hands of six-down")


def test_what_is_no_game_is_refused_by_name() -> None:
    with pytest.raises(BadSpec, match="no-game is a int, not a game"):
        game_named("no-game")


def test_what_cannot_be_loaded_is_refused_by_name() -> None:
    with pytest.raises(BadSpec, match="game nowhere of no_such_module:ROW cannot be loaded"):
        game_named("nowhere")


def test_games_lists_those_of_packages_and_says_what_cannot_be_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["games"]) == 0
    shown = capsys.readouterr()
    assert [line for line in shown.out.splitlines() if line.startswith("six-down ")]
    missing = "game nowhere of no_such_module:ROW cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"
    assert shown.err.splitlines() == [
        "poker-actors: no-game is a int, not a game",
        f"poker-actors: {missing}",
    ]


def test_a_row_with_a_ranking_there_is_not_is_refused_with_the_nearest() -> None:
    with pytest.raises(BadSpec, match="no ranking is called 'hihg', did you mean high"):
        row("six", "Six", (Street("first", hole=5),), Betting.NO_LIMIT, "hihg", max_seats=8)
