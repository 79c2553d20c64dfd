"""Convert amounts of money to whole chips by one rule; a history keeps its chips per unit as `scale`.

Amounts without decimals are chips. With one or two decimals a chip is a hundredth, with more it
is one of the last decimal written, down to a millionth. Nothing is rounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from poker_actors.errors import BadHistory

__all__ = ["MOST_CHIPS", "MOST_DECIMALS", "amount_in", "amount_text", "in_chips", "read_amount", "scale_of"]

MOST_DECIMALS: Final = 6
"""A millionth of a unit: finer than any currency poker is played for."""

MOST_CHIPS: Final = 10**15
"""More chips than all stakes ever posted; a longer number is a mistake or an attack."""


def read_amount(name: str, found: object) -> Decimal | int:
    """Return `found` if it is a number that can be an amount; else raise `BadHistory` with `name`."""
    if type(found) is int:  # not isinstance: true and false are ints, too
        if abs(found) > MOST_CHIPS:
            raise BadHistory(f"{name} is above the limit of {MOST_CHIPS}")
        return found
    if not isinstance(found, Decimal):
        raise BadHistory(f"{name} is {found!r:.40}: an amount is a number")
    if not found.is_finite():
        raise BadHistory(f"{name} is {found}: unknown or endless amounts cannot be played")
    exponent = found.as_tuple().exponent
    assert isinstance(exponent, int)
    if found.adjusted() > 15 or abs(found) > MOST_CHIPS:
        raise BadHistory(f"{name} is {str(found)[:40]}: the limit is {MOST_CHIPS}")
    if -exponent > MOST_DECIMALS:
        raise BadHistory(f"{name} is {str(found)[:40]}: the limit is {MOST_DECIMALS} decimals")
    return found


def scale_of(amounts: Iterable[Decimal | int]) -> int:
    """Return the chips per unit that make all these checked amounts whole: 1, 100, ... or 10**6."""
    decimals = 0
    for amount in amounts:
        if type(amount) is not int:
            exponent = amount.as_tuple().exponent  # type: ignore[union-attr]  # bool was refused
            decimals = max(decimals, -exponent)  # type: ignore[operator]  # and so were inf and nan
    return 10 ** max(decimals, 2) if decimals else 1


def in_chips(amount: Decimal | int, scale: int) -> int:
    """Return a checked amount in chips; raise `BadHistory` if they are not whole."""
    if type(amount) is int:
        return amount * scale
    chips = int(amount * scale)
    if chips != amount * scale:
        raise BadHistory(f"{amount} is not a whole number of chips, {scale} of which are one")
    return chips


def amount_text(chips: int, scale: int) -> str:
    """Write chips as an amount with all decimals of the scale: 150 at a scale of 100 is `1.50`."""
    if scale == 1:
        return str(chips)
    decimals = _DECIMALS[scale]
    whole, rest = divmod(abs(chips), scale)
    return f"{'-' if chips < 0 else ''}{whole}.{rest:0{decimals}d}"


_DECIMALS: Final = {10**decimals: decimals for decimals in range(MOST_DECIMALS + 1)}


_AMOUNT: Final = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")


@lru_cache(maxsize=4096)
def amount_in(text: str) -> Decimal | int | None:
    """Read digits with or without decimals; return None for anything else, such as signs and exponents."""
    if _AMOUNT.fullmatch(text) is None:
        return None
    return Decimal(text) if "." in text else int(text)
