"""Main pot, side pots, and who gets the odd chip."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from poker_actors.frozen import value

__all__ = ["Pot", "layer_pots", "split_pot"]


@value
class Pot:
    """A pot of `amount` chips, and the seats that can win it."""

    amount: int
    seats: tuple[int, ...]


def layer_pots(
    put_in: Sequence[int], live: Sequence[int], all_in: Collection[int], dead: int = 0
) -> list[Pot]:
    """Divide the chips that each seat has put in into pots, the main pot first.

    A side pot begins only where a live seat is `all_in` for less than another has put in. So neither folded
    chips nor bets still to be called make a pot of their own. `dead` chips (a big blind ante) go to the main pot.
    """
    pots: list[Pot] = []
    below = 0
    seats = tuple(live)
    for level in sorted({put_in[seat] for seat in all_in}):
        amount = sum([min(chips, level) - min(chips, below) for chips in put_in])
        if amount:
            pots.append(Pot(amount, seats))
        seats = tuple([seat for seat in seats if seat not in all_in or put_in[seat] > level])
        below = level
    amount = sum([chips - below for chips in put_in if chips > below])
    if amount and seats:
        pots.append(Pot(amount, seats))
    elif amount:  # chips of folded seats, beyond what any all-in seat has put in
        pots[-1] = Pot(pots[-1].amount + amount, pots[-1].seats)
    if dead:
        pots[:1] = [Pot(dead + pots[0].amount, pots[0].seats)] if pots else [Pot(dead, tuple(live))]
    return pots


def split_pot(amount: int, winners: Sequence[int]) -> list[tuple[int, int]]:
    """Split `amount` among `winners`, in order from the left of the button; return seats and chips.

    Odd chips go one each to the first of them (TDA 2024, rule 20).
    """
    share, odd = divmod(amount, len(winners))
    return [(seat, share + 1 if place < odd else share) for place, seat in enumerate(winners)]
