"""`poker-actors tournament`: sit-and-gos, multi-table tournaments and round robins, and what wrong input gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cli import main
from poker_actors.sim.tournaments import TournamentPlan, multi_table, play_direct

Capture = pytest.CaptureFixture[str]


def run_json(capsys: Capture, *arguments: str) -> Any:
    assert main(["tournament", *arguments, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


MTT = ("--format", "mtt", "--players", "14", "--seats", "4", "--seed", "2")


def test_a_multi_table_tournament_has_a_winner_payouts_chips_and_the_same_digest_twice(
    capsys: Capture,
) -> None:
    result = run_json(capsys, *MTT)
    assert result["winner"] == result["standings"][0]["name"]
    assert result["chips_in"] == result["chips_out"] == 14 * 10_000
    assert result["prize_in"] == result["prize_out"] == sum(result["payouts"]) == 1400
    assert [row["place"] for row in result["standings"]] == sorted(
        row["place"] for row in result["standings"]
    )
    assert run_json(capsys, *MTT) == result
    assert result["digest"] == play_direct(TournamentPlan.of(multi_table(4), 14, seed=2)).digest


@pytest.mark.parametrize("driver", ["stepper", "threads"])
def test_every_driver_plays_the_same_tournament(driver: str, capsys: Capture) -> None:
    assert run_json(capsys, *MTT, "--driver", driver) == run_json(capsys, *MTT)


def test_every_option_reaches_the_tournament(capsys: Capture) -> None:
    options = """--players 12 --seats 5 --final-seats 6 --level-hands 4 --late 3 --late-until 2 --rebuys 1 --rebuy-until 3
        --add-on 700 --ante-from 2 --buy-in 50 --fee 5 --payouts 60,40 --stacks 40bb --blinds 25/50 --game omaha
        --bot tight --bot random --seed 9"""
    result = run_json(capsys, "--format", "mtt", *options.split())
    structure = result["structure"]
    wanted = {
        "seats": 5, "final_seats": 6, "length": 4, "by": "hands", "late_until": 2, "rebuys": 1, "rebuy_until": 3,
        "add_on_stack": 700, "add_on_cost": 50, "buy_in": 50, "fee": 5, "shares": [60, 40], "stack": 2000, "game": "omaha",
    }  # fmt: skip
    assert {key: structure[key] for key in wanted} == wanted
    assert structure["levels"][:2] == [[25, 50, 0, 0, 0, 50], [37, 74, 9, 0, 0, 74]]
    assert {row["bot"] for row in result["standings"]} == {"tight", "random"}
    assert result["fees"] == 60
    assert len(result["payouts"]) == 2


def test_a_table_shows_standings_levels_and_tables(capsys: Capture) -> None:
    assert main(["tournament", *MTT]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("mtt of 14 players at tables of 4, 10,000 chips, seed 2: player ")
    assert out[1].split() == ["place", "player", "bot", "prize", "paid", "hands", "moves", "out", "in"]
    assert any(line.startswith("tables broken: 4") for line in out)
    assert "chips in 140,000, out 140,000" in out
    assert "prizes in 1,400, out 1,400" in out


def test_a_tournament_in_a_file_goes_on_and_ends_the_same(tmp_path: Path, capsys: Capture) -> None:
    data = str(tmp_path / "t.db")
    few = ("--format", "mtt", "--players", "4", "--seats", "3", "--seed", "2")
    whole = run_json(capsys, *few, "--data", data)
    assert run_json(capsys, "--resume", "--data", data) == whole
    assert run_json(capsys, *few, "--resume", "--data", data) == whole
    assert run_json(capsys, *few[:-2], "--resume", "--data", data) == whole
    for arguments, message in (
        (few, "already has a tournament: --resume continues it"),
        ((*few[:-1], "3", "--resume"), "has another tournament (seed 2, 4 players)"),
        ((*few, "--resume", "--fee", "1"), "has another tournament (seed 2, 4 players)"),
    ):
        assert main(["tournament", *arguments, "--data", data]) == 2
        assert message in capsys.readouterr().err


def test_a_picture_is_drawn(tmp_path: Path, capsys: Capture) -> None:
    picture = tmp_path / "t.svg"
    assert main(["tournament", *MTT, "--plot", str(picture)]) == 0
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    assert "wrote" in capsys.readouterr().err


def test_a_drawn_seed_is_shown(capsys: Capture) -> None:
    assert main(["tournament", "--format", "sng", "--seats", "2"]) == 0
    assert capsys.readouterr().err.startswith("seed ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--format xx", 'invalid value "xx" for --format'),
        ("--format sng --players 9", "a sng has one table, of 6 seats"),
        ("--format sng --hands 5", "--hands does not apply to --format sng"),
        ("--format mtt --workers 2", "--workers does not apply to --format mtt"),
        ("--format mtt --duplicate", "--duplicate does not apply to --format mtt"),
        ("--format mtt --players 1", "players is 1: the minimum is 2"),
        ("--players 5", "--players needs --format sng or mtt"),
        ("--resume", "need --format sng or mtt"),
        ("--format mtt --resume", "--resume needs --data FILE"),
        ("--resume --data none.db", "there is no file none.db to resume"),
        ("--plot a.png", "need --format sng or mtt"),
        ("--format mtt --plot a.gif", "picture a.gif: it can be .png, .svg, .pdf"),
        ("--format mtt --plot no/a.png", "there is no directory no"),
        ("--format mtt --driver x", 'invalid value "x" for --driver'),
        ("--format mtt --payouts 50;50", "are not parts by place"),
        ("--format mtt --payouts 30,50", "place 2 gets 50, above the 30"),
        ("--format mtt --stacks 1,2", "everybody starts with the same"),
        ("--format mtt --blinds 5/20", "the big blind is twice the small one"),
        ("--format mtt --level-hands 3 --level-minutes 4", "give only one"),
        ("--format mtt --add-on 5", "give --rebuys as well"),
        ("--format mtt --seats 12", "a table of holdem has 2 to 10"),
        ("--format mtt --late 17", "17 of 18 players come late"),
        ("--format mtt --bot nobody", "no bot is called 'nobody'"),
        ("--format mtt --bot cpu-seed", "needs everybody's cards"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_2(
    arguments: str, message: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", *arguments.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_a_round_robin_is_what_it_was(capsys: Capture) -> None:
    result = run_json(capsys, "--bot", "tight", "--bot", "caller", "--hands", "50", "--seed", "1")
    assert (result["format"], result["bots"], len(result["pairings"])) == (
        "round-robin",
        ["tight", "caller"],
        1,
    )


def test_a_round_robin_takes_the_luck_out_when_asked(capsys: Capture) -> None:
    words = ("--bot", "tight", "--bot", "caller", "--hands", "50", "--seed", "1")
    plain, adjusted = run_json(capsys, *words), run_json(capsys, *words, "--adjust")
    assert plain["standings"][0]["bb_per_100"] != adjusted["standings"][0]["bb_per_100"]
    assert plain["pairings"][0]["result"]["digest"] == adjusted["pairings"][0]["result"]["digest"]


@pytest.mark.parametrize(
    "given",
    [["--format", "sng", "--players", "3", "--driver", "stepper"], ["--format", "sng", "--players", "3"], []],
)
def test_an_ejected_bot_is_named_and_makes_the_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str]
) -> None:
    (tmp_path / "bad.py").write_text("def never(view):\n    raise RuntimeError('always')\n")
    words = ["tournament", "--bot", f"{tmp_path / 'bad.py'}:never", "--bot", "caller", "--seed", "3", *given]
    words += ["--stacks", "2000"] if given else ["--hands", "300"]
    assert main(words) == 1
    assert "was ejected" in capsys.readouterr().err
