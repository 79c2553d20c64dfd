"""The trainer's tables, the bot's view and local best response's ranges come to the same row of the expert's table."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from poker_actors.bots.expert import situation_of
from poker_actors.bots.expert.cards import all_classes, hole_number
from poker_actors.bots.expert.compiled import class_of, class_tables, count_hands, starting_class
from poker_actors.learn import DEFAULT_SIZES, Setting
from poker_actors.learn.compiled import CompiledTable
from poker_actors.learn.compiled.expert import situation_at
from poker_actors.learn.compiled.row import ROWS, compiled_call, ints_at

KINDS: dict[str, dict[str, Any]] = {
    "heads-up": {"players": 2},
    "heads-up, short and deep": {"players": 2, "stacks": [60, 440]},
    "six": {"players": 6, "stacks": [100, 30, 200, 57, 80, 1000]},
    "nine": {"players": 9, "stakes": "1/2"},
}


@compiled_call
def situation_of_row(desk):  # type: ignore[no-untyped-def]
    d = ints_at(desk.ctypes.data)
    return situation_at(d, ints_at(d[ROWS]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_of_the_engine_and_a_view_are_in_the_same_situation(kind: str) -> None:
    table = CompiledTable(Setting(raise_sizes=DEFAULT_SIZES, **KINDS[kind]))
    table.seed(11)
    luck = random.Random(kind)
    seen = set()
    for _ in range(60):
        table.begin()
        while table.active >= 0:
            seat = table.active
            found = situation_of_row(table._desk.numbers)
            assert found == situation_of(table.hand.view(seat))
            seen.add(found)
            legal = np.flatnonzero(table.mask(seat)).tolist()
            table.act(luck.choice([*legal[1:], 1, 1, 1, 1, 1] if luck.random() < 0.95 else legal))
    assert len(seen) > 50


@pytest.mark.parametrize("shown", [0, 3, 4, 5])
def test_one_hand_and_all_hands_are_in_the_same_class(shown: int) -> None:
    luck = random.Random(shown)
    strengths, counts = np.zeros(1326, np.int64), np.zeros(1326, np.int64)
    tables = class_tables()
    for _ in range(30):
        board = luck.sample(range(52), shown)
        classes = all_classes(tuple(board))
        cards = np.array([*board, 0], np.int64)
        size = count_hands(cards, shown, tables, strengths, counts) if shown else 0
        for hole in luck.sample(list(combinations([card for card in range(52) if card not in board], 2)), 40):
            one = (
                class_of(*hole, cards, shown, size, tables, strengths, counts)
                if shown
                else starting_class(*hole)
            )
            assert one == classes[hole_number(hole)]
