"""Which five cards make the hand, which of them are kickers, and what a joker stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from attrs import frozen

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.evaluator.order import Category, category, class_of, describe
from poker_actors.evaluator.single import parse_hand, strength_of

__all__ = ["MadeHand", "made_hand"]

_KICKERS: Final = {
    Category.HIGH_CARD: 4,
    Category.PAIR: 3,
    Category.TWO_PAIR: 1,
    Category.THREE_OF_A_KIND: 2,
    Category.FOUR_OF_A_KIND: 1,
}
"""How many of the five cards are kickers; in the other categories all five make the hand."""


@frozen
class MadeHand:
    """A hand's best five cards.

    `cards` are the cards used, the made part first and kickers last, jokers among them;
    `stands_for` says, joker by joker in that order, what each is. `kickers` is the tail of `cards`.
    """

    strength: int
    cards: tuple[Card, ...]
    kickers: tuple[Card, ...]
    stands_for: tuple[Card, ...]

    @property
    def category(self) -> Category:
        """The kind of hand."""
        return category(self.strength)

    def __str__(self) -> str:
        return f"{describe(self.strength)} ({' '.join(map(str, self.cards))})"


def made_hand(cards: str | Iterable[Card | str | int]) -> MadeHand:
    """Find the best five of up to nine cards, as `evaluate` ranks them; raises as it does.

    Of five-card choices that tie, the one with the higher cards (and spades first) is given, and
    natural cards before a joker that changes nothing.

    >>> str(made_hand("Ah 7c Jd As 7h 2c"))
    'Two Pair, Aces and Sevens (As Ah 7h 7c Jd)'
    """
    hand = parse_hand(cards)
    strength = strength_of(hand)
    naturals_first = sorted(hand, key=lambda card: (not card.is_joker, card), reverse=True)
    five = next(
        choice
        for choice in combinations(naturals_first, min(len(hand), 5))
        if strength_of(choice) == strength and _same_with(choice, hand, strength) is not None
    )
    stands_for = _same_with(five, hand, strength) or ()
    jokers = [card for card in five if card.is_joker]
    played = {card: card for card in five} | dict(zip(jokers, stands_for, strict=True))
    ordered = tuple(sorted(five, key=lambda card: _place(played[card], list(played.values()), strength)))
    return MadeHand(
        strength,
        ordered,
        ordered[5 - _KICKERS.get(category(strength), 0) :],
        tuple(played[card] for card in ordered if card.is_joker),
    )


def _same_with(five: Sequence[Card], hand: Sequence[Card], strength: int) -> tuple[Card, ...] | None:
    """Give cards not in `hand` that the jokers of `five` can be to reach `strength`."""
    naturals = [card for card in five if not card.is_joker]
    free = [card for card in reversed(STANDARD_DECK) if card not in hand]
    for chosen in combinations(free, len(five) - len(naturals)):
        if strength_of([*naturals, *chosen]) == strength:
            return chosen
    return None


def _place(card: Card, cards: Sequence[Card], strength: int) -> tuple[int, ...]:
    """Sort key: cards that come in pairs, trips and quads first, then high to low; 5-4-3-2-A last."""
    made = class_of(strength)
    counts = Counter(other.rank for other in cards)
    wheel = made[0] in (Category.STRAIGHT, Category.STRAIGHT_FLUSH) and made[1] == 3
    rank = -1 if wheel and card.rank == 12 else card.rank
    return (-counts[card.rank], -rank, -card.suit)
