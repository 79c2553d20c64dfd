"""Classes of cards for one hand at a time, compiled; imports numba."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from poker_actors.bots.expert.cards import ALL_RANKS, FINE, ROUGH, WHOLE, completing
from poker_actors.bots.expert.cards import starting_class as class_before_the_flop
from poker_actors.evaluator.fast.compiling import bit_count, compiled
from poker_actors.evaluator.fast.tables import (
    CARD_WORDS,
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    LOW_BITS,
    RANK_WORDS,
    SUIT_OVERFLOW,
    flush_table,
    hand_tables,
)

__all__ = [
    "class_at",
    "class_of",
    "class_of_hole",
    "class_tables",
    "count_hands",
    "starting_class",
    "twice_beaten",
]


_WORD = np.uint64
_HIGH_SHIFT, _HIGH_BITS, _LOW_BITS = _WORD(HIGH_SHIFT), _WORD(HIGH_BITS), _WORD(LOW_BITS)
_FIVE_SUITED, _SUIT_OVERFLOW = _WORD(FIVE_SUITED), _WORD(SUIT_OVERFLOW)
_RANKS: Final = 13
_CARDS: Final = 52
_RIVER: Final = 5
_PAIRS: Final = 1326


starting_class = compiled(class_before_the_flop)


@cache
def class_tables() -> tuple[Any, ...]:
    """Return the arrays that the functions here take as `tables`."""
    five, six, seven = (hand_tables(cards) for cards in (5, 6, 7))
    return (
        (CARD_WORDS, RANK_WORDS, five.place, flush_table(), completing()),
        (five.start, six.start, seven.start),
        (five.ranked, six.ranked, seven.ranked),
    )


def class_of_hole(hole: Sequence[int], board: Sequence[int]) -> int:
    """Return the class of two cards on a board of none or of three to five cards."""
    # plain ints: numba takes long to determine the type of a `Card`
    one, other = map(int, hole)
    return int(_class_of_hole(one, other, np.array((*board, 0), np.int64), len(board), class_tables()))


@compiled
def _flush_suit(board, shown):
    """Return the suit of three or more board cards, -1 for none."""
    for suit in range(4):
        many = 0
        for card in range(shown):
            many += 1 if board[card] & 3 == suit else 0
        if many >= 3:
            return suit
    return -1


@compiled
def _bare(key, shown, tables):
    place = tables[0][2]
    start = tables[1][shown - 3]
    ranked = tables[2][shown - 3]
    return np.int64(
        ranked[np.int64(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + np.int64(place[key & _LOW_BITS])]
    )


@compiled
def _strength(one, other, board, shown, key, suit, tables):
    words = tables[0][0]
    whole = key + words[one] + words[other]
    found = _bare(whole, shown, tables)
    if suit < 0 or (whole + _FIVE_SUITED) & _SUIT_OVERFLOW == _WORD(0):
        return found
    mask = 0
    for card in range(shown):
        mask |= 1 << (board[card] >> 2) if board[card] & 3 == suit else 0
    mask |= 1 << (one >> 2) if one & 3 == suit else 0
    mask |= 1 << (other >> 2) if other & 3 == suit else 0
    return max(found, np.int64(tables[0][3][mask]))


@compiled
def count_hands(board, shown, tables, strengths, counts):
    """Write the strengths of all possible hands on a board and how many hands have each; return the number of entries.

    Hands that cannot make a flush share an entry per pair of ranks; each hand with enough cards of the flush suit is an
    entry of its own.
    """
    key, taken, suit, needed = _WORD(0), 0, _flush_suit(board, shown), 5
    for card in range(shown):
        key += tables[0][0][board[card]]
        taken |= 1 << board[card]
        needed -= 1 if board[card] & 3 == suit else 0
    # where one card makes a flush, leave cards of that suit out of the count by ranks: they are counted below
    apart = 1 << suit if needed == 1 else 0
    size = 0
    for high in range(_RANKS if needed else 0):
        upper = 4 - np.int64(bit_count(_WORD((taken >> 4 * high | apart) & 15)))
        for low in range(high + 1):
            lower = 4 - np.int64(bit_count(_WORD((taken >> 4 * low | apart) & 15)))
            many = upper * lower if low < high else upper * (upper - 1) // 2
            if needed == 2 and low < high and not (taken >> 4 * high | taken >> 4 * low) >> suit & 1:
                many -= 1  # the pair of that suit makes a flush: counted below
            if many:
                strengths[size] = _bare(key + tables[0][1][high] + tables[0][1][low], shown, tables)
                counts[size] = many
                size += 1
    if suit < 0:
        return size
    for one in range(_CARDS):
        if taken >> one & 1:
            continue
        for other in range(one):
            if not taken >> other & 1 and (one & 3 == suit) + (other & 3 == suit) >= needed:
                strengths[size] = _strength(one, other, board, shown, key, suit, tables)
                counts[size] = 1
                size += 1
    return size


@compiled
def _draw(one, other, board, shown, completing):
    there = 0
    for card in range(shown):
        there |= 1 << (board[card] >> 2)
    mine = np.int64(completing[there | 1 << (one >> 2) | 1 << (other >> 2)])
    left = mine & ~np.int64(completing[there])
    outs = 0
    if mine != ALL_RANKS and left:
        outs = 2 if left & (left - 1) else 1
    for suit in range(4):
        more = (1 if one & 3 == suit else 0) + (1 if other & 3 == suit else 0)
        many = more
        for card in range(shown):
            many += 1 if board[card] & 3 == suit else 0
        if more and many == 4:
            return 3 if outs else 2
    return outs


@compiled
def class_of(one, other, board, shown, size, tables, strengths, counts):
    """Return the class of two cards on a board whose hands `count_hands` has counted."""
    twice, hands = twice_beaten(one, other, board, shown, size, tables, strengths, counts)
    return class_at(one, other, board, shown, twice, hands, tables)


@compiled
def twice_beaten(one, other, board, shown, size, tables, strengths, counts):
    """Return 2 * hands beaten + hands tied by two cards on a counted board, and the number of hands."""
    key = _WORD(0)
    for card in range(shown):
        key += tables[0][0][board[card]]
    mine = _strength(one, other, board, shown, key, _flush_suit(board, shown), tables)
    twice = hands = 0
    for entry in range(size):
        many, strength = counts[entry], strengths[entry]
        hands += many
        twice += 2 * many if strength < mine else many if strength == mine else 0
    return twice, hands


@compiled
def class_at(one, other, board, shown, twice, hands, tables):
    """Return the class of two cards from their `twice_beaten`."""
    better = (2 * hands - twice) * WHOLE
    level = 0
    steps = FINE if shown == _RIVER else ROUGH
    while level < len(steps) and steps[level] * 2 * hands <= better:
        level += 1
    return level if shown == _RIVER else 4 * level + _draw(one, other, board, shown, tables[0][4])


@compiled
def _class_of_hole(one, other, board, shown, tables):
    if shown == 0:
        return starting_class(one, other)
    strengths, counts = np.empty(_PAIRS, np.int64), np.empty(_PAIRS, np.int64)
    size = count_hands(board, shown, tables, strengths, counts)
    return class_of(one, other, board, shown, size, tables, strengths, counts)
