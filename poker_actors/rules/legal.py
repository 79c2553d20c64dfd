"""The legal actions of the seat to act: bounds, membership tests and text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Final

from poker_actors.cards import Card
from poker_actors.native import mypyc_attr
from poker_actors.rules.action import (
    BRING_IN,
    CALL,
    CHECK,
    FOLD,
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Lay,
    RaiseTo,
    copied,
    unfit,
)

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


@mypyc_attr(allow_interpreted_subclasses=True)
class Legal:
    """The legal actions of one seat; falsy when it is not that seat's turn.

    Test one action with `action in legal`; iterate over all of them (every bet size in chips); print
    them as ``fold, call 40, raise_to 80 to 200``. Amounts are chips.
    """

    # a plain class, not attrs, for speed, like `PublicState`: bots build one on most turns
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
        """cost of a call, never more than the stack"""
        self.min_raise_to: Final = min_raise_to
        """smallest total of a bet or raise; 0 if none is allowed"""
        self.max_raise_to: Final = max_raise_to
        """largest total of a bet or raise (stack, pot or fixed bet); 0 if none is allowed"""
        self.opening: Final = opening
        """whether a raise would be the first bet of the street"""
        self.all_in_total: Final = all_in_total
        """chips in front of the seat once all of its stack is in"""
        self.calls_all_in: Final = calls_all_in
        """whether a call takes the whole stack"""
        self.turn: Final = turn

    @property
    def discards(self) -> int:
        """The most cards that may be thrown away; 0 unless this is a draw or a discard."""
        return 0

    @property
    def must_discard(self) -> int:
        """Number of cards that must be thrown away."""
        return 0

    @property
    def room(self) -> tuple[int, ...]:
        """Free places in the top, middle and bottom rows; empty unless cards are laid on this turn."""
        return ()

    @property
    def lays(self) -> int:
        """Number of cards to lay in rows; the rest are thrown away."""
        return 0

    @property
    def bring_in(self) -> int:
        """Cost of the bring-in; 0 unless this turn is a bring-in."""
        return 0

    @property
    def passive(self) -> Action:
        """The action for a player who runs out of time: check if possible, else fold; stand pat in a draw."""
        return FOLD if self.to_call else CHECK

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
        """The action that puts in the whole stack; None if no legal action does."""
        if self.can_raise and self.max_raise_to == self.all_in_total:
            return RaiseTo(self.all_in_total)
        return CALL if self.calls_all_in else None

    def refusal(self, action: object) -> str | None:
        """Return why `action` is not legal, naming the value and the limit; None if it is legal."""
        taken = copied(action)
        return unfit(action) if taken is None else self._refusal(taken)

    def _refusal(self, action: Action) -> str | None:
        match action:
            case Fold():
                return None
            case Check():
                return f"check: there are {self.to_call} to call" if self.to_call else None
            case Call():
                return None if self.to_call else "call: there is nothing to call"
            case Bet() if not self.opening:
                return f"{action}: there is already a bet, raise instead"
            case Bet() | RaiseTo():
                return self._size_refusal(action)
            case Discard():
                return f"{action}: no cards are thrown away here"
            case BringIn():
                return "bring in: there is no bring-in here"
            case Lay():
                return f"{action}: no cards are laid here"

    def _size_refusal(self, action: Bet | RaiseTo) -> str | None:
        total = action.amount if isinstance(action, Bet) else action.total
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
        return type(self) is type(other) and self._compared() == other._compared()

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


class BringInLegal(Legal):
    """The choices of the seat that opens stud: bring in, or complete to the small bet; it may not fold."""

    __slots__ = ()

    @property
    def bring_in(self) -> int:
        """Cost of the bring-in, or the stack if that is less."""
        return self.to_call

    @property
    def passive(self) -> Action:
        """The action for a player who runs out of time: the bring-in."""
        return BRING_IN

    def _refusal(self, action: Action) -> str | None:
        if isinstance(action, BringIn | Call):
            return None
        if isinstance(action, Fold | Check):
            return f"{action}: the bring-in of {self.to_call} must be paid, or completed"
        return super()._refusal(action)

    def __iter__(self) -> Iterator[Action]:
        yield BRING_IN
        for total in range(self.min_raise_to, self.max_raise_to + 1) if self.can_raise else ():
            yield RaiseTo(total)

    def __len__(self) -> int:
        return 1 + (self.max_raise_to - self.min_raise_to + 1 if self.can_raise else 0)

    def __str__(self) -> str:
        words = [f"bring in {self.to_call}"]
        if self.can_raise:
            low, high = self.min_raise_to, self.max_raise_to
            words.append(f"raise_to {low}" if low == high else f"raise_to {low} to {high}")
        return ", ".join(words)

    def __reduce__(self) -> tuple[object, ...]:
        return (BringInLegal, self._compared())


class DiscardLegal(Legal):
    """The choices of a seat that may throw away up to `most` cards, or must throw away `exactly` that many.

    `hole` is empty in the view of another seat; then only the number of cards is checked. Outside a forced
    discard, a check counts as standing pat.
    """

    __slots__ = ("_exactly", "_hole", "_most")

    def __init__(self, seat: int, most: int, exactly: int, all_in_total: int, hole: tuple[Card, ...]) -> None:
        super().__init__(seat, all_in_total=all_in_total)
        self._most = most
        self._exactly = exactly
        self._hole = hole

    @property
    def discards(self) -> int:
        """The most cards that may be thrown away."""
        return self._most

    @property
    def must_discard(self) -> int:
        """Number of cards that must be thrown away; 0 in a draw."""
        return self._exactly

    @property
    def can_check(self) -> bool:
        """Whether the seat may stand pat."""
        return not self._exactly

    @property
    def passive(self) -> Action:
        """The action for a player who runs out of time: stand pat, or throw away the last cards dealt."""
        return Discard(self._hole[-self._exactly :]) if self._exactly else Discard()

    def _refusal(self, action: Action) -> str | None:
        match action:
            case Check():
                return f"check: {self._exactly} cards have to be thrown away" if self._exactly else None
            case Discard(cards, count):
                return self._discard_refusal(action, cards, count)
            case Fold() | Call() | Bet() | RaiseTo():
                return f"{action}: this turn is for throwing cards away"
            case _:
                return super()._refusal(action)

    def _discard_refusal(self, action: Discard, cards: tuple[Card, ...], count: int) -> str | None:
        if len(cards) != count:
            return f"{action}: which cards?"
        if self._exactly and count != self._exactly:
            return f"{action}: {self._exactly} cards have to be thrown away"
        if count > self._most:
            return f"{action} is above the maximum of {self._most} cards"
        if len(set(cards)) != count:
            return f"{action}: a card is named twice"
        missing = [card for card in cards if card not in self._hole] if self._hole else []
        return f"{action}: seat {self.seat} does not hold {missing[0]}" if missing else None

    def __iter__(self) -> Iterator[Action]:
        for count in range(self._exactly, self._most + 1):
            yield from map(Discard, combinations(self._hole, count))

    def __len__(self) -> int:
        return sum([comb(len(self._hole), count) for count in range(self._exactly, self._most + 1)])

    def __str__(self) -> str:
        if self._exactly:
            return f"discard {self._exactly}"
        return f"stand pat, discard 1 to {self._most}" if self._most > 1 else "stand pat, discard 1"

    def __repr__(self) -> str:
        return f"DiscardLegal({self.seat}, {self._most}, {self._exactly}, {self.all_in_total}, {self._hole})"

    def _compared(self) -> tuple[object, ...]:
        return (self.seat, self._most, self._exactly, self.all_in_total, self._hole)

    def __reduce__(self) -> tuple[object, ...]:
        return (DiscardLegal, self._compared())
