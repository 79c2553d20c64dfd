"""The independent chip model (ICM): the worth of stacks in prize money, after Malmuth and Harville.

A player's probability to win is its share of the chips; second place goes the same way among the rest,
and so on (Harville, "Assigning probabilities to the outcomes of multi-entry competitions", 1973; Malmuth,
"Gambling Theory and Other Topics", 1987).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import whole_chips

EXACT: Final = 15
"""The most players for which `icm` is exact: 2 ** 15 sets of players."""

_MOST_EXACT: Final = 20
"""The most players `icm_exact` takes: 20 * 2**20 steps, some twenty million, doubled by each further player."""


@attrs.frozen
class IcmEstimate:
    """The worth of each stack in money; `errors` are standard errors, 0 for exact values."""

    values: tuple[float, ...]
    errors: tuple[float, ...]
    samples: int
    """finishing orders drawn; 0 if exact"""

    @property
    def exact(self) -> bool:
        """Whether the values are exact, not sampled."""
        return self.samples == 0


def icm(stacks: Sequence[int], prizes: Sequence[int], *, samples: int = 20_000, seed: int = 0) -> IcmEstimate:
    """Return the worth of each stack, given `prizes` from the first place on.

    It is exact up to 15 players with chips, else estimated from `samples` finishing orders drawn from
    `seed`. Players without chips share the prizes of the last places. Raises `BadSpec` for amounts that
    are negative or not whole, and if nobody has chips.

    >>> [round(value, 2) for value in icm((5000, 3000, 2000), (50, 30, 20)).values]
    [38.39, 32.75, 28.86]
    """
    _check(stacks, prizes)
    with_chips = [place for place, stack in enumerate(stacks) if stack]
    if len(with_chips) > EXACT:
        return icm_sampled(stacks, prizes, samples=samples, seed=seed)
    values = icm_exact([stacks[number] for number in with_chips], prizes)
    return IcmEstimate(_with_the_broke(stacks, prizes, values), (0.0,) * len(stacks), 0)


def _check(stacks: Sequence[int], prizes: Sequence[int]) -> None:
    for number, stack in enumerate(stacks):
        whole_chips(f"stack {number}", stack)
    for place, prize in enumerate(prizes, start=1):
        whole_chips(f"the prize of place {place}", prize)
    if not any(stacks):
        raise BadSpec("nobody has chips: there are no stacks to value")


def icm_exact(stacks: Sequence[int], prizes: Sequence[int]) -> tuple[float, ...]:
    """Compute exact values over sets instead of orders: n * 2 ** n steps for n players, all with chips.

    `layer` maps each set of players, as bits, to the probability that they took the first places, in any
    order, and to the chips of the others, of whom the next place is drawn by stack. Raises `BadSpec` for
    more than 20 players.
    """
    size = len(stacks)
    if size > _MOST_EXACT:
        raise BadSpec(f"{size} players are counted in 2 ** {size} sets: the maximum is {_MOST_EXACT}")
    paid = min(len(prizes), size)
    total = sum(stacks)
    values = [0.0] * size
    layer = {0: (1.0, total)}
    for place in range(paid):
        prize = prizes[place]
        following: dict[int, tuple[float, int]] = {}
        for players, (probability, left) in layer.items():
            share = probability / left
            for number in range(size):
                bit = 1 << number
                if players & bit:
                    continue
                stack = stacks[number]
                taken = share * stack
                values[number] += taken * prize
                before = following.get(players | bit)
                following[players | bit] = (
                    (taken, left - stack) if before is None else (before[0] + taken, before[1])
                )
        layer = following
    return tuple(values)


def icm_sampled(
    stacks: Sequence[int], prizes: Sequence[int], *, samples: int = 20_000, seed: int = 0
) -> IcmEstimate:
    """Estimate values from random finishing orders, for any number of players, with standard errors.

    Independent exponential waiting times with the stacks as rates are ordered as in the model. Each draw
    is used twice, the second time mirrored (antithetic variates), which lowers the error.
    """
    _check(stacks, prizes)
    whole_chips("samples", samples, least=4)
    values, errors = _drawn([stack for stack in stacks if stack], prizes, samples // 2, Random(seed))
    spread = iter(errors)
    return IcmEstimate(
        _with_the_broke(stacks, prizes, values),
        tuple(next(spread) if stack else 0.0 for stack in stacks),
        samples // 2 * 2,
    )


def _drawn(
    stacks: Sequence[int], prizes: Sequence[int], pairs: int, luck: Random
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    size = len(stacks)
    paid = prizes[:size]
    rates = [1.0 / stack for stack in stacks]
    sums, squares = [0.0] * size, [0.0] * size
    numbers = range(size)
    for _ in range(pairs):
        uniform = [1.0 - luck.random() for _ in numbers]
        won = [0.0] * size
        # `or 1.0`: 0 has no logarithm
        for draw in (uniform, [1.0 - value or 1.0 for value in uniform]):
            waits = [-log(value) * rate for value, rate in zip(draw, rates, strict=True)]
            for prize, number in zip(paid, sorted(numbers, key=waits.__getitem__), strict=False):
                won[number] += prize / 2
        for number, amount in enumerate(won):
            sums[number] += amount
            squares[number] += amount * amount
    means = tuple(total / pairs for total in sums)
    spread = [
        max(square - pairs * mean * mean, 0.0) / (pairs - 1)
        for square, mean in zip(squares, means, strict=True)
    ]
    return means, tuple(sqrt(variance / pairs) for variance in spread)


def _with_the_broke(
    stacks: Sequence[int], prizes: Sequence[int], values: Sequence[float]
) -> tuple[float, ...]:
    """Return values for all players: `values` for those with chips, an equal share of the last prizes for others."""
    broke = len(stacks) - len(values)
    left = sum(prizes[len(values) : len(stacks)]) / broke if broke else 0.0
    following = iter(values)
    return tuple(next(following) if stack else left for stack in stacks)
