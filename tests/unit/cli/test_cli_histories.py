"""`poker-actors replay` and `poker-actors convert`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import attrs
import pytest

from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.history import FORMATS, HandHistory, Writer, histories, record, replay
from poker_actors.rules import GAMES, Hand, Stakes, payout, settlement
from tests.conformance.history.seeds import played, recorded

KEYS = [
    *("file", "index", "format", "variant", "game", "players", "ok", "error"),
    *("final_stacks", "payoffs", "recorded_final_stacks", "scale"),
]
HANDS = [hand for hand in recorded(16, seed=4) if hand.game.name == "holdem"]
OTHER_GAME = """[9]
variant = 'FT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 5
starting_stacks = [9, 9]
actions = []
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hands.phhs"
    with Writer(path) as writer:
        for hand in HANDS:
            writer.write(hand)
    return path


def test_hands_that_agree_exit_0(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out == "4 hands: 4 agree, 0 disagree\n"


def test_a_hand_that_wrong_rules_agree_with_is_named_by_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = settlement.split_pot

    def last_first(amount: int, winners: Sequence[int]) -> list[tuple[int, int]]:
        chips = [part for _, part in sound(amount, winners)]
        return list(zip(winners, reversed(chips), strict=True))

    for module in (payout, settlement):
        monkeypatch.setattr(module, "split_pot", last_first)
    deck = Deck.stacked(["7c8d", "2c3d", "2d3h"], "AsKsQsJsTs")
    hand = Hand([50] * 3, Stakes(1, 2), deck=deck, button=2)
    hand.check_or_call()
    hand.fold()
    while hand.to_act:
        hand.check_or_call()
    with Writer(tmp_path / "odd.phhs") as writer:
        writer.write(record(hand))
    assert main(["replay", str(tmp_path / "odd.phhs")]) == 1
    assert (
        "hand 1, the rules played it, but the referee says: by the rules seat 1 is due 3 from the main pot, not 2"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize("options", [["--json"], ["--json", "-"]])
def test_json_is_one_line_a_hand(file: Path, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), *options]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(line) for line in lines] == [KEYS] * 4
    for line, hand in zip(lines, HANDS, strict=True):
        assert line["ok"] is True
        assert tuple(line["payoffs"]) == replay(hand).payoffs
        assert tuple(line["final_stacks"]) == tuple(line["recorded_final_stacks"]) == hand.finishing
        assert tuple(line["players"]) == hand.players


