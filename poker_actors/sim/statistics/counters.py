"""The counters of a player's habits, many of them in one number."""

from __future__ import annotations

from typing import Final

__all__ = ["COUNTERS", "STREETS", "UNIT", "unpacked"]

STREETS: Final = ("preflop", "flop", "turn", "river")

COUNTERS: Final = (
    "hands",
    "vpip",
    "pfr",
    "three_bet_chances",
    "three_bets",
    "three_bets_faced",
    "three_bets_folded_to",
    "steal_chances",
    "steals",
    "steals_faced",
    "steals_folded_to",
    "flops",
    "showdowns",
    *(f"{street}_{what}" for street in STREETS for what in ("raises", "calls", "folds", "checks")),
    *(
        f"{street}_{what}"
        for street in STREETS[1:]
        for what in ("cbet_chances", "cbets", "cbets_faced", "cbets_folded_to")
    ),
)
"""What is counted of a hand, by seat. Chances and `faced` are denominators.

- `hands` dealt in; `flops` seen (all-in ones too); `showdowns` reached
- `vpip`: called or raised before the flop; `pfr`: raised there
- `three_bet_chances`: a turn after exactly one raise, another seat's; `three_bets`: raised then.
  `three_bets_faced`: the one who made the first raise has a turn after the second
- `steal_chances`: everybody before has folded and the seat is cutoff, button or small blind;
  `steals`: raised then. `steals_faced`: a blind's turn after a steal that nobody has called
- `..._raises` (bets and raises), `..._calls`, `..._folds`, `..._checks`: actions by street
- `..._cbet_chances`: the last raiser before the flop has a turn before any bet; on turn and river
  only after betting the street before. `..._cbets_faced`: a turn after the continuation bet alone
"""

_BITS: Final = 40
"""Bits of a counter: it may go to 10**12."""
_MASK: Final = (1 << _BITS) - 1

UNIT: Final[dict[str, int]] = {name: 1 << _BITS * place for place, name in enumerate(COUNTERS)}
"""One of each counter, as a number: the counters of many hands are the sum of theirs.

Adding one long number costs a twentieth of adding 41 short ones.
"""


def unpacked(total: int) -> dict[str, int]:
    """Give a sum of units by name."""
    return {name: total >> _BITS * place & _MASK for place, name in enumerate(COUNTERS)}
