"""How good cards are, and how much to bet: quick estimates for bots that play thousands of hands per second.

The numbers are chosen, not learnt. `house.compiled.judging` repeats them, and every seeded match depends on them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import erf, sqrt
from random import Random
from typing import Final

from poker_actors.cards import RANKS, Card
from poker_actors.evaluator import Category, category, evaluate
from poker_actors.rules import Action, Game, Legal, RaiseTo, View, action

STARTING_HANDS: Final = """
AA KK QQ JJ TT AKs 99 AQs AKo KQs AJs 88 AQo ATs KJs KTs QJs AJo KQo QTs A9s 77 ATo JTs KJo A8s QJo
K9s A7s Q9s KTo J9s 66 A6s A5s QTo A4s A9o T9s JTo K8s A3s K7s A8o K9o Q8s A2s J8s K6s A7o T8s 98s
55 Q9o K5s T9o A5o J9o K4s A4o A6o Q7s J7s T7s K8o Q6s 97s 87s K3s K7o A3o K2s Q5s 44 Q8o T8o Q4s
J6s A2o J8o 98o K6o T6s 76s Q3s 86s 96s J5s K5o Q2s 33 J4s K4o Q7o Q6o 65s T5s 75s T7o 95s J7o 87o
J3s 85s 97o J2s K3o T4s 54s Q5o K2o 64s T3s 22 74s J6o 84s T2s 86o 94s Q4o 76o 53s T6o 93s Q3o 96o
J5o 63s 92s 43s 73s Q2o 65o J4o 83s 52s 75o T5o J3o 85o 54o 82s 95o 62s T4o J2o 42s 72s 64o 32s T3o
74o T2o 94o 84o 53o 93o 63o 43o 92o 73o 83o 82o 52o 42o 62o 72o 32o
"""
"""Best first, by the share of the pot won against three random hands: 60,000 deals each with
`random.Random(1)`, ranked by our own showdown. Against one opponent high cards would count more, against eight suits
and connected cards; three is typical of a pot in a six-handed game.
"""


_PLACE: Final[dict[str, int]] = {name: place for place, name in enumerate(STARTING_HANDS.split())}
_OMAHA_MEAN: Final = 0.5
_OMAHA_SPREAD: Final = 0.17
"""Mean and standard deviation of the average of the six two-card ranks of a random Omaha hand."""

_MADE: Final[dict[Category, float]] = {
    Category.TWO_PAIR: 0.80,
    Category.THREE_OF_A_KIND: 0.88,
    Category.STRAIGHT: 0.92,
    Category.FLUSH: 0.95,
    Category.FULL_HOUSE: 0.97,
}
"""Roughly the share of random hands that a hand of this category beats on an average board."""


def hand_class(first: Card, second: Card) -> str:
    """Return the name that players give two hole cards: `AKs`, `T9o`, `77`.

    >>> hand_class(Card("9h"), Card("Th"))
    'T9s'
    """
    high, low = (first, second) if first >= second else (second, first)
    if high.rank == low.rank:
        return RANKS[high.rank] * 2
    return RANKS[high.rank] + RANKS[low.rank] + ("s" if high.suit == low.suit else "o")


@cache
def starting_ranks(pack: tuple[Card, ...]) -> dict[int, float]:
    """Return for two cards, as 64 * first + second in either order, the share of the pack's hands they beat."""
    pairs = sorted(combinations(pack, 2), key=lambda pair: -_PLACE[hand_class(*pair)])
    share = {}
    step = 1 / len(pairs)
    for place, (first, second) in enumerate(pairs):
        share[first << 6 | second] = share[second << 6 | first] = (place + 1) * step
    return share


def starting_rank(view: View) -> float:
    """Return the share of starting hands, 0 to 1, that the view's hole cards match or beat.

    A player of the best 18 % thus plays hands that rank above 0.82. With more than two hole cards, the ranks of their
    pairs are averaged, and the normal distribution function spreads the averages over 0 to 1 again.
    """
    hole = view.hole
    ranks = starting_ranks(view.game.pack)
    if len(hole) == 2:
        return ranks[hole[0] << 6 | hole[1]]
    pairs = [ranks[first << 6 | second] for first, second in combinations(hole, 2)]
    mean = sum(pairs) / len(pairs)
    return 0.5 * (1 + erf((mean - _OMAHA_MEAN) / (_OMAHA_SPREAD * sqrt(2))))


