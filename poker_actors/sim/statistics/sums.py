"""The counters of a hand, and the sums over a block of hands, which add up over workers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add
from typing import Any, Final, TypeVar

import attrs

from poker_actors.bots import Faults

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
- `steal_chances`: nobody has called or raised before and the seat is cutoff, button or small blind;
  `steals`: raised then. `steals_faced`: a blind's turn after a steal that nobody has called
- `..._raises` (bets and raises), `..._calls`, `..._folds`, `..._checks`: actions by street
- `..._cbet_chances`: the last raiser before the flop has a turn before any bet; on turn and river
  only after betting the street before. `..._cbets_faced`: a turn after the continuation bet alone
- `showdowns_won`, `flops_won`: was paid some of a pot at a showdown, or in a hand that saw a flop
- `all_ins`: had no chips left when it was over or before it was paid; `busts`: left it with nothing
"""

AT: Final = {name: place for place, name in enumerate(COUNTERS)}
"""The place of each counter in a row of counts."""
_SPANS: Final = [range(AT[block[0]], AT[block[-1]] + 1) for block in _BLOCKS]
WIDTH: Final = len(COUNTERS)

_BYTES: Final = 5
"""The size of a counter in files, where a row of counts is one number: counts reach 10**12."""
_MASK: Final = (1 << 8 * _BYTES) - 1


def packed(counts: Iterable[int]) -> int:
    """Return counts as one number, the first in the lowest digits, as run files store them."""
    return int.from_bytes(b"".join([count.to_bytes(_BYTES, "little") for count in counts]), "little")


def unpacked(total: int, count: int = WIDTH) -> list[int]:
    """Return the first `count` counts of a number made by `packed`."""
    return [total >> 8 * _BYTES * place & _MASK for place in range(count)]


def packed_streets(row: Sequence[int]) -> list[int]:
    """Return the counts of a seating as files store them: one number per street, and one for the ends."""
    return [
        packed([row[at + place] for at in range(0, len(row), WIDTH) for place in block]) for block in _SPANS
    ]


def unpacked_streets(streets: Sequence[int], places: int) -> list[int]:
    """Return the counts of a seating with `places` places from the output of `packed_streets`."""
    row = [0] * (WIDTH * places)
    for total, block in zip(streets, _SPANS, strict=True):
        where = [at + place for at in range(0, len(row), WIDTH) for place in block]
        for at, count in zip(where, unpacked(total, len(where)), strict=True):
            row[at] = count
    return row


def by_name(counts: Iterable[int]) -> dict[str, int]:
    """Return a row of counts by name."""
    return dict(zip(COUNTERS, counts, strict=True))


Key = TypeVar("Key")

_BY_BOT: Final = ("fourths", "decisions", "nanoseconds")

EXAMPLES: Final = 5
"""Example hands kept for each figure."""

