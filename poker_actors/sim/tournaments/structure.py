"""The structure of a tournament: levels, stacks, seats, late registration, rebuys, costs, and shares of the prize pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Game, Stakes, whole_chips
from poker_actors.rules.games import Rotation

By = Literal["hands", "minutes"]

_HIGHEST: Final = 10**12
"""The largest blind: past the last level blinds double with each level, up to this."""
_MOST_SEATS: Final = 10


@attrs.frozen
class Pace:
    """The time a hand takes, in whole seconds: `hand`, plus `action` for each action.

    The clock of a simulated tournament is computed from these, so it is the same in every run.
    """

    hand: int = 40
    action: int = 6

    def __attrs_post_init__(self) -> None:
        whole_chips("seconds of a hand", self.hand, least=1)
        whole_chips("seconds of an action", self.action)


_LADDER: Final = (2, 3, 4, 6, 8, 12, 16)
"""Factors of the first small blind by level, in halves; after these they repeat times ten."""


def blinds(small: int, count: int, *, ante_from: int = 0, big_blind_ante_from: int = 0) -> tuple[Stakes, ...]:
    """Return `count` levels: the small blind times 1, 1.5, 2, 3, 4, 6, 8, 10, 15 and so on, big blinds twice that.

    `ante_from` and `big_blind_ante_from` are the first levels (from 1) with an ante of an eighth of the
    big blind, and with a big blind ante of one big blind; 0 is never.
    """
    whole_chips("the first small blind", small, least=2)
    whole_chips("the number of levels", count, least=1)
    levels = []
    for number in range(count):
        tens, place = divmod(number, len(_LADDER))
        low = small * _LADDER[place] * 10**tens // 2
        ante = max(low // 4, 1) if 0 < ante_from <= number + 1 else 0
        whole = 2 * low if 0 < big_blind_ante_from <= number + 1 else 0
        levels.append(Stakes(low, 2 * low, ante=ante, big_blind_ante=whole))
    return tuple(levels)


@attrs.frozen
class Structure:
    """All settings of a tournament, without its players. Chips, money and times are whole numbers.

    Each of `levels` lasts `length`: hands if `by` is "hands" (a hand at any table is one tick of its clock), else
    seconds. Past the last level blinds double, so that every tournament ends. `late_until` and `rebuy_until` are
    the levels, from 1, at whose end registration and rebuys close; 0 means there are none. `add_on_stack` can
    be bought once, at the end of the rebuys. `shares` are parts of the prize pool from the first place on;
    empty ones follow from the number of entries. Raises `BadSpec` for fields out of range or in conflict.
    """

    name: str
    levels: tuple[Stakes, ...]
    length: int
    by: By = "minutes"
    stack: int = 1500
    seats: int = 6
    final_seats: int = 0
    """seats of the final table; 0 is `seats`"""
    late_until: int = 0
    buy_in: int = 100
    """money for the prize pool"""
    fee: int = 0
    """money for the house, with the buy-in"""
    rebuys: int = 0
    """the most rebuys of a player"""
    rebuy_until: int = 0
    rebuy_stack: int = 0
    """chips of a rebuy; 0 is `stack`"""
    rebuy_cost: int = 0
    """price of a rebuy; 0 is `buy_in`"""
    add_on_stack: int = 0
    add_on_cost: int = 0
    shares: tuple[int, ...] = ()
    prize_unit: int = 1
    """prizes below the first are multiples of this"""
    game: str = "holdem"
    pace: Pace = attrs.field(factory=Pace)

    def __attrs_post_init__(self) -> None:
        for name, least in _LEAST.items():
            whole_chips(name.replace("_", " "), getattr(self, name), least=least)
        if self.by not in ("hands", "minutes"):
            raise BadSpec(f"levels by {self.by!r:.20}: it must be hands or minutes")
        if not self.levels:
            raise BadSpec("a tournament needs at least one level")
        most = min(self.rules.max_seats, _MOST_SEATS)
        for name in ("seats", "final_seats"):
            seats = getattr(self, name)
            if seats and not 2 <= seats <= most:
                raise BadSpec(f"{name.replace('_', ' ')} {seats}: a table of {self.game} has 2 to {most}")
        if self.final_seats and self.final_seats < self.seats:
            raise BadSpec(f"the final table of {self.final_seats} is smaller than the others of {self.seats}")
        if bool(self.rebuys) != bool(self.rebuy_until):
            raise BadSpec(f"{self.rebuys} rebuys until level {self.rebuy_until}: set both or neither")
        if self.add_on_stack and not self.rebuy_until:
            raise BadSpec("an add-on is sold at the end of the rebuys, but there are none")
        if self.shares:
            check_shares(self.shares)

    @property
    def rules(self) -> Game | Rotation:
        """The game, or a rotation of games that change with each level."""
        return Rotation.named(self.game)

    def game_at(self, level: int) -> Game:
        """Return the game of a level, from 0."""
        rules = self.rules
        return rules.at(level, 1) if isinstance(rules, Rotation) else rules

    @property
    def final_size(self) -> int:
        """The number of seats at the final table."""
        return self.final_seats or self.seats

    @property
    def entry(self) -> int:
        """The price to enter: buy-in and fee."""
        return self.buy_in + self.fee

    @property
    def rebuy_price(self) -> int:
        """The price of a rebuy."""
        return self.rebuy_cost or self.buy_in

    @property
    def rebuy_chips(self) -> int:
        """The chips of a rebuy."""
        return self.rebuy_stack or self.stack

    @property
    def last_level(self) -> int:
        """The level, from 1, at whose end registration and rebuys close; 0 if there are none."""
        return max(self.late_until, self.rebuy_until)

    def level(self, time: int) -> int:
        """Return the level, from 0, at a time of the tournament's clock."""
        return time // self.length

    def stakes(self, level: int) -> Stakes:
        """Return the stakes of a level, from 0, in the form of its game; past the last level they double."""
        return self.game_at(level).stakes_like(self._blinds(level))

    def _blinds(self, level: int) -> Stakes:
        levels = self.levels
        if level < len(levels):
            return levels[level]
        last = levels[-1]
        times = min(2 ** min(level - len(levels) + 1, 64), max(_HIGHEST // max(last.big_blind, 1), 1))
        return Stakes(
            last.small_blind * times,
            last.big_blind * times,
            ante=last.ante * times,
            big_blind_ante=last.big_blind_ante * times,
        )

    def takes(self, actions: int) -> int:
        """Return the time that a hand of `actions` actions takes on the tournament's clock."""
        return 1 if self.by == "hands" else self.pace.hand + self.pace.action * actions

    def shares_of(self, entries: int) -> tuple[int, ...]:
        """Return the shares of the prize pool, at most one per entry."""
        return self.shares[:entries] if self.shares else shares_for(entries)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_dict` reads them."""
        plain = {field.name: getattr(self, field.name) for field in attrs.fields(Structure)}
        plain["levels"] = [list(level.numbers()) for level in self.levels]
        plain["shares"] = list(self.shares)
        plain["pace"] = [self.pace.hand, self.pace.action]
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Structure:
        """Read the values of `to_dict`; raise `BadSpec` for others."""
        try:
            fields = dict(plain)
            fields["levels"] = tuple(Stakes(*level) for level in plain["levels"])
            fields["shares"] = tuple(plain["shares"])
            fields["pace"] = Pace(*plain["pace"])
            return cls(**fields)
        except (KeyError, TypeError) as error:
            raise BadSpec(f"a tournament's structure cannot be read: {error}") from None


_LEAST: Final = {
    "length": 1,
    "stack": 1,
    "seats": 2,
    "prize_unit": 1,
    **dict.fromkeys(("final_seats", "late_until", "buy_in", "fee", "rebuys", "rebuy_until"), 0),
    **dict.fromkeys(("rebuy_stack", "rebuy_cost", "add_on_stack", "add_on_cost"), 0),
}
"""The least value of each field."""


def sit_and_go(seats: int = 6, **changed: Any) -> Structure:
    """Return the preset for one table: 75 big blinds, levels of ten hands, no antes.

    `changed` overrides fields of `Structure`.
    """
    fields: dict[str, Any] = {
        "name": "sng",
        "levels": blinds(10, 16),
        "length": 10,
        "by": "hands",
        "seats": seats,
    }
    return Structure(**fields | changed)


def multi_table(seats: int = 6, **changed: Any) -> Structure:
    """Return the preset for many tables: 100 big blinds, levels of ten minutes.

    Registration is open until the end of the fourth level; big blind antes begin with the fifth.
    `changed` overrides fields of `Structure`.
    """
    fields: dict[str, Any] = {
        "name": "mtt",
        "levels": blinds(50, 20, big_blind_ante_from=5),
        "length": 600,
        "by": "minutes",
        "stack": 10_000,
        "seats": seats,
        "late_until": 4,
    }
    return Structure(**fields | changed)


_TABLES: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (4, (100,)),
    (7, (65, 35)),
    (10, (50, 30, 20)),
    (20, (40, 25, 20, 15)),
)
"""(most entries, shares in percent) as usual in sit-and-gos of one or two tables."""

_PAID_OF: Final = 7
"""In larger fields one entry in seven is paid, as in most online tournaments."""
_SHAPE: Final = 0.85
"""Shares in large fields go with place ** -0.85: with a hundred entries the first place gets 20 to 25 %."""
_PARTS: Final = 1_000_000
"""The share of the first place before scaling, so that shares are integers; fine enough for 10,000 entries."""


def check_shares(shares: Sequence[int]) -> None:
    """Raise `BadSpec` unless shares are whole, above 0 and never increasing."""
    for place, share in enumerate(shares, start=1):
        whole_chips(f"the share of place {place}", share, least=1)
        if place > 1 and share > shares[place - 2]:
            raise BadSpec(f"place {place} gets {share}, above the {shares[place - 2]} of the place before it")


def places_paid(entries: int) -> int:
    """Return the usual number of places paid."""
    for most, shares in _TABLES:
        if entries <= most:
            return min(len(shares), max(entries, 1))
    return max(-(-entries // _PAID_OF), len(_TABLES[-1][1]))


def shares_for(entries: int) -> tuple[int, ...]:
    """Return the usual shares for a number of entries, from the first place on.

    >>> shares_for(9)
    (50, 30, 20)
    """
    for most, shares in _TABLES:
        if entries <= most:
            return shares[: max(entries, 1)]
    return tuple(round(_PARTS * place**-_SHAPE) for place in range(1, places_paid(entries) + 1))


def prizes(pool: int, shares: Sequence[int], unit: int = 1) -> tuple[int, ...]:
    """Divide a prize pool into whole amounts, from the first place on, that sum to the pool.

    Every prize is its share rounded down to a multiple of `unit`; the rest goes to the first place. In a
    small pool the last places may get nothing. Raises `BadSpec` for no shares or increasing ones.

    >>> prizes(1000, (50, 30, 20))
    (500, 300, 200)
    >>> prizes(100, (65, 35), unit=10)
    (70, 30)
    """
    whole_chips("the prize pool", pool)
    check_shares(shares)
    if not shares:
        raise BadSpec("no place is paid: a prize pool needs at least one share")
    total = sum(shares)
    rest = [pool * share // total // unit * unit for share in shares[1:]]
    return (pool - sum(rest), *rest)


def shared(amounts: Sequence[int], among: int) -> tuple[int, ...]:
    """Divide the prizes of places shared by `among` players: equal parts, odd units to the first ones.

    >>> shared((50, 25), 2)
    (38, 37)
    """
    each, odd = divmod(sum(amounts), among)
    return tuple(each + (number < odd) for number in range(among))
