"""What was put in by whom: HSPE's pots, one or more for each betting round, and a dealer's; and each seat's last words."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.rules import Pot, PublicState

__all__ = ["last_words", "put_in", "round_pots", "side_pots", "won"]

_SEAT = 15
_KIND = 112
_FOLDED = 0
_CHECKED = 16
_CALLED = 32
_BET = 48
_ALL_IN = " all-in"


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


def put_in(public: PublicState) -> list[int]:
    """Give what each seat has put into the hand, the uncalled part of a bet included; also once it is over."""
    size = len(public.setup.stacks)
    total = [0] * size
    live = list(range(size))
    marks = [*public.dealt.marks[: public.dealt.street + 1], public.seq]
    for street, start in enumerate(marks[:-1]):
        front = _blinds(public) if street == 0 else [0] * size
        _play(public.dealt.log[start : marks[street + 1]], front, live)
        total = [chips + bet for chips, bet in zip(total, front, strict=True)]
    return total


def side_pots(public: PublicState) -> list[Pot]:
    """Give main pot and side pots as a dealer has them in the middle; `Pot.seats` are who can win them."""
    if public.over:
        return []
    live = public.seats_live
    all_in = [seat for seat in live if not public.chips_behind[seat]]
    pots: list[Pot] = []
    for pot in _layers(put_in(public), all_in):
        seats = tuple(seat for seat in pot.seats if seat in live)
        if pots and seats in (pots[-1].seats, ()):
            pots[-1] = Pot(pots[-1].amount + pot.amount, pots[-1].seats)
        else:
            pots.append(Pot(pot.amount, seats))
    return pots


def won(public: PublicState) -> dict[int, int]:
    """Give who has won how much out of the pots of a hand that is over; a bet nobody called is no gain."""
    if not public.over:
        return {}
    paid = put_in(public)
    gains = {}
    for seat in public.seats_live:
        most = max([chips for other, chips in enumerate(paid) if other != seat], default=0)
        back = public.chips_behind[seat] - (public.setup.stacks[seat] - paid[seat])
        gains[seat] = back - max(0, paid[seat] - most)
    return {seat: gain for seat, gain in gains.items() if gain > 0}


def last_words(public: PublicState) -> dict[int, str]:
    """Give what seats did last on this street, `call 20`; a fold and an all-in stay said on later ones."""
    said: dict[int, str] = {}
    paid = [0] * len(public.setup.stacks)
    marks = [*public.dealt.marks[: public.dealt.street + 1], public.seq]
    for street, start in enumerate(marks[:-1]):
        if start < public.seq or not public.over:  # the streets of a run-out have no words
            said = {seat: word for seat, word in said.items() if word == "fold" or word.endswith(_ALL_IN)}
        front = _blinds(public) if street == 0 else [0] * len(paid)
        for entry in public.dealt.log[start : marks[street + 1]]:
            seat = entry & _SEAT
            word, front[seat] = _said(entry, front[seat])
            everything = word != "fold" and paid[seat] + front[seat] == public.setup.stacks[seat]
            said[seat] = word + _ALL_IN if everything else word
        paid = [chips + bet for chips, bet in zip(paid, front, strict=True)]
    return said


def _said(entry: int, front: int) -> tuple[str, int]:
    """Give an action in words, and the chips in front after it."""
    kind, amount = entry & _KIND, entry >> 7
    if kind == _FOLDED:
        return "fold", front
    if kind == _CHECKED:
        return "check", front
    if kind == _CALLED:
        return f"call {amount}", front + amount
    return (f"bet {amount}" if kind == _BET else f"raise_to {amount}"), amount


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
