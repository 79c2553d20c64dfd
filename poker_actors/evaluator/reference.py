"""The slow, obvious evaluator: it tries every choice of cards that a game allows and classifies each as a player would.

It shares only the order of classes with the fast functions, so that tests can compare them with it. It also finds the
cards that make a hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from poker_actors.evaluator.order.classes import (
    ACE_TO_FIVE,
    BADUGI,
    BADUGI_ACE_HIGH,
    DEUCE_TO_SEVEN,
    FOUR_CARD_LOW,
    ONE_CARD,
    SHORT_DECK,
    SHORT_DECK_OLD,
    THREE_CARD,
    Category,
    strengths,
)
from poker_actors.evaluator.order.listing import HandClass

Choices = Iterator[tuple[int, ...]]


def reference_strength(hand: Sequence[int], scale: int = 0) -> int:
    """Return the strength of different cards (0 to 53) by trying every five cards and every meaning of jokers."""
    jokers = [card for card in hand if card >= 52]
    natural = [card for card in hand if card < 52]
    if jokers:
        free = [card for card in range(52) if card not in natural]
        return max(reference_strength([*natural, card, *jokers[1:]], scale) for card in free)
    size = min(len(natural), 5)
    return max(strengths(scale)[_high(five, scale)] for five in combinations(natural, size))


def reference_omaha(hole: Sequence[int], board: Sequence[int]) -> int:
    """Return the best strength of exactly two hole cards with three of the board."""
    return max(strengths()[_high(five, 0)] for five in two_and_three(hole, board))


def any_five(hole: Sequence[int], board: Sequence[int]) -> Choices:
    """Return every five of the cards, or all of fewer."""
    cards = (*hole, *board)
    return combinations(cards, min(len(cards), 5))


def two_and_three(hole: Sequence[int], board: Sequence[int]) -> Choices:
    """Return every two of the hole cards with every three of the board."""
    for two in combinations(hole, 2):
        for three in combinations(board, 3):
            yield (*two, *three)


def at_most_two_of_hole(hole: Sequence[int], board: Sequence[int]) -> Choices:
    """Return every five cards of which at most two are hole cards."""
    for five in any_five(hole, board):
        if len({*five} & {*hole}) <= 2:
            yield five


def any_four_alone(hole: Sequence[int], board: Sequence[int]) -> Choices:
    """Return every set of one to four cards of different ranks and suits."""
    cards = (*hole, *board)
    for count in range(1, 5):
        for some in combinations(cards, count):
            if len({card >> 2 for card in some}) == len({card & 3 for card in some}) == count:
                yield some


def all_together(hole: Sequence[int], board: Sequence[int]) -> Choices:
    """Return all cards as the only choice, hole cards first."""
    yield (*hole, *board)


def class_in(scale: int, cards: Sequence[int]) -> HandClass:
    """Return the class of exactly these cards on a scale."""
    if scale in (ACE_TO_FIVE, FOUR_CARD_LOW):
        return _matched(cards, ace_low=True)
    if scale == DEUCE_TO_SEVEN:
        return _deuce_low(cards)
    if scale in (BADUGI, BADUGI_ACE_HIGH):
        return (len(cards), *_matched(cards, ace_low=scale == BADUGI)[1:])
    if scale == THREE_CARD:
        return _of_three(cards)
    if scale == ONE_CARD:
        return (int(cards[0] >> 2 in [card >> 2 for card in cards[1:]]), cards[0] >> 2)
    return _high(cards, scale)


def _matched(cards: Sequence[int], *, ace_low: bool = False) -> HandClass:
    """Return the class by pairs, trips and quads alone, without straights and flushes."""
    counted = Counter(card >> 2 for card in cards)
    ranks = sorted(
        counted, key=lambda rank: (counted[rank], (rank + 1) % 13 if ace_low else rank), reverse=True
    )
    pattern = [counted[rank] for rank in ranks]
    kinds = [
        ([4], Category.FOUR_OF_A_KIND),
        ([3, 2], Category.FULL_HOUSE),
        ([3], Category.THREE_OF_A_KIND),
        ([2, 2], Category.TWO_PAIR),
        ([2], Category.PAIR),
    ]
    kind = next((kind for start, kind in kinds if pattern[: len(start)] == start), Category.HIGH_CARD)
    return (kind, *ranks)


def _high(cards: Sequence[int], scale: int) -> HandClass:
    """Return the class of at most five cards."""
    ranks = sorted({card >> 2 for card in cards}, reverse=True)
    flush = len(cards) == 5 and len({card & 3 for card in cards}) == 1
    top = _straight(sorted(ranks), scale) if len(ranks) == 5 else None
    if top is not None:
        return (Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT, top)
    if flush:
        return (Category.FLUSH, *ranks)
    return _matched(cards)


def _straight(ranks: list[int], scale: int) -> int | None:
    """Return the top rank of a straight of five sorted ranks, None if they are not one; the ace also counts low."""
    lowest = 4 if scale in (SHORT_DECK, SHORT_DECK_OLD) else 0
    if ranks == list(range(ranks[0], ranks[0] + 5)):
        return ranks[4]
    if ranks == [*range(lowest, lowest + 4), 12]:
        return lowest + 3
    return None


def _deuce_low(five: Sequence[int]) -> HandClass:
    """Return the class of five cards with aces high only."""
    ranks = sorted({card >> 2 for card in five}, reverse=True)
    flush = len({card & 3 for card in five}) == 1
    if len(ranks) == 5 and ranks[0] - ranks[4] == 4:
        return (Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT, ranks[0])
    return (Category.FLUSH, *ranks) if flush else _matched(five)


def _of_three(cards: Sequence[int]) -> HandClass:
    """Return the class of three cards, straights and flushes of three among them."""
    ranks = sorted({card >> 2 for card in cards}, reverse=True)
    flush = len({card & 3 for card in cards}) == 1
    if ranks == [12, 1, 0] or ranks == [ranks[0], ranks[0] - 1, ranks[0] - 2]:
        top = 1 if ranks == [12, 1, 0] else ranks[0]
        return (Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT, top)
    return (Category.FLUSH, *ranks) if flush else _matched(cards)
