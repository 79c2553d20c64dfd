"""`Ranking.evaluate` for arrays of hands."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from poker_actors.errors import BadCard, BadInput, BadSpec
from poker_actors.evaluator.fast.batch import Engine, engine, engine_for
from poker_actors.evaluator.ranking import Ranking, ranking_named

if TYPE_CHECKING:
    from poker_actors.evaluator.fast.batch import Hands, Strengths

__all__ = ["ranking_strengths"]

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
        raise BadSpec(f"{len(shared)} boards for {len(held)} hands: one for each, or one for all")
    if checked and len(held):
        fault = by_ranking.fault_of(known, held, shared)
        if fault >= 0:
            _explain(known, fault, held[fault].tolist(), shared[0 if len(shared) == 1 else fault].tolist())
    return by_ranking.strengths_by(known, held, shared, chosen)


def _one_by_one(ranking: Ranking, holes: Any, boards: Any) -> Iterator[int]:
    rows = list(holes)
    shared = [()] if boards is None else list(boards)
    if len(shared) not in (1, len(rows)):
        raise BadSpec(f"{len(shared)} boards for {len(rows)} hands: one for each, or one for all")
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
