"""A game is a table of streets with a betting structure and a showdown; each variant is a row."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Final

import attrs

from poker_actors.cards import SHORT_DECK as SHORT_PACK
from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import (
    describe,
    five_card,
    holdem_strengths,
    omaha_strengths,
    short_deck_strengths,
)
from poker_actors.rules.stakes import Stakes

__all__ = [
    "FIVE_CARD",
    "FIVE_CARD_KICKERS",
    "FIVE_CARD_PRINTED",
    "FIXED_LIMIT_HOLDEM",
    "GAMES",
    "HOLDEM",
    "POT_LIMIT_OMAHA",
    "SHORT_DECK",
    "Betting",
    "Game",
    "Street",
    "Strengths",
    "Words",
    "game_named",
]

Strengths = Callable[[Sequence[tuple[Card, ...]], tuple[Card, ...]], list[int]]
"""Hole cards of each live seat and the board -> a strength each; higher wins, equal ties."""

Words = Callable[[int, tuple[Card, ...]], str]
"""A strength of the game and the hole cards it belongs to -> what a dealer calls it."""


# functions with names, since a game travels to other processes
def _described(strength: int, hole: tuple[Card, ...]) -> str:
    return describe(strength)


def _five_card_words(strength: int, hole: tuple[Card, ...]) -> str:
    return five_card.words(hole)


def _words_as_printed(strength: int, hole: tuple[Card, ...]) -> str:
    return five_card.words_as_printed(hole)


class Betting(enum.Enum):
    """How large a bet may be."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"


@attrs.frozen
class Street:
    """One round: cards dealt as it opens, then betting."""

    name: str
    hole: int = 0
    """cards dealt to each live seat"""
    board: int = 0
    """cards dealt to the board"""
    bet_units: int = 1
    """fixed limit: the bet on this street, in big blinds"""


@attrs.frozen
class Game:
    """A poker variant. Seats 2 to `max_seats`; no burn cards (they change no odds)."""

    name: str
    title: str
    streets: tuple[Street, ...]
    betting: Betting
    strengths: Strengths = attrs.field(repr=False)
    pack: tuple[Card, ...] = attrs.field(default=STANDARD_DECK, repr=False)
    bets_per_street: int = 0
    """the most bets on a street, the blind counted as one; 0 is no cap"""
    free_raise: bool = False
    """a raise may be as small as the smallest bet, whatever was raised before"""
    raise_again: bool = True
    """a seat that has acted on a street may still raise on it"""
    capped: bool = False
    """no bet is higher than the best stacked opponent can call"""
    max_seats: int = 10
    stakes: Stakes = attrs.field(factory=Stakes)
    """what it is played for unless somebody says otherwise"""
    stack: int = 0
    """chips to start with unless somebody says otherwise; 0 stands for 100 big blinds"""
    words: Words = attrs.field(default=_described, repr=False)

    hole_cards: int = attrs.field(init=False, eq=False, repr=False)
    """how many cards a seat holds at the end"""
    board_cards: int = attrs.field(init=False, eq=False, repr=False)
    """how many cards are on the board at the end"""

    @hole_cards.default
    def _count_hole(self) -> int:
        return sum(street.hole for street in self.streets)

    @board_cards.default
    def _count_board(self) -> int:
        return sum(street.board for street in self.streets)

    def __str__(self) -> str:
        return self.name


def _flop_game(hole: int) -> tuple[Street, ...]:
    return (
        Street("preflop", hole=hole),
        Street("flop", board=3),
        Street("turn", board=1, bet_units=2),
        Street("river", board=1, bet_units=2),
    )


HOLDEM: Final = Game(
    "holdem", "No-limit hold'em", _flop_game(2), Betting.NO_LIMIT, strengths=holdem_strengths
)
FIXED_LIMIT_HOLDEM: Final = Game(
    "limit-holdem",
    "Fixed-limit hold'em",
    _flop_game(2),
    Betting.FIXED_LIMIT,
    strengths=holdem_strengths,
    bets_per_street=4,
)
POT_LIMIT_OMAHA: Final = Game(
    "omaha", "Pot-limit Omaha", _flop_game(4), Betting.POT_LIMIT, strengths=omaha_strengths
)
SHORT_DECK: Final = Game(
    "short-deck",
    "No-limit short-deck hold'em",
    _flop_game(2),
    Betting.NO_LIMIT,
    strengths=short_deck_strengths,
    pack=SHORT_PACK,
)

# The first seat left of the button (the CPU) bets, the other calls, folds or raises up to what the
# first one has, and the first one calls or folds. No blinds: everybody can check to the showdown.
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

GAMES: Final[dict[str, Game]] = {
    game.name: game
    for game in (
        HOLDEM,
        FIXED_LIMIT_HOLDEM,
        POT_LIMIT_OMAHA,
        SHORT_DECK,
        FIVE_CARD,
        FIVE_CARD_PRINTED,
        FIVE_CARD_KICKERS,
    )
}
"""The games by the name one types."""


def game_named(name: str) -> Game:
    """Look a game up by name; raises `BadSpec` with the nearest name."""
    game = GAMES.get(name)
    if game is None:
        near = get_close_matches(name, GAMES, n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        raise BadSpec(f"no game is called {name[:40]!r}{hint} (there are {', '.join(GAMES)})")
    return game