Seated = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A seating, by which habits are counted: the button, the bot in each seat, the seats dealt in."""


def order_of(seated: Seated) -> tuple[int, ...]:
    """Return the seats dealt in, from the left of the button: places 0, 1 and so on."""
    button, who, dealt = seated
    return tuple(sorted(dealt, key=lambda seat: (seat - button - 1) % len(who)))


@attrs.define
class Sums:
    """The sums of a block of hands; all but `faults` and `largest` are sums of integers, equal in any order of adding.

    Lists are by bot. `habits` are counts by seating: a row of `COUNTERS` for each seat dealt in, one after another, from
    the left of the button.
    """

    size: int
    hands: int = 0
    digest: int = 0
    chips_in: int = 0
    chips_out: int = 0
    rake: int = 0
    moments: dict[int, list[int]] = attrs.field(factory=dict)
    """rows of sums over units, see `add_columns`: at `RAW` of results by bot, in chips; by fold of worths and
    terms of luck, in thousandths of a chip"""
    fourths: list[int] = attrs.field(init=False)
    """fourth powers of the results of units, in chips"""
    largest: list[int] = attrs.field(init=False)
    """the largest squared result of a unit"""
    corrections: dict[tuple[int, int], list[int]] = attrs.field(factory=dict)
    """by block and fold, the number of units and the sums of the variables in `moments`"""
    unit_rows: list[list[int]] = attrs.field(factory=list)
    """the results of each unit by bot, in chips and in order, if asked for"""
    curve: dict[int, list[int]] = attrs.field(factory=dict)
    """results in chips by block of hands; their sum is the net result"""
    blocks: dict[int, int] = attrs.field(factory=dict)
    """the number of hands in each block"""
    won: dict[int, list[int]] = attrs.field(factory=dict)
    """by block, twice the units each bot won plus those it broke even in: integers, so halves stay exact"""
    habits: dict[Seated, list[int]] = attrs.field(factory=dict)
    results: dict[Seated, list[int]] = attrs.field(factory=dict)
    """results in chips by seat, for each seating"""
    squares: dict[Seated, list[int]] = attrs.field(factory=dict)
    """sums of the squared results of each hand, likewise"""
    examples: dict[tuple[int, str], list[int]] = attrs.field(factory=dict)
    """by bot and counter or position, the first hands counted there, if asked for"""
    starting_hands: dict[tuple[int, str], list[int]] = attrs.field(factory=dict)
    """by bot and two hole cards, such as `AKs`: how often dealt, played and raised, and the chips won; if asked for"""
    faults: list[Faults] = attrs.field(init=False)
    decisions: list[int] = attrs.field(init=False)
    """the number of timed decisions"""
    nanoseconds: list[int] = attrs.field(init=False)
    """their total time"""
    foreign_luck: bool = False
    """whether anything drew from the module `random` in this process during the hands"""
    rows: list[dict[str, Any]] = attrs.field(factory=list)
    """the hands themselves, if asked for"""

    def __attrs_post_init__(self) -> None:
        for name in _BY_BOT:
            setattr(self, name, [0] * self.size)
        self.largest = [0] * self.size
        self.faults = [Faults() for _ in range(self.size)]

    @property
    def net(self) -> list[int]:
        """The chips won or lost by each bot."""
        return [sum(column) for column in zip(*self.curve.values(), strict=True)] or [0] * self.size

    def habits_by_seat(self) -> dict[Seated, list[list[int]]]:
        """Return the counts by seat, for each seating."""
        found = {}
        for seated, row in self.habits.items():
            by_seat = found[seated] = [[0] * WIDTH for _ in seated[1]]
            for place, seat in enumerate(order_of(seated)):
                by_seat[seat] = row[WIDTH * place : WIDTH * (place + 1)]
        return found

    def add(self, other: Sums) -> None:
        """Add another block of the same match."""
        self.hands += other.hands
        self.digest += other.digest
        self.chips_in += other.chips_in
        self.chips_out += other.chips_out
        self.rake += other.rake
        self.foreign_luck |= other.foreign_luck
        self.rows += other.rows
        self.unit_rows += other.unit_rows
        for name in _BY_BOT:
            setattr(self, name, list(map(add, getattr(self, name), getattr(other, name))))
        _add_rows(self.curve, other.curve)
        _add_rows(self.won, other.won)
        for point, hands in other.blocks.items():
            self.blocks[point] = self.blocks.get(point, 0) + hands
        _add_rows(self.habits, other.habits)
        _add_rows(self.results, other.results)
        _add_rows(self.squares, other.squares)
        for figure, named in other.examples.items():
            # sorted before it is cut: the first hands must not depend on the order in which blocks are added
            self.examples[figure] = sorted(self.examples.get(figure, []) + named)[:EXAMPLES]
        _add_rows(self.starting_hands, other.starting_hands)
        _add_rows(self.moments, other.moments)
        _add_rows(self.corrections, other.corrections)
        self.largest = list(map(max, self.largest, other.largest))
        for mine_faults, their_faults in zip(self.faults, other.faults, strict=True):
            mine_faults.add(their_faults)

    def halve_blocks(self) -> None:
        """Join neighbouring blocks in pairs."""
        blocks, corrections = self.blocks, self.corrections
        self.blocks, self.corrections = {}, {}
        self.curve, self.won = _halved(self.curve), _halved(self.won)
        for block, hands in blocks.items():
            self.blocks[block // 2] = self.blocks.get(block // 2, 0) + hands
        for (block, fold), row in corrections.items():
            _add_rows(self.corrections, {(block // 2, fold): row})


def _halved(rows: dict[int, list[int]]) -> dict[int, list[int]]:
    halved: dict[int, list[int]] = {}
    for block, row in rows.items():
        _add_rows(halved, {block // 2: row})
    return halved


def _add_rows(mine: dict[Key, list[int]], theirs: dict[Key, list[int]]) -> None:
    for key, row in theirs.items():
        mine[key] = list(map(add, mine[key], row)) if key in mine else row.copy()
