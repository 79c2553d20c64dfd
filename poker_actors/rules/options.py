"""Options of a cash table, and their values for a single hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules.settlement import Pot
from poker_actors.rules.stakes import whole_chips

_RAKE: Final = re.compile(r"([0-9]{1,2})(?:\.([0-9]{1,2}))?%(?:/([0-9]{1,15}))?")
_WHOLE: Final = 10_000
"""A whole pot, in hundredths of a percent."""
MOST_BOARDS: Final = 4
"""A limit from practice: nobody runs a board more than four times."""
MOST_BOMB_BOARDS: Final = 2
_BOMB_BOARD: Final = 16
"""Added to the `boards` number of `packed` for each further bomb-pot board.

The format was in use before bomb pots had several boards; a new number would break the journals written so far."""


@attrs.frozen
class Rake:
    """The house's share of the pots: `hundredths` of a percent, at most `cap` chips a hand (0: no cap).

    Each pot is raked separately, rounded down, the main pot first, until the cap is reached. Uncalled bets
    are returned before the rake, and a pot only one seat can win is not raked. With `no_flop_no_drop`, a hand
    that ends on the first street is not raked, unless that street dealt a flop.

    Raise `BadSpec` for negative or fractional amounts, or a rake of 100% or more.

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
            raise BadSpec(f"rake {self.hundredths / 100:g}% leaves nothing to win: it must be below 100%")

    @classmethod
    def parse(cls, text: str, *, no_flop_no_drop: bool = True) -> Rake:
        """Parse `5%`, `2.5%` or, with a cap in chips, `5%/3`; raise `BadSpec` for anything else."""
        match = _RAKE.fullmatch(text.strip())
        if match is None:
            raise BadSpec(f"rake {text[:40]!r} is not PERCENT%/CAP, such as 5%/3 or 2.5%")
        part = (match[2] or "").ljust(2, "0")
        return cls(100 * int(match[1]) + int(part), int(match[3] or 0), no_flop_no_drop)

    def of(self, pots: Sequence[Pot], *, flop: bool) -> list[int]:
        """Return the rake of each pot, in chips; `flop` says whether it had a flop, or went beyond its first street."""
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
    """The options of one hand; the defaults turn each option off.

    `bomb_pot` is the ante of every seat in a hand without blinds that begins on the flop. `boards` is how often
    the rest of the board is run if betting ends before it is complete: fewer times if the deck runs out of
    cards, once if a seat in `declined` is still in the hand. `bomb_boards` is the number of boards of a bomb
    pot, from the flop on; with two, each wins half.

    Raise `BadSpec` for values out of range.
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
            raise BadSpec(f"{self.bomb_boards} boards of a bomb pot: the maximum is {MOST_BOMB_BOARDS}")
        if self.boards > MOST_BOARDS:
            raise BadSpec(f"{self.boards} boards: the maximum is {MOST_BOARDS}")

    def packed(self) -> tuple[int, ...]:
        """Return the options as a flat tuple of numbers for a journal; `unpacked` reads it."""
        rake = self.rake
        raked = (0, 0, 0) if rake is None else (rake.hundredths, rake.cap, int(rake.no_flop_no_drop))
        boards = self.boards + (self.bomb_boards - 1) * _BOMB_BOARD
        return (*raked, self.bomb_pot, boards, *self.declined)

    @classmethod
    def unpacked(cls, numbers: Sequence[int]) -> HandOptions | None:
        """Return the options from `packed` numbers; None if there are none."""
        if not numbers:
            return None
        hundredths, cap, drop, bomb_pot, boards, *declined = numbers
        rake = Rake(hundredths, cap, bool(drop)) if hundredths else None
        more, boards = divmod(boards, _BOMB_BOARD)
        return cls(rake, bomb_pot, boards, tuple(declined), more + 1)


@attrs.frozen
class CashOptions:
    """The options of a table or a match.

    Every `bomb_every`-th hand (0: only on request) is a bomb pot with an ante of `bomb_pot` chips. `boards` is how
    often a board is run if all agree, `bomb_boards` the number of boards of a bomb pot.

    Raise `BadSpec` for values out of range, or `bomb_every` without an ante.
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
        """Return the options of hand `number`, counted from 0; None for a plain hand.

        `bomb` requests a bomb pot; seats in `declined` refuse to run a board again. Raise `BadSpec` if a bomb pot
        is requested and no ante is set.
        """
        bomb = bomb or (self.bomb_every > 0 and (number + 1) % self.bomb_every == 0)
        if bomb and not self.bomb_pot:
            raise BadSpec("a bomb pot needs an ante, but none is set")
        if self.rake is None and not bomb and self.boards == 1:
            return None
        out = tuple(sorted(declined)) if self.boards > 1 else ()
        boards = self.bomb_boards if bomb else 1
        return HandOptions(self.rake, self.bomb_pot if bomb else 0, self.boards, out, boards)

    def packed(self) -> tuple[int, ...]:
        """Return the options as a flat tuple of numbers for a journal; `unpacked` reads it."""
        options = HandOptions(self.rake, self.bomb_pot, self.boards, bomb_boards=self.bomb_boards)
        return (self.bomb_every, *options.packed())

    @classmethod
    def unpacked(cls, numbers: Sequence[int]) -> CashOptions | None:
        """Return the options from `packed` numbers; None if there are none."""
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
