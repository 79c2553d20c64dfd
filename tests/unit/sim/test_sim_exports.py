"""Hands in files: every hand once, in order, and nothing half-written."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cli import main
from poker_actors.sim import DEFAULT_BOTS, Duplicate, Match, Simulation, play_hand, simulate
from poker_actors.sim.exports import JsonLines, Parquet, StartingHands, action_rows, seat_rows
from poker_actors.sim.record import hand_dict

Capture = pytest.CaptureFixture[str]


def match(hands: int = 60) -> Match:
    return Match.of(DEFAULT_BOTS, hands=hands, seed=7, form=Duplicate())


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("workers", [1, 2])
def test_every_hand_is_written_once_in_order(tmp_path: Path, workers: int) -> None:
    with JsonLines(tmp_path / "hands.jsonl") as sink:
        result = Simulation(match(), workers=workers, sinks=[sink]).run()
    rows = rows_of(tmp_path / "hands.jsonl")
    assert [row["hand"] for row in rows] == list(range(60))
    assert sum(int(row["digest"], 16) for row in rows) % 2**128 == int(result.digest, 16)
    hand, who = play_hand(match(), 17)
    assert rows[17] | hand_dict(17, hand) == rows[17]
    assert rows[17]["bots"] == [DEFAULT_BOTS[bot] for bot in who]
    assert result == simulate(hands=60, seed=7, form=Duplicate())
    assert list(tmp_path.iterdir()) == [tmp_path / "hands.jsonl"]


def test_an_interrupted_file_does_not_appear(tmp_path: Path) -> None:
    def stop(hands: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), JsonLines(tmp_path / "hands.jsonl") as sink:
        Simulation(match(), sinks=[sink]).run(stop)
    assert list(tmp_path.iterdir()) == []


def test_rows_by_seat_and_action_hold_the_hand() -> None:
    from poker_actors.sim.exports import hand_row

    hand, who = play_hand(match(), 3)
    row = hand_row(3, hand, who, DEFAULT_BOTS)
    seats, actions = seat_rows(row), action_rows(row)
    assert [seat["net_chips"] for seat in seats] == list(hand.payoffs)
    assert [seat["bot"] for seat in seats] == [DEFAULT_BOTS[bot] for bot in who]
    assert [action["place"] for action in actions] == list(range(len(hand.log)))
    assert {action["action"] for action in actions} <= {"fold", "check", "call", "bet", "raise_to"}
    assert all(
        (action["chips"] is not None) == (action["action"] in ("bet", "raise_to")) for action in actions
    )


def test_parquet_is_read_by_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    polars = pytest.importorskip("polars", reason="the extra [stats] is not installed")
    monkeypatch.setattr("poker_actors.sim.exports._HANDS_A_PART", 25)
    with Parquet(tmp_path / "hands.parquet") as sink:
        result = Simulation(match(), sinks=[sink]).run()
    seats = polars.read_parquet(tmp_path / "hands.parquet")
    assert seats.height == 360
    net = seats.group_by("bot_number").agg(polars.col("net_chips").sum()).sort("bot_number")
    assert net["net_chips"].to_list() == [player.net_chips for player in result.players]
    actions = polars.read_parquet(tmp_path / "hands.actions.parquet")
    raises = sum(
        sum(player.counts[f"{street}_raises"] for street in ("preflop", "flop", "turn", "river"))
        for player in result.players
    )
    assert actions.filter(polars.col("action").is_in(["bet", "raise_to"])).height == raises
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.actions.parquet", "hands.parquet"]


def test_starting_hands_are_counted_by_bot_wherever_it_sits() -> None:
    hands = StartingHands(6)
    result = Simulation(match(600), sinks=[hands]).run()
    for player in result.players:
        cells = hands.of[player.seat].values()
        assert sum(cell.dealt for cell in cells) == 600
        assert sum(cell.played for cell in cells) == player.vpip.count
        assert sum(cell.raised for cell in cells) == player.pfr.count
        assert sum(cell.net_chips for cell in cells) == player.net_chips
    assert all(re.fullmatch(r"[2-9TJQKA]{2}[so]?", name) for name in hands.of[0])


def test_pictures_and_the_report_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    monkeypatch.chdir(tmp_path)
    arguments = [
        "--hands",
        "120",
        "--seed",
        "7",
        "--plot",
        "out.png",
        "--report",
        "out.html",
        "--jsonl",
        "out.jsonl",
    ]
    assert main(["simulate", *arguments]) == 0
    shown = capsys.readouterr()
    assert shown.err.splitlines() == ["wrote out.jsonl", "wrote out.png", "wrote out.html"]
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert page.count("<svg ") == 2 * 2 + 3 * 6
    assert page.count("<title>AKs: ") == 3 * 6, "every starting hand is in every grid, with its figure"
    assert not re.search(r"""src=|href=['"](?!#)|url\((?!#)|@import""", page), (
        "a page that needs no other file"
    )
    assert len(page) < 800_000
    command = re.findall("<pre [^>]*>(.*?)</pre>", page)[0].replace("&#x27;", "'")
    digest = re.findall("digest must be <code>(.*?)</code>", page)[0]
    assert main([*command.split()[1:], "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == digest


@pytest.mark.parametrize("hands", [1, 4])
def test_few_hands_are_drawn_though_nobody_has_sat_everywhere(tmp_path: Path, hands: int) -> None:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    files = [str(tmp_path / "out.png"), str(tmp_path / "out.html")]
    assert (
        main(["simulate", "--hands", str(hands), "--seed", "3", "--plot", files[0], "--report", files[1]])
        == 0
    )
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    places = [page.index(f">{name}</text>") for name in ("BTN", "CO", "HJ", "UTG", "BB", "SB")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "arguments",
    [
        "--plot out.bmp",
        "--plot no/such/out.png",
        "--report .",
        "--jsonl no/such/x.jsonl",
        "--parquet no/such/x",
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_a_hand_is_played(
    capsys: Capture, arguments: str
) -> None:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    assert main(["simulate", "--hands", "1000000000", "--seed", "1", *arguments.split()]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_part_that_finds_no_room_is_an_error_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("polars", reason="the extra [stats] is not installed")
    resource = pytest.importorskip("resource", reason="the system has no limits")
    monkeypatch.setattr("poker_actors.sim.exports._HANDS_A_PART", 25)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Parquet(tmp_path / "hands.parquet") as sink:
        simulation = Simulation(match(), sinks=[sink])
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                simulation.run()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_parquet_goes_to_a_folder_whose_name_is_like_a_pattern(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="the extra [stats] is not installed")
    folder = tmp_path / "runs[1]*"
    folder.mkdir()
    with Parquet(folder / "hands.parquet") as sink:
        Simulation(match(), sinks=[sink]).run()
    assert polars.read_parquet(folder / "hands.parquet", glob=False).height == 360
