"""The actions a player may take, as values that survive a round trip through text."""

from __future__ import annotations

import re
from typing import Any, Final

import attrs

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import IllegalAction

__all__ = [
    "BRING_IN",
    "CALL",
    "CHECK",
    "FOLD",
    "STAND_PAT",
    "Action",
    "Bet",
    "BringIn",
    "Call",
    "Check",
    "Discard",
    "Fold",
    "Lay",
    "RaiseTo",
    "parse_action",
]


@attrs.frozen
class Fold:
    """Give up the hand and all claim to the pot."""

    def __str__(self) -> str:
        return "fold"


@attrs.frozen
class Check:
    """Pass the turn when there is nothing to call."""

    def __str__(self) -> str:
        return "check"


@attrs.frozen
class Call:
    """Match the bet, or go all-in for less."""

    def __str__(self) -> str:
        return "call"


@attrs.frozen
class Bet:
    """Open the betting on a street with `amount` chips."""

    amount: int

    def __str__(self) -> str:
        return f"bet {self.amount}"


@attrs.frozen
class RaiseTo:
    """Raise the seat's bet on this street to `total` chips, or open with `total` if nobody has bet.

    There is no separate all-in action: `view.legal.all_in` is the raise or call that puts in the whole stack.
    """

    total: int

    def __str__(self) -> str:
        return f"raise_to {self.total}"


@attrs.frozen
class BringIn:
    """Pay the bring-in, the forced bet that opens a hand of stud."""

    def __str__(self) -> str:
        return "bring in"


@attrs.frozen
class Discard:
    """Throw `cards` away, in a draw for as many new ones; without cards, stand pat.

    Opponents see only the `count`.
    """

    cards: tuple[Card, ...] = ()
    count: int = attrs.field()
    """number of cards"""

    @count.default
    def _as_many(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        if not self.count:
            return "stand pat"
        return f"discard {''.join(map(str, self.cards)) or self.count}"


@attrs.frozen
class Lay:
    """Place cards in the top, middle and bottom rows of an open-face board; the rest are thrown away.

    Opponents see only the `counts` of cards laid face down.
    """

    top: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    bottom: tuple[Card, ...] = ()
    counts: tuple[int, int, int] = attrs.field()
    """number of cards in each row, from the top"""

    @counts.default
    def _as_many(self) -> tuple[int, int, int]:
        return (len(self.top), len(self.middle), len(self.bottom))

    @property
    def rows(self) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
        """The cards of each row, from the top."""
        return (self.top, self.middle, self.bottom)

    def row_of(self, card: Card) -> int:
        """Return the row of `card`: 0 top, 1 middle, 2 bottom; 3 if it is thrown away."""
        return next((row for row, cards in enumerate(self.rows) if card in cards), 3)

    def hidden(self) -> Lay:
        """Return the action as opponents see it: row counts without the cards."""
        return Lay(counts=self.counts)

    def __str__(self) -> str:
        rows = [
            "".join(map(str, cards)) or (str(count) if count else "-")
            for cards, count in zip(self.rows, self.counts, strict=True)
        ]
        return f"lay {'/'.join(rows)}"


Action = Fold | Check | Call | Bet | RaiseTo | BringIn | Discard | Lay


def copied(action: object) -> Action | None:
    """Return a copy of an action, whose values are read once; None for anything else, or values of wrong types.

    A bot may pass an object of its own class, whose values change at each reading, or write to its action
    while it is judged.
    """
    kind = type(action)  # not `isinstance`, which believes what an object claims to be
    if kind is RaiseTo or kind is Bet:
        chips: object = getattr(action, "total" if kind is RaiseTo else "amount", None)
        if type(chips) is not int:  # not `isinstance`: that would let a bool through
            return None
        return RaiseTo(chips) if kind is RaiseTo else Bet(chips)
    if kind is Discard:
        thrown: list[Any] = [getattr(action, name, None) for name in ("cards", "count")]
        cards, count = thrown
        return Discard(cards, count) if _are_cards(cards) and type(count) is int else None
    if kind is Lay:
        laid: list[Any] = [getattr(action, name, None) for name in ("top", "middle", "bottom")]
        top, middle, bottom = laid
        return (
            Lay(top, middle, bottom)
            if _are_cards(top) and _are_cards(middle) and _are_cards(bottom)
            else None
        )
    for simple in _WITHOUT_VALUES:
        if kind is type(simple):
            return simple
    return None


def _are_cards(cards: object) -> bool:
    return type(cards) is tuple and all(map(_is_card, cards))


def _is_card(card: object) -> bool:
    """Return whether a value is a card, or compares like one, as the unknown cards of hand histories do."""
    kind = type(card)
    return kind is Card or (
        issubclass(kind, Card) and kind.__eq__ is Card.__eq__ and kind.__hash__ is Card.__hash__
    )


def unfit(action: object) -> str:
    """Say why `copied` does not copy the object passed, which may not even be printable."""
    kind, what = type(action), "what was passed"
    try:
        what = f"{action!r:.60}"
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  foreign code, which may raise anything
        pass
    if kind is RaiseTo or kind is Bet:
        return f"{what}: chips must be whole numbers"
    if kind is Discard or kind is Lay:
        return f"{what}: cards are given as a tuple of Card"
    return f"{what} is not an action"


FOLD: Final = Fold()
CHECK: Final = Check()
CALL: Final = Call()
BRING_IN: Final = BringIn()
STAND_PAT: Final = Discard()
_WITHOUT_VALUES: Final[tuple[Action, ...]] = (FOLD, CHECK, CALL, BRING_IN)

_SIMPLE: Final[dict[str, Action]] = {
    "fold": FOLD,
    "check": CHECK,
    "call": CALL,
    "bring in": BRING_IN,
    "stand pat": STAND_PAT,
}
_SIZED: Final = re.compile(r"(bet|raise_to|raise to) ([0-9]{1,18})")


def parse_action(text: str) -> Action:
    """Parse the text form of an action: `fold`, `check`, `call`, `bet 20`, `raise_to 60`, `discard AsKd`.

    `stand pat`, `bring in` and `lay 2c/KdKs/-` (rows from the top) complete the list. Raise `IllegalAction` for
    anything else.
    """
    word = text.strip().lower()
    if word in _SIMPLE:
        return _SIMPLE[word]
    if word.startswith("discard "):
        return Discard(parse_cards(text.strip()[len("discard ") :]))
    if word.startswith("lay ") and word.count("/") == 2:
        top, middle, bottom = [parse_cards(row.strip(" -")) for row in text.strip()[4:].split("/")]
        return Lay(top, middle, bottom)
    match = _SIZED.fullmatch(word)
    if re.fullmatch("all[ _-]?in", word):
        raise IllegalAction(
            f"{text[:40]!r} is not a separate action: use legal.all_in, the raise or call for the whole stack"
        )
    if match is None:
        raise IllegalAction(
            f"{text[:40]!r} is not an action: use fold, check, call, bet N or raise_to N; in some games discard CARDS, lay TOP/MIDDLE/BOTTOM, stand pat, bring in"
        )
    amount = int(match[2])
    return Bet(amount) if match[1] == "bet" else RaiseTo(amount)
