"""The five cards that make a hand, its kickers, and the cards that jokers stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from attrs import frozen

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.evaluator.order import Category, HandClass, category, class_of, describe
from poker_actors.evaluator.ranking import Ranking
from poker_actors.evaluator.single import parse_hand, strength_of

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


_ONE_SUIT: Final = (Category.FLUSH, Category.STRAIGHT_FLUSH)
_KICKERS: Final[dict[int, int]] = {
    Category.HIGH_CARD: 4,
    Category.PAIR: 3,
    Category.TWO_PAIR: 1,
    Category.THREE_OF_A_KIND: 2,
    Category.FOUR_OF_A_KIND: 1,
}
"""Number of kickers among the five cards, by category; 0 in the others."""


@frozen
class MadeHand:
    """A hand's best five cards.

    `cards` are the cards used, jokers included, the made part first and the kickers last. `stands_for` has the card of
    each joker, in the order of `cards`. `kickers` is the tail of `cards`.
    """

    strength: int
    cards: tuple[Card, ...]
    kickers: tuple[Card, ...]
    stands_for: tuple[Card, ...]

    @property
    def category(self) -> Category:
        """Return the kind of hand."""
        return category(self.strength)

    def __str__(self) -> str:
        return f"{describe(self.strength)} ({' '.join(map(str, self.cards))})"


def made_hand(cards: str | Iterable[Card | str | int]) -> MadeHand:
    """Find the best five of up to nine cards, as `evaluate` ranks them; raises as it does.

    Of choices that tie, the one with the higher cards (spades first) is returned, and natural cards are preferred to a
    joker that changes nothing.

    >>> str(made_hand("Ah 7c Jd As 7h 2c"))
    'Two Pair, Aces and Sevens (As Ah 7h 7c Jd)'
    """
    hand = parse_hand(cards)
    strength = strength_of(hand)
    if hand and max(hand).is_joker:
        five, stands_for = _with_jokers(hand, strength)
    else:
        five, stands_for = _of_naturals(hand, strength), ()
    kickers = _KICKERS.get(class_of(strength)[0], 0)
    return MadeHand(strength, five, five[5 - kickers :], stands_for)


def _of_naturals(hand: Sequence[Card], strength: int) -> tuple[Card, ...]:
    """Return the cards of the ranks that the class names, the highest suits first."""
    made = class_of(strength)
    cards = sorted(hand)
    if made[0] in _ONE_SUIT:
        suits = [card & 3 for card in cards]
        cards = [card for card, suit in zip(cards, suits, strict=True) if suits.count(suit) >= 5]
    held: dict[int, list[Card]] = {}
    for card in cards:
        held.setdefault(card >> 2, []).append(card)
    return tuple([held[rank].pop() for rank in _ranks_used(made)])


@cache
def _ranks_used(made: HandClass) -> list[int]:
    """Return the ranks of the five cards of a class, in the order of display."""
    kind, ranks = made[0], made[1:]
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        return [(ranks[0] - step) % 13 for step in range(5)]
    times = {1: (2,), 2: (2, 2), 3: (3,), 6: (3, 2), 7: (4,)}.get(kind, ())
    return [
        rank for place, rank in enumerate(ranks) for _ in range(times[place] if place < len(times) else 1)
    ]


def _with_jokers(hand: Sequence[Card], strength: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Try every five cards and every card a joker could be; return the five cards and what their jokers stand for."""
    naturals_first = sorted(hand, key=lambda card: (not card.is_joker, card), reverse=True)
    for five in combinations(naturals_first, min(len(hand), 5)):
        stands_for = _same_with(five, hand, strength) if strength_of(five) == strength else None
        if stands_for is not None:
            break
    else:
        raise AssertionError("some five cards are the best five")
    jokers = [card for card in five if card.is_joker]
    played = {card: card for card in five} | dict(zip(jokers, stands_for, strict=True))
    shown = {played[card]: card for card in five}
    ordered = [shown[card] for card in _of_naturals(tuple(shown), strength)]
    return tuple(ordered), tuple(played[card] for card in ordered if card.is_joker)


def _same_with(five: Sequence[Card], hand: Sequence[Card], strength: int) -> tuple[Card, ...] | None:
    """Return cards not in `hand` with which the jokers of `five` reach `strength`, or None."""
    naturals = [card for card in five if not card.is_joker]
    free = [card for card in reversed(STANDARD_DECK) if card not in hand]
    for chosen in combinations(free, len(five) - len(naturals)):
        if strength_of([*naturals, *chosen]) == strength:
            return chosen
    return None
