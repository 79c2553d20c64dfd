"""The counters of a player's habits, many of them in one number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = [
    "BLOCK_BITS",
    "COUNTERS",
    "ENDS",
    "LAST_STREET",
    "PLACE_BYTES",
    "STREETS",
    "STREET_UNITS",
    "all_places",
    "by_place",
    "unpacked",
]

STREETS: Final = ("preflop", "flop", "turn", "river")
"""The names of counters: in games without a board they stand for the first street, the second and so on."""
LAST_STREET: Final = len(STREETS) - 1
"""Later ones are counted here too."""

_ACTIONS: Final = ("raises", "calls", "folds", "checks")
_CBETS: Final = ("cbet_chances", "cbets", "cbets_faced", "cbets_folded_to")

_BLOCKS: Final = (
    (
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
        *(f"preflop_{what}" for what in _ACTIONS),
    ),
    *(tuple(f"{street}_{what}" for what in (*_ACTIONS, *_CBETS)) for street in STREETS[1:]),
    ("showdowns", "showdowns_won", "flops_won", "all_ins", "busts"),
)
"""What is read off each street, and off the end of a hand."""

COUNTERS: Final[tuple[str, ...]] = tuple(name for block in _BLOCKS for name in block)
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
- `showdowns_won`, `flops_won`: was paid some of a pot at a showdown, or in a hand that saw a flop
- `all_ins`: had no chips left when it was over or before it was paid; `busts`: left it with nothing
"""

_BYTES: Final = 5
"""Of a counter: it may go to 10**12, and one that went on past 2**40 would carry into its neighbour.

Whole bytes, so that `by_place` cuts a sum as bytes: shifting so long a number copies it each time. Counters are only
ever added: one that was taken from could borrow from its neighbour.
"""
_BITS: Final = 8 * _BYTES
_MASK: Final = (1 << _BITS) - 1

STREET_UNITS: Final[tuple[dict[str, int], ...]] = tuple(
    {name: 1 << _BITS * place for place, name in enumerate(block)} for block in _BLOCKS
)
"""One of each counter of a street, as a number: the counters of many hands are the sum of theirs.

Adding one long number costs a twentieth of adding its counters one by one, and a street's number is
a quarter as long as that of all. The last are those of the end of a hand.
"""

ENDS: Final = STREET_UNITS[-1]
"""One of each counter of the end of a hand."""

PLACE_BYTES: Final[tuple[int, ...]] = tuple(_BYTES * len(block) for block in _BLOCKS)
"""How much room the units of a street of one place have in a number of all places, the first lowest."""

BLOCK_BITS: Final[tuple[int, ...]] = tuple(
    _BITS * sum(map(len, _BLOCKS[:place])) for place in range(len(_BLOCKS))
)
"""By how many bits to shift a sum of a street's units, to add it to those of the whole hand."""


def unpacked(total: int) -> dict[str, int]:
    """Return a sum of units of whole hands by name."""
    return {name: total >> _BITS * place & _MASK for place, name in enumerate(COUNTERS)}


def all_places(street: int, units: Iterable[int]) -> int:
    """Return a street's units by place as one number: adding it costs a fifth of adding them one by one."""
    bits = 8 * PLACE_BYTES[street]
    return sum([of_place << bits * place for place, of_place in enumerate(units)])


def by_place(streets: Iterable[int], places: int) -> list[int]:
    """Return the units of whole hands by place, from those of all places of each street."""
    rows = [
        (units.to_bytes(places * room, "little"), room)
        for units, room in zip(streets, PLACE_BYTES, strict=True)
    ]
    return [
        int.from_bytes(b"".join([row[place * room : (place + 1) * room] for row, room in rows]), "little")
        for place in range(places)
    ]
