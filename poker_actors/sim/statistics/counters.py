"""The counters of a player's habits, many packed into one number."""

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
    "all_bits",
    "all_places",
    "by_place",
    "unpacked",
]

STREETS: Final = ("preflop", "flop", "turn", "river")
"""Streets in names of counters; in games without a board they mean the first street, the second and so on."""
LAST_STREET: Final = len(STREETS) - 1
"""The last street with counters; later ones are counted here, too."""

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
"""The counters of each street, and of the end of a hand."""

COUNTERS: Final[tuple[str, ...]] = tuple(name for block in _BLOCKS for name in block)
"""The counters of a hand, by seat. Chances and `faced` are denominators.

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
"""The size of a packed counter: counts reach 10**12, and one above 2**40 would carry into its neighbour.

Whole bytes, so that `by_place` can slice a sum as bytes: shifting a long number copies it each time.
Counters are only ever added: subtraction could borrow from a neighbour.
"""
_BITS: Final = 8 * _BYTES
_MASK: Final = (1 << _BITS) - 1

STREET_UNITS: Final[tuple[dict[str, int], ...]] = tuple(
    {name: 1 << _BITS * place for place, name in enumerate(block)} for block in _BLOCKS
)
"""The unit of each counter of a street, to be added for each count; the last ones are of the end of a hand.

Adding one long number costs a twentieth of adding its counters one by one, and a street's number is
a quarter as long as one of all streets.
"""

ENDS: Final = STREET_UNITS[-1]
"""The unit of each counter of the end of a hand."""

PLACE_BYTES: Final[tuple[int, ...]] = tuple(_BYTES * len(block) for block in _BLOCKS)
"""The bytes of each street's counters of one place; a number of all places has the first place lowest."""

BLOCK_BITS: Final[tuple[int, ...]] = tuple(
    _BITS * sum(map(len, _BLOCKS[:place])) for place in range(len(_BLOCKS))
)
"""The bits to shift a sum of a street's units before it is added to those of the whole hand."""


def unpacked(total: int) -> dict[str, int]:
    """Return the counters in a sum of units of whole hands, by name."""
    return {name: total >> _BITS * place & _MASK for place, name in enumerate(COUNTERS)}


def all_bits(unit: int) -> int:
    """Return every bit of the counter that `unit` is the unit of."""
    return unit * _MASK


def all_places(street: int, units: Iterable[int]) -> int:
    """Pack a street's units by place into one number: adding it costs a fifth of adding them one by one."""
    bits = 8 * PLACE_BYTES[street]
    return sum([of_place << bits * place for place, of_place in enumerate(units)])


def by_place(streets: Iterable[int], places: int) -> list[int]:
    """Return the units of whole hands by place, from each street's number of all places."""
    rows = [
        (units.to_bytes(places * room, "little"), room)
        for units, room in zip(streets, PLACE_BYTES, strict=True)
    ]
    return [
        int.from_bytes(b"".join([row[place * room : (place + 1) * room] for row, room in rows]), "little")
        for place in range(places)
    ]