def test_a_file_cut_in_the_middle_is_one_line_and_exit_1(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = file.with_name("broken.phh")
    text = FORMATS["phh"].text(HANDS[0], 0)
    broken.write_text(text[: len(text) // 2])
    assert main(["replay", str(broken)]) == 1
    shown = capsys.readouterr()
    assert shown.err == ""
    [line] = shown.out.splitlines()
    assert line.startswith(f"{broken}, line ")


def test_the_log_of_a_simulation_is_told_from_hands_to_be_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    assert main(["simulate", "--hands", "1", "--jsonl", str(log)]) == 0
    capsys.readouterr()
    assert main(["replay", str(log)]) == 1
    assert "log.jsonl, line 1: this is a log of `simulate --jsonl`," in capsys.readouterr().out


def test_a_hand_that_disagrees_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert HANDS[1].finishing is not None
    first_stack, *others = HANDS[1].finishing
    with Writer(file, replace=True) as writer:
        for hand in HANDS:
            wrong = attrs.evolve(hand, finishing=(first_stack + 1, *others))
            writer.write(wrong if hand is HANDS[1] else hand)
    assert main(["replay", str(file)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert f"hand {HANDS[1].hand_id}, p1 ends with {first_stack + 1} as recorded" in first
    assert last == "4 hands: 3 agree, 1 disagree"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_cannot_be_read_is_counted_apart_from_hands_that_disagree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int
) -> None:
    (tmp_path / "bytes.phh").write_bytes(b"\0garbage")
    (tmp_path / "words.txt").write_text("hello\n")
    with Writer(tmp_path / "hands.phhs") as writer:
        for hand in HANDS:
            writer.write(hand)
    assert main(["replay", str(tmp_path), "--workers", str(workers)]) == 1
    *_, last = capsys.readouterr().out.splitlines()
    assert last == "4 hands: 4 agree, 0 disagree; 2 cannot be read"
    assert main(["replay", str(tmp_path / "words.txt")]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_variants_not_played_here_are_skipped_and_counted(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with file.open("a") as stream:
        stream.write(OTHER_GAME)
    assert main(["replay", str(file)]) == 0
    reason = "big bet 5 is not twice the small bet 2: no such limit is played here"
    assert f"1 skipped (1 time {reason})" in capsys.readouterr().out


def test_a_file_of_nothing_but_other_variants_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "limit.phhs"
    path.write_text(OTHER_GAME)
    assert main(["replay", str(path)]) == 2
    assert "big bet 5 is not twice the small bet 2: no such limit is played here" in capsys.readouterr().err


def test_what_cannot_be_read_beside_other_variants_alone_exits_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "limit.phhs").write_text(OTHER_GAME)
    (tmp_path / "words.txt").write_text("hello\n")
    assert main(["replay", str(tmp_path)]) == 1
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("0 hands: 0 agree, 0 disagree; 1 cannot be read; 1 skipped (1 time big bet 5")


@pytest.mark.parametrize("name", ["pot-limit-holdem", "omaha8", "courchevel", "limit-omaha8"])
@pytest.mark.parametrize(
    ("ending", "true", "false"), [(".txt", "collected ", "collected 1"), (".jsonl", "200", "300")]
)
def test_a_game_that_the_phh_standard_has_no_name_for_is_judged_as_any_other(
    name: str, ending: str, true: str, false: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = played(Random(5), GAMES[name], [200, 200, 200], Stakes(1, 2))
    history = record(hand)
    with Writer(tmp_path / f"hands{ending}") as writer:
        writer.write(history)
    assert main(["replay", str(tmp_path), "--json", "--html", str(tmp_path / "page.html")]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["ok"], line["game"], line["variant"]) == (True, name, GAMES[name].code or None)
    assert line["payoffs"] == [hand.payoffs[seat] for seat in history.seats]
    text = (tmp_path / f"hands{ending}").read_text(encoding="utf-8")
    (tmp_path / f"hands{ending}").write_text(text.replace(true, false, 1), encoding="utf-8")
    assert main(["replay", str(tmp_path), "--json"]) == 1


def test_stdin_is_read_for_a_dash(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stdin:
        buffer = io.BufferedReader(io.BytesIO(file.read_bytes()))

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert main(["replay", "-"]) == 0
    assert capsys.readouterr().out.startswith("4 hands: 4 agree")


def test_show_draws_and_html_writes_a_page(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = file.with_name("page.html")
    assert main(["replay", str(file), "--show", "--html", str(page)]) == 0
    assert "No-limit hold'em" in capsys.readouterr().out
    assert page.read_text().lower().startswith("<!doctype html>")


@pytest.mark.parametrize("to", list(FORMATS))
def test_convert_there_and_back_keeps_the_payoffs(file: Path, to: str) -> None:
    there, back = file.with_name("there"), file.with_name("back.phhs")
    assert main(["convert", str(file), str(there), "--to", to]) == 0
    there.rename(named := file.with_name(f"there{FORMATS[to].suffixes[-1]}"))
    assert main(["convert", str(named), str(back)]) == 0
    assert [replay(hand).payoffs for hand in histories(back)] == [replay(hand).payoffs for hand in HANDS]


def test_convert_overwrites_only_when_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = file.with_name("x.jsonl")
    target.write_text("before")
    assert main(["convert", str(file), str(target)]) == 2
    assert "already exists: --force overwrites it" in capsys.readouterr().err
    assert target.read_text() == "before"
    assert main(["convert", str(file), str(target), "--force"]) == 0
    assert len(target.read_text().splitlines()) == 4


def test_convert_writes_nothing_when_a_hand_cannot_be_read(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(file.read_text() + "[5]\nvariant = 7\n")
    assert main(["convert", str(file), str(file.with_name("x.jsonl"))]) == 2
    assert "variant is 7" in capsys.readouterr().err
    assert [found.name for found in file.parent.iterdir()] == ["hands.phhs"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["replay"], "needs a file"),
        (["replay", "nowhere.phh"], "no such file"),
        (["replay", "x.png"], "no such file|no suffix of hand histories"),
        (["convert", "nowhere.phh", "x.jsonl"], "no such file"),
        (["convert", "nowhere.phh", "x.jsonl", "--to", "pdf"], 'invalid value "pdf" for --to'),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_2(
    arguments: list[str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert any(words in line.lower() for words in reason.split("|")), line


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_files_replayed_side_by_side_give_the_same_lines_in_the_same_order(
    form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "a.phhs"
    assert (
        main(
            [
                "simulate",
                "--hands",
                "20",
                "--seed",
                "1",
                "--phh",
                str(good),
                "--json",
                str(tmp_path / "r.json"),
            ]
        )
        == 0
    )
    text = good.read_text(encoding="utf-8")
    (tmp_path / "b.phhs").write_text(text.replace("min_bet = 2", "min_bet = 4"), encoding="utf-8")
    (tmp_path / "c.phhs").write_text(text, encoding="utf-8")
    capsys.readouterr()
    alone = main(["replay", str(tmp_path), *form]), capsys.readouterr().out
    assert alone[0] == 1
    assert (main(["replay", str(tmp_path), "--workers", "2", *form]), capsys.readouterr().out) == alone


@pytest.mark.parametrize("more", [["--workers", "0"], ["--workers", "2", "--show"], ["--workers", "2", "-"]])
def test_what_cannot_be_shared_out_is_refused(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(tmp_path), *more]) == 2
    assert "--workers" in capsys.readouterr().err


def one_hand(seed: int) -> HandHistory:
    return record(played(Random(seed), GAMES["holdem"], [100, 60, 80], Stakes(1, 2)))


@pytest.mark.parametrize("to", ["jsonl", "acpc", "phh"])
def test_files_converted_side_by_side_give_the_same_file(to: str, tmp_path: Path) -> None:
    source = tmp_path / "hands"
    source.mkdir()
    for number in range(3):
        with Writer(source / f"{number}.phhs") as writer:
            for seed in range(4):
                writer.write(one_hand(10 * number + seed))
    made = []
    for workers in ("1", "2"):
        target = tmp_path / f"by{workers}"
        assert main(["convert", str(source), str(target), "--to", to, "--workers", workers]) == 0
        made.append(target.read_bytes())
    assert made[0] == made[1]
    assert made[0]


def test_side_by_side_too_nothing_is_written_when_a_hand_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "hands", tmp_path / "all.jsonl"
    source.mkdir()
    with Writer(source / "a.phhs") as writer:
        writer.write(one_hand(1))
    (source / "b.phhs").write_text("[1]\nvariant = 'NT'\n", encoding="utf-8")
    assert main(["convert", str(source), str(target), "--workers", "2"]) == 2
    assert "b.phhs, line 1: " in capsys.readouterr().err
    assert not target.exists()
    for wrong in (["--workers", "0"], ["--workers", "2"]):
        assert main(["convert", "-", str(target), *wrong]) == 2
        assert "--workers" in capsys.readouterr().err


def test_boards_run_twice_are_written_by_simulate_and_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "twice.phhs"
    play = [
        "simulate",
        "--hands",
        "60",
        "--bot",
        "maniac",
        "--bot",
        "maniac",
        "--seed",
        "3",
        "--run-it-twice",
    ]
    assert main([*play, "--phh", str(place), "--rake", "5%/3"]) == 0
    capsys.readouterr()
    assert "_run_again" in place.read_text(encoding="utf-8")
    assert main(["replay", str(place)]) == 0
    assert "60 hands: 60 agree, 0 disagree" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["replay FILE --show", "replay FILE", "stats FILE"])
@pytest.mark.parametrize("right", [True, False])
def test_names_in_a_file_do_not_reach_the_terminal_as_control_characters(
    command: str, right: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x\x1b[2J.jsonl"
    [finishing] = [HANDS[0].finishing]
    assert finishing is not None
    names = ("red\x1b[31m\nline", "\x9b2Jback\u202e", *HANDS[0].players[2:])
    stacks = finishing if right else (finishing[0] + 1, *finishing[1:])
    hand = attrs.evolve(HANDS[0], players=names, fields={"hand": "a\x07b"}, finishing=stacks)
    with Writer(file) as writer:
        writer.write(hand)
    status = main(command.replace("FILE", str(file)).split())
    out, err = capsys.readouterr()
    assert status == (0 if right else 1)
    assert err == ""
    assert [mark for mark in out if not (mark.isprintable() or mark == "\n")] == []
    if right and "stats" in command:
        assert r"red\x1b[31m\nline" in out
        assert r"\x9b2Jback\u202e" in out
