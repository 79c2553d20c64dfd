"""`poker-actors eval` and `poker-actors equity`, from arguments and streams to lines and statuses."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from poker_actors.cli import main


def feed(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["Ah 7c Jd As 7h"], "Two Pair, Aces and Sevens, Jack kicker (As Ah 7h 7c Jd)"),
        (["Ah", "7c", "Jd", "As", "7h"], "Two Pair, Aces and Sevens, Jack kicker (As Ah 7h 7c Jd)"),
        (["--libpoker", "Ah 7c Jd As 7h"], "34363648 TwoPair (A 7 J)"),
        (["--libpoker", "Ah"], "786432 NoPair (A 2 2 2 2)"),
        (["--seed5", "Xn9cKd3d2d9d9s"], "71 Four of a Kind, Nines, King kicker"),
        (["--seed5", "XnKdQd2d9d4d5d"], "341 Flush, Ace high, King Queen Nine Five"),
        (["Xn9cKd3d2d9d9s"], "Four of a Kind, Nines, King kicker (9s Xn 9d 9c Kd), joker 9h"),
        (
            ["--omaha", "AhAd7c7h/Jd7s2c3c4c"],
            "Three of a Kind, Sevens, Jack Four kickers; Seven-Four-Three-Deuce-Ace low",
        ),
        (["AhAd7c7h/Jd7s2cJc4c"], "Full House, Sevens full of Jacks"),
        (["--low", "ace-to-five", "8c5d4s3h2cKd"], "Eight-Five-Four-Three-Deuce low"),
        (["--low", "deuce-to-seven", "7c5d4s3h2cKd"], "Seven-Five-Four-Three-Deuce low"),
        (["--low", "ace-to-five", "AhAd7c7h/JdTs2c3c4c"], "Seven-Four-Three-Deuce-Ace low"),
        (["--low", "ace-to-five", "AhAdKcKh/JdTs2c3c9c"], "No low"),
        (["--short-deck", "AsKdQsJsTs"], "Straight, Ace high"),
        (["--row", "AhAdKs"], "Pair of Aces, King kicker (Ah Ad Ks), royalty top 9"),
        (
            ["--row", "5h5s6h6s6d"],
            "Full House, Sixes full of Fives (6s 6h 6d 5s 5h), royalty middle 12, bottom 6",
        ),
    ],
)
def test_a_hand_is_answered_in_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *arguments]) == 0
    assert capsys.readouterr().out == line + "\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["10cAs"], "'10cAs' is not a card"),
        (["asKd"], "'as' is not a card"),
        (["AsAs"], "As is given twice"),
        (["XnYnXn"], "a third joker"),
        (["2c3c4c5c6c7c8c9cTcJc"], "10 cards is too long: at most 9"),
        ([""], "a hand of no cards"),
        (["--libpoker", "AsAs"], "As is given twice"),
        (["--seed5", "AsKs"], "no such number"),
        (["--seed5", "--short-deck", "AsKdQsJsTs"], "no such number"),
        (["--seed5", "--libpoker", "AsKs"], "choose one"),
        (["--row", "--short-deck", "AsKs"], "choose one"),
        (["--row", "AsKs"], "an open-face row of 2 cards"),
        (["--omaha", "AsKsQs"], "is not HOLE/BOARD"),
        (["--omaha", "AsKsQsJs/2c3c4c", "AsKs"], "give one of them"),
        (["AsKs/2c3c4c"], "2 hole cards are not an Omaha hand"),
        (["--low", "ace-to-five", "AsKs"], "a low of 2 cards"),
        (["--low", "ten-to-two", "AsKs"], "--low"),
    ],
)
def test_a_wrong_hand_is_one_line_on_stderr_and_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert shown.err.count("\n") == 1


def test_without_a_hand_each_line_of_input_is_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, "AsKs\n\nAh 7c Jd As 7h\r\nAhAd7c7h/Jd7s2cJc4c")
    assert main(["eval"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "High Card, Ace, King kicker (As Ks)",
        "Two Pair, Aces and Sevens, Jack kicker (As Ah 7h 7c Jd)",
        "Full House, Sevens full of Jacks",
    ]


def test_a_stream_is_answered_up_to_its_first_wrong_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in (b"10c", b"\xff\xfe", "As\u00e9".encode()):
        feed(monkeypatch, b"AsKs\n" + wrong + b"\nAhAd\n")
        assert main(["eval", "--libpoker"]) == 2
        shown = capsys.readouterr()
        assert shown.out == "831488 NoPair (A K 2 2 2)\n"
        assert shown.err.startswith("poker-actors: line 2: ")
        assert shown.err.count("\n") == 1


def test_json_has_every_number_and_the_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--json", "-", "Xn9cKd3d2d9d9s"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["score"] == 71
    assert found["category"] == "four_of_a_kind"
    assert found["cards"] == ["9s", "Xn", "9d", "9c", "Kd"]
    assert found["kickers"] == ["Kd"]
    assert found["jokers"] == ["9h"]
    assert "line" not in found


def test_json_of_a_stream_is_a_value_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, "AsKs\nAhAd\n")
    assert main(["eval", "--json", "-"]) == 0
    values = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [value["category"] for value in values] == ["high_card", "pair"]


@pytest.mark.parametrize(
    ("arguments", "shares"),
    [
        (["AsKs", "QhQd"], ["46.2145 %", "53.7855 %"]),
        (["AsKs", "QhQd", "--board", "Ts9s2d"], ["53.5354 %", "46.4646 %"]),
        (["AsKs", "QhQd", "JhTh"], ["40.9135 %", "41.6331 %", "17.4534 %"]),
        (["AsKs", "--range", "QQ+, AKs", "--board", "Ts9s2d"], ["51.2424 %", "48.7576 %"]),
        (["AsAhKsKh", "QsQhJsJh", "--game", "omaha", "--board", "Ts9s2d"], ["66.3415 %", "33.6585 %"]),
        (["AsAh", "KsKd", "--game", "short-deck"], ["74.6410 %", "25.3590 %"]),
    ],
)
def test_equities_are_a_table_with_a_row_a_player(
    arguments: list[str], shares: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["equity", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(shares) + 2
    for line, share in zip(lines[1:], shares, strict=False):
        assert share in line
    assert lines[-1].endswith("boards, all of them")


def test_random_deals_show_their_error_and_repeat_with_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for seed in ("1", "1", "2"):
        assert main(["equity", "AsKs", "QhQd", "--trials", "2000", "--seed", seed]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2]
    assert "\u00b1" in shown[0]
    assert "2,000 random deals" in shown[0]


def test_a_terminal_without_unicode_is_shown_ascii() -> None:
    program = "from poker_actors.cli import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "equity", "AsKs", "QhQd", "--trials", "100"]
    ascii_only = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    shown = subprocess.run(command, capture_output=True, check=True, env=ascii_only).stdout.decode("ascii")
    assert "+-" in shown
    assert "\\x" not in shown


def test_equities_as_json_are_parts_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AsKs", "QhQd", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exact"] is True
    assert found["boards"] == 1_712_304
    assert round(found["players"][0]["share"], 6) == 0.462145


def test_an_interrupted_run_prints_what_it_has_and_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from poker_actors.evaluator.equity import sampled as run

    def stop(*_: object) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "_error", stop)
    assert main(["equity", "AsKs", "QhQd", "--stderr", "0.0001"]) == 130
    shown = capsys.readouterr()
    assert "random deals" in shown.out
    assert shown.err.startswith("interrupted after ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AsKs"], "2 to 10 players, not 1"),
        (["AsKs", "AsQd"], "As is given twice"),
        (["AsKs", "QhQd", "--board", "AsTs2c"], "As is given twice"),
        (["AsKs", "QhQd", "--board", "10c"], "'10c' is not a card"),
        (["AsKs", "QQ++"], "'QQ++' is not a range"),
        (["AsKs", "QhQd", "--trials", "0"], "0 trials are below the minimum of 1"),
        (["AsKs", "QhQd", "--stderr", "0"], "--stderr 0 is not between 0 and 100"),
        (["AsKs", "QhQd", "--stderr", "nan"], "--stderr nan is not between 0 and 100"),
        (["AsKs", "QhQd", "--game", "chess"], "chess"),
        (["AsKs", "QhQd", "--exact", "--trials", "5"], "neither trials nor stderr"),
    ],
)
def test_a_wrong_question_is_one_line_on_stderr_and_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["equity", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert shown.err.count("\n") == 1
