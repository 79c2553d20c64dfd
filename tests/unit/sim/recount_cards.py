"""Compute the luck of a hand again from its cards, by code that imports nothing of ours.

The luck of a later deal is its change of each seat's expected share of each pot, given all cards dealt; that of hole
cards is the square of Chen's points, less its mean over the pack. A seat that was all-in is owed its expected share at
the end of the betting.
"""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np

from tests.unit.sim.recount import STREETS, HandCount, Line

RANKS = "23456789TJQKA"
PACK = range(52)
HAND_KINDS = 9
MASKS = np.arange(1 << 13)
COUNT = np.array([int(mask).bit_count() for mask in MASKS])
Pot = tuple[int, tuple[int, ...]]
"""The chips of a pot and the seats that play for it."""


def cards_of(text: str) -> tuple[int, ...]:
    return tuple(
        4 * RANKS.index(rank) + "cdhs".index(suit) for rank, suit in zip(text[::2], text[1::2], strict=True)
    )


def best(masks: Any, many: int) -> Any:
    """Return masks of ranks with only their `many` highest bits."""
    found = np.zeros_like(masks)
    for rank in reversed(range(13)):
        here = (masks >> rank & 1).astype(bool) & (COUNT[found] < many)
        found[here] |= 1 << rank
    return found


BEST = {many: best(MASKS, many) for many in (1, 2, 3, 5)}
STRAIGHT = np.zeros(1 << 13, dtype=np.int64)
for top in range(3, 13):
    five = 0b1_0000_0000_1111 if top == 3 else 0b11111 << (top - 4)
    STRAIGHT[five & MASKS == five] = top


def strengths(cards: Any) -> Any:
    """Return a number for each row of seven cards, higher for better hands."""
    bits, suits = 1 << (cards >> 2), cards & 3
    one, two, three, four = ((bits * (suits == suit)).sum(axis=1) for suit in range(4))
    any_, quads = one | two | three | four, one & two & three & four
    pairs = one & two | three & four | (one | two) & (three | four)
    trips = one & two & (three | four) | three & four & (one | two)
    flush = np.zeros_like(any_)
    for suit in (one, two, three, four):
        flush[COUNT[suit] > 4] = suit[COUNT[suit] > 4]
    trip, two_pairs = BEST[1][trips], BEST[2][pairs]
    full = BEST[1][pairs & ~trip]
    kinds = [
        (STRAIGHT[flush] > 0, STRAIGHT[flush], 0),
        (quads > 0, quads, BEST[1][any_ & ~quads]),
        ((trip > 0) & (full > 0), trip, full),
        (flush > 0, BEST[5][flush], 0),
        (STRAIGHT[any_] > 0, STRAIGHT[any_], 0),
        (trip > 0, trip, BEST[2][any_ & ~trip]),
        (COUNT[two_pairs] > 1, two_pairs, BEST[1][any_ & ~two_pairs]),
        (pairs > 0, pairs, BEST[3][any_ & ~pairs]),
        (any_ > 0, BEST[5][any_], 0),
    ]
    values = [((HAND_KINDS - place) << 26) + (high << 13) + low for place, (_, high, low) in enumerate(kinds)]
    return np.select([holds for holds, _, _ in kinds], values)


class LuckOf:
    """One line, with the seats' cards and the pots at the deal of each street."""

    def __init__(self, line: Line) -> None:
        self.line, self.count = line, HandCount(line)
        self.holes = [cards_of(text) for text in line["holes"]]
        self.board = cards_of(line["board"])
        self.last = max(STREETS.index(each["street"]) for each in line["actions"])
        self.all_in = len(self.count.live) > 1 and self.last < 3
        """whether cards were dealt after the end of the betting"""

    def pots(self, street: int) -> list[Pot]:
        """Return the contested pots at the deal of a street; 4 for the end."""
        paid = self.count.put_in(street)
        taken = [each for actions in self.count.streets[:street] for each in actions]
        gone = {seat for seat, word, *_ in taken if word == "fold"}
        live = [seat for seat in range(len(paid)) if seat not in gone]
        found, below = [], 0
        for level in sorted({paid[seat] for seat in live}):
            amount = sum(min(each, level) - min(each, below) for each in paid)
            seats = tuple(seat for seat in live if paid[seat] >= level)
            if amount and len(seats) > 1:
                found.append((amount, seats))
            below = level
        return found

    def owed(self, pots: list[Pot], dealt: int, draws: int = 0) -> tuple[Any, Any]:
        """Return each seat's expected chips from the pots once `dealt` board cards lie, and the standard deviation.

        Both are over all boards that can come, or over `draws` random ones.
        """
        board = self.board[:dealt]
        known = {*board, *(card for hole in self.holes for card in hole)}
        stub = np.array([card for card in PACK if card not in known])
        if draws:
            order = np.random.default_rng(self.line["hand"]).random((draws, len(stub))).argsort(axis=1)
            ends = stub[order[:, : 5 - dealt]]
        else:
            ends = stub[np.array(list(combinations(range(len(stub)), 5 - dealt)), dtype=int)]
        boards = np.hstack([np.tile(np.array(board, dtype=int), (len(ends), 1)), ends])
        owed = np.zeros((len(boards), len(self.holes)))
        values = {
            seat: strengths(np.hstack([np.tile(self.holes[seat], (len(boards), 1)), boards]))
            for seat in {seat for _, seats in pots for seat in seats}
        }
        for amount, seats in pots:
            here = np.stack([values[seat] for seat in seats], axis=1)
            wins = here == here.max(axis=1, keepdims=True)
            owed[:, seats] += amount * wins / wins.sum(axis=1, keepdims=True)
        return owed.mean(axis=0), owed.std(axis=0)

    def first_cards(self) -> list[tuple[int, int]]:
        own = [SCORES[frozenset(hole)] for hole in self.holes]
        return [(each, sum(own) - each) for each in own]

    def changes(self, street: int) -> Any:
        """Return the change of each seat's expected chips by the turn (2) or river (3), over all boards."""
        pots = self.pots(street)
        return self.owed(pots, street + 2)[0] - self.owed(pots, street + 1)[0]

    def root(self, street: int) -> float:
        return sqrt(sum(amount for amount, _ in self.pots(street)))


def chen(hole: tuple[int, int]) -> float:
    """Return the points of two cards by Bill Chen's formula, without its final rounding and not below 0."""
    low, high = sorted(card // 4 + 2 for card in hole)
    points = {14: 10, 13: 8, 12: 7, 11: 6}.get(high, high / 2)
    if low == high:
        return max(5, 2 * points)
    suited = 2 if hole[0] % 4 == hole[1] % 4 else 0
    between = high - low - 1
    points += suited - (0, 1, 2, 4)[between] if between < 4 else suited - 5
    return max(0, points + (between < 2 and high < 12))


HOLES = list(combinations(PACK, 2))
ALL_SQUARES = sum(round(4 * chen(hole) ** 2) for hole in HOLES)
SCORES = {frozenset(hole): len(HOLES) * round(4 * chen(hole) ** 2) - ALL_SQUARES for hole in HOLES}
