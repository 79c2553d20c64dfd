"""Which cards of a hand are worth keeping in a draw, by one simple rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.cards import Card
from poker_actors.evaluator.ranking import Ranking

__all__ = ["worth_keeping"]

_ACE: Final = 12
_GOOD_LOW: Final = 7
"""The highest rank worth keeping for a low: a nine (ranks count from 0, the deuce)."""


def worth_keeping(ranking: Ranking, hole: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards of a hand to keep in a draw, whatever the opponents do; keeping all means standing pat.

    For a low, keep one card of each rank up to the nine (for a badugi also of each suit), and no straight or flush
    where these count. For a high, keep a made hand; else pairs and trips; else four of a suit; else the two highest
    cards. `ranking` is the first one of the game; the cards are not checked.
    """
    if not ranking.low:
        return _kept_for_high(hole)
    ace_high = "deuce" in ranking.name
    suits_count = "badugi" in ranking.name
    lowest = sorted(hole, key=lambda card: card.rank if ace_high else (card.rank + 1) % 13)
    kept: list[Card] = []
    for card in lowest:
        rank = card.rank if ace_high or card.rank != _ACE else -1
        alone = all(card.rank != other.rank for other in kept)
        if suits_count:
            alone = alone and all(card.suit != other.suit for other in kept)
        if rank <= _GOOD_LOW and alone:
            kept.append(card)
    if ace_high and len(kept) == 5 and _counts_against(kept):
        kept.pop()  # a straight or flush spoils the low: draw to replace its highest card
    return tuple(kept)


def _counts_against(cards: Sequence[Card]) -> bool:
    ranks = sorted([card.rank for card in cards])
    return ranks[-1] - ranks[0] == 4 or len({card.suit for card in cards}) == 1


def _kept_for_high(hole: tuple[Card, ...]) -> tuple[Card, ...]:
    """Keep a made hand; else pairs and trips; else four of a suit; else the two highest cards."""
    ranks = [card.rank for card in hole]
    if len(set(ranks)) == 5 and _counts_against(hole):
        return hole
    paired = tuple([card for card in hole if ranks.count(card.rank) > 1])
    if paired:
        return hole if sorted(map(ranks.count, ranks)) == [2, 2, 3, 3, 3] else paired
    suits = [card.suit for card in hole]
    flush = tuple([card for card in hole if suits.count(card.suit) == 4])
    return flush or tuple(sorted(hole, reverse=True)[:2])
