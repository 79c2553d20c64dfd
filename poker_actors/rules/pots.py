"""Main pot, side pots, and who gets the odd chip."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

__all__ = ["Pot", "layer_pots", "split_pot"]


@attrs.frozen
class Pot:
    """`amount` chips, and the seats that can win them."""

    amount: int
    seats: tuple[int, ...]


def layer_pots(put_in: Sequence[int], live: Sequence[int], dead: int = 0) -> list[Pot]:
    """Lay the chips each seat has put in into pots, the main pot first.

    A new layer begins only where a live seat is all-in for less than another, so folded chips
    never make a pot of their own. `dead` chips (a big blind ante) belong to the main pot.
    """
    levels = sorted({put_in[seat] for seat in live})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        amount = sum(min(chips, level) - min(chips, below) for chips in put_in)
        if level == levels[-1]:
            amount += sum(max(chips - level, 0) for chips in put_in)
        if level == levels[0]:
            amount += dead
        if amount:
            pots.append(Pot(amount, tuple(seat for seat in live if put_in[seat] >= level)))
        below = level
    return pots


def split_pot(amount: int, winners: Sequence[int]) -> list[tuple[int, int]]:
    """Share `amount` among `winners`, who are in order from the left of the button.

    Odd chips go one each to the first of them (TDA 2024, rule 20).
    """
    share, odd = divmod(amount, len(winners))
    return [(seat, share + 1 if place < odd else share) for place, seat in enumerate(winners)]
