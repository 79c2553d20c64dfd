"""An opponent's record so far: how often they bet, fold, call and raise, how much, and with which hands."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Final, TypeAlias

from poker_actors.bots.figures import BINS, FOLDS, RAISES, STREETS, Figures, Step, turn_of

Shares: TypeAlias = tuple[float, float, float]

LEVELS: Final = (0.57, 0.68, 0.8)
"""Lower bounds of how good a range is: the mean share of all hands that its hands beat."""

_PRIORS: Final = (
    (0.0, 0.65, 0.35),
    (0.35, 0.48, 0.17),
    (0.42, 0.45, 0.13),
    (0.47, 0.41, 0.12),
    (0.56, 0.35, 0.09),
    (0.68, 0.25, 0.07),
    (0.82, 0.13, 0.05),
)
"""A stranger's shares of folds, calls and raises, by bin. They matter only in the first few dozen hands."""
_PRIOR_SIZE: Final = 0.75
"""A stranger's mean bet, in pots."""
_PRIOR_PURITY: Final = 0.7
_POOL: Final = 5.0
_CONTEXT: Final = 3.0
"""Turns that priors count for: the stranger's in the figures over all streets, and those in one street's bin."""
_SHOWN: Final = 3.0
"""Weight of the prior of purity: about as much as a dozen shown hands."""

_NO: Final = None
_USUAL: Final[tuple[tuple[Shares | None, ...], ...]] = (
    # three seats and more
    (
        *(
            _NO,
            (0.337, 0.0, 0.663),
            (0.616, 0.193, 0.191),
            (0.802, 0.1, 0.098),
            (0.614, 0.188, 0.198),
            _NO,
            _NO,
        ),
        *((0.0, 0.73, 0.27), (0.364, 0.585, 0.051), (0.341, 0.499, 0.16), (0.509, 0.37, 0.121)),
        *((0.737, 0.178, 0.085), (0.905, 0.079, 0.016), _NO),
        *((0.0, 0.739, 0.261), (0.388, 0.553, 0.059), (0.431, 0.454, 0.116), (0.615, 0.32, 0.064)),
        *((0.826, 0.151, 0.023), _NO, _NO),
        *((0.0, 0.71, 0.289), _NO, (0.492, 0.366, 0.142), (0.602, 0.336, 0.062)),
        *((0.787, 0.2, 0.013), (0.837, 0.158, 0.005), (0.845, 0.147, 0.008)),
    ),
    # heads-up
    (
        *((0.0, 0.738, 0.262), (0.124, 0.311, 0.565), (0.212, 0.57, 0.218), (0.395, 0.436, 0.169)),
        *((0.598, 0.249, 0.153), (0.532, 0.466, 0.002), (0.834, 0.166, 0.0)),
        *((0.0, 0.788, 0.212), _NO, (0.399, 0.516, 0.085), (0.536, 0.39, 0.074)),
        *((0.765, 0.203, 0.031), _NO, (0.945, 0.054, 0.0)),
        *((0.0, 0.797, 0.203), _NO, (0.391, 0.534, 0.075), (0.555, 0.386, 0.059)),
        *((0.792, 0.193, 0.016), _NO, (0.943, 0.054, 0.003)),
        *((0.0, 0.693, 0.307), _NO, (0.457, 0.448, 0.096), (0.551, 0.367, 0.082)),
        *((0.75, 0.203, 0.047), (0.862, 0.132, 0.005), (0.962, 0.037, 0.0)),
    ),
)
"""How often `expert` folds, checks or calls, and raises against itself, by turn (`turn_of`), for turns that occurred 30
times or more. Heads-up from 36,000 hands with 40 to 200 big blinds, else from 27,000 at 3, 4, 6 and 9 seats with 100
and 200."""
_LEAST: Final = 0.001
"""The least share assumed for an action that `expert` hardly ever takes: it must not count as impossible."""
_TOLERATED: Final = 0.15
"""How far an action may be from `_USUAL` on average, as relative entropy in nats.

`expert` itself is 0.12 away before the flop with other stacks, and 0.16 after it with 15 big blinds."""
_SURE: Final = 7.0
"""A deviation is believed if chance alone would cause it once in e to the power of this."""


