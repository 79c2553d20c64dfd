"""How a trial draws its cards: the same draws in every engine, so that all give the same result.

Trial `t` starts a 64-bit linear congruential generator at a hash of the seed and `t`, independent of other trials; its
upper 32 bits are a draw. First each range of several hands picks one by weight, all of them again if two hands share a
card. Then board cards are drawn from the deck without the known hands, again if a card is taken. A pick of one in m is
``draw * m >> 32``: a card's odds are off by less than one in 80 million.
"""

from __future__ import annotations

from itertools import accumulate

from attrs import frozen

from poker_actors.cards import Card
from poker_actors.evaluator.equity.generator import seed_start
from poker_actors.evaluator.equity.request import Request

__all__ = [
    "Draws",
    "draws_of",
    "suit_bits",
]


@frozen
class Draws:
    """The hands and cards that trials draw from.

    `thresholds` are, per player, the cumulative weights of the hands, ending at 1; a player with a single hand draws
    nothing. `stub` is the deck without board, dead and known cards.
    """

    start: int
    hands: tuple[tuple[tuple[Card, ...], ...], ...]
    thresholds: tuple[tuple[float, ...], ...]
    stub: tuple[Card, ...]
    board: tuple[Card, ...]
    known: tuple[Card, ...]


def draws_of(request: Request, seed: int) -> Draws:
    """Prepare the draws of a request for a seed, any integer."""
    thresholds = []
    for hands in request.ranges:
        total = sum(hands.weights)
        # exactly 1.0 at the end: a rounded sum below 1 would let a draw fall behind the last hand
        thresholds.append((*[sum_ / total for sum_ in accumulate(hands.weights)][:-1], 1.0))
    known = tuple(card for hands in request.ranges if len(hands) == 1 for card in hands.combos[0])
    return Draws(
        seed_start(seed),
        tuple(hands.combos for hands in request.ranges),
        tuple(thresholds),
        request.stub,
        request.board,
        known,
    )


def suit_bits(card: int) -> int:
    """Return a card's bit in a mask with 16 bits per suit."""
    return 1 << 16 * (card & 3) + (card >> 2)
