"""What one opponent has done so far: how often he bets, folds, calls and raises, how much, and with which hands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from poker_actors.rules import PublicState, log

__all__ = ["BINS", "FOLDS", "RAISES", "STAYS", "Opponent", "Step", "Walk", "bin_of"]

FOLDS, STAYS, RAISES = range(3)
"""What somebody does at a turn: folds; checks or calls; bets or raises."""
FREE: Final = 0
"""The bin of a turn at which nothing is to pay."""
_SIZES: Final = (0.45, 0.9, 1.75, 4.0, 12.0)
"""Upper bounds of the bins of a bet as a part of the pot before it."""
BINS: Final = 2 + len(_SIZES)
STREETS: Final = 4
LEVELS: Final = (0.57, 0.68, 0.8)
"""Lower bounds of how good a range is, by the mean share of all hands that its hands beat: one told much by then."""

_PRIORS: Final = (
    (0.0, 0.65, 0.35),
    (0.35, 0.48, 0.17),
    (0.42, 0.45, 0.13),
    (0.47, 0.41, 0.12),
    (0.56, 0.35, 0.09),
    (0.68, 0.25, 0.07),
    (0.82, 0.13, 0.05),
)
"""Shares of folds, calls and raises of a stranger, by bin. They matter in the first dozens of hands only."""
_PRIOR_SIZE: Final = 0.75
"""A stranger's bet in pots."""
_PRIOR_PURITY: Final = 0.7
_POOL: Final = 5.0
_CONTEXT: Final = 3.0
"""Turns that the prior counts for in the figures over all streets, and those figures on one street and in one bin."""
_SHOWN: Final = 3.0
"""Weight of the prior of purity: about as much as a dozen shown hands."""


class Step(NamedTuple):
    """One action of a hand, and what it answered."""

    seat: int
    street: int
    bin: int
    """0 where nothing was to pay; before the flop 1 where nobody had raised; else by the bet's part of the pot"""
    kind: int
    size: float
    """of a bet or raise, as a part of the pot after a call; 0 for other actions"""


def bin_of(street: int, to_call: float, pot: float, *, opened: bool) -> int:
    """Return the bin of a price; `pot` is without it, `opened` whether more than the blinds has been bet."""
    if not to_call:
        return FREE
    if not street and not opened:
        return 1
    found = 1 + bisect_left(_SIZES, to_call / (pot or 1))
    return found if street or found > 1 else 2


class Walk:
    """Reads the actions of a hand from its public states, each action once."""

    def __init__(self, public: PublicState) -> None:
        setup = public.setup
        self.seen = 0
        self._front = list(setup.front)
        self._blinds = self._bet = max(setup.front, default=0)
        self._pot = sum(setup.forced)
        self.street = 0

    def advance(self, public: PublicState) -> list[Step]:
        """Return the actions since the last call."""
        entries, marks = public.entries, public.dealt.marks
        steps = []
        for place in range(self.seen, len(entries)):
            while self.street + 1 < len(marks) and place >= marks[self.street + 1]:
                self.street += 1
                self._front = [0] * len(self._front)
                self._bet = 0
            steps.append(self._step(entries[place]))
        self.seen = len(entries)
        return steps

    def _step(self, entry: int) -> Step:
        seat, kind, amount = log.seat_of(entry), log.kind_of(entry), log.amount_of(entry)
        owed, pot = self._bet - self._front[seat], self._pot
        street = min(self.street, STREETS - 1)
        place = bin_of(street, owed, pot - owed, opened=self._bet > self._blinds)
        paid, did, size = 0, STAYS, 0.0
        if kind == log.FOLDED:
            did = FOLDS
        elif kind == log.CALLED:
            paid = amount
        elif kind in (log.BET, log.RAISED):
            paid = amount - self._front[seat]
            # a call for less than all is logged as a call, so whatever is here goes above the bet
            did, size = RAISES, (amount - self._bet) / max(pot + owed, 1)
            self._bet = amount
        self._front[seat] += paid
        self._pot += paid
        return Step(seat, street, place, did, size)


class Opponent:
    """One opponent's figures. What was seen little is filled up from all streets, and that from the prior."""

    def __init__(self) -> None:
        self.hands = 0
        levels = len(LEVELS) + 1
        self._counts = [[0, 0, 0] for _ in range(STREETS * BINS * levels)]
        self._levels = [[0, 0, 0] for _ in range(2 * levels)]
        """over all streets, by how good his range was: turns at which nothing was to pay, and the others"""
        self._pools = [[0, 0, 0] for _ in range(2)]
        """the same over all levels"""
        self._sizes = [[0.0, 0] for _ in range(STREETS)]
        self._shown = [[0.0, 0.0] for _ in range(STREETS + 1)]
        """by street, and of all streets: how much better than his range were the hands that he bet or raised and showed,
        and how much better would they be if he went by them only"""

    def saw(self, step: Step, level: int) -> None:
        """Count one of his actions; `level` says how good his range was, see `LEVELS`."""
        faced = step.bin > 0
        self._counts[_place(step.street, step.bin, level)][step.kind] += 1
        self._levels[faced * (len(LEVELS) + 1) + level][step.kind] += 1
        self._pools[faced][step.kind] += 1
        if step.kind == RAISES:
            sizes = self._sizes[step.street]
            sizes[0] += min(step.size, 5.0)
            sizes[1] += 1

    def showed(self, step: Step, level: int, share: float) -> None:
        """Count that he bet or raised with a hand that beats `share` of the range he had then."""
        raises = self.reply(step.street, step.bin, level)[RAISES]
        for row in (self._shown[step.street], self._shown[STREETS]):
            row[0] += share - 0.5
            row[1] += (1 - raises) / 2

    def reply(self, street: int, place: int, level: int) -> tuple[float, float, float]:
        """Return the shares of folds, calls and raises on a street, by the bin of the price and the level of his range."""
        faced = place > 0
        found = _filled(self._pools[faced], _POOL, _PRIORS[place])
        found = _filled(self._levels[faced * (len(LEVELS) + 1) + level], _POOL, found)
        return _filled(self._counts[_place(street, place, level)], _CONTEXT, found)

    def size(self, street: int) -> float:
        """Return his mean bet on a street as a part of the pot."""
        total, number = self._sizes[street]
        return (total + 2 * _PRIOR_SIZE) / (number + 2)

    def purity(self, street: int) -> float:
        """Return how far his hands decide whether he bets: 0 any hands, 1 the best ones only."""
        better, expected = self._shown[STREETS]
        usual = (better + _SHOWN * _PRIOR_PURITY) / (expected + _SHOWN)
        better, expected = self._shown[street]
        found = (better + _SHOWN / 2 * usual) / (expected + _SHOWN / 2)
        return min(max(found, 0.0), 1.0)


def _place(street: int, place: int, level: int) -> int:
    return (street * BINS + place) * (len(LEVELS) + 1) + level


def _filled(
    counts: Sequence[int], weight: float, prior: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Return the shares of counts, filled up with `weight` turns of a prior."""
    total = sum(counts) + weight
    folds, raises = (
        (counts[FOLDS] + weight * prior[FOLDS]) / total,
        (counts[RAISES] + weight * prior[RAISES]) / total,
    )
    return folds, 1.0 - folds - raises, raises
