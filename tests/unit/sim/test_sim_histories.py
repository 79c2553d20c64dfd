"""`simulate --phh`: every hand as a hand history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.history import histories, replay

HANDS = ["simulate", "--hands", "30", "--seed", "1"]


def test_the_histories_replay_to_the_payoffs_of_the_simulation(tmp_path: Path) -> None:
    phh, lines = tmp_path / "out.phhs", tmp_path / "out.jsonl"
    assert main([*HANDS, "--phh", str(phh), "--jsonl", str(lines)]) == 0
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    found = list(histories(phh))
    assert len(found) == len(rows) == 30
    for history, row in zip(found, rows, strict=True):
        payoffs = replay(history).payoffs
        assert payoffs is not None
        assert history.hand_id == str(row["hand"])
        by_seat = dict(zip(history.seats, payoffs, strict=True))
        assert [by_seat[seat] for seat in range(6)] == row["payoffs"]
        names = dict(zip(history.seats, history.players, strict=True))
        assert [names[seat] for seat in range(6)] == row["bots"]


@pytest.mark.parametrize("game", ["limit-holdem", "omaha", "short-deck"])
def test_the_other_games_are_written_too(tmp_path: Path, game: str) -> None:
    phh = tmp_path / "out.phhs"
    assert main([*HANDS, "--game", game, "--ante", "1", "--phh", str(phh)]) == 0
    assert all(replay(history).final_stacks == history.finishing for history in histories(phh))


def test_stacks_that_carry_over_leave_seats_empty(tmp_path: Path) -> None:
    phh = tmp_path / "out.phhs"
    command = [
        "simulate",
        "--hands",
        "200",
        "--seed",
        "1",
        "--carry-over",
        "--stacks",
        "20bb",
        "--bot",
        "maniac",
        "--bot",
        "caller",
    ]
    assert main([*command, "--bot", "maniac", "--phh", str(phh)]) == 0
    found = list(histories(phh))
    assert len(found) == 200
    assert set(found[0].players) == {"maniac 1", "caller", "maniac 3"}
    assert all(replay(history).final_stacks == history.finishing for history in found)


def test_a_directory_gets_a_file_for_each_hand(tmp_path: Path) -> None:
    assert main([*HANDS, "--phh", str(tmp_path)]) == 0
    assert len(list(tmp_path.glob("*.phh"))) == 30


def test_a_file_for_one_hand_holds_no_thirty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HANDS, "--phh", str(tmp_path / "out.phh")]) == 2
    assert "can hold one hand, and there are 30: name a .phhs file" in capsys.readouterr().err


def test_workers_write_the_same_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.phhs", tmp_path / "two.phhs"
    assert main([*HANDS, "--phh", str(one)]) == 0
    assert main([*HANDS, "--workers", "2", "--phh", str(two)]) == 0
    assert one.read_bytes() == two.read_bytes()
