"""From averages to a table: what is smoothed, what is left alone, and what is dropped."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("numba")

from poker_actors.bots.expert import ACTIONS, BUCKETS
from poker_actors.learn.training.trainer import quantized, smoothed, table_of_averages
from poker_actors.learn.training.walking import BUCKET_BITS

PREFLOP, FLOP, RIVER, RIVER_OF_MANY = 8, 16 | 1, 24 | 3, 24 | 4 | 3
SITUATIONS = np.array([PREFLOP, FLOP, RIVER, RIVER_OF_MANY])
STARTS = dict(
    zip(SITUATIONS.tolist(), np.cumsum([0, BUCKETS[0], BUCKETS[1], BUCKETS[3]]).tolist(), strict=True)
)
FOLD, CALL = np.eye(ACTIONS)[:2]


def all_calling() -> NDArray[np.float64]:
    return np.tile(CALL, (BUCKETS[0] + BUCKETS[1] + 2 * BUCKETS[3], 1))


def test_a_mix_of_all_classes_stays_as_it_is() -> None:
    assert np.allclose(smoothed(SITUATIONS, all_calling()), all_calling())


@pytest.mark.parametrize(("situation", "step"), [(FLOP, 4), (RIVER, 1)])
def test_heads_up_after_the_flop_a_class_is_shared_with_those_of_similar_strength(
    situation: int, step: int
) -> None:
    chances = all_calling()
    place = STARTS[situation] + 5 * step
    chances[place] = FOLD
    found = smoothed(SITUATIONS, chances)
    folding = found[:, 0]
    # four times the mean of three in a row: the number of ways to come back to it, or to each of four on both sides
    ways = np.array([1, 4, 10, 16, 19, 16, 10, 4, 1]) / 81
    assert np.allclose(folding[place - 4 * step : place + 5 * step : step], ways)
    assert folding.sum() == pytest.approx(1)
    assert np.allclose(found.sum(axis=1), 1)


@pytest.mark.parametrize("situation", [PREFLOP, RIVER_OF_MANY])
def test_before_the_flop_and_with_more_seats_nothing_is_smoothed(situation: int) -> None:
    chances = all_calling()
    chances[STARTS[situation] + 5] = FOLD
    assert np.array_equal(smoothed(SITUATIONS, chances), chances)


def test_a_row_that_was_not_reached_stays_empty_and_counts_for_nobody() -> None:
    chances = all_calling()
    chances[STARTS[RIVER] + 5] = 0
    found = smoothed(SITUATIONS, chances)
    assert not found[STARTS[RIVER] + 5].any()
    assert np.allclose(np.delete(found, STARTS[RIVER] + 5, axis=0), CALL)


def test_what_is_hardly_ever_done_is_dropped_and_the_largest_weight_is_15() -> None:
    weights = quantized(np.array([[0.0, 0.51, 0.4, 0.09, 0, 0], [0, 0, 0, 0, 0, 0]]))
    assert weights.tolist() == [[0, 15, 12, 0, 0, 0], [0] * 6]


def test_rows_come_to_their_places() -> None:
    keys = np.array([RIVER << BUCKET_BITS | 3, PREFLOP << BUCKET_BITS | 168])
    table = table_of_averages(keys, np.array([[0, 3, 0, 1, 0, 0], [5, 0, 0, 0, 0, 0]], np.float32))
    assert table.situations.tolist() == [PREFLOP, RIVER]
    assert table.rows == 2
    assert table.weights[168].tolist() == [15, 0, 0, 0, 0, 0]
    assert table.weights[BUCKETS[0] + 3].tolist() == [0, 15, 0, 5, 0, 0]


def test_boards_that_were_seldom_seen_lean_on_all_boards_together() -> None:
    wet, dry = FLOP | 1 << 15, FLOP | 7 << 15
    keys = np.array([wet << BUCKET_BITS | 20, dry << BUCKET_BITS | 20, dry << BUCKET_BITS | 40])
    averages = np.array([[30, 0, 0, 0, 0, 0], [0, 10, 0, 0, 0, 0], [0, 0, 0, 5, 0, 0]], np.float32)
    alone = table_of_averages(keys, averages)
    assert alone.situations.tolist() == [FLOP, wet, dry]
    assert alone.weights[alone.start(FLOP) + 20].tolist() == [15, 5, 0, 0, 0, 0]
    assert alone.weights[alone.start(wet) + 20].tolist() == [15, 0, 0, 0, 0, 0]
    assert not alone.weights[alone.start(wet) + 40].any()
    leant = table_of_averages(keys, averages, leaning=10.0)
    # (0, 10) and ten times the mean of all boards, (0.75, 0.25)
    assert leant.weights[leant.start(dry) + 20].tolist() == [9, 15, 0, 0, 0, 0]
    assert leant.weights[leant.start(wet) + 40].tolist() == [0, 0, 0, 15, 0, 0]
