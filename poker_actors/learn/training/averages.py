"""Turn the averages of a training into the bot's table: smoothed, pruned, four bits per action."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poker_actors.bots.expert import BUCKETS, StrategyTable, street_of
from poker_actors.learn.training.walking import BUCKET_BITS

__all__ = ["quantized", "smoothed", "table_of_averages"]

_PASSES: Final = 4
"""How often classes are averaged with their neighbours. Local best response wins 1.3 big blinds per hand from the raw
averages, and 1.2, 0.95, 0.85 and 0.83 after one, two, four and eight passes; after eight, the bot wins less from house
bots."""
_LEAST_CHANCE: Final = 0.1
"""Actions less likely than this are dropped from the average: they are left over from early rounds and chance, and an
opponent who looks for it can exploit shoving one hand in twenty."""
_MOST_WEIGHT: Final = 15
"""The largest weight that fits in four bits."""
_DRAWS: Final = (1, 4, 4, 1)
"""Number of classes of draws per class of strength, by street."""


def table_of_averages(keys: NDArray[np.int64], averages: NDArray[np.float32]) -> StrategyTable:
    """Return the table of the situations and classes in `keys`; `averages` has a row of actions for each key."""
    situations = np.unique(keys >> BUCKET_BITS)
    starts = _starts(situations)
    rows = starts[np.searchsorted(situations, keys >> BUCKET_BITS)] + (keys & ((1 << BUCKET_BITS) - 1))
    chances = np.zeros((int(starts[-1]), averages.shape[1]))
    chances[rows] = averages / averages.sum(axis=1, keepdims=True)
    return StrategyTable(situations.astype(np.int32), quantized(smoothed(situations, chances)))


def smoothed(situations: NDArray[Any], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `chances`, a row per class of `situations`, averaged over neighbouring strengths heads-up after the flop.

    Training leaves neighbouring classes with different mixes of the same worth. Together they form a range with holes,
    which an opponent who knows it exploits. With more seats it meets no such opponent, and house bots pay for the
    holes.
    """
    streets = np.array([street_of(situation) for situation in situations.tolist()])
    starts = _starts(situations)[:-1]
    found = chances.copy()
    for street in (1, 2, 3):
        first = starts[(streets == street) & (situations >> 2 & 1 == 0)]
        rows = first[:, None] + np.arange(BUCKETS[street])
        shape = (len(first), BUCKETS[street] // _DRAWS[street], _DRAWS[street], chances.shape[1])
        found[rows.ravel()] = _passed(chances[rows].reshape(shape)).reshape(-1, chances.shape[1])
    return found


def _passed(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average over the second axis, the strengths; rows that training never reached stay empty and are not counted."""
    reached = chances.any(axis=-1, keepdims=True).astype(float)
    for _ in range(_PASSES):
        total, many = chances.copy(), reached.copy()
        for sums, parts in ((total, chances), (many, reached)):
            sums[:, 1:] += parts[:, :-1]
            sums[:, :-1] += parts[:, 1:]
        chances = reached * total / np.maximum(many, 1)
    return chances


def quantized(chances: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return weights of four bits, 15 being the largest of each row, without actions below `_LEAST_CHANCE`."""
    kept = np.where(chances < _LEAST_CHANCE, 0, chances)
    largest = np.maximum(kept.max(axis=1, keepdims=True), _LEAST_CHANCE)
    weights: NDArray[np.uint8] = np.rint(kept * (_MOST_WEIGHT / largest)).astype(np.uint8)
    return weights


def _starts(situations: NDArray[Any]) -> NDArray[np.int64]:
    """Return the first row of each situation, and the number of rows."""
    sizes = np.array(BUCKETS)[[street_of(situation) for situation in situations.tolist()]]
    return np.concatenate([[0], np.cumsum(sizes)])
