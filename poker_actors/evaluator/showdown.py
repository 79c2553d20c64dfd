"""The strengths of all live seats at once, so that the board is summed only once.

This is the hot path of every showdown, so nothing is checked: cards must be `Card` (or numbers 0 to 51), different, no
jokers, and as many as the game deals.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.evaluator.lows import omaha_low_strengths
from poker_actors.evaluator.order import Category
from poker_actors.evaluator.order.classes import (
    FIVE_SUITED,
    KEYS,
    OLD_SHORT_RANKED,
    OLD_SHORT_SUITED,
    RANK_KEYS,
    RANKED,
    RANKS_ONLY,
    SHORT_RANKED,
    SHORT_SUITED,
    SUIT_MASKS,
    SUIT_OVERFLOW,
    SUITED,
    SUITED_KEYS,
    THREE_SUITED,
    Ranked,
    Suited,
)

_STRAIGHT_FLUSH: Final = Category.STRAIGHT_FLUSH << 12


def holdem_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return each seat's strength: the best five of its two hole cards and the board (3 to 5 cards).

    The cards are not checked.
    """
    return _two_card_strengths(holes, board, RANKED, SUITED)


def short_deck_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return each seat's strength by the usual rules of the 36-card deck, six to ace.

    A flush beats a full house, a straight beats three of a kind, and A-6-7-8-9 is the lowest
    straight. These strengths compare with each other only. The cards are not checked.
    """
    return _two_card_strengths(holes, board, SHORT_RANKED, SHORT_SUITED)


def short_deck_old_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return strengths by the older rules of the short deck, where three of a kind beats a straight."""
    return _two_card_strengths(holes, board, OLD_SHORT_RANKED, OLD_SHORT_SUITED)


def best_five_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...] = ()) -> list[int]:
    """Return each seat's best five of all its cards and the board, up to nine in all (stud, draw).

    The cards are not checked.
    """
    keys = KEYS
    shared = sum([keys[card] for card in board])
    strengths = []
    for hole in holes:
        key = sum([keys[card] for card in hole], shared)
        suit = (key + FIVE_SUITED) & SUIT_OVERFLOW
        if suit:
            bits = SUIT_MASKS[suit]
            flush = SUITED[sum([bits[card] for card in (*hole, *board)])]
            # seven cards with five of a suit cannot hold a full house or quads, which would beat the flush
            more = len(hole) + len(board) > 7
            strengths.append(max(flush, RANKED[key & RANKS_ONLY]) if more else flush)
        else:
            strengths.append(RANKED[key & RANKS_ONLY])
    return strengths


def lazy_pineapple_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return each seat's best five of the board and at most two of its hole cards.

    The cards are not checked.
    """
    pairs = [list(combinations(hole, 2)) for hole in holes]
    found = iter(holdem_strengths([pair for those in pairs for pair in those], board))
    return [max([next(found) for _ in those]) for those in pairs]


def _two_card_strengths(
    holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...], ranked: Ranked, suited: Suited
) -> list[int]:
    """Look up each seat's strength, flushes only where the board has three of a suit.

    A flush found is final: seven cards with a flush cannot hold a full house or quads, which would beat it.
    """
    keys = KEYS
    key = 0
    for card in board:
        key += keys[card]
    suit = (key + THREE_SUITED) & SUIT_OVERFLOW
    if not suit:
        ranks = RANK_KEYS
        key &= RANKS_ONLY
        return [ranked[key + ranks[first] + ranks[second]] for first, second in holes]
    keys = SUITED_KEYS[suit]
    key = sum([keys[card] for card in board])
    strengths = []
    for first, second in holes:
        held = key + keys[first] + keys[second]
        strengths.append(suited[held >> 32] or ranked[held & RANKS_ONLY])
    return strengths


def omaha_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return each seat's strength: exactly two of its hole cards with exactly three of the board.

    Holes have four, five or six cards, but any number from two works. The cards are not checked.
    """
    ranks = RANK_KEYS
    row = _OMAHA_ROWS[sum([ranks[card] for card in board])]
    strengths = []
    for hole in holes:
        columns = _HOLE_COLUMNS[sum([ranks[card] for card in hole])]
        strengths.append(max([row[column] for column in columns]))
    suit = (sum([KEYS[card] for card in board]) + THREE_SUITED) & SUIT_OVERFLOW
    if suit:
        _raise_to_flushes(strengths, holes, board, SUIT_MASKS[suit])
    return strengths


