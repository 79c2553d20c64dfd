"""The order of dealing: which place of the deck goes where. Fairness records are checked against it."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.frozen import value
from poker_actors.rules import Game

__all__ = ["Places", "places_of"]


@value
class Places:
    """Places in the deck, from 0, of each seat's hole cards and of the board."""

    holes: dict[int, tuple[int, ...]]
    board: tuple[int, ...]
    count: int
    """the most cards that can be dealt"""


def places_of(game: Game, dealt: Sequence[int]) -> Places:
    """Return the places that `game` deals to the seats `dealt` if nobody folds."""
    holes: dict[int, tuple[int, ...]] = dict.fromkeys(sorted(dealt), ())
    board: tuple[int, ...] = ()
    at = 0
    for street in game.streets:
        if street.hole:
            for seat in holes:
                holes[seat] += tuple(range(at, at + street.hole))
                at += street.hole
        board += tuple(range(at, at + street.board))
        at += street.board
    return Places(holes, board, at)
