"""The games, a row each, read as a dealer deals them; docs/games.md says the same in sentences.

A street deals `hole` cards face down, `up` cards face up, and `board` cards to each board; with `draw=5` a
seat may change up to five cards first, with `throw=1` it gives one up. `bet_units=2` doubles the bets of a
limit game. `code` is the variant's in the Poker Hand History format.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.cards import SHORT_DECK as SHORT_PACK
from poker_actors.cards import STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.evaluator import five_card, holdem_strengths, short_deck_strengths
from poker_actors.rules.game import Betting, First, Game, Street
from poker_actors.rules.games.rows import (
    LIMIT,
    NO_LIMIT,
    POT_LIMIT,
    draw_streets,
    flop_streets,
    laid_streets,
    row,
    stud_streets,
)
from poker_actors.rules.stakes import Stakes

HIGH_STUD: Final = stud_streets(First.LOW_CARD, First.HIGH_HAND)
LOW_STUD: Final = stud_streets(First.HIGH_CARD, First.LOW_HAND)
STUD_STAKES: Final = Stakes(0, 0, ante=1, bring_in=2, min_bet=4)
STUD_STACK: Final = 400
"""The default stack: a hundred small bets."""
ANTE_ONLY: Final = Stakes(0, 0, ante=2, min_bet=2)
POINTS: Final = Stakes(0, 0, min_bet=1)
"""A point is worth the smallest bet."""
POINTS_STACK: Final = 200


# named functions: games are pickled for other processes
def row_by_row(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Raise `BadSpec`: an open-face hand has no single strength."""
    raise BadSpec("open-face hands are compared row by row, for points: they have no single strength")


def chips_won(strength: int, hole: tuple[Card, ...]) -> str:
    """Describe how an open-face hand ended."""
    return f"{strength:+} chips"


BOMB_POT_STREETS: Final = (
    Street("flop", hole=2, board=3),
    Street("turn", board=1),
    Street("river", board=1),
)
ROYAL_PACK: Final = tuple(card for card in STANDARD_DECK if card.rank >= 8)

HOLDEM: Final = Game(
    "holdem", "No-limit hold'em", flop_streets(2), NO_LIMIT, holdem_strengths, code="NT", aliases=("nlhe",)
)

