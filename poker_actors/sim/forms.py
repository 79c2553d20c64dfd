"""Match forms: seats, stacks and decks from hand to hand."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Hand

__all__ = ["CarryOver", "Cash", "Duplicate", "Form", "Setting"]


@attrs.frozen
class Setting:
    """The start of one hand: bots by seat, chips by seat, the button's seat."""

    bots: tuple[int, ...]
    stacks: tuple[int, ...]
    button: int


class Form(Protocol):
    """Decides how each hand starts. Hands depend on each other only within a unit of `unit(seats)` hands."""

    @property
    def name(self) -> str:
        """The name of the form."""

    def unit(self, seats: int) -> int:
        """Return the hands of a unit; units may be played in any order and on any worker."""

    def check(self, seats: int, hands: int) -> None:
        """Raise `BadSpec` if this number of hands cannot be played in this form."""

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the start of hand `number`; `stacks` are by seat, `previous` is the hand before it in its unit."""

    def deck(self, number: int, seats: int) -> int:
        """Return the number of the deck that hand `number` is dealt from."""

    def sittings(self, hands: range) -> list[range]:
        """Cut hands into runs that one table can play: same seats, the button moving by one."""


@attrs.frozen
class Cash:
    """Stacks are reset each hand; bot b sits in seat b; the button of hand k is seat k modulo the number of seats."""

    name: str = attrs.field(default="cash", init=False)

    def unit(self, seats: int) -> int:
        """Return 1: hands are independent."""
        return 1

    def check(self, seats: int, hands: int) -> None:
        """Accept any number of hands."""

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the same stacks with the next button."""
        return _seated(stacks, number % len(stacks))

    def deck(self, number: int, seats: int) -> int:
        """Return a new deck for each hand."""
        return number

    def sittings(self, hands: range) -> list[range]:
        """Return all hands as one run."""
        return [hands]


@attrs.frozen
class CarryOver:
    """Stacks carry over from hand to hand; a bot that has lost everything rebuys its first stack.

    Each session of `session` hands starts afresh, so that sessions can be played in any order.
    Intervals are over sessions, since the hands of a session depend on each other.
    """

    session: int = 100
    name: str = attrs.field(default="carry-over", init=False)

    def unit(self, seats: int) -> int:
        """Return the hands of a session."""
        return self.session

    def check(self, seats: int, hands: int) -> None:
        """Raise `BadSpec` unless the hands make whole sessions."""
        if type(self.session) is not int or self.session < 1:
            raise BadSpec(f"a session of {self.session!r:.40} hands: the least is 1")
        if hands % self.session:
            raise BadSpec(f"{hands} hands are not a multiple of the {self.session} hands of a session")

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the stacks left by the previous hand, and first stacks for busted bots."""
        if previous is not None:
            stacks = tuple([left or first for left, first in zip(previous.stacks, stacks, strict=True)])
        return Setting(tuple(range(len(stacks))), stacks, number % len(stacks))

    def deck(self, number: int, seats: int) -> int:
        """Return a new deck for each hand."""
        return number

    def sittings(self, hands: range) -> list[range]:
        """Return all hands as one run; between sessions chips are bought in or cashed out."""
        return [hands]


@attrs.frozen
class Duplicate:
    """Each deck is played once per seat, the bots moving on by a seat: every bot plays every seat's cards.

    Cards, stacks and button stay with the seats. The luck of the deal then cancels in a bot's result
    over the hands of one deck, and intervals are over decks. This is the form of the Annual Computer
    Poker Competition (ACPC).
    """

    name: str = attrs.field(default="duplicate", init=False)

    def unit(self, seats: int) -> int:
        """Return the hands of one deck: one per seat."""
        return seats

    def check(self, seats: int, hands: int) -> None:
        """Raise `BadSpec` unless every deck is played once per seat."""
        if hands % seats:
            raise BadSpec(
                f"{hands} hands are not a multiple of {seats}: duplicate plays each deck once per seat"
            )

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the same stacks with the bots moved on."""
        size = len(stacks)
        deck, turn = divmod(number, size)
        return Setting(tuple([(seat + turn) % size for seat in range(size)]), stacks, deck % size)

    def deck(self, number: int, seats: int) -> int:
        """Return the deck of a round of `seats` hands."""
        return number // seats

    def sittings(self, hands: range) -> list[range]:
        """Return a run for each hand: the seats change every time."""
        return [range(number, number + 1) for number in hands]


@cache
def _seated(stacks: tuple[int, ...], button: int) -> Setting:
    """Make a setting, cached: the cash form asks each hand for one of as many settings as there are seats."""
    return Setting(tuple(range(len(stacks))), stacks, button)
