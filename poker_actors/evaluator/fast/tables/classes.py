"""Strengths by deciding ranks, as arrays, from which the tables of hands are filled."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
from attrs import frozen

from poker_actors.evaluator.order import SHORT_DECK, strengths

__all__ = ["ClassTables", "class_tables", "rank_bit"]

Ints = npt.NDArray[np.int64]


def rank_bit(rank: Ints) -> Ints:
    """Return the bit of a rank; rank -1 (none) has no bit."""
    return np.where(rank < 0, 0, np.int64(1) << np.maximum(rank, 0))


@frozen(eq=False)
class ClassTables:
    """Strengths (16 bits) by deciding ranks; index -1, the last row, stands for a missing rank."""

    top: Ints
    highest: dict[int, Ints]
    straight: Ints
    high_card: Ints
    pair: Ints
    two_pair: Ints
    trips: Ints
    full: Ints
    quads: Ints


@cache
def class_tables(scale: int) -> ClassTables:
    """Return the arrays of a scale, filled from the list of its classes."""
    tables = _empty_tables()
    straights = {}
    for made, strength in strengths(scale).items():
        kind, ranks, value = made[0], made[1:], strength & 0xFFFF
        if kind == 0:
            tables.high_card[_mask(ranks)] = value
        elif kind in (1, 3):
            (tables.pair if kind == 1 else tables.trips)[ranks[0], _mask(ranks[1:])] = value
        elif kind == 2:
            tables.two_pair[ranks[0], ranks[1], ranks[2] if len(ranks) > 2 else -1] = value
        elif kind in (6, 7):
            (tables.full if kind == 6 else tables.quads)[ranks[0], ranks[1] if len(ranks) > 1 else -1] = value
        elif kind == 4:
            straights[ranks[0]] = value
    floor = 4 if scale == SHORT_DECK else 0
    every = np.arange(1 << 13)
    # ascending, so that the best straight of a mask is written last
    for top, value in sorted(straights.items()):
        run = 31 << top >> 4 if top > floor + 3 else 1 << 12 | 15 << floor
        tables.straight[every & run == run] = value
    return tables


def _empty_tables() -> ClassTables:
    top, highest = _highest_ranks()
    masks, ranks = 1 << 13, 14
    return ClassTables(
        top,
        highest,
        straight=np.zeros(masks, dtype=np.int64),
        high_card=np.zeros(masks, dtype=np.int64),
        pair=np.zeros((ranks, masks), dtype=np.int64),
        two_pair=np.zeros((ranks, ranks, ranks), dtype=np.int64),
        trips=np.zeros((ranks, masks), dtype=np.int64),
        full=np.zeros((ranks, ranks), dtype=np.int64),
        quads=np.zeros((ranks, ranks), dtype=np.int64),
    )


def _mask(ranks: tuple[int, ...]) -> int:
    return sum(1 << rank for rank in ranks)


@cache
def _highest_ranks() -> tuple[Ints, dict[int, Ints]]:
    """Return, per mask of ranks, its top rank (-1 for none) and the masks of its one to five highest ranks."""
    masks = np.arange(1 << 13)
    top = np.full(1 << 13, -1)
    for rank in range(13):
        top[masks >> rank & 1 == 1] = rank
    highest, chosen, rest = {}, np.zeros_like(masks), masks
    for count in range(1, 6):
        chosen, rest = chosen | rank_bit(top[rest]), rest & ~rank_bit(top[rest])
        highest[count] = chosen
    return top, highest
