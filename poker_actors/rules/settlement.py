"""The end of a hand as functions of values: who shows, how pots are shared.

A showdown is a list of claims for every board. Side pot by side pot, board by board, claim by claim a pot
is halved until it comes to winners: runs of a board, double boards, high and low are all one thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from poker_actors.frozen import value
from poker_actors.rules.event import Awarded
from poker_actors.rules.pots import Pot, split_pot

__all__ = ["Boards", "Claim", "award_pots", "seats_that_show"]


@value
class Claim:
    """What one share of one board comes to: the strength of each live seat; higher wins.

    With a `qualifier` a strength of 0 claims nothing; when nobody claims a share, the others of its
    board have it.
    """

    name: str
    strengths: Mapping[int, int]
    qualifier: bool = False

    def winners(self, seats: Sequence[int]) -> list[int]:
        """Return the best of `seats`, in their order; none when nobody qualifies."""
        strengths = self.strengths
        best = max([strengths[seat] for seat in seats], default=0)
        if not best and self.qualifier:
            return []
        return [seat for seat in seats if strengths[seat] == best]


Boards: TypeAlias = Sequence[Sequence[Claim]]
"""The claims of each board, the high half first."""
Order: TypeAlias = Callable[[Sequence[int], int, Claim], Sequence[int]]
"""Winners, on which board and of which claim -> the same seats, who gets an odd chip first in front."""


def award_pots(
    pots: Sequence[Pot], rakes: Sequence[int], boards: Boards, first: Order
) -> Iterator[Iterator[Awarded]]:
    """Give, for each pot less its rake, who wins how much of it.

    Odd chips go to the first boards, then to the first claim of a board, which is the high half (TDA
    2024, rule 20), and among equals one each in the order of `first`.
    """
    for number, (pot, rake) in enumerate(zip(pots, rakes, strict=True)):
        yield _award(number, pot.amount - rake, pot.seats, boards, first)


def _award(number: int, amount: int, seats: Sequence[int], boards: Boards, first: Order) -> Iterator[Awarded]:
    for board, (_, part) in enumerate(split_pot(amount, range(len(boards)))):
        won = [(claim, winners) for claim in boards[board] if (winners := claim.winners(seats))]
        for place, chips in split_pot(part, range(len(won))):
            claim, winners = won[place]
            if chips % len(winners):
                winners = list(first(winners, board, claim))
            for seat, share in split_pot(chips, winners):
                if share:
                    yield Awarded(number, seat, share, board, claim.name)


def seats_that_show(order: Sequence[int], boards: Boards) -> tuple[int, ...]:
    """Return the seats that turn up their cards when nobody is all-in, in `order`, who shows first in front.

    A seat mucks when what it has seen beats it in every share it could win.
    """
    claims = [claim for board in boards for claim in board]
    best = [-1] * len(claims)
    showing = []
    for seat in order:
        shows = False
        for place, claim in enumerate(claims):
            strength = claim.strengths[seat]
            if strength >= best[place] and (strength or not claim.qualifier):
                best[place] = strength
                shows = True
        if shows:
            showing.append(seat)
    return tuple(showing)
