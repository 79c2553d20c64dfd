"""One Omaha hand: exactly two of its hole cards with exactly three of the board."""

from __future__ import annotations

from collections.abc import Iterable

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.evaluator.lows import omaha_low_strengths
from poker_actors.evaluator.showdown import omaha_strengths

__all__ = ["evaluate_omaha", "evaluate_omaha_low"]

CardsLike = str | Iterable[Card | str | int]


def evaluate_omaha(hole: CardsLike, board: CardsLike) -> int:
    """Return the strength of four, five or six hole cards with a board of three to five.

    Raises `BadCard`, `DuplicateCard` (also across hole and board), and `BadSpec` for other numbers of cards or a joker.
    """
    held, shared = _checked(hole, board)
    return omaha_strengths([held], shared)[0]


def evaluate_omaha_low(hole: CardsLike, board: CardsLike) -> int:
    """Return the eight-or-better low of a hand, or 0 if it has none.

    It uses two hole cards and three of the board, not necessarily those of the high. Its strength compares only with
    other lows. Raises as `evaluate_omaha` does.
    """
    held, shared = _checked(hole, board)
    return omaha_low_strengths([held], shared)[0]


def _checked(hole: CardsLike, board: CardsLike) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    held, shared = parse_cards(hole), parse_cards(board)
    if not 4 <= len(held) <= 6:
        raise BadSpec(f"{len(held)} hole cards are not an Omaha hand: it has 4, 5 or 6")
    if not 3 <= len(shared) <= 5:
        raise BadSpec(f"a board of {len(shared)} cards cannot be evaluated: Omaha takes 3 to 5")
    for card in shared:
        if card in held:
            raise DuplicateCard(f"{card} is both in the hand and on the board")
    for card in (*held, *shared):
        if card.is_joker:
            raise BadSpec(f"{card} cannot be in an Omaha hand: it is played without jokers")
    return held, shared
