"""Stakes: the forced bets of a hand, and the stacks they are posted from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.errors import BadSpec

MOST_CHIPS: Final = 10**12
"""Limit of a stack: amounts in a log entry fit in 64 bits with room to spare."""

_BLINDS: Final = re.compile(r"([0-9]{1,15})/([0-9]{1,15})")
_CHIPS: Final = re.compile(r"([0-9]{1,15})(bb)?")


def whole_chips(name: str, value: object, least: int = 0) -> int:
    """Return `value` if it is an `int` of at least `least`; raises `BadSpec` naming it."""
    if type(value) is not int:
        raise BadSpec(f"{name} is {value!r:.40}: chips must be whole numbers")
    if value < least:
        raise BadSpec(f"{name} is {value}: the minimum is {least}")
    return value


def stacks_by_seat(stacks: Sequence[int], seats: int) -> tuple[int, ...]:
    """Return the stack of each of `seats` seats, in chips, given one for all or one per seat.

    Raises `BadSpec` for any other number of stacks, and for a stack below 1 or above `MOST_CHIPS`.
    """
    for stack in stacks:
        whole_chips("a stack", stack, least=1)
        if stack > MOST_CHIPS:
            raise BadSpec(f"a stack is {stack}: the maximum is {MOST_CHIPS}")
    if len(stacks) not in (1, seats):
        raise BadSpec(f"{len(stacks)} stacks for {seats} seats: give one for all or one per seat")
    return tuple(stacks) if len(stacks) == seats else tuple(stacks) * seats


@attrs.frozen
class Stakes:
    """Forced bets, in chips; zero means none of that kind.

    Every seat posts `ante` before the blinds. The big blind alone posts `big_blind_ante` for the whole table, after
    its blind: with a short stack the blind comes first. The seat left of the big blind (heads-up: the button) posts
    `straddle` and acts last before the flop. `min_bet` is the smallest bet, in limit games the small one; by default
    the big blind. `bring_in` is the least that the seat opening stud must pay, less than the smallest bet.

    Raises `BadSpec` for negative or fractional amounts, a small blind above the big one, a straddle below twice the
    big blind, and a bring-in that is not below the smallest bet.
    """

    small_blind: int = 1
    big_blind: int = 2
    ante: int = 0
    big_blind_ante: int = 0
    straddle: int = 0
    min_bet: int = 0
    bring_in: int = 0

    def __attrs_post_init__(self) -> None:
        for field in attrs.fields(Stakes):
            whole_chips(field.name, getattr(self, field.name))
        if self.small_blind > self.big_blind:
            raise BadSpec(f"small blind {self.small_blind} is above the big blind {self.big_blind}")
        if self.straddle and self.straddle < 2 * self.big_blind:
            raise BadSpec(f"straddle {self.straddle} is below twice the big blind {self.big_blind}")
        if not self.min_bet:
            object.__setattr__(self, "min_bet", self.big_blind or 1)
        if self.bring_in >= self.min_bet:
            raise BadSpec(f"bring-in {self.bring_in} is not below the smallest bet {self.min_bet}")

    def numbers(self) -> tuple[int, ...]:
        """Return amounts such that `Stakes(*numbers)` is equal; the last, the bring-in, only if there is one.

        Old files, without bring-ins, have six numbers.
        """
        all_of_them = attrs.astuple(self)
        return all_of_them if self.bring_in else all_of_them[:-1]

    @classmethod
    def parse(cls, text: str, *, ante: int = 0, straddle: int = 0) -> Stakes:
        """Read blinds written as `1/2`; raises `BadSpec`.

        >>> str(Stakes.parse("5/10"))
        '5/10'
        """
        match = _BLINDS.fullmatch(text.strip())
        if match is None:
            raise BadSpec(f"blinds {text[:40]!r} are not SMALL/BIG, such as 1/2")
        small, big = int(match[1]), int(match[2])
        if big < 1:
            raise BadSpec("the big blind is 0: the minimum is 1")
        return cls(small, big, ante=ante, straddle=straddle)

    def chips(self, text: str, digits: int = 15) -> int | None:
        """Read chips (`200`) or big blinds (`100bb`) of at most `digits` digits; None for anything else.

        >>> Stakes(5, 10).chips("100bb")
        1000
        """
        match = _CHIPS.fullmatch(text.strip())
        if match is None or len(match[1]) > digits:
            return None
        return int(match[1]) * (self.big_blind if match[2] else 1)

    def stacks(self, given: str | int | Sequence[int], seats: int) -> tuple[int, ...]:
        """Return a stack for each seat from `200`, `200,150,90` or `100bb` (big blinds).

        Raises `BadSpec` for anything else, for a number of stacks that is not 1 or `seats`, and for a
        stack below 1 or above 10**12.
        """
        if isinstance(given, str):
            chips = [self._stack(word, given) for word in given.split(",")]
        else:
            chips = [given] if isinstance(given, int) else list(given)
        return stacks_by_seat(chips, seats)

    def _stack(self, word: str, text: str) -> int:
        chips = self.chips(word)
        if chips is None:
            raise BadSpec(
                f"stacks {text[:40]!r}: {word.strip()[:20]!r} is neither chips nor big blinds, such as 200 or 100bb"
            )
        return chips

    def __str__(self) -> str:
        text = f"{self.small_blind}/{self.big_blind}"
        if self.ante:
            text += f" ante {self.ante}"
        if self.big_blind_ante:
            text += f" big blind ante {self.big_blind_ante}"
        if self.straddle:
            text += f" straddle {self.straddle}"
        if self.bring_in:
            text += f" bring-in {self.bring_in} bets from {self.min_bet}"
        return text
