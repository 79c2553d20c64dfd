"""A training gives the same table however it is cut into runs, and its file is held, whole, or refused."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba")

from poker_actors.bots.expert import StrategyTable
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.learn.compiled.betting import begin, take
from poker_actors.learn.compiled.policies import CALL, FOLD, RAISE
from poker_actors.learn.compiled.row import (
    BIG,
    BUTTON,
    CARDS,
    POLICIES_AT,
    ROWS,
    SEATS,
    STACKS,
    as_bytes,
    compiled_call,
    doubles_at,
    ints_at,
)
from poker_actors.learn.training import Checkpoint, Trainer
from poker_actors.learn.training.rounds import Workplace, seat_bot
from poker_actors.learn.training.walking import PRESSING, presses

# compiling the walk takes most of a minute
pytestmark = pytest.mark.heavy


def same(one: Trainer, other: Trainer) -> bool:
    mine, theirs = one.state(), other.state()
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[key], theirs[key]) for key in mine)


def test_the_same_rounds_give_the_same_table_on_one_core_and_on_two() -> None:
    one, other = Trainer(5), Trainer(5)
    for _ in range(4):
        one.play_round(cores=1)
        other.play_round(cores=2)
    assert same(one, other)
    assert one.table().to_bytes() == other.table().to_bytes()
    assert not same(one, Trainer(6))


def test_a_training_that_was_written_and_read_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    file = tmp_path / "half.training"
    whole, half = Trainer(5), Trainer(5)
    for _ in range(4):
        whole.play_round()
    half.play_round()
    half.play_round()
    with Checkpoint(file) as checkpoint:
        checkpoint.write(half.state())
        again = Trainer.of(checkpoint.read(), file.name)
    again.play_round()
    again.play_round()
    assert again.table().to_bytes() == whole.table().to_bytes()


def test_the_command_trains_writes_a_table_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    between = tmp_path / "lists, of=places:too"
    between.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(between))
    kept, out = tmp_path / "it.training", tmp_path / "it.strategy"
    words = ["train", "expert", "--checkpoint", str(kept), "--out", str(out), "--seed", "4", "--json", "-"]
    assert main([*words, "--rounds", "10"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["rounds"] == 10
    assert [point["round"] for point in answer["curve"]] == list(range(1, 11))
    first = StrategyTable.from_bytes(out.read_bytes(), "it")
    assert first.rows > 100
    assert main([*words, "--rounds", "1"]) == 2
    assert "continue it with --resume" in capsys.readouterr().err
    assert main([*words, "--rounds", "1", "--resume"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"] == 11


def test_a_second_trainer_on_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.training"
    with (
        Checkpoint(file),
        pytest.raises(BadSpec, match="is in use: another process is training on it"),
        Checkpoint(file),
    ):
        pass


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: b"", "does not hold a training of the bot expert"),
        (lambda data: b"{}" * 100, "does not hold a training of the bot expert"),
        (lambda data: data[:-1], "is damaged"),
        (lambda data: data.replace(b"training\n\x03", b"training\n\x09", 1), "is of version 9"),
    ],
)
def test_a_checkpoint_that_is_cut_or_foreign_is_refused_in_one_line(
    spoil: Callable[[bytes], bytes], why: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.training"
    with Checkpoint(file) as checkpoint:
        checkpoint.write({"numbers": np.zeros(3, np.int64)})
    file.write_bytes(spoil(file.read_bytes()))
    with Checkpoint(file) as checkpoint, pytest.raises(BadSpec, match=why) as raised:
        checkpoint.read()
    assert "\n" not in str(raised.value)


def test_a_whole_file_of_something_else_is_no_training() -> None:
    with pytest.raises(BadSpec, match="does not hold a complete training"):
        Trainer.of({"numbers": np.zeros(2)}, "other.training")


@compiled_call
def begun(desk, cards):  # type: ignore[no-untyped-def]
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[ROWS])
    d[SEATS], t[BUTTON] = 2, 1
    d[STACKS] = d[STACKS + 1] = 100 * d[BIG]
    for place in range(9):
        as_bytes(t)[8 * CARDS + place] = cards[place]
    begin(d, t)


@compiled_call
def moved(desk, action, total):  # type: ignore[no-untyped-def]
    d = ints_at(desk.ctypes.data)
    take(d, ints_at(d[ROWS]), action, total)


@compiled_call
def pressed(desk, over, size, margin, share):  # type: ignore[no-untyped-def]
    d = ints_at(desk.ctypes.data)
    return presses(d, ints_at(d[ROWS]), over, size, margin, share)


@pytest.mark.parametrize("hole", ["7s2h", "AsAh"])
def test_a_guest_that_presses_bets_any_cards_and_answers_a_raise_by_its_own(hole: str) -> None:
    place = Workplace(many=False, seed=3)
    desk, good = place._desk, hole == "AsAh"
    holes = [hole, hole.translate(str.maketrans("sh", "cd"))]
    begun(desk.numbers, np.array(Deck.stacked(holes, "Kc8d3sQs4h").draw(9), np.int64))
    # blinds of 10 and 20: half the pot after a call is 20 more, two pots 80
    assert pressed(desk.numbers, 0.0, 0.5, 0.0, 1.0) == (RAISE, 40)
    assert pressed(desk.numbers, 0.0, 2.0, 1.0, 1.0) == (RAISE, 100)
    assert pressed(desk.numbers, 0.0, 0.5, 0.0, 0.3) == ((RAISE, 40) if good else (CALL, 0))
    assert pressed(desk.numbers, 0.0, 0.5, 1.0, 0.3) == ((RAISE, 40) if good else (FOLD, 0))
    moved(desk.numbers, CALL, 0)
    moved(desk.numbers, CALL, 0)
    assert pressed(desk.numbers, 0.0, 0.5, 0.0, 0.3) == (RAISE, 20)
    moved(desk.numbers, RAISE, 40)
    assert pressed(desk.numbers, 0.0, 0.5, 1.0, 1.0) == (CALL if good else FOLD, 0)
    assert pressed(desk.numbers, 1.0, 0.0, 1.0, 1.0) == (RAISE, 80)
    moved(desk.numbers, RAISE, 80)
    moved(desk.numbers, RAISE, 120)
    assert pressed(desk.numbers, 1.0, 0.0, 1.0, 1.0) == (CALL if good else FOLD, 0)


def test_a_guest_that_presses_raises_no_bet_above_the_pot_again() -> None:
    place = Workplace(many=False, seed=3)
    desk = place._desk
    begun(desk.numbers, np.array(Deck.stacked(["7s2h", "7d2c"], "Kc8d3sQs4h").draw(9), np.int64))
    moved(desk.numbers, RAISE, 60)
    assert pressed(desk.numbers, 1.0, 0.0, 0.0, 1.0) == (RAISE, 100)
    begun(desk.numbers, np.array(Deck.stacked(["7s2h", "7d2c"], "Kc8d3sQs4h").draw(9), np.int64))
    moved(desk.numbers, RAISE, 70)
    assert pressed(desk.numbers, 1.0, 0.0, 1.0, 1.0) == (FOLD, 0)


@compiled_call
def seated(desk):  # type: ignore[no-untyped-def]
    d = ints_at(desk.ctypes.data)
    seat_bot(d, 0, PRESSING, 1.0)
    policy = doubles_at(d[POLICIES_AT])
    return policy[0] - PRESSING, policy[1]


def test_guests_that_press_bet_the_minimum_little_much_and_all_and_some_raise_again() -> None:
    desk = Workplace(many=False, seed=3)._desk
    all_of_them = [seated(desk.numbers) for _ in range(300)]
    guests = {(over, min(2, int(size / 0.4)), size == 0) for over, size in all_of_them}
    sizes = {(0, True), (0, False), (1, False), (2, False)}
    assert guests == {(float(over), *size) for over in (0, 1) for size in sizes}
    # these alone teach what to answer to bets between half a pot and a pot
    assert sum([0.44 < size < 0.86 for _, size in all_of_them]) > 120