_PAIRS: Final = [5**first + 5**second for first, second in combinations_with_replacement(range(13), 2)]
_PAIR_COLUMNS: Final = {pair: column for column, pair in enumerate(_PAIRS)}


def _rank_keys_in(key: int) -> list[int]:
    return [5**rank for rank in range(13) for _ in range(key // 5**rank % 5)]


class _ThreeRows(dict[int, "array[int]"]):
    """Sum of three rank keys -> its strength with each pair of hole ranks, flushes aside.

    Entries for five of a rank are meaningless: no hand has them, so they are never read.
    """

    def __missing__(self, key: int) -> array[int]:
        row = self[key] = array("H", [RANKED[key + pair] for pair in _PAIRS])
        return row


class _OmahaRows(dict[int, "array[int]"]):
    """Sum of a board's rank keys -> the best strength of three of them with each pair of hole ranks, flushes aside.

    Rows are arrays of 91 two-byte numbers: all 6,175 boards take 2 MB; dictionaries would take 60.
    """

    def __missing__(self, key: int) -> array[int]:
        threes = {a + b + c for a, b, c in combinations(_rank_keys_in(key), 3)}
        rows = [_THREE_ROWS[three] for three in threes]
        row = self[key] = rows[0] if len(rows) == 1 else array("H", map(max, *rows))
        return row


class _HoleColumns(dict[int, list[int]]):
    """Sum of a hole's rank keys -> the columns of all pairs of its cards, without repeats."""

    def __missing__(self, key: int) -> list[int]:
        pairs = {a + b for a, b in combinations(_rank_keys_in(key), 2)}
        self[key] = sorted([_PAIR_COLUMNS[pair] for pair in pairs])
        return self[key]


_THREE_ROWS: Final = _ThreeRows()
_OMAHA_ROWS: Final = _OmahaRows()
_HOLE_COLUMNS: Final = _HoleColumns()


def _raise_to_flushes(
    strengths: list[int], holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...], bits: dict[int, int]
) -> None:
    """Replace strengths with better flushes, on a board with three or more cards of one suit.

    The best flush takes the two highest and the three highest cards, unless lower ones make a straight flush.
    """
    suited = SUITED
    shared = sorted([bits[card] for card in board if bits[card]])
    highest = sum(shared[-3:])
    for seat, hole in enumerate(holes):
        held = sorted([bits[card] for card in hole if bits[card]])
        if len(held) < 2:
            continue
        best = suited[highest + held[-1] + held[-2]]
        # all suited cards together hold a straight flush, but perhaps not as two and three: try every choice
        if suited[sum(shared) + sum(held)] >= _STRAIGHT_FLUSH:
            threes = [a | b | c for a, b, c in combinations(shared, 3)]
            best = max([suited[a | b | three] for a, b in combinations(held, 2) for three in threes])
        strengths[seat] = max(strengths[seat], best)


CardsLike = str | Iterable[Card | str | int]


def evaluate_omaha(hole: CardsLike, board: CardsLike) -> int:
    """Return the strength of four, five or six hole cards with a board of three to five.

    Raises `BadCard`, `DuplicateCard` (also across hole and board), and `BadSpec` for other numbers of cards or a joker.
    """
    held, shared = _checked(hole, board)
    return omaha_strengths([held], shared)[0]


def evaluate_omaha_low(hole: CardsLike, board: CardsLike) -> int:
    """Return the eight-or-better low of a hand, or 0 if it has none.

    It uses two hole cards and three of the board, not necessarily those of the high. Its strength compares only with
    other lows. Raises as `evaluate_omaha` does.
    """
    held, shared = _checked(hole, board)
    return omaha_low_strengths([held], shared)[0]


def _checked(hole: CardsLike, board: CardsLike) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    held, shared = parse_cards(hole), parse_cards(board)
    if not 4 <= len(held) <= 6:
        raise BadSpec(f"{len(held)} hole cards are not an Omaha hand: it has 4, 5 or 6")
    if not 3 <= len(shared) <= 5:
        raise BadSpec(f"a board of {len(shared)} cards cannot be evaluated: Omaha takes 3 to 5")
    for card in shared:
        if card in held:
            raise DuplicateCard(f"{card} is both in the hand and on the board")
    for card in (*held, *shared):
        if card.is_joker:
            raise BadSpec(f"{card} cannot be in an Omaha hand: it is played without jokers")
    return held, shared
