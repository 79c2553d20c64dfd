"""Look-up tables for arrays of hands, built from the list of classes in some ten milliseconds.

A hand's key is the sum of its cards' keys: a base-5 digit for each of the seven low ranks (bits 0-16) and of the six
high ranks (bits 17-30), the number of jokers (bits 32-33), a four-bit counter per suit (bits 36-51), and the number of
invalid cards (from bit 56). A table for hands of n cards has a row for each multiset of ranks, without gaps: the row is
``start[jokers, high] + place[low]``, because low multisets are numbered within their number of cards.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from poker_actors.evaluator.order import SHORT_DECK, STANDARD, strengths
from poker_actors.evaluator.order.classes import SHORT_SUITED, SUITED

__all__ = [
    "BAD_SHIFT",
    "CARD_KEYS",
    "CARD_WORDS",
    "FIVE_SUITED",
    "HIGH_BITS",
    "HIGH_SHIFT",
    "JOKER_SHIFT",
    "JOKER_STRIDE",
    "LOW_BITS",
    "LOW_KEYS",
    "LOW_RANKS",
    "NO_CARD_BIT",
    "RANK_KEYS",
    "RANK_WORDS",
    "SUITED_BITS",
    "SUIT_OVERFLOW",
    "SUIT_SHIFT",
    "ClassTables",
    "HandTables",
    "Multisets",
    "class_tables",
    "flush_table",
    "hand_tables",
    "low_places",
    "multiset_ranks",
    "multisets",
    "omaha_tables",
    "rank_bit",
]


Ints = npt.NDArray[np.int64]


def rank_bit(rank: Ints) -> Ints:
    """Return the bit of a rank; rank -1 (none) has no bit."""
    return np.where(rank < 0, 0, np.int64(1) << np.maximum(rank, 0))


@frozen(eq=False)
class ClassTables:
    """Strengths (16 bits) by deciding ranks; index -1, the last row, stands for a missing rank."""

    top: Ints
    highest: dict[int, Ints]
    straight: Ints
    high_card: Ints
    pair: Ints
    two_pair: Ints
    trips: Ints
    full: Ints
    quads: Ints


@cache
def class_tables(scale: int) -> ClassTables:
    """Return the arrays of a scale, filled from the list of its classes."""
    tables = _empty_tables()
    straights = {}
    for made, strength in strengths(scale).items():
        kind, ranks, value = made[0], made[1:], strength & 0xFFFF
        if kind == 0:
            tables.high_card[_mask(ranks)] = value
        elif kind in (1, 3):
            (tables.pair if kind == 1 else tables.trips)[ranks[0], _mask(ranks[1:])] = value
        elif kind == 2:
            tables.two_pair[ranks[0], ranks[1], ranks[2] if len(ranks) > 2 else -1] = value
        elif kind in (6, 7):
            (tables.full if kind == 6 else tables.quads)[ranks[0], ranks[1] if len(ranks) > 1 else -1] = value
        elif kind == 4:
            straights[ranks[0]] = value
    floor = 4 if scale == SHORT_DECK else 0
    every = np.arange(1 << 13)
    # ascending, so that the best straight of a mask is written last
    for top, value in sorted(straights.items()):
        run = 31 << top >> 4 if top > floor + 3 else 1 << 12 | 15 << floor
        tables.straight[every & run == run] = value
    return tables


def _empty_tables() -> ClassTables:
    top, highest = _highest_ranks()
    masks, ranks = 1 << 13, 14
    return ClassTables(
        top,
        highest,
        straight=np.zeros(masks, dtype=np.int64),
        high_card=np.zeros(masks, dtype=np.int64),
        pair=np.zeros((ranks, masks), dtype=np.int64),
        two_pair=np.zeros((ranks, ranks, ranks), dtype=np.int64),
        trips=np.zeros((ranks, masks), dtype=np.int64),
        full=np.zeros((ranks, ranks), dtype=np.int64),
        quads=np.zeros((ranks, ranks), dtype=np.int64),
    )


def _mask(ranks: tuple[int, ...]) -> int:
    return sum(1 << rank for rank in ranks)


@cache
def _highest_ranks() -> tuple[Ints, dict[int, Ints]]:
    """Return, per mask of ranks, its top rank (-1 for none) and the masks of its one to five highest ranks."""
    masks = np.arange(1 << 13)
    top = np.full(1 << 13, -1)
    for rank in range(13):
        top[masks >> rank & 1 == 1] = rank
    highest, chosen, rest = {}, np.zeros_like(masks), masks
    for count in range(1, 6):
        chosen, rest = chosen | rank_bit(top[rest]), rest & ~rank_bit(top[rest])
        highest[count] = chosen
    return top, highest


Words = npt.NDArray[np.uint64]
# Two halves, because a table by 5**13 keys would have 1.2 billion rows. Each field holds its largest sum without carry:
# 5**7 < 2**17 and 5**6 < 2**14; two jokers take two bits; nine cards plus a threshold of at most 5 stay below 16 in
# each counter; nine invalid cards stay below bit 60, so that int64 stays positive.
LOW_RANKS: Final = 7
LOW_KEYS: Final = 5**LOW_RANKS
HIGH_KEYS: Final = 5**6
HIGH_SHIFT: Final = 17
JOKER_SHIFT: Final = 32
SUIT_SHIFT: Final = 36
BAD_SHIFT: Final = 56
LOW_BITS: Final = (1 << HIGH_SHIFT) - 1
HIGH_BITS: Final = (1 << 14) - 1
JOKER_STRIDE: Final = 1 << 14
"""Entries of `start` per number of jokers."""
FIVE_SUITED: Final = 0x3333 << SUIT_SHIFT
"""3 for each suit: added to a key, five cards of a suit set its bit of `SUIT_OVERFLOW`."""
SUIT_OVERFLOW: Final = 0x8888 << SUIT_SHIFT


def _card_key(card: int) -> int:
    if card >= 54:
        return 1 << BAD_SHIFT
    if card >= 52:
        return (1 << JOKER_SHIFT) + (0x1111 << SUIT_SHIFT)  # a joker is of every suit
    rank = card >> 2
    digit = 5**rank if rank < LOW_RANKS else 5 ** (rank - LOW_RANKS) << HIGH_SHIFT
    return int(digit + (1 << SUIT_SHIFT + 4 * (card & 3)))


CARD_KEYS: Final[Ints] = np.array([_card_key(card) for card in range(256)], dtype=np.int64)
CARD_WORDS: Final[Words] = CARD_KEYS.astype(np.uint64)
"""The same for compiled code, where mixing signed and unsigned numbers gives floats."""
NO_CARD_BIT: Final = 1 << 15
SUITED_BITS: Final[Words] = np.array(
    [1 << 16 * (card & 3) + (card >> 2) if card < 52 else NO_CARD_BIT for card in range(256)], dtype=np.uint64
)
"""One bit per natural card, in a lane of 16 bits per suit; `NO_CARD_BIT`, unused by ranks, for all other numbers.

