"""Frequencies of classes of hands among all hands of n cards."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING, Any, Final, cast

from poker_actors.errors import BadCard, BadInput, BadSpec
from poker_actors.evaluator.fast.batch import Engine, engine, engine_for
from poker_actors.evaluator.order import Category, category
from poker_actors.evaluator.order.classes import RANKED, SUITED
from poker_actors.evaluator.ranking import Ranking, ranking_named

if TYPE_CHECKING:
    from poker_actors.evaluator.fast.batch import Hands, Strengths


def frequencies(cards: int = 7, *, using: Engine = "auto") -> dict[int, int]:
    """Return the number of hands of each strength among all hands of 5 to 7 cards of 52, best first.

    With numba, all 133,784,560 hands of seven are evaluated one by one; otherwise, and for other sizes, hands are
    counted by multisets of ranks and then corrected for flushes. Raises `BadSpec` for another number of cards.
    """
    if not 5 <= cards <= 7:
        raise BadSpec(f"hands of {cards} cards cannot be counted: they must have 5 to 7")
    if cards == 7 and engine(using) == "numba":
        counts = _walked()
    else:
        counts = _counted(cards)
    return {strength: counts[strength] for strength in sorted(counts, reverse=True) if counts[strength]}


def category_frequencies(cards: int = 7, *, using: Engine = "auto") -> dict[Category, int]:
    """Return the number of hands of each category among all hands of 5 to 7 cards, best first."""
    table: Counter[Category] = Counter()
    for strength, count in frequencies(cards, using=using).items():
        table[category(strength)] += count
    return {kind: table[kind] for kind in sorted(Category, reverse=True)}


def _walked() -> Counter[int]:
    import numpy as np

    from poker_actors.evaluator.fast.kernels import seven_card_census
    from poker_actors.evaluator.fast.tables import CARD_WORDS, RANK_KEYS, flush_table, hand_tables

    tables = hand_tables(7)
    counts = np.zeros(len(Category) << 12, dtype=np.int64)
    seven_card_census(
        CARD_WORDS,
        RANK_KEYS.astype(np.uint64),
        (tables.place, tables.start, tables.ranked),
        flush_table(),
        counts,
    )
    return Counter({int(strength): int(counts[strength]) for strength in np.flatnonzero(counts)})


def _counted(cards: int) -> Counter[int]:
    """Count by multisets of ranks, then move hands with five or more of a suit to their flush.

    Counting the flush is right, as hands of up to seven cards with a flush hold no full house or quads.
    """
    counts: Counter[int] = Counter()
    for key, ways in _rank_multisets(cards, 4):
        counts[RANKED[key]] += ways
    for suited in range(5, cards + 1):
        others = _rank_multisets(cards - suited, 3)
        for ranks in combinations(range(13), suited):
            flush = SUITED[sum(1 << rank for rank in ranks)]
            key = sum(5**rank for rank in ranks)
            for other, ways in others:
                counts[flush] += 4 * ways
                counts[RANKED[key + other]] -= 4 * ways
    return counts


def _rank_multisets(cards: int, suits: int) -> list[tuple[int, int]]:
    """Return each multiset of ranks, as a key, with the number of ways to hold it in `suits` suits."""
    rows: list[tuple[tuple[int, ...], int]] = [((), cards)]
    for _ in range(13):
        rows = [
            ((*counts, count), left - count) for counts, left in rows for count in range(min(suits, left) + 1)
        ]
    return [
        (
            sum(count * 5**rank for rank, count in enumerate(counts)),
            prod(comb(suits, count) for count in counts),
        )
        for counts, left in rows
        if not left
    ]


_SECONDS_A_HAND: Final = 4e-6
"""Measured on one core in plain Python; used only to choose an engine."""


def ranking_strengths(
    ranking: str, holes: Hands, boards: Hands | None = None, *, checked: bool = True, using: Engine = "auto"
) -> Strengths:
    """Return the strength of every hand by a ranking of `RANKINGS`, 0 for one that does not qualify.

    `holes` and `boards` are arrays of shape (n, k), sequences of sequences of cards, or sequences of texts; a single
    board is shared by all hands. Highs, Omaha, lows and badugis are evaluated as arrays, compiled with numba; rankings
    without tables hand by hand. The result is an array of n uint32 (without numpy an `array.array`). Raises as
    `Ranking.evaluate` does, naming the hand; with ``checked=False`` cards in arrays are not checked.
    """
    known = ranking_named(ranking)
    if engine(using) == "python":
        return cast("Strengths", array("I", _one_by_one(known, holes, boards)))
    from poker_actors.evaluator.fast import by_ranking, dispatch

    given: Any = holes
    rows = given if hasattr(given, "__len__") else list(given)
    chosen = engine_for(using, lambda: _SECONDS_A_HAND * len(rows))
    held = dispatch.read_hands(rows, chosen)
    shared = by_ranking.no_boards() if boards is None else dispatch.read_hands(boards, chosen)
    if held is None or shared is None:
        return cast("Strengths", dispatch.as_array(array("I", _one_by_one(known, rows, boards))))
    if len(shared) not in (1, len(held)):
        raise BadSpec(f"{len(shared)} boards for {len(held)} hands: give one for each, or one for all")
    if checked and len(held):
        fault = by_ranking.fault_of(known, held, shared)
        if fault >= 0:
            _explain(known, fault, held[fault].tolist(), shared[0 if len(shared) == 1 else fault].tolist())
    return by_ranking.strengths_by(known, held, shared, chosen)


def _one_by_one(ranking: Ranking, holes: Any, boards: Any) -> Iterator[int]:
    rows = list(holes)
    shared = [()] if boards is None else list(boards)
    if len(shared) not in (1, len(rows)):
        raise BadSpec(f"{len(shared)} boards for {len(rows)} hands: give one for each, or one for all")
    for row, hole in enumerate(rows):
        board = shared[0 if len(shared) == 1 else row]
        yield _evaluated(ranking, row, hole, board)


def _evaluated(ranking: Ranking, row: int, hole: Any, board: Any) -> int:
    try:
        return ranking.evaluate(hole, board)
    except BadInput as error:
        raise type(error)(f"hand {row}: {error}") from None


def _explain(ranking: Ranking, row: int, hole: list[int], board: list[int]) -> None:
    """Raise the plain function's error for a hand that the fast one refused."""
    _evaluated(ranking, row, hole, board)
    raise BadCard(f"hand {row} is refused")
