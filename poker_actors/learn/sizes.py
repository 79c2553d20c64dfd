"""Raise sizes for learners that choose among a few: fractions of the pot, the minimum, all-in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Legal

__all__ = ["DEFAULT_SIZES", "RaiseSizes"]

DEFAULT_SIZES: Final = ("min", 0.5, 1.0, "all-in")
_MIN: Final = "min"
_ALL_IN: Final = "all-in"
_MOST: Final = 100


def _checked(sizes: RaiseSizes, attribute: object, values: tuple[str | float, ...]) -> None:
    if not 1 <= len(values) <= _MOST:
        raise BadSpec(f"{len(values)} raise sizes: 1 to {_MOST}")
    for value in values:
        number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1_000
        if not number and value not in (_MIN, _ALL_IN):
            raise BadSpec(
                f"raise size {value!r:.20}: 'min', 'all-in', or a part of the pot, more than 0, at most 1000"
            )


@attrs.frozen
class RaiseSizes:
    """The raises to choose from; a number is a fraction of the pot after calling, so 1.0 is a pot-sized raise.

    A size is legal when its total is between the smallest and largest legal totals. `min` is legal wherever a raise
    is, `all-in` where the whole stack may go in. Raises `BadSpec` for other values, and for none or more than 100.
    """

    values: tuple[str | float, ...] = attrs.field(
        default=DEFAULT_SIZES, converter=tuple[str | float, ...], validator=_checked
    )

    @classmethod
    def of(cls, sizes: Sequence[str | float] | RaiseSizes) -> RaiseSizes:
        """Return `sizes` as `RaiseSizes`; raises `BadSpec` for invalid ones."""
        return sizes if isinstance(sizes, RaiseSizes) else cls(tuple(sizes))

    def totals(self, legal: Legal, bet: int, pot: int) -> list[int]:
        """Return the total of each size in chips, 0 where illegal, with `bet` to match and `pot` chips in."""
        low, high = legal.min_raise_to, legal.max_raise_to
        if not high:
            return [0] * len(self.values)
        base = pot + legal.to_call
        totals = []
        for size in self.values:
            if isinstance(size, str):
                total = low if size == _MIN else legal.all_in_total
            else:
                total = bet + round(base * size)
            totals.append(total if low <= total <= high else 0)
        return totals
