"""Count hands without the luck of the cards: the sums for a regression over units, fold by fold."""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from random import Random
from typing import Final, TypeAlias

from poker_actors.bots import SeedTree
from poker_actors.rules import Hand
from poker_actors.sim.luck import TERMS, Luck, luck_of
from poker_actors.sim.statistics.moments import add_columns, empty_row
from poker_actors.sim.statistics.sums import Sums

__all__ = ["FOLDS", "VARIABLES", "Correcting", "LuckIn", "plain_luck"]

LuckIn: TypeAlias = Callable[[Hand, tuple[int, ...], Random], Luck]
"""Returns the luck of a finished hand between bots, given by seat; the generator draws the cards that might have come."""


def plain_luck(hand: Hand, _who: tuple[int, ...], rng: Random) -> Luck:
    """Return the luck that needs to know nothing of the bots."""
    return luck_of(hand, rng)


FOLDS: Final = 5
"""Each fifth of the units is corrected with coefficients fitted to the other four, so the mean is unbiased."""
VARIABLES: Final = 1 + len(TERMS)
"""Variables per bot: the worth of its unit, and the terms of luck."""


class Correcting:
    """Computes the luck of each hand, and adds up units by fold."""

    __slots__ = ("_luck", "_rows", "_size", "_tree", "_unit", "_values")

    def __init__(self, tree: SeedTree, size: int, unit: int, luck: LuckIn = plain_luck) -> None:
        self._luck = luck
        self._tree = tree
        self._size = size
        self._unit = unit
        self._values = [0] * (VARIABLES * size)
        self._rows: list[list[list[int]]] = [[] for _ in range(FOLDS)]

    def count(self, number: int, hand: Hand, who: tuple[int, ...]) -> None:
        """Count a finished hand; the possible cards are drawn from a generator that no bot draws from."""
        luck = self._luck(hand, who, self._tree.rng(number, self._size))
        values = self._values
        for seat, bot in enumerate(who):
            at = VARIABLES * bot
            values[at] += luck.worth[seat]
            values[at + 1 : at + VARIABLES] = map(add, values[at + 1 : at + VARIABLES], luck.terms[seat])
        if (number + 1) % self._unit == 0:
            self._rows[number // self._unit % FOLDS].append(values)
            self._values = [0] * len(values)

    def settle(self, sums: Sums, block: int) -> None:
        """Add the units since the last call, all of block `block`, to `sums`."""
        width = VARIABLES * self._size
        for fold, rows in enumerate(self._rows):
            if not rows:
                continue
            of_block = empty_row(width)
            add_columns(of_block, list(zip(*rows, strict=True)))
            known = sums.moments.get(fold)
            sums.moments[fold] = of_block if known is None else list(map(add, known, of_block))
            linear = of_block[: 1 + width]
            before = sums.corrections.get((block, fold))
            sums.corrections[block, fold] = linear if before is None else list(map(add, before, linear))
        self._rows = [[] for _ in range(FOLDS)]
