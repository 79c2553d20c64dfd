"""How the CPU bets and calls: a set of tables per level of difficulty, and how to read their chances."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from random import Random
from typing import Final

import attrs


class Standing(enum.Enum):
    """How the CPU's score compares with the player's, known or imagined."""

    BEHIND = "the player's is higher"
    LEVEL = "equal, and not 0"
    AHEAD = "the CPU's is higher, or both are 0"

    @classmethod
    def of(cls, cpu: int, player: int) -> Standing:
        """Compare two scores; two worthless hands count as ahead, as in the printed program."""
        if player > cpu:
            return cls.BEHIND
        return cls.LEVEL if player == cpu and player != 0 else cls.AHEAD


@attrs.frozen
class Luck:
    """How chances are read and numbers drawn.

    `inclusive` draws include their upper end, as the article's generator most likely does; `commented` uses the
    percentage in the comment beside a chance instead of the coded numbers.
    """

    inclusive: bool = True
    commented: bool = False

    def draw(self, rng: Random, limit: int) -> int:
        """Draw from 0 to `limit`, exclusive unless `inclusive`; 0 if the range is empty."""
        return rng.randint(0, limit) if self.inclusive else rng.randrange(max(1, limit))

    def probability(self, chance: Chance) -> float:
        """Return the probability of a chance, 0 to 1."""
        if self.commented:
            return chance.percent / 100
        return min(1.0, chance.below / (chance.limit + self.inclusive))


@attrs.frozen
class Chance:
    """A draw from 0 to `limit` that hits when below `below`; `percent` is the article's comment."""

    below: int
    percent: int
    limit: int = 10

    def hits(self, rng: Random, luck: Luck) -> bool:
        """Draw, and return whether it hits."""
        if luck.commented:
            return rng.randrange(100) < self.percent
        return luck.draw(rng, self.limit) < self.below


@attrs.frozen
class BetRow:
    """A chance to bet, and how much: a random amount from 0 to the smaller stack // `divisor`."""

    chance: Chance
    divisor: int

    def bet(self, money: int, rng: Random, luck: Luck) -> int:
        """Draw a bet in chips, 0 to check; `money` is the smaller of the two stacks."""
        return luck.draw(rng, money // self.divisor) if self.chance.hits(rng, luck) else 0


@attrs.frozen
class Tables:
    """One level of difficulty.

    `poorer` applies to betting with fewer credits than the player, `richer` with as many or more; `early` and `last`
    are the chances of a call before and after the last card.
    """

    poorer: Mapping[Standing, BetRow]
    richer: Mapping[Standing, BetRow]
    early: Mapping[Standing, Chance]
    last: Mapping[Standing, Chance]


BEHIND, LEVEL, AHEAD = Standing

NORMAL: Final = Tables(
    poorer={
        BEHIND: BetRow(Chance(3, 30), 8),
        LEVEL: BetRow(Chance(3, 30), 6),
        AHEAD: BetRow(Chance(5, 50), 4),
    },
    richer={
        BEHIND: BetRow(Chance(4, 40), 8),
        LEVEL: BetRow(Chance(5, 50), 6),
        AHEAD: BetRow(Chance(7, 70), 4),
    },
    early={BEHIND: Chance(3, 40), LEVEL: Chance(5, 50), AHEAD: Chance(7, 80, limit=7)},
    last={BEHIND: Chance(3, 40), LEVEL: Chance(7, 70), AHEAD: Chance(7, 70)},
)
"""The article's tables. Where its comment says 40 %, its code draws below 3: both are kept as printed."""

EASY: Final = Tables(
    poorer={
        BEHIND: BetRow(Chance(4, 40), 8),
        LEVEL: BetRow(Chance(3, 30), 8),
        AHEAD: BetRow(Chance(3, 30), 8),
    },
    richer={
        BEHIND: BetRow(Chance(5, 50), 6),
        LEVEL: BetRow(Chance(4, 40), 8),
        AHEAD: BetRow(Chance(4, 40), 8),
    },
    early={BEHIND: Chance(7, 65), LEVEL: Chance(7, 65), AHEAD: Chance(7, 65)},
    last={BEHIND: Chance(6, 55), LEVEL: Chance(6, 55), AHEAD: Chance(6, 55)},
)
"""Calls too often when behind, folds good hands, and bets little when ahead."""

HARD: Final = Tables(
    poorer={
        BEHIND: BetRow(Chance(2, 20), 4),
        LEVEL: BetRow(Chance(4, 40), 4),
        AHEAD: BetRow(Chance(8, 75), 2),
    },
    richer={
        BEHIND: BetRow(Chance(3, 30), 3),
        LEVEL: BetRow(Chance(5, 50), 3),
        AHEAD: BetRow(Chance(9, 85), 2),
    },
    early={BEHIND: Chance(2, 20), LEVEL: Chance(8, 75), AHEAD: Chance(10, 95)},
    last={BEHIND: Chance(1, 10), LEVEL: Chance(9, 85), AHEAD: Chance(11, 100)},
)
"""Bets up to half the smaller stack when ahead and seldom calls when behind.

`Chance(11, 100)` always hits: draws reach 10 at most.
"""

LEVELS: Final[Mapping[str, Tables]] = {"easy": EASY, "normal": NORMAL, "hard": HARD}
"""The levels by name."""
