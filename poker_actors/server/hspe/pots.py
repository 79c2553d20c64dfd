"""HSPE's pots: chronological, at least one for each betting round, further ones where somebody is all-in."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.rules import Pot, PublicState

__all__ = ["round_pots"]

_SEAT = 15
_KIND = 112
_FOLDED = 0
_CHECKED = 16
_CALLED = 32


def round_pots(public: PublicState) -> list[Pot]:
    """Give the pots of a hand, the earliest first; `Pot.seats` are who has bet into it.

    A round nobody has bet in yet has an empty pot of those still in the hand. Their sum is
    `public.pot`; a hand that is over has none, they are paid.
    """
    if public.over:
        return []
    setup = public.setup
    size = len(setup.stacks)
    live = [seat for seat in range(size) if setup.stacks[seat]]
    behind = list(setup.stacks)
    marks = [*public.dealt.marks[: public.dealt.street + 1], public.seq]
    pots: list[Pot] = []
    for street, start in enumerate(marks[:-1]):
        front = _blinds(public) if street == 0 else [0] * size
        sharing = list(live)
        _play(public.dealt.log[start : marks[street + 1]], front, live)
        behind = [chips - bet for chips, bet in zip(behind, front, strict=True)]
        all_in = [seat for seat in live if not behind[seat] and front[seat]]
        pots += _layers(front, all_in) or [Pot(0, tuple(sharing))]
    return pots


def _blinds(public: PublicState) -> list[int]:
    setup = public.setup
    front = [0] * len(setup.stacks)
    blinds = ((setup.small_blind, setup.stakes.small_blind), (setup.big_blind, setup.stakes.big_blind))
    for seat, blind in blinds:
        if seat is not None:
            front[seat] = min(blind, setup.stacks[seat])
    return front


def _play(log: Sequence[int], front: list[int], live: list[int]) -> None:
    """Put the chips of a round's actions in front of their seats, and take who folds out."""
    for entry in log:
        seat, kind, amount = entry & _SEAT, entry & _KIND, entry >> 7
        if kind == _FOLDED:
            live.remove(seat)
        elif kind == _CALLED:
            front[seat] += amount
        elif kind != _CHECKED:
            front[seat] = amount


def _layers(front: Sequence[int], all_in: Sequence[int]) -> list[Pot]:
    """Lay a round's chips into pots, a new one above each seat that has no more to bet."""
    pots = []
    below = 0
    for level in sorted({*(front[seat] for seat in all_in), max(front)}):
        seats = tuple(seat for seat, chips in enumerate(front) if chips > below)
        amount = sum(min(front[seat], level) - below for seat in seats)
        if amount:
            pots.append(Pot(amount, seats))
        below = level
    return pots
