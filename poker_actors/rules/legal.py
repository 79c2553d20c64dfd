"""What the seat to act may do: bounds, membership, and words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from poker_actors.rules.action import CALL, CHECK, FOLD, Action, Bet, Call, Check, Fold, RaiseTo, size_of

__all__ = ["LEGAL_FIELDS", "Legal"]


LEGAL_FIELDS: Final = (
    "seat",
    "to_call",
    "min_raise_to",
    "max_raise_to",
    "opening",
    "all_in_total",
    "calls_all_in",
    "turn",
)


class Legal:
    """The legal actions of one seat; false when it is not that seat's turn.

    `action in legal` asks of one action, iterating gives each (every bet size in chips), printing
    gives words: ``fold, call 40, raise_to 80 to 200``. Amounts are chips.
    """

    # written out, as `PublicState` is: bots ask for one at most turns
    __slots__ = LEGAL_FIELDS

    def __init__(
        self,
        seat: int,
        to_call: int = 0,
        min_raise_to: int = 0,
        max_raise_to: int = 0,
        opening: bool = False,
        all_in_total: int = 0,
        calls_all_in: bool = False,
        turn: bool = True,
    ) -> None:
        self.seat: Final = seat
        self.to_call: Final = to_call
        """what a call costs; never more than the stack"""
        self.min_raise_to: Final = min_raise_to
        """the least total of a bet or raise; 0 when there may be none"""
        self.max_raise_to: Final = max_raise_to
        """the most: the stack, the pot or the fixed bet; 0 when there may be none"""
        self.opening: Final = opening
        """whether a raise would be the first bet of the street"""
        self.all_in_total: Final = all_in_total
        """chips in front of the seat once all of its stack is in"""
        self.calls_all_in: Final = calls_all_in
        """whether a call takes the whole stack"""
        self.turn: Final = turn

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise is allowed."""
        return self.max_raise_to > 0

    @property
    def can_check(self) -> bool:
        """Whether there is nothing to call."""
        return self.turn and self.to_call == 0

    @property
    def all_in(self) -> Action | None:
        """The action that puts the whole stack in; None when the rules allow no such."""
        if self.can_raise and self.max_raise_to == self.all_in_total:
            return RaiseTo(self.all_in_total)
        return CALL if self.calls_all_in else None

    def refusal(self, action: object) -> str | None:
        """Say why `action` is not legal, naming the value and the limit; None when it is."""
        match action:
            case Fold():
                return None
            case Check():
                return f"check: there are {self.to_call} to call" if self.to_call else None
            case Call():
                return None if self.to_call else "call: there is nothing to call"
            case Bet() if not self.opening:
                return f"{action}: there is a bet already, raise instead"
            case Bet() | RaiseTo():
                return self._size_refusal(action)
            case _:
                return f"{action!r:.60} is no action"

    def _size_refusal(self, action: Bet | RaiseTo) -> str | None:
        total = size_of(action)
        if type(total) is not int:  # a bool is no amount of chips either
            return f"{action!r:.60}: chips are whole numbers"
        if not self.can_raise:
            return f"{action}: no bet or raise is allowed here"
        if total < self.min_raise_to:
            return f"{action} is below the minimum of {self.min_raise_to}"
        if total > self.max_raise_to:
            return f"{action} is above the maximum of {self.max_raise_to}"
        return None

    def _compared(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in LEGAL_FIELDS])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Legal):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        fields = ", ".join([f"{name}={getattr(self, name)!r}" for name in LEGAL_FIELDS])
        return f"Legal({fields})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Legal, self._compared())

    def __bool__(self) -> bool:
        return self.turn

    def __contains__(self, action: object) -> bool:
        return self.turn and self.refusal(action) is None

    def __iter__(self) -> Iterator[Action]:
        if not self.turn:
            return
        yield FOLD
        yield CALL if self.to_call else CHECK
        if self.can_raise:
            size = Bet if self.opening else RaiseTo
            for total in range(self.min_raise_to, self.max_raise_to + 1):
                yield size(total)

    def __len__(self) -> int:
        if not self.turn:
            return 0
        return 2 + (self.max_raise_to - self.min_raise_to + 1 if self.can_raise else 0)

    def __str__(self) -> str:
        if not self.turn:
            return f"seat {self.seat} is not to act"
        words = ["fold", f"call {self.to_call}" if self.to_call else "check"]
        if self.can_raise:
            word = "bet" if self.opening else "raise_to"
            low, high = self.min_raise_to, self.max_raise_to
            words.append(f"{word} {low}" if low == high else f"{word} {low} to {high}")
        return ", ".join(words)
