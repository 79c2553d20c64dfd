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
from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.learn.training import Checkpoint, Trainer

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
