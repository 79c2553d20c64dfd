"""The end of a hand as pure functions: who shows, and how pots are shared.

A showdown has a list of claims for every board. Each pot is divided among boards, then among a board's claims,
then among the winners of a claim. So boards run again, double boards, and high and low all work alike.
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
    """One share of a board: the strength of each live seat; the highest wins.

    With a `qualifier`, a strength of 0 does not qualify. If nobody qualifies, the share goes to the other claims
    of its board.
    """

    name: str
    strengths: Mapping[int, int]
    qualifier: bool = False

    def winners(self, seats: Sequence[int]) -> list[int]:
        """Return the best of `seats`, in their order; empty if nobody qualifies."""
        strengths = self.strengths
        best = max([strengths[seat] for seat in seats], default=0)
        if not best and self.qualifier:
            return []
        return [seat for seat in seats if strengths[seat] == best]


Boards: TypeAlias = Sequence[Sequence[Claim]]
"""The claims of each board, the high half first."""
Order: TypeAlias = Callable[[Sequence[int], int, Claim], Sequence[int]]
"""Winners, number of the board, claim -> the same seats, in the order in which they get odd chips."""


def award_pots(
    pots: Sequence[Pot], rakes: Sequence[int], boards: Boards, first: Order
) -> Iterator[Iterator[Awarded]]:
    """Yield, for each pot less its rake, who wins how much of it.

    Odd chips go to the first boards, then to a board's first claim, the high half (TDA 2024, rule 20), and among
    tied seats one each in the order of `first`.
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
    """Return the seats that show their cards if nobody is all-in; `order` is the order of showing.

    A seat mucks if cards shown before beat it in every share it could win.
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