Compiled loops do not check indices: the table covers all 256 bytes, so that an invalid card is read safely and refused.
"""
RANK_KEYS: Final[Ints] = CARD_KEYS[:52:4] & (1 << SUIT_SHIFT) - 1
"""The key of each rank, without its suit."""
RANK_WORDS: Final[Words] = RANK_KEYS.astype(np.uint64)
"""The same for compiled code."""


@frozen(eq=False)
class HandTables:
    """The tables from the key of a hand of `cards` cards, up to two of them jokers, to its strength.

    ``ranked[start[jokers << 14 | high] + place[low]]`` is the strength ignoring flushes, as uint16 (in the short deck
    without its scale).
    """

    cards: int
    place: npt.NDArray[np.uint32]
    start: npt.NDArray[np.uint32]
    ranked: npt.NDArray[np.uint16]


@cache
def hand_tables(cards: int, scale: int = STANDARD) -> HandTables:
    """Return the tables for hands of `cards` (0 to 9) cards; the short deck has no jokers."""
    start = np.zeros(3 * JOKER_STRIDE, dtype=np.uint32)
    parts: list[npt.NDArray[np.uint16]] = []
    size = 0
    for jokers in range(1 if scale == SHORT_DECK else min(cards, 2) + 1):
        naturals = multisets(cards - jokers)
        rows = _ranked(cards - jokers, jokers, scale)
        start[jokers * JOKER_STRIDE : jokers * JOKER_STRIDE + HIGH_KEYS] = naturals.start + size
        size += len(rows)
        parts.append(rows)
    return HandTables(cards, low_places()[0], start, np.concatenate(parts))


@frozen(eq=False)
class Multisets:
    """All multisets of ranks of one size, at most four of a rank, in the order of the tables."""

    low: Ints
    high: Ints
    start: npt.NDArray[np.uint32]

    @property
    def keys(self) -> Ints:
        """Return the keys of these multisets, without suits."""
        return self.low | self.high << HIGH_SHIFT


@cache
def multisets(cards: int) -> Multisets:
    """Return the multisets of `cards` ranks: 49,205 of seven."""
    low_count, high_count = _digit_sums(LOW_KEYS), _digit_sums(HIGH_KEYS)
    groups = [np.flatnonzero(low_count == count) for count in range(cards + 1)]
    start = np.zeros(HIGH_KEYS, dtype=np.uint32)
    lows, highs, size = [], [], 0
    for count in range(cards + 1):
        chosen = np.flatnonzero(high_count == count)
        group = groups[cards - count]
        start[chosen] = size + len(group) * np.arange(len(chosen))
        size += len(group) * len(chosen)
        lows.append(np.tile(group, len(chosen)))
        highs.append(np.repeat(chosen, len(group)))
    return Multisets(np.concatenate(lows), np.concatenate(highs), start)


def multiset_ranks(cards: int) -> Ints:
    """Return the ranks of each multiset, lowest first, in the order of the tables: shape (n, cards)."""
    those = multisets(cards)
    digits = [those.low // 5**rank % 5 for rank in range(LOW_RANKS)]
    digits += [those.high // 5**rank % 5 for rank in range(6)]
    counts = np.stack(digits, axis=1)
    return np.repeat(np.tile(np.arange(13), len(counts)), counts.ravel()).reshape(-1, cards)


@cache
def _digit_sums(size: int) -> Ints:
    sums = np.zeros(1, dtype=np.int64)
    while len(sums) < size:
        sums = np.concatenate([sums + digit for digit in range(5)])
    return sums


@cache
def low_places() -> tuple[npt.NDArray[np.uint32], Ints]:
    """Return the number of each low multiset within its number of cards, and where each number of cards begins."""
    counts = _digit_sums(LOW_KEYS)
    order = np.argsort(counts, kind="stable")
    firsts = np.searchsorted(counts[order], np.arange(int(counts.max()) + 1))
    place = np.empty(LOW_KEYS, dtype=np.uint32)
    place[order] = np.arange(LOW_KEYS) - firsts[counts[order]]
    return place, firsts


@cache
def _ranked(naturals: int, jokers: int, scale: int) -> npt.NDArray[np.uint16]:
    """Return the strengths, flushes aside, of all multisets of `naturals` ranks with `jokers` jokers.

    A joker is the best rank not held four times: the best entry with one more card and one joker less.
    """
    those = multisets(naturals)
    if not jokers:
        return _natural_strengths(those, scale)
    more, above = multisets(naturals + 1), _ranked(naturals + 1, jokers - 1, scale)
    place = low_places()[0]
    best = np.zeros(len(those.low), dtype=np.uint16)
    for rank in range(13):
        low, high = those.low, those.high
        if rank < LOW_RANKS:
            free, low = low // 5**rank % 5 < 4, low + 5**rank
        else:
            free, high = high // 5 ** (rank - LOW_RANKS) % 5 < 4, high + 5 ** (rank - LOW_RANKS)
        rows = more.start[high[free]] + place[low[free]]
        best[free] = np.maximum(best[free], above[rows])
    return best


def _natural_strengths(those: Multisets, scale: int) -> npt.NDArray[np.uint16]:
    """Return the strength of each multiset from its masks of ranks held at least once, twice, three and four times."""
    once, twice, thrice, four = (
        _held(LOW_KEYS, count)[those.low] | _held(HIGH_KEYS, count)[those.high] << LOW_RANKS
        for count in range(1, 5)
    )
    tables = class_tables(scale)
    pair, trip, quad = (tables.top[mask] for mask in (twice, thrice, four))
    other = twice & ~rank_bit(pair)
    second = tables.top[other]
    full = twice & ~rank_bit(trip)
    choices = [
        (four > 0, tables.quads[quad, tables.top[once & ~rank_bit(quad)]]),
        ((thrice > 0) & (full > 0), tables.full[trip, tables.top[full]]),
        (tables.straight[once] > 0, tables.straight[once]),
        (thrice > 0, tables.trips[trip, tables.highest[2][once & ~rank_bit(trip)]]),
        (other > 0, tables.two_pair[pair, second, tables.top[once & ~rank_bit(pair) & ~rank_bit(second)]]),
        (twice > 0, tables.pair[pair, tables.highest[3][once & ~rank_bit(pair)]]),
    ]
    high_card = tables.high_card[tables.highest[5][once]]
    found = np.select([kind for kind, _ in choices], [value for _, value in choices], high_card)
    return np.asarray(found).astype(np.uint16)


@cache
def _held(size: int, count: int) -> Ints:
    """Return, per half key, the mask of ranks held `count` times or more."""
    ranks = 0
    masks = np.zeros(1, dtype=np.int64)
    while len(masks) < size:
        masks = np.concatenate([masks | (1 << ranks if digit >= count else 0) for digit in range(5)])
        ranks += 1
    return masks


@cache
def flush_table(scale: int = STANDARD) -> npt.NDArray[np.uint16]:
    """Return the best flush, uint16, per ``jokers << 13 | mask`` of the ranks of one suit; 0 for none."""
    if scale == SHORT_DECK:  # the deck has no ranks below six: bits 0-3 stay clear
        short = [0 if mask & 15 else SHORT_SUITED[mask] & 0xFFFF for mask in range(1 << 13)]
        return np.array(short, dtype=np.uint16)
    masks = np.arange(1 << 13)
    parts = [_suited(masks)]
    for _ in range(2):
        # a joker is the best missing rank of the suit
        drawn = [np.where(masks >> rank & 1, 0, parts[-1][masks | 1 << rank]) for rank in range(13)]
        parts.append(np.max(drawn, axis=0))
    return np.concatenate(parts).astype(np.uint16)


def _suited(masks: Ints) -> Ints:
    """Return the best flush of each mask: its best straight flush, else its five highest ranks."""
    highest = class_tables(STANDARD).highest[5][masks]
    fives, place = np.unique(highest, return_inverse=True)
    made = np.array([SUITED[mask] for mask in fives.tolist()])
    straights = [31 << low for low in range(9)] + [1 << 12 | 15]
    found: Ints = made[place]
    for straight in straights:
        found = np.where(masks & straight == straight, np.maximum(found, SUITED[straight]), found)
    return found


@cache
def omaha_tables() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """Return the best of two hole ranks with exactly three of five board ranks, flushes aside.

    The first table has shape (6175, 91): a row per multiset of five board ranks, a column per pair of hole ranks. The
    second maps 13 * rank + rank to the column, 0 to 90.
    """
    column = np.zeros(169, dtype=np.uint8)
    pairs = [(first, second) for first in range(13) for second in range(first + 1)]
    for number, (first, second) in enumerate(pairs):
        column[13 * first + second] = column[13 * second + first] = number
    three = _omaha_threes(pairs)
    ranks = multiset_ranks(5)
    best = np.zeros((len(ranks), len(pairs)), dtype=np.uint16)
    for chosen in combinations(range(5), 3):
        np.maximum(best, three[_rows(multisets(3), ranks[:, chosen])], out=best)
    return best, column


def _omaha_threes(pairs: list[tuple[int, int]]) -> npt.NDArray[np.uint16]:
    """Return the strength of each multiset of three ranks with each pair of ranks."""
    those, tables = multisets(3), hand_tables(5)
    found = np.zeros((len(those.low), len(pairs)), dtype=np.uint16)
    for number, (first, second) in enumerate(pairs):
        keys = those.keys + RANK_KEYS[first] + RANK_KEYS[second]
        if first == second:  # five of a rank cannot be held and have no row: use any row instead
            keys[those.keys == 3 * RANK_KEYS[first]] = 0
        found[:, number] = tables.ranked[tables.start[keys >> HIGH_SHIFT] + tables.place[keys & LOW_BITS]]
    return found


def _rows(those: Multisets, ranks: Ints) -> Ints:
    """Return the table rows of multisets given as ranks of shape (n, cards)."""
    keys = RANK_KEYS[ranks].sum(axis=1)
    rows: Ints = those.start[keys >> HIGH_SHIFT] + low_places()[0][keys & LOW_BITS]
    return rows
