"""Match forms: how the hands of a match hang together."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Hand

__all__ = ["CarryOver", "Cash", "Duplicate", "Form", "Setting"]


@attrs.frozen
class Setting:
    """How one hand starts: which bot sits in each seat, chips by seat, the button."""

    bots: tuple[int, ...]
    stacks: tuple[int, ...]
    button: int


class Form(Protocol):
    """What decides how hand k starts. Hands hang together only within a unit of `unit(seats)` hands."""

    @property
    def name(self) -> str:
        """The word for it."""

    def unit(self, seats: int) -> int:
        """Return how many hands belong together: units may be played in any order, anywhere."""

    def check(self, seats: int, hands: int) -> None:
        """Raise `BadSpec` if so many hands cannot be played in this form."""

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the start of hand `number`; `stacks` by seat, `previous` the hand before it in its unit."""

    def deck(self, number: int, seats: int) -> int:
        """Return the number of the deck that hand `number` is dealt from."""

    def sittings(self, hands: range) -> list[range]:
        """Cut hands into runs of one table: same seats, the button moving by one."""


@attrs.frozen
class Cash:
    """Stacks are reset each hand, bot b sits in seat b, the button of hand k is seat k modulo the seats."""

    name: str = attrs.field(default="cash", init=False)

    def unit(self, seats: int) -> int:
        """Every hand is for itself."""
        return 1

    def check(self, seats: int, hands: int) -> None:
        """Any number of hands will do."""

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """The same stacks, the next button."""
        return _seated(stacks, number % len(stacks))

    def deck(self, number: int, seats: int) -> int:
        """A new one."""
        return number

    def sittings(self, hands: range) -> list[range]:
        """One."""
        return [hands]


@attrs.frozen
class CarryOver:
    """Stacks carry over from hand to hand; a bot that has lost everything rebuys its first stack.

    A session of `session` hands starts afresh, so that sessions can be played in any order; the
    interval goes by sessions, since the hands of one depend on each other.
    """

    session: int = 100
    name: str = attrs.field(default="carry-over", init=False)

    def unit(self, seats: int) -> int:
        """A session."""
        return self.session

    def check(self, seats: int, hands: int) -> None:
        """Sessions are whole."""
        if type(self.session) is not int or self.session < 1:
            raise BadSpec(f"a session of {self.session!r:.40} hands: the least is 1")
        if hands % self.session:
            raise BadSpec(f"{hands} hands are not a multiple of the {self.session} hands of a session")

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """The stacks left by the hand before, and new ones for those without."""
        if previous is not None:
            stacks = tuple([left or first for left, first in zip(previous.stacks, stacks, strict=True)])
        return Setting(tuple(range(len(stacks))), stacks, number % len(stacks))

    def deck(self, number: int, seats: int) -> int:
        """A new one."""
        return number

    def sittings(self, hands: range) -> list[range]:
        """One: a table where somebody tops up or takes chips off between sessions."""
        return [hands]


@attrs.frozen
class Duplicate:
    """Each deck is played once per seat, with the bots moved on by a seat: everybody gets every hand.

    Cards, stacks and button stay with the seats. The luck of the deal then cancels in a bot's result over
    the hands of one deck, and the interval goes by decks: the form of the computer poker
    competitions (ACPC).
    """

    name: str = attrs.field(default="duplicate", init=False)

    def unit(self, seats: int) -> int:
        """The hands of one deck."""
        return seats

    def check(self, seats: int, hands: int) -> None:
        """Every deck goes round."""
        if hands % seats:
            raise BadSpec(
                f"{hands} hands are not a multiple of {seats}: duplicate plays each deck once per seat"
            )

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """The bots moved on."""
        size = len(stacks)
        deck, turn = divmod(number, size)
        return Setting(tuple([(seat + turn) % size for seat in range(size)]), stacks, deck % size)

    def deck(self, number: int, seats: int) -> int:
        """The one of its round."""
        return number // seats

    def sittings(self, hands: range) -> list[range]:
        """Each hand: seats change every time."""
        return [range(number, number + 1) for number in hands]


@cache
def _seated(stacks: tuple[int, ...], button: int) -> Setting:
    """Kept: the cash form has as many settings as seats, and asks for one each hand."""
    return Setting(tuple(range(len(stacks))), stacks, button)
