"""Hands of few cards: three cards, one card with or without a board card, and open hands of stud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.evaluator.order import FOUR_CARD_LOW, ONE_CARD, THREE_CARD, HandClass, strengths
from poker_actors.evaluator.order.classes import RANK_KEYS, RANKED

__all__ = ["one_card_strengths", "open_strengths", "suit_tie", "three_card_strengths"]

Holes = Sequence[tuple[Card, ...]]

_LOW_TIE: Final = {card: ((card >> 2) + 1) % 13 << 2 | card & 3 for card in STANDARD_DECK}.__getitem__
_ALONE: Final = {card: strengths(ONE_CARD)[0, card >> 2] for card in STANDARD_DECK}
_PAIRED: Final = {card: strengths(ONE_CARD)[1, card >> 2] for card in STANDARD_DECK}
_KINDS: Final = {(1,): 0, (2,): 1, (3,): 3, (4,): 7, (2, 2): 2, (3, 1): 3, (2, 1): 1, (2, 1, 1): 1}


def three_card_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return the strength of each seat's three cards, its own and the board's, in the order of Rhode Island.

    From the best: straight flush, trips, straight, flush, pair, high card; A-2-3 is the lowest straight. The cards
    are not checked.
    """
    found = []
    for hole in holes:
        a, b, c = (*hole, *board)
        flush = a & 3 == b & 3 == c & 3
        found.append(_THREES[((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2) << 1 | flush])
    return found


def one_card_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return the strength of each seat's one card: a pair with a board card, else its rank (Leduc, Kuhn).

    The cards are not checked.
    """
    if not board:
        return [_ALONE[card] for (card,) in holes]
    shared = {card >> 2 for card in board}
    return [(_PAIRED if card >> 2 in shared else _ALONE)[card] for (card,) in holes]


def open_strengths(hands: Sequence[Sequence[Card]], *, low: bool = False) -> list[int]:
    """Return the strengths of seats' open cards of stud, one to four each: pairs and ranks, no straights or flushes.

    All seats have the same number of cards, and the strongest opens. With `low` (razz) aces are low, pairs are bad, and
    the lowest hand has the highest strength. Whether ties are broken by `suit_tie`, by position or not at all is up to
    the game. The cards are not checked.
    """
    table, keys = _OPEN_LOWS if low else RANKED, RANK_KEYS
    # written out for two to four cards: a third faster than a general sum, and stud asks on four streets
    match len(hands[0]):
        case 2:
            return [table[keys[a] + keys[b]] for a, b in hands]
        case 3:
            return [table[keys[a] + keys[b] + keys[c]] for a, b, c in hands]
        case 4:
            return [table[keys[a] + keys[b] + keys[c] + keys[d]] for a, b, c, d in hands]
    return [table[sum([keys[card] for card in cards])] for cards in hands]


def suit_tie(cards: Sequence[Card], *, low: bool = False) -> int:
    """Return a number that breaks ties: the rank of the highest card, then its suit.

    Suits rank clubs, diamonds, hearts, spades, from the lowest. With `low` aces are low. On one card it also decides
    the bring-in: the lowest number where high hands win, the highest in razz.
    """
    return max(map(_LOW_TIE, cards)) if low else int(max(cards))


class _Threes(dict[int, int]):
    """``three ranks in base 13 << 1 | flush`` -> strength."""

    def __missing__(self, key: int) -> int:
        number = key >> 1
        ranks = sorted((number // 169, number // 13 % 13, number % 13), reverse=True)
        self[key] = strengths(THREE_CARD)[_three_class(ranks, flush=bool(key & 1))]
        return self[key]


def _three_class(ranks: list[int], *, flush: bool) -> HandClass:
    high, middle, last = ranks
    if high == last:
        return (3, high)
    if middle in (high, last):
        return (1, middle, last if high == middle else high)
    if high - last == 2:
        return (8 if flush else 4, high)
    if ranks == [12, 1, 0]:
        return (8 if flush else 4, 1)
    return (5 if flush else 0, *ranks)


class _OpenLows(dict[int, int]):
    """Sum of the rank keys of one to four cards -> strength of the open low."""

    def __missing__(self, key: int) -> int:
        counted = Counter({rank: key // 5**rank % 5 for rank in range(13) if key // 5**rank % 5})
        ranks = sorted(counted, key=lambda rank: (counted[rank], (rank + 1) % 13), reverse=True)
        shape = tuple(counted[rank] for rank in ranks)
        self[key] = strengths(FOUR_CARD_LOW)[(_KINDS.get(shape, 0), *ranks)]
        return self[key]


_THREES: Final = _Threes()
_OPEN_LOWS: Final = _OpenLows()
