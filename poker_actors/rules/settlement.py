"""The end of a hand as pure functions: who shows, the main and side pots, and how each is shared.

A showdown has a list of claims for every board. Each pot is divided among boards, then among a board's claims,
then among the winners of a claim. So boards run again, double boards, and high and low all work alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from poker_actors.frozen import value
from poker_actors.rules.event import Awarded


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
    chips nor bets still to be called make a pot of their own. `dead` chips (a big blind ante) go to the main pot,
    and a seat whose whole stack went into them competes for nothing else (Card Player, 9 October 2019).
    """
    pots: list[Pot] = []
    below = 0
    seats = tuple(live)
    for level in sorted({put_in[seat] for seat in all_in}):
        amount = dead + sum([min(chips, level) - min(chips, below) for chips in put_in])
        dead = 0
        if amount:
            pots.append(Pot(amount, seats))
        seats = tuple([seat for seat in seats if seat not in all_in or put_in[seat] > level])
        below = level
    amount = dead + sum([chips - below for chips in put_in if chips > below])
    if amount and seats:
        pots.append(Pot(amount, seats))
    elif amount:  # chips of folded seats, beyond what any all-in seat has put in
        pots[-1] = Pot(pots[-1].amount + amount, pots[-1].seats)
    return pots


def split_pot(amount: int, winners: Sequence[int]) -> list[tuple[int, int]]:
    """Split `amount` among `winners`, in order from the left of the button; return seats and chips.

    Odd chips go one each to the first of them (TDA 2024, rule 20).
    """
    share, odd = divmod(amount, len(winners))
    return [(seat, share + 1 if place < odd else share) for place, seat in enumerate(winners)]