TABLE: Final = (
    # -- two hole cards and five on the board
    HOLDEM,
    row("limit-holdem", "Fixed-limit hold'em", flop_streets(2), LIMIT, "high",
        strengths=holdem_strengths, code="FT", aliases=("lhe",)),
    row("pot-limit-holdem", "Pot-limit hold'em", flop_streets(2), POT_LIMIT, "high",
        strengths=holdem_strengths),
    Game("short-deck", "No-limit short-deck hold'em", flop_streets(2), NO_LIMIT, short_deck_strengths,
         pack=SHORT_PACK, code="NS", aliases=("six-plus",)),
    row("short-deck-old", "No-limit short-deck hold'em, three of a kind above a straight", flop_streets(2),
        NO_LIMIT, "short-deck-old", pack=SHORT_PACK),
    row("royal", "No-limit royal hold'em", flop_streets(2), NO_LIMIT, "high",
        strengths=holdem_strengths, pack=ROYAL_PACK, max_seats=6),
    row("greek", "No-limit Greek hold'em", flop_streets(2), NO_LIMIT, "greek"),
    # -- more hole cards, some thrown away
    row("pineapple", "No-limit pineapple", flop_streets(3, throw=1), NO_LIMIT, "high",
        strengths=holdem_strengths),
    row("crazy-pineapple", "No-limit crazy pineapple",
        (Street("preflop", hole=3), Street("flop", board=3), Street("turn", board=1, throw=1, bet_units=2),
         Street("river", board=1, bet_units=2)), NO_LIMIT, "high", strengths=holdem_strengths),
    row("irish", "Pot-limit Irish",
        (Street("preflop", hole=4), Street("flop", board=3), Street("turn", board=1, throw=2, bet_units=2),
         Street("river", board=1, bet_units=2)), POT_LIMIT, "high", strengths=holdem_strengths),
    # -- two of the hole cards and three of the board
    row("omaha", "Pot-limit Omaha", flop_streets(4), POT_LIMIT, "omaha", code="PO", aliases=("plo",)),
    row("omaha5", "Pot-limit five-card Omaha", flop_streets(5), POT_LIMIT, "omaha", max_seats=9,
        aliases=("plo5",)),
    row("omaha6", "Pot-limit six-card Omaha", flop_streets(6), POT_LIMIT, "omaha", max_seats=7,
        aliases=("plo6",)),
    row("omaha8", "Pot-limit Omaha hi-lo, eight or better", flop_streets(4), POT_LIMIT, "omaha/omaha-eight",
        aliases=("plo8",)),
    row("limit-omaha8", "Fixed-limit Omaha hi-lo, eight or better", flop_streets(4), LIMIT,
        "omaha/omaha-eight", code="FO/8", aliases=("o8",)),
    row("big-o", "Pot-limit five-card Omaha hi-lo, eight or better", flop_streets(5), POT_LIMIT,
        "omaha/omaha-eight", max_seats=9),
    row("courchevel", "Pot-limit Courchevel",
        (Street("preflop", hole=5, board=1), Street("flop", board=2), *flop_streets(5)[2:]),
        POT_LIMIT, "omaha", max_seats=9),
    row("courchevel8", "Pot-limit Courchevel hi-lo, eight or better",
        (Street("preflop", hole=5, board=1), Street("flop", board=2), *flop_streets(5)[2:]),
        POT_LIMIT, "omaha/omaha-eight", max_seats=9),
    # -- bomb pots: all ante, no betting before the flop, half the pot to each board
    row("double-board-holdem", "No-limit double-board hold'em bomb pot", BOMB_POT_STREETS, NO_LIMIT, "high",
        strengths=holdem_strengths, boards=2, stakes=ANTE_ONLY, stack=200, max_seats=9),
    row("double-board-omaha", "Pot-limit double-board Omaha bomb pot",
        (Street("flop", hole=4, board=3), *BOMB_POT_STREETS[1:]), POT_LIMIT, "omaha", boards=2,
        stakes=ANTE_ONLY, stack=200, max_seats=9),
    # -- stud: antes, a bring-in, open cards
    row("stud", "Fixed-limit seven-card stud", HIGH_STUD, LIMIT, "high", stakes=STUD_STAKES,
        stack=STUD_STACK, max_seats=8, code="F7S", aliases=("seven-card-stud",)),
    row("stud8", "Fixed-limit seven-card stud hi-lo, eight or better", HIGH_STUD, LIMIT,
        "high/eight-or-better", stakes=STUD_STAKES, stack=STUD_STACK, max_seats=8, code="F7S/8",
        aliases=("seven-card-stud8",)),
    row("razz", "Fixed-limit razz", LOW_STUD, LIMIT, "ace-to-five", stakes=STUD_STAKES, stack=STUD_STACK,
        max_seats=8, code="FR"),
    # -- draw
    row("five-card-draw", "No-limit five-card draw", draw_streets(5, 1), NO_LIMIT, "high", max_seats=6),
    row("limit-five-card-draw", "Fixed-limit five-card draw", draw_streets(5, 1), LIMIT, "high",
        max_seats=6),
    row("2-7-single-draw", "No-limit deuce-to-seven single draw", draw_streets(5, 1), NO_LIMIT,
        "deuce-to-seven", max_seats=7, code="N2L1D"),
    row("2-7-triple-draw", "Fixed-limit deuce-to-seven triple draw", draw_streets(5, 3), LIMIT,
        "deuce-to-seven", max_seats=6, code="F2L3D"),
    row("a-5-triple-draw", "Fixed-limit ace-to-five triple draw", draw_streets(5, 3), LIMIT, "ace-to-five",
        max_seats=6),
    row("badugi", "Fixed-limit badugi", draw_streets(4, 3), LIMIT, "badugi", max_seats=8, code="FB"),
    row("badacey", "Fixed-limit badacey", draw_streets(5, 3), LIMIT, "ace-to-five/badugi", max_seats=6),
    row("badeucy", "Fixed-limit badeucy", draw_streets(5, 3), LIMIT, "deuce-to-seven/badugi-ace-high",
        max_seats=6),
    # -- rows and points instead of bets
    Game("open-face", "Open-face Chinese poker", laid_streets(1), NO_LIMIT, row_by_row, open_face=True, max_seats=4,
         stakes=POINTS, stack=POINTS_STACK, words=chips_won, aliases=("ofc",)),
    Game("open-face-pineapple", "Open-face Chinese poker, pineapple", laid_streets(3, 1), NO_LIMIT, row_by_row,
         open_face=True, max_seats=3, stakes=POINTS, stack=POINTS_STACK, words=chips_won, aliases=("ofc-pineapple",)),
    # -- small games, for research
    row("kuhn", "Kuhn poker", (Street("deal", hole=1),), LIMIT, "kuhn", pack=parse_cards("JsQsKs"),
        bets_per_street=1, max_seats=2, stakes=Stakes(0, 0, ante=1), stack=100),
    row("leduc", "Leduc hold'em",
        (Street("preflop", hole=1), Street("flop", board=1, bet_units=2)), LIMIT, "leduc",
        pack=parse_cards("JsJhQsQhKsKh"), bets_per_street=2, max_seats=2,
        stakes=Stakes(0, 0, ante=1, min_bet=2), stack=100),
    row("rhode-island", "Rhode Island hold'em",
        (Street("preflop", hole=1), Street("flop", board=1, bet_units=2), Street("turn", board=1, bet_units=2)),
        LIMIT, "rhode-island", bets_per_street=3, max_seats=2,
        stakes=Stakes(0, 0, ante=5, min_bet=10), stack=500),
)  # fmt: skip


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
