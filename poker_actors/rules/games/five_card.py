"""The console's two-player five-card game, with three ways to rank hands."""

from __future__ import annotations

from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.evaluator import five_card
from poker_actors.rules.game import Betting, Game, Street
from poker_actors.rules.stakes import Stakes

__all__ = ["FIVE_CARD", "FIVE_CARD_GAMES", "FIVE_CARD_KICKERS", "FIVE_CARD_PRINTED"]


# named functions: games are pickled for other processes
def _five_card_words(strength: int, hole: tuple[Card, ...]) -> str:
    return five_card.words(hole)


def _words_as_printed(strength: int, hole: tuple[Card, ...]) -> str:
    return five_card.words_as_printed(hole)


# The seat left of the button (the CPU) bets; the other calls, folds or raises up to the CPU's stack; the CPU then
# calls or folds. There are no blinds, so both can check to the showdown.
FIVE_CARD: Final = Game(
    "five-card",
    "Five-card console poker",
    (Street("third", hole=3), Street("fourth", hole=1), Street("fifth", hole=1)),
    Betting.NO_LIMIT,
    strengths=five_card.classes_by_counts,
    free_raise=True,
    raise_again=False,
    capped=True,
    max_seats=2,
    stakes=Stakes(0, 0),
    stack=200,
    words=_five_card_words,
)
FIVE_CARD_PRINTED: Final = attrs.evolve(
    FIVE_CARD,
    name="five-card-printed",
    title="Five-card console poker, classes as the article prints them",
    strengths=five_card.classes_as_printed,
    words=_words_as_printed,
)
FIVE_CARD_KICKERS: Final = attrs.evolve(
    FIVE_CARD,
    name="five-card-kickers",
    title="Five-card console poker with kickers",
    strengths=five_card.strengths_with_kickers,
)
FIVE_CARD_GAMES: Final = (FIVE_CARD, FIVE_CARD_PRINTED, FIVE_CARD_KICKERS)