def made_hand(view: View) -> float:
    """Estimate the share of random hands, 0 to 1, that the view's hand beats on this board, draws included."""
    hole, board = view.hole, view.board
    kind = category(view.game.strengths((hole,), board)[0])
    if kind <= Category.PAIR or _on_board(board, kind):
        made = _pairs_and_less(hole, board)
    else:
        made = _MADE.get(kind, 0.99)
    if len(board) < 5 and made < 0.9:
        made += (1 - made) * draw_chance(hole, board)
    # with six pairs of hole cards everyone makes better hands: the square stands for that
    return made if len(hole) == 2 else made * made


def _on_board(board: tuple[Card, ...], kind: Category) -> bool:
    """Whether most of the cards that make the hand are on the board, and so help everyone."""
    if kind >= Category.STRAIGHT:
        return len(board) == 5 and category(evaluate(board)) >= kind
    ranks = [card >> 2 for card in board]
    return max(map(ranks.count, ranks)) >= (2 if kind is Category.TWO_PAIR else 3)


def _pairs_and_less(hole: tuple[Card, ...], board: tuple[Card, ...]) -> float:
    """Judge one pair or no pair: by the board cards above the pair, else by the height of the cards."""
    ranks = sorted({card >> 2 for card in board}, reverse=True)
    mine = sorted([card >> 2 for card in hole], reverse=True)
    paired = [rank for rank in mine if rank in ranks]
    pockets = [rank for rank, other in pairwise(mine) if rank == other]
    if pockets:
        above = sum(1 for rank in ranks if rank > pockets[0])
        return (0.86, 0.66, 0.55, 0.48, 0.42, 0.38)[above]
    if paired:
        place = ranks.index(paired[0])
        kicker = max([rank for rank in mine if rank != paired[0]], default=0)
        return (0.74, 0.58, 0.50, 0.44, 0.40)[place] + 0.006 * kicker
    return 0.10 + 0.015 * mine[0] + 0.005 * mine[1]


def draw_chance(hole: tuple[Card, ...], board: tuple[Card, ...]) -> float:
    """Estimate the chance that the next cards complete a flush or an open straight.

    Per street, the nine outs of a flush among 47 cards are 0.19; the eight of a straight, 0.17, are taken as 0.15.
    """
    streets = 5 - len(board)
    chance = 0.0
    suits = [card & 3 for card in hole + board]
    if any(suits.count(suit) == 4 for suit in {card & 3 for card in hole}):
        chance = 0.19 * streets
    held = 0
    for card in hole + board:
        held |= 2 << (card >> 2)
    held |= held >> 13 & 1
    if any(held >> low & 15 == 15 for low in range(1, 10)):
        chance += 0.15 * streets
    return min(chance, 0.5)


def equity_by_sampling(
    game: Game, hole: tuple[Card, ...], board: tuple[Card, ...], opponents: int, samples: int, rng: Random
) -> float:
    """Estimate the share of the pot, 0 to 1, that `hole` wins against random hands, from `samples` deals."""
    known = {*hole, *board}
    pack = [card for card in game.pack if card not in known]
    size = len(hole)
    missing = game.board_cards - len(board)
    share = 0.0
    for _ in range(samples):
        cards = rng.sample(pack, size * opponents + missing)
        holes = [hole, *(tuple(cards[at : at + size]) for at in range(missing, len(cards), size))]
        strengths = game.strengths(holes, board + tuple(cards[:missing]))
        if strengths[0] == max(strengths):
            share += 1 / strengths.count(strengths[0])
    return share / samples


CALL, CHECK, FOLD = action.CALL, action.CHECK, action.FOLD


def call_or_check(legal: Legal) -> Action:
    """Call, or check if that is free."""
    return CALL if legal.to_call else CHECK


# `max_raise_to` is read where `can_raise` would say the same by a call: these are on the path of every raise.


def min_raise(legal: Legal) -> Action:
    """Raise or bet the minimum; call or check if no raise is allowed."""
    return RaiseTo(legal.min_raise_to) if legal.max_raise_to else call_or_check(legal)


def raise_between(legal: Legal, total: int) -> Action:
    """Raise to `total` chips, or to the nearest legal total; call or check if no raise is allowed."""
    if not legal.max_raise_to:
        return call_or_check(legal)
    return RaiseTo(max(legal.min_raise_to, min(total, legal.max_raise_to)))


def pot_raise(view: View, fraction: float) -> Action:
    """Raise by `fraction` of the pot after a call, to the nearest legal total; call or check if no raise is allowed."""
    legal = view.legal
    if not legal.max_raise_to:
        return call_or_check(legal)
    by = int(fraction * (view.pot + legal.to_call))
    return raise_between(legal, view.public.bet + by)
