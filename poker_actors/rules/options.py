"""Settings of a cash table that change a hand, and what they come to for one hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules.pots import Pot
from poker_actors.rules.stakes import whole_chips

__all__ = ["CashOptions", "HandOptions", "Rake"]

_RAKE: Final = re.compile(r"([0-9]{1,2})(?:\.([0-9]{1,2}))?%(?:/([0-9]{1,15}))?")
_WHOLE: Final = 10_000
"""Hundredths of a percent in a pot."""
MOST_BOARDS: Final = 4
"""A river that is run more often than four times is seen nowhere."""
MOST_BOMB_BOARDS: Final = 2
_BOMB_BOARD: Final = 16
"""In `packed`, which had no place for them when it was first written down: a further board of a bomb pot."""


@attrs.frozen
class Rake:
    """What the house takes out of pots: `hundredths` of a percent, at most `cap` chips a hand.

    Each pot is raked on its own, rounded down, the main pot first, until the cap is reached; 0 is
    no cap. A bet that nobody called has gone back before, and a pot that only one seat can win is
    no pot. With `no_flop_no_drop` a hand that ends on the first street is not raked.

    >>> Rake.parse("5%/3")
    Rake(hundredths=500, cap=3, no_flop_no_drop=True)
    """

    hundredths: int
    cap: int = 0
    no_flop_no_drop: bool = True

    def __attrs_post_init__(self) -> None:
        whole_chips("rake", self.hundredths)
        whole_chips("the cap of the rake", self.cap)
        if self.hundredths >= _WHOLE:
            raise BadSpec(f"rake {self.hundredths / 100:g}% leaves nothing to win: it is below 100%")

    @classmethod
    def parse(cls, text: str, *, no_flop_no_drop: bool = True) -> Rake:
        """Read `5%`, `2.5%` or, with a cap in chips, `5%/3`; raises `BadSpec`."""
        match = _RAKE.fullmatch(text.strip())
        if match is None:
            raise BadSpec(f"rake {text[:40]!r} is not PERCENT%/CAP, such as 5%/3 or 2.5%")
        part = (match[2] or "").ljust(2, "0")
        return cls(100 * int(match[1]) + int(part), int(match[3] or 0), no_flop_no_drop)

    def of(self, pots: Sequence[Pot], *, flop: bool) -> list[int]:
        """Return the rake of each pot, in chips; `flop`: whether the hand came beyond its first street."""
        if self.no_flop_no_drop and not flop:
            return [0] * len(pots)
        left = self.cap or sum(pot.amount for pot in pots)
        taken = []
        for pot in pots:
            rake = min(pot.amount * self.hundredths // _WHOLE, left) if len(pot.seats) > 1 else 0
            left -= rake
            taken.append(rake)
        return taken

    def __str__(self) -> str:
        cap = f"/{self.cap}" if self.cap else ""
        return f"{self.hundredths / 100:g}%{cap}{'' if self.no_flop_no_drop else ' before the flop too'}"


@attrs.frozen
class HandOptions:
    """The options of one hand. Zero, None and one mean that there is none of that kind.

    `bomb_pot` is the ante of everybody in a hand without blinds that begins on the flop. `boards`
    is how often the rest of the board is run when betting is over before it is complete, unless a
    seat in `declined` is still in the hand, or as often as the deck has cards for. `bomb_boards` is on how
    many boards a bomb pot is played from the flop on, half of it each to two.
    """

    rake: Rake | None = None
    bomb_pot: int = 0
    boards: int = 1
    declined: tuple[int, ...] = ()
    bomb_boards: int = 1

    def __attrs_post_init__(self) -> None:
        whole_chips("the ante of a bomb pot", self.bomb_pot)
        whole_chips("boards", self.boards, least=1)
        whole_chips("the boards of a bomb pot", self.bomb_boards, least=1)
        if self.bomb_boards > MOST_BOMB_BOARDS:
            raise BadSpec(f"{self.bomb_boards} boards of a bomb pot: the most is {MOST_BOMB_BOARDS}")
        if self.boards > MOST_BOARDS:
            raise BadSpec(f"{self.boards} boards: the most is {MOST_BOARDS}")

    def packed(self) -> tuple[int, ...]:
        """Return the options as numbers, for a journal."""
        rake = self.rake
        raked = (0, 0, 0) if rake is None else (rake.hundredths, rake.cap, int(rake.no_flop_no_drop))
        boards = self.boards + (self.bomb_boards - 1) * _BOMB_BOARD
        return (*raked, self.bomb_pot, boards, *self.declined)

    @classmethod
    def unpacked(cls, numbers: Sequence[int]) -> HandOptions | None:
        """Return the options of `packed` numbers; None for no numbers."""
        if not numbers:
            return None
        hundredths, cap, drop, bomb_pot, boards, *declined = numbers
        rake = Rake(hundredths, cap, bool(drop)) if hundredths else None
        more, boards = divmod(boards, _BOMB_BOARD)
        return cls(rake, bomb_pot, boards, tuple(declined), more + 1)


@attrs.frozen
class CashOptions:
    """The options of a table or a match.

    Every `bomb_every`-th hand is a bomb pot with an ante of `bomb_pot` chips (0: only on request);
    `boards` is how often a board is run when all have agreed, `bomb_boards` how many boards a bomb pot has.
    """

    rake: Rake | None = None
    bomb_pot: int = 0
    bomb_every: int = 0
    boards: int = 1
    bomb_boards: int = 1

    def __attrs_post_init__(self) -> None:
        whole_chips("bomb_every", self.bomb_every)
        HandOptions(self.rake, self.bomb_pot, self.boards, bomb_boards=self.bomb_boards)
        if self.bomb_every and not self.bomb_pot:
            raise BadSpec(f"a bomb pot every {self.bomb_every} hands needs an ante")

    def of_hand(
        self, number: int, *, bomb: bool = False, declined: Collection[int] = ()
    ) -> HandOptions | None:
        """Return the options of hand `number`, counted from 0; None for a hand that is like any other.

        `bomb` asks for a bomb pot; `declined` are the seats that run no board twice.
        """
        bomb = bomb or (self.bomb_every > 0 and (number + 1) % self.bomb_every == 0)
        if bomb and not self.bomb_pot:
            raise BadSpec("a bomb pot is asked for, and no ante is set for one")
        if self.rake is None and not bomb and self.boards == 1:
            return None
        out = tuple(sorted(declined)) if self.boards > 1 else ()
        boards = self.bomb_boards if bomb else 1
        return HandOptions(self.rake, self.bomb_pot if bomb else 0, self.boards, out, boards)

    def packed(self) -> tuple[int, ...]:
        """Return the options as numbers, for a journal."""
        options = HandOptions(self.rake, self.bomb_pot, self.boards, bomb_boards=self.bomb_boards)
        return (self.bomb_every, *options.packed())

    @classmethod
    def unpacked(cls, numbers: Sequence[int]) -> CashOptions | None:
        """Return the options of `packed` numbers; None for no numbers."""
        every, found = (numbers[0], HandOptions.unpacked(numbers[1:])) if numbers else (0, None)
        if found is None:
            return None
        return cls(found.rake, found.bomb_pot, every, found.boards, found.bomb_boards)

    def __str__(self) -> str:
        words = [f"rake {self.rake}"] if self.rake is not None else []
        if self.bomb_pot:
            every = f" every {self.bomb_every} hands" if self.bomb_every else " on request"
            boards = f" on {self.bomb_boards} boards" if self.bomb_boards > 1 else ""
            words.append(f"bomb pot {self.bomb_pot}{boards}{every}")
        if self.boards > 1:
            words.append(f"run it {self.boards} times")
        return ", ".join(words)
