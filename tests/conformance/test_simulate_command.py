"""`poker-actors simulate`: what programs read, what people see, what wrong input gets."""

import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cli import main

Capture = pytest.CaptureFixture[str]


def run_json(capsys: Capture, *arguments: str) -> Any:
    assert main(["simulate", *arguments, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_json_has_the_keys_that_programs_read(capsys: Capture) -> None:
    result = run_json(capsys, "--hands", "200", "--seed", "7")
    keys = (
        "hands",
        "seed",
        "game",
        "driver",
        "digest",
        "chips_in",
        "chips_out",
        "hands_per_second",
        "players",
    )
    assert set(keys) <= set(result)
    assert (result["hands"], result["seed"], result["game"], result["driver"]) == (200, 7, "holdem", "direct")
    assert result["chips_in"] == result["chips_out"] == 200 * 6 * 200
    assert len(result["digest"]) == 32
    wanted = {
        "seat",
        "bot",
        "net_chips",
        "bb_per_100",
        "bb_per_100_ci95",
        "vpip",
        "pfr",
        "wtsd",
        "wsd",
        "illegal_actions",
    }
    assert [player["seat"] for player in result["players"]] == list(range(6))
    assert all(wanted <= set(player) for player in result["players"])
    low, high = result["players"][0]["bb_per_100_ci95"]
    assert low < result["players"][0]["bb_per_100"] < high
    assert sum(player["net_chips"] for player in result["players"]) == 0


@pytest.mark.parametrize("driver", ["direct", "stepper", "threads"])
def test_the_digest_is_the_same_for_every_driver(capsys: Capture, driver: str) -> None:
    results = [
        run_json(capsys, "--hands", "80", "--seed", "-7", *more) for more in ((), ("--driver", driver))
    ]
    assert results[0]["digest"] == results[1]["digest"]


def test_every_option_arrives(capsys: Capture) -> None:
    result = run_json(
        capsys,
        *(
            "--bot",
            "tight:vpip=0.3",
            "--bot",
            "caller",
            "--hands",
            "30",
            "--seed",
            "1",
            "--stacks",
            "40bb,90",
        ),
        *("--blinds", "2/5", "--ante", "1", "--game", "omaha"),
    )
    assert result["stacks"] == [200, 90]
    assert result["stakes"] == "2/5 ante 1"
    assert result["game"] == "omaha"
    assert [player["bot"] for player in result["players"]] == ["tight:vpip=0.3", "caller"]


def test_duplicate_reports_the_interval_by_deck(capsys: Capture) -> None:
    result = run_json(
        capsys, "--duplicate", "--bot", "tight", "--bot", "maniac", "--hands", "4000", "--seed", "5"
    )
    for player in result["players"]:
        assert player["bb_per_100_ci95"] == player["bb_per_100_ci95_by_unit"]
    assert result["form"] == "duplicate"
    assert (result["raw"]["unit"], result["raw"]["units"]) == ("deck", 2000)


def test_workers_give_the_digest_of_one_process(capsys: Capture) -> None:
    one, two = (run_json(capsys, "--hands", "500", "--seed", "3", "--workers", workers) for workers in "12")
    assert one["digest"] == two["digest"]


def test_people_see_a_table(capsys: Capture) -> None:
    assert main(["simulate", "--hands", "300", "--seed", "7"]) == 0
    shown = capsys.readouterr()
    for word in (
        "300 hands of holdem 1/2, seed 7",
        "net chips",
        "bb/100",
        "VPIP",
        "W$SD",
        "illegal",
        "maniac",
        "hands/s",
    ):
        assert word in shown.out
    assert "▁" in shown.out
    assert shown.err == ""


def test_a_narrow_table_keeps_every_figure(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["simulate", "--hands", "100", "--seed", "7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("pot-odds" in line and "± " in line for line in lines)
    assert "…" not in "".join(lines)


def test_a_drawn_seed_is_shown_and_repeats_the_run(capsys: Capture) -> None:
    assert main(["simulate", "--hands", "20", "--json", "-"]) == 0
    shown = capsys.readouterr()
    first = json.loads(shown.out)
    assert shown.err == f"seed {first['seed']}\n"
    assert run_json(capsys, "--hands", "20", "--seed", str(first["seed"]))["digest"] == first["digest"]


def test_json_in_a_file_leaves_the_table_on_stdout(capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert main(["simulate", "--hands", "20", "--seed", "7", "--json", str(target)]) == 0
    assert json.loads(target.read_text(encoding="utf-8"))["hands"] == 20
    assert "net chips" in capsys.readouterr().out


@pytest.mark.parametrize("driver", ["direct", "stepper"])
def test_one_hand_is_told_street_by_street(capsys: Capture, driver: str) -> None:
    assert main(["simulate", "--seed", "7", "--hand", "3", "--driver", driver]) == 0
    shown = capsys.readouterr().out
    for word in (
        "hand 3 of seed 7",
        "button caller (seat 3)",
        "holds",
        "preflop, pot 3",
        "flop ",
        "wins ",
        "result: ",
    ):
        assert word in shown


def test_one_hand_is_written_as_json(capsys: Capture) -> None:
    assert main(["simulate", "--seed", "7", "--hand", "3", "--json", "-"]) == 0
    hand = json.loads(capsys.readouterr().out)
    assert hand["hand"] == hand["button"] == 3
    assert sum(hand["payoffs"]) == 0


def test_faults_of_a_bot_are_reported(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("def bad(view):\n    raise ValueError('no idea')\n", encoding="utf-8")
    assert main(["simulate", "--bot", f"{path}:bad", "--bot", "caller", "--hands", "20", "--seed", "1"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "faults, the first: raised ValueError: no idea" in shown


STOPPING = """
calls = 0
def stopping(view):
    global calls
    calls += 1
    if calls > {after}:
        raise KeyboardInterrupt
    from poker_actors.rules import Check, Fold
    return Fold() if view.to_call else Check()
"""


def test_an_interruption_shows_what_has_been_played_so_far(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "stopping.py"
    path.write_text(STOPPING.format(after=350), encoding="utf-8")
    arguments = ["--bot", f"{path}:stopping", "--bot", "folder", "--hands", "1000", "--seed", "1"]
    assert main(["simulate", *arguments]) == 130
    shown = capsys.readouterr()
    assert " of 1,000 hands of holdem" in shown.out
    assert shown.err == "poker-actors: interrupted\n"


def test_an_interrupted_json_is_whole_and_says_how_far_it_came(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "stopping_too.py"
    path.write_text(STOPPING.format(after=350), encoding="utf-8")
    arguments = ["--bot", f"{path}:stopping", "--bot", "folder", "--hands", "1000", "--seed", "1"]
    assert main(["simulate", *arguments, "--json", "-"]) == 130
    result = json.loads(capsys.readouterr().out)
    assert 0 < result["hands"] < result["hands_asked"] == 1000
    assert result["chips_in"] == result["chips_out"] == result["hands"] * 400


@pytest.mark.parametrize(
    "arguments",
    [
        "--bot nobody",
        "--hands -1",
        "--hands 0",
        "--hands 1.5",
        "--blinds 2",
        "--blinds -1/2",
        "--blinds 3/2",
        "--seed abc",
        "--bot tight",
        "--bot caller " * 11,
        "--bot tight:vpip=9 --bot caller",
        "--bot tight:vpp=0.1 --bot caller",
        "--bot tight:vpip --bot caller",
        "--bot cmd:./x --bot caller",
        "--bot no/such.py:f --bot caller",
        "--bot caller --bot",
        "--stacks 200,x",
        "--stacks 200,100",
        "--stacks -5",
        "--stacks 0",
        "--stacks 99999999999999999",
        "--ante -1",
        "--game chess",
        "--driver warp",
        "--hand -1",
        "--workers 0",
        "--workers 1000",
        "--duplicate --carry-over",
        "--session 10",
        "--carry-over --session 7",
        "--hands 10 --json .",
        "--json no/such/dir/x.json",
        "--nonsense",
        "extra",
    ],
)
def test_wrong_input_is_one_line_and_status_2(capsys: Capture, arguments: str) -> None:
    assert main(["simulate", *arguments.split()]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("poker-actors: ")
    assert shown.err.count("\n") == 1
