"""The library's numbers one at a time and in arrays, odd cases included."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cards import CARDS
from poker_actors.evaluator import evaluate, libpoker
from poker_actors.evaluator.fast import Engine

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("evaluator_vectors.json").read_text())
ENGINES: list[Engine] = ["numba", "numpy", "python"]
ACE, ACE_KING = libpoker.evaluate("Ah"), libpoker.evaluate("Ah Kd")


@pytest.fixture(params=ENGINES)
def using(request: pytest.FixtureRequest) -> Engine:
    for module in {"numba": ["numpy", "numba"], "numpy": ["numpy"], "python": []}[request.param]:
        pytest.importorskip(module)
    chosen: Engine = request.param
    return chosen


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ah Kd", ACE_KING),
        ("  Ah   Kd ", ACE_KING),
        ("ah kD", ACE_KING),
        ("Ahx Kd!", ACE_KING),
        ("Ah Kd Ah", ACE_KING),
        ("Ah\tKd", ACE),  # words end at a blank only
        ("Ah\nKd", ACE),
        ("Ah,Kd", ACE),
        ("AhKd", ACE),
        ("Ah\x00 Kd", ACE),  # a text of C ends at a NUL
        ("\tAh Kd", 0),
        ("Ah 10d", 0),
        ("Ah Xn", 0),
        ("A", 0),
        ("", 0),
        ("   ", 0),
        ("\u0130h Kd", 0),
    ],
)
def test_a_text_is_cut_and_read_as_the_library_does(text: str, value: int) -> None:
    assert libpoker.evaluate(text) == value


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        ("7s 5s 4s 3s 2s Ah Kh Qh Jh 9h", "Flush (7 5 4 3 2)"),
        ("7c 5c 4c 3c 2c Ad Kd Qd Jd 9d", "Flush (7 5 4 3 2)"),
        ("7d 5d 4d 3d 2d Ah Kh Qh Jh 9h", "Flush (7 5 4 3 2)"),
        ("7s 5s 4s 3s 2s Ah Kh Qh Jh Th", "Flush (7 5 4 3 2)"),
        ("6s 5s 4s 3s 2s Ah Kh Qh Jh Th", "StFlush (6)"),
        ("7s 5s 4s 3s 2s 7h 7c 7d Kd Qd", "Quads (7 K)"),
    ],
)
def test_of_two_suits_with_five_cards_the_first_is_looked_at_and_no_other(hand: str, text: str) -> None:
    assert libpoker.handval(libpoker.evaluate(hand)) == text


def test_an_array_has_the_values_of_its_hands_one_by_one(using: Engine) -> None:
    luck = random.Random(3)
    for size in range(1, 10):
        hands = [luck.sample(range(52), size) for _ in range(200)]
        expected = [libpoker.from_strength(evaluate(hand)) for hand in hands]
        texts = [" ".join(str(CARDS[card]) for card in hand) for hand in hands]
        assert [libpoker.evaluate(hand) for hand in hands] == expected
        assert list(libpoker.evaluate_many(texts, using=using)) == expected
        assert list(libpoker.evaluate_many(hands, using=using)) == expected
        if using != "python":
            np = pytest.importorskip("numpy")
            for kind in ("u1", "i4", "i8"):
                assert list(libpoker.evaluate_many(np.array(hands, dtype=kind), using=using)) == expected


def test_odd_hands_in_an_array_are_what_they_are_alone(using: Engine) -> None:
    np = pytest.importorskip("numpy")
    rows = [[1, 2, 3, 4, 5], [1, 1, 3, 4, 5], [1, 2, 3, 4, 52], [1, 2, 3, 4, -1], [255, 2, 3, 4, 5], [7] * 5]
    found = list(libpoker.evaluate_many(np.array(rows, dtype=np.int64), using=using))
    assert found == [libpoker.evaluate(row) for row in rows]
    assert found[2:5] == [0, 0, 0]
    assert found[5] == libpoker.evaluate([7])


@pytest.mark.parametrize(
    "texts",
    [
        [row["hand"] for row in VECTORS["poker_eval_handval"]],
        ["Ah Kd", "Ah\tKd", "ah kD"],
        ["Ah Kd", "10 Kd", "Xn Kd", "Ah Ah"],
        ["A  Kd", "Ah  d"],
        ["Ah Kd Qs", "AhKdQsJc"],
        ["Ah\x00Kd", "Ah Kd"],
        ["", ""],
        ["2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc"],
        [],
        ["Ah K\u00e9", "Ah Kd"],
    ],
)
def test_texts_together_are_what_they_are_alone(using: Engine, texts: list[str]) -> None:
    assert list(libpoker.evaluate_many(texts, using=using)) == [libpoker.evaluate(text) for text in texts]


def test_every_recorded_hand_of_one_length_at_a_time_has_its_recorded_value(using: Engine) -> None:
    rows = VECTORS["poker_eval_handval"]
    for length in {len(row["hand"]) for row in rows}:
        those = [row for row in rows if len(row["hand"]) == length]
        found = libpoker.evaluate_many([row["hand"] for row in those], using=using)
        assert list(found) == [row["value"] for row in those]


def test_without_numpy_values_come_in_an_array_of_the_standard_library() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; sys.modules['numba'] = None\n"
        "from poker_actors.evaluator import libpoker\n"
        "print(libpoker.evaluate_many(['Ah 7c Jd As 7h', [1, 2]]))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("array('I', [34363648, ")
