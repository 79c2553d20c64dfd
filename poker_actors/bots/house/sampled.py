"""The odds of the bot `equity`, which deals random endings: exact, over all its deals, against one opponent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, Final

from poker_actors.bots.house.thinking import by_equity
from poker_actors.cards import SHORT_DECK, STANDARD_DECK, Card
from poker_actors.errors import BadSpec, MissingExtra
from poker_actors.evaluator import fast, holdem_strengths, short_deck_strengths
from poker_actors.evaluator.equity import holdem_matchups
from poker_actors.rules import Action, Game, View

__all__ = ["equity_odds"]

Hole = tuple[Card, ...]
_LEAST: Final = 1e-12
"""Smaller chances are rounding errors of the Fourier transform and count as zero."""


def equity_odds(
    view: View, holes: Sequence[Hole], *, samples: int = 100, margin: float = 0.04
) -> list[dict[Action, float]]:
    """Return the probabilities of `equity`'s actions with each of `holes`.

    Counting all opposing hands and boards gives the chances that one deal is won, shared or lost; the bot decides by
    the sum of `samples` deals. Raises `BadSpec` against several opponents and in other games, `MissingExtra` without
    numpy.
    """
    game = view.game
    if len(view.public.seats_live) != 2 or not _is_known(game):
        raise BadSpec(
            "bot equity says its odds against one opponent in hold'em of 52 cards (on a board, also of 36)"
        )
    import numpy as np

    won, tied = _chances(game, view.board)
    numbers = [_number(*hole) for hole in holes]
    wins, ties = won[numbers], tied[numbers]
    # the chance of each sum is a coefficient of (lost + tied * z + won * z^2) ** samples, found by a Fourier transform;
    # `size` exceeds the degree, 2 * samples, or high coefficients would wrap round onto low ones
    size = 1 << (2 * samples).bit_length()
    turn = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    generating = (1 - wins - ties)[:, None] + ties[:, None] * turn + wins[:, None] * turn**2
    sums = np.fft.irfft(generating**samples, size, axis=1)[:, : 2 * samples + 1]
    actions = [by_equity(view, half / 2 / samples, margin) for half in range(2 * samples + 1)]
    kinds = list(dict.fromkeys(actions))
    chosen = np.array([[action == kind for kind in kinds] for action in actions], dtype=float)
    rows = sums @ chosen
    rows[rows < _LEAST] = 0.0
    rows /= rows.sum(axis=1, keepdims=True)
    return [{kind: float(chance) for kind, chance in zip(kinds, row, strict=True) if chance} for row in rows]


def _is_known(game: Game) -> bool:
    return game.strengths in (holdem_strengths, short_deck_strengths) and game.hole_cards == 2


def _number(one: int, other: int) -> int:
    high, low = max(one, other), min(one, other)
    return high * (high - 1) // 2 + low


@lru_cache(maxsize=64)
def _chances(game: Game, board: tuple[Card, ...]) -> tuple[Any, Any]:
    """Return the chances to win and to tie against a random hand, two arrays indexed by `_number`."""
    if fast.engine() == "python":
        raise MissingExtra("fast", "numpy")
    if not board:
        if game.pack != STANDARD_DECK:
            raise BadSpec(f"bot equity says its odds before the flop with 52 cards only, not in {game}")
        won, tied = holdem_matchups()
        others = comb(50, 2)
        return won.sum(axis=1) / others, tied.sum(axis=1) / others
    many = fast.short_deck_strengths if game.pack == SHORT_DECK else fast.strengths
    return _counted(many, [card for card in game.pack if card not in board], board)


def _counted(many: Callable[..., Any], left: Sequence[Card], board: tuple[Card, ...]) -> tuple[Any, Any]:
    """Return the same by comparing each hand with all others on every board that can come."""
    import numpy as np

    missing = 5 - len(board)
    won, tied = np.zeros(_number(51, 50) + 1), np.zeros(_number(51, 50) + 1)
    for more in combinations(left, missing):
        stub = np.array([card for card in left if card not in more], dtype=np.int64)
        below, beside = _against_all(many, stub, (*board, *more))
        high, low = np.triu_indices(len(stub), 1)[::-1]
        numbers = stub[high] * (stub[high] - 1) // 2 + stub[low]
        won[numbers] += below[low, high]
        tied[numbers] += beside[low, high]
    # the boards that can come with a hand, times the opposing hands on each
    deals = comb(len(left) - 2, missing) * comb(len(left) - 2 - missing, 2)
    return won / deals, tied / deals


def _against_all(many: Callable[..., Any], stub: Any, board: tuple[Card, ...]) -> tuple[Any, Any]:
    """Return, by two cards of `stub`, the number of weaker and of equal hands that share no card with them."""
    import numpy as np

    size = len(stub)
    one, other = np.triu_indices(size, 1)
    cards = np.empty((len(one), 7), dtype=np.uint8)
    cards[:, 0], cards[:, 1], cards[:, 2:] = stub[one], stub[other], np.array(board, dtype=np.uint8)
    found = many(cards, checked=False).astype(np.int64)
    order = np.sort(found)
    below = np.searchsorted(order, found, "left")
    beside = np.searchsorted(order, found, "right") - below
    table = np.zeros((size, size), dtype=np.int64)
    table[one, other] = table[other, one] = found
    # to subtract: hands that share a card, found by fixing either card of the hand
    rows = table[:, :, None] > table[:, None, :]
    apart = ~np.eye(size, dtype=bool)
    less = (rows & apart[:, None, :]).sum(axis=2)
    same = ((table[:, :, None] == table[:, None, :]) & apart[:, None, :]).sum(axis=2)
    weaker, equal = np.zeros_like(table), np.zeros_like(table)
    weaker[one, other] = below - less[one, other] - less[other, one]
    # + 1: the hand itself was counted once in `beside` and subtracted twice
    equal[one, other] = beside - same[one, other] - same[other, one] + 1
    return weaker, equal
