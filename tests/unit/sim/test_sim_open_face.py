"""Open-face matches: the same hands on every driver, lines that play again, and what takes no such game."""

import io
import json
import sys
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.rules import GAMES, Hand, parse_action
from poker_actors.sim import Match, simulate

BOTS = ["--bot", "caller", "--bot", "random"]
REFUSED = [
    ["simulate", *BOTS, "--adjust"],
    ["simulate", *BOTS, "--blinds", "1/2"],
    ["simulate", *BOTS, "--ante", "1"],
    ["simulate", *BOTS, "--rake", "5%/3"],
    ["simulate", *BOTS, "--run-it-twice"],
    ["simulate", *BOTS, "--phh", "hands.phhs"],
    ["lbr", "tight", "--hands", "2"],
    ["equity", "AsKs", "QhQd"],
    ["acpc", "dealer"],
    ["acpc", "client", "127.0.0.1:9"],
    ["play", "--players", "5"],
    ["tournament", "--format", "sng", "--seats", "6"],
]


@pytest.mark.parametrize("game", ["open-face", "open-face-pineapple"])
def test_every_driver_plays_the_same_hands(game: str) -> None:
    bots = ["random", "caller", "random"]
    results = [
        simulate(bots, hands=60, seed=4, game=game, driver=driver)
        for driver in ("direct", "stepper", "threads")
    ]
    results.append(simulate(bots, hands=60, seed=4, game=game, workers=2))
    assert len({result.digest for result in results}) == 1
    assert results[0].chips_in == results[0].chips_out
    assert not any(player.bets for player in results[0].players)


def test_bots_of_the_house_seldom_foul_and_beat_random() -> None:
    result = simulate(["tight", "random"], hands=30, seed=1, game="open-face")
    assert result.players[0].net_chips > 0


def test_a_line_of_a_match_plays_again(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    assert (
        main(
            [
                "simulate",
                "--game",
                "ofc-pineapple",
                *BOTS,
                "--hands",
                "40",
                "--seed",
                "6",
                "--jsonl",
                str(file),
            ]
        )
        == 0
    )
    match = Match.of(["caller", "random"], hands=40, seed=6, game="open-face-pineapple")
    for number, line in enumerate(file.read_text().splitlines()):
        row = json.loads(line)
        rules = GAMES[row["game"]]
        hand = Hand(row["stacks"], rules.stakes, deck=match.deck(number), button=row["button"], game=rules)
        for taken in row["actions"]:
            assert taken["seat"] == hand.to_act[0]
            hand.act(parse_action(taken["action"]))
        assert (hand.over, list(hand.payoffs)) == (True, row["payoffs"])


@pytest.mark.parametrize("command", REFUSED, ids=" ".join)
def test_a_command_that_cannot_take_it_says_so_in_one_line(
    command: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--game", "open-face"]) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("seed ")]
    assert len(said) == 1
    assert not [*tmp_path.iterdir()]


def test_it_is_played_at_the_terminal_in_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n-/-/-\nnothing\n2x/-/-\nq\n"))
    assert main(["play", "--game", "open-face", "--players", "2", "--bot", "caller", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    for told in (
        "Dealt to you:",
        "with / between",
        "lays 0 cards: it has to be 5 of 5",
        "'2x' is not a row of cards",
    ):
        assert told in out
