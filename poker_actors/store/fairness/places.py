"""Which card of a deck goes where: the order of dealing, as the fairness record is checked against."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.frozen import value
from poker_actors.rules import Game

__all__ = ["Places", "places_of"]


@value
class Places:
    """Places in the deck, counted from 0: of each seat's hole cards, and of the board."""

    holes: dict[int, tuple[int, ...]]
    board: tuple[int, ...]
    count: int
    """cards that can be dealt at most"""


def places_of(game: Game, dealt: Sequence[int]) -> Places:
    """Walk through the streets of `game` as its dealer does for the seats `dealt`, all staying in."""
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