def deviates(figures: Figures, *, heads_up: bool) -> bool:
    """Return whether somebody surely plays unlike `expert`, on the first street or after it.

    Twice the relative entropy of the counts follows chi-squared if nobody deviates; the bound of its tail is that of Laurent
    and Massart (2000), lemma 1.
    """
    usual = _USUAL[heads_up]
    for turns in (range(BINS), range(BINS, len(usual))):
        found = free = number = 0.0
        for turn in turns:
            expected, counts = usual[turn], figures.turns[turn]
            total = sum(counts)
            if expected is None or not total:
                continue
            number += total
            free += len(counts) - 1 - (not expected[FOLDS])
            for count, share in zip(counts, expected, strict=True):
                if count:
                    found += 2 * count * log(count / total / max(share, _LEAST))
        if found > 2 * _TOLERATED * number + free + 2 * sqrt(_SURE * free) + 2 * _SURE:
            return True
    return False


class Opponent:
    """One opponent's figures. Rare situations borrow from the figures over all streets, and these from the prior."""

    def __init__(self) -> None:
        levels = len(LEVELS) + 1
        self._counts = [[0, 0, 0] for _ in range(STREETS * BINS * levels)]
        self._levels = [[0, 0, 0] for _ in range(2 * levels)]
        """over all streets, by how good the range was: turns with nothing to call, and the others"""
        self._pools = [[0, 0, 0] for _ in range(2)]
        """the same over all levels"""
        self._sizes = [[0.0, 0] for _ in range(STREETS)]
        self._shown = [[0.0, 0.0] for _ in range(STREETS + 1)]
        """by street, and of all streets: how much better than the range the hands bet or raised and shown were,
        and how much better they would be if only they decided"""

    def saw(self, step: Step, level: int) -> None:
        """Count one of the player's actions; `level` says how good the range was, see `LEVELS`."""
        faced = step.bin > 0
        self._counts[_place(step.street, step.bin, level)][step.kind] += 1
        self._levels[faced * (len(LEVELS) + 1) + level][step.kind] += 1
        self._pools[faced][step.kind] += 1
        if step.kind == RAISES:
            sizes = self._sizes[step.street]
            sizes[0] += min(step.size, 5.0)
            sizes[1] += 1

    def showed(self, step: Step, level: int, share: float) -> None:
        """Count a bet or raise with a hand that beats `share` of the player's range at the time."""
        raises = self.reply(step.street, step.bin, level)[RAISES]
        for row in (self._shown[step.street], self._shown[STREETS]):
            row[0] += share - 0.5
            row[1] += (1 - raises) / 2

    def reply(self, street: int, place: int, level: int) -> tuple[float, float, float]:
        """Return the shares of folds, calls and raises on a street, by the bin of the price and the level of the range."""
        faced = place > 0
        found = _filled(self._pools[faced], _POOL, _PRIORS[place])
        found = _filled(self._levels[faced * (len(LEVELS) + 1) + level], _POOL, found)
        return _filled(self._counts[_place(street, place, level)], _CONTEXT, found)

    def size(self, street: int) -> float:
        """Return the player's mean bet on a street as a part of the pot."""
        total, number = self._sizes[street]
        return (total + 2 * _PRIOR_SIZE) / (number + 2)

    def purity(self, street: int) -> float:
        """Return how much the cards decide about bets: 0 if any hand bets, 1 if only the best do."""
        better, expected = self._shown[STREETS]
        usual = (better + _SHOWN * _PRIOR_PURITY) / (expected + _SHOWN)
        better, expected = self._shown[street]
        found = (better + _SHOWN / 2 * usual) / (expected + _SHOWN / 2)
        return min(max(found, 0.0), 1.0)


def _place(street: int, place: int, level: int) -> int:
    return turn_of(street, place) * (len(LEVELS) + 1) + level


def _filled(
    counts: Sequence[int], weight: float, prior: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Return the shares of counts, to which `weight` turns of a prior are added."""
    total = sum(counts) + weight
    folds, raises = (
        (counts[FOLDS] + weight * prior[FOLDS]) / total,
        (counts[RAISES] + weight * prior[RAISES]) / total,
    )
    return folds, 1.0 - folds - raises, raises
