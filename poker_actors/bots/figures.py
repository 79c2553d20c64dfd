"""Figures of players, as on a tracker's display (HUD), counted from the ends of hands that a bot hears."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import attrs

from poker_actors.bots.hearing import HandEnd
from poker_actors.rules import PublicState, log

FOLDS, STAYS, RAISES = range(3)
"""Kinds of action at a turn: fold; check or call; bet or raise."""
FREE: Final = 0
"""The bin of a turn with nothing to pay."""
_SIZES: Final = (0.45, 0.9, 1.75, 4.0, 12.0)
"""Upper bounds of the bins of a bet as a part of the pot before it."""
BINS: Final = 2 + len(_SIZES)
STREETS: Final = 4
"""Number of streets counted apart; a game with more counts the last ones together."""


class Step(NamedTuple):
    """One action of a hand, and the bet it faced."""

    seat: int
    street: int
    bin: int
    """0 with nothing to pay; before the flop, 1 if nobody had raised; otherwise by the bet as a part of the pot"""
    kind: int
    size: float
    """size of a bet or raise as a part of the pot after a call; 0 for other actions"""


def turn_of(street: int, place: int) -> int:
    """Return the number of a turn on a street, with a price in the bin `place`."""
    return street * BINS + place


def bin_of(street: int, to_call: float, pot: float, *, opened: bool) -> int:
    """Return the bin of a price; `pot` is without it, `opened` whether more than the blinds has been bet."""
    if not to_call:
        return FREE
    if not street and not opened:
        return 1
    found = 1 + bisect_left(_SIZES, to_call / (pot or 1))
    return found if street or found > 1 else 2


class Walk:
    """Reads the actions of a hand from its public states, each action once."""

    def __init__(self, public: PublicState) -> None:
        setup = public.setup
        self.seen = 0
        self._front = list(setup.front)
        self._blinds = self._bet = max(setup.front, default=0)
        self._pot = sum(setup.forced)
        self.street = 0

    def advance(self, public: PublicState) -> list[Step]:
        """Return the actions since the last call."""
        entries, marks = public.entries, public.dealt.marks
        steps = []
        for place in range(self.seen, len(entries)):
            while self.street + 1 < len(marks) and place >= marks[self.street + 1]:
                self.street += 1
                self._front = [0] * len(self._front)
                self._bet = 0
            steps.append(self._step(entries[place]))
        self.seen = len(entries)
        return steps

    def _step(self, entry: int) -> Step:
        seat, kind, amount = log.seat_of(entry), log.kind_of(entry), log.amount_of(entry)
        owed, pot = self._bet - self._front[seat], self._pot
        street = min(self.street, STREETS - 1)
        place = bin_of(street, owed, pot - owed, opened=self._bet > self._blinds)
        paid, did, size = 0, STAYS, 0.0
        if kind == log.FOLDED:
            did = FOLDS
        elif kind == log.CALLED:
            paid = amount
        elif kind == log.BROUGHT_IN:
            paid = self._bet = amount
        elif kind in (log.BET, log.RAISED):
            paid = amount - self._front[seat]
            # a call for less than all is logged as a call, so whatever is here goes above the bet
            did, size = RAISES, (amount - self._bet) / max(pot + owed, 1)
            self._bet = amount
        self._front[seat] += paid
        self._pot += paid
        return Step(seat, street, place, did, size)


@attrs.define
class Figures:
    """One player's figures in the hands heard; the counts mean the same as in a simulation's result."""

    hands: int = 0
    vpip: int = 0
    """hands with a call or raise on the first street"""
    pfr: int = 0
    """hands raised there"""
    three_bet_chances: int = 0
    three_bets: int = 0
    flops: int = 0
    """hands that saw the second street"""
    showdowns: int = 0
    won: int = 0
    """chips won or lost"""
    turns: list[list[int]] = attrs.field(factory=lambda: [[0, 0, 0] for _ in range(STREETS * BINS)])
    """folds, checks or calls, and raises, by street and price; see `turn_of`"""

    @property
    def raises(self) -> int:
        """Bets and raises after the first street."""
        return sum([counts[RAISES] for counts in self.turns[BINS:]])

    @property
    def calls(self) -> int:
        """Calls after the first street."""
        return sum([counts[STAYS] for turn, counts in enumerate(self.turns) if turn >= BINS and turn % BINS])

    def __str__(self) -> str:
        factor = f"{self.raises / self.calls:.1f}" if self.calls else f"{self.raises}:0"
        return (
            f"{self.hands} hands, VPIP {_share(self.vpip, self.hands)}, PFR {_share(self.pfr, self.hands)}, "
            f"3-bet {_share(self.three_bets, self.three_bet_chances)}, aggression {factor}, "
            f"to showdown {_share(self.showdowns, self.flops)}, won {self.won:+}"
        )


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.0f} %" if of else "-"


class Opponents:
    """The figures of everybody whose hands a bot hears, by name."""

    def __init__(self) -> None:
        self._by_name: dict[str, Figures] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __getitem__(self, name: str) -> Figures:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def hear(self, end: HandEnd) -> None:
        """Count a hand."""
        counted = {
            seat: self._by_name.setdefault(name, Figures())
            for seat, name in enumerate(end.names)
            if name is not None and end.stacks[seat]
        }
        public = end.public
        folded = _count_steps(Walk(public).advance(public), counted)
        live = set(public.live)
        for seat, figures in counted.items():
            figures.hands += 1
            figures.won += end.payoffs[seat]
            # alone before the second street, it has seen none; alone at the end, it has shown nothing
            figures.flops += seat not in folded and len(counted) - len(folded) > 1
            figures.showdowns += seat in live and len(live) > 1


def _count_steps(steps: Sequence[Step], counted: dict[int, Figures]) -> set[int]:
    """Count each seat's actions; return the seats that folded on the first street."""
    entered, raisers, folded = set[int](), list[int](), set[int]()
    for step in steps:
        seat, figures = step.seat, counted[step.seat]
        figures.turns[turn_of(step.street, step.bin)][step.kind] += 1
        if step.street:
            continue
        raises = step.kind == RAISES
        if len(raisers) == 1 and seat != raisers[0]:
            figures.three_bet_chances += 1
            figures.three_bets += raises
        if step.kind == FOLDS:
            folded.add(seat)
        if raises:
            figures.pfr += seat not in raisers
            raisers.append(seat)
        if (raises or (step.kind == STAYS and step.bin != FREE)) and seat not in entered:
            entered.add(seat)
            figures.vpip += 1
    return folded
