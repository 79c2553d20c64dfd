"""Divide the prize pool: shares by place, whole amounts that add up, prizes shared by ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.errors import BadSpec
from poker_actors.rules import whole_chips

__all__ = ["check_shares", "places_paid", "prizes", "shared", "shares_for"]

_TABLES: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (4, (100,)),
    (7, (65, 35)),
    (10, (50, 30, 20)),
    (20, (40, 25, 20, 15)),
)
"""(most entries, shares in percent) as usual in sit-and-gos of one or two tables."""

_PAID_OF: Final = 7
"""In larger fields one entry in seven is paid, as in most online tournaments."""
_SHAPE: Final = 0.85
"""Shares in large fields go with place ** -0.85: with a hundred entries the first place gets 20 to 25 %."""
_PARTS: Final = 1_000_000
"""The share of the first place before scaling, so that shares are integers; fine enough for 10,000 entries."""


def check_shares(shares: Sequence[int]) -> None:
    """Raise `BadSpec` unless shares are whole, above 0 and never increasing."""
    for place, share in enumerate(shares, start=1):
        whole_chips(f"the share of place {place}", share, least=1)
        if place > 1 and share > shares[place - 2]:
            raise BadSpec(f"place {place} gets {share}, above the {shares[place - 2]} of the place before it")


def places_paid(entries: int) -> int:
    """Return the usual number of places paid."""
    for most, shares in _TABLES:
        if entries <= most:
            return min(len(shares), max(entries, 1))
    return max(-(-entries // _PAID_OF), len(_TABLES[-1][1]))


def shares_for(entries: int) -> tuple[int, ...]:
    """Return the usual shares for a number of entries, from the first place on.

    >>> shares_for(9)
    (50, 30, 20)
    """
    for most, shares in _TABLES:
        if entries <= most:
            return shares[: max(entries, 1)]
    return tuple(round(_PARTS * place**-_SHAPE) for place in range(1, places_paid(entries) + 1))


def prizes(pool: int, shares: Sequence[int], unit: int = 1) -> tuple[int, ...]:
    """Divide a prize pool into whole amounts, from the first place on, that sum to the pool.

    Every prize is its share rounded down to a multiple of `unit`; the rest goes to the first place. In a
    small pool the last places may get nothing. Raises `BadSpec` for no shares or increasing ones.

    >>> prizes(1000, (50, 30, 20))
    (500, 300, 200)
    >>> prizes(100, (65, 35), unit=10)
    (70, 30)
    """
    whole_chips("the prize pool", pool)
    check_shares(shares)
    if not shares:
        raise BadSpec("no place is paid: a prize pool needs at least one share")
    total = sum(shares)
    rest = [pool * share // total // unit * unit for share in shares[1:]]
    return (pool - sum(rest), *rest)


def shared(amounts: Sequence[int], among: int) -> tuple[int, ...]:
    """Divide the prizes of places shared by `among` players: equal parts, odd units to the first ones.

    >>> shared((50, 25), 2)
    (38, 37)
    """
    each, odd = divmod(sum(amounts), among)
    return tuple(each + (number < odd) for number in range(among))
