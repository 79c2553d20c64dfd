"""The structure of a tournament: levels, stacks, seats, late registration, rebuys, and costs."""

from __future__ import annotations

from typing import Any, Final, Literal

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Game, Stakes, whole_chips
from poker_actors.rules.games import Rotation
from poker_actors.sim.tournaments.payouts import check_shares, shares_for

__all__ = ["Pace", "Structure", "blinds", "multi_table", "sit_and_go"]

By = Literal["hands", "minutes"]

_HIGHEST: Final = 10**12
"""No blind is above this: past the last level blinds double at each level up to here."""
_MOST_SEATS: Final = 10


@attrs.frozen
class Pace:
    """How long a hand takes, in whole seconds of the tournament's clock: `hand`, and `action` for each action.

    The clock of a simulated tournament is made of these, so that it is the same in every run.
    """

    hand: int = 40
    action: int = 6

    def __attrs_post_init__(self) -> None:
        whole_chips("seconds of a hand", self.hand, least=1)
        whole_chips("seconds of an action", self.action)


_LADDER: Final = (2, 3, 4, 6, 8, 12, 16)
"""Halves of what the first small blind is multiplied by, level by level; then ten times as much."""


def blinds(small: int, count: int, *, ante_from: int = 0, big_blind_ante_from: int = 0) -> tuple[Stakes, ...]:
    """Return `count` levels: the small blind times 1, 1.5, 2, 3, 4, 6, 8, 10, 15 and so on, the big one twice that.

    `ante_from` and `big_blind_ante_from` are the levels (from 1) with which an ante of an eighth of
    the big blind, or a big blind ante of a whole one, begins; 0 is never.
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
    """Everything about a tournament but who plays it. Chips, money and the clock are whole numbers.

    `levels` last `length` each: hands where `by` is "hands" (every table's hands count, and a hand
    everywhere is one tick of the clock), else seconds. Past the last one the blinds double, so that
    every tournament ends. Levels are counted from 1 in `late_until` and `rebuy_until`: registration,
    or rebuys, are open until the end of that level; 0 is not at all. `add_on_stack` can be bought
    once, at the end of the rebuys. `shares` are parts of the prize pool from the first place on;
    by the number of entries where there are none. Raises `BadSpec`.
    """

    name: str
    levels: tuple[Stakes, ...]
    length: int
    by: By = "minutes"
    stack: int = 1500
    seats: int = 6
    final_seats: int = 0
    """seats of the final table; 0 is as many as the others"""
    late_until: int = 0
    buy_in: int = 100
    """money for the prize pool"""
    fee: int = 0
    """money for the house, with the buy-in"""
    rebuys: int = 0
    """the most a player may take"""
    rebuy_until: int = 0
    rebuy_stack: int = 0
    """chips of a rebuy; 0 is as many as `stack`"""
    rebuy_cost: int = 0
    """money of a rebuy; 0 is as much as `buy_in`"""
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
            raise BadSpec(f"levels by {self.by!r:.20}: they go by hands or by minutes")
        if not self.levels:
            raise BadSpec("a tournament has at least one level")
        most = min(self.rules.max_seats, _MOST_SEATS)
        for name in ("seats", "final_seats"):
            seats = getattr(self, name)
            if seats and not 2 <= seats <= most:
                raise BadSpec(f"{name.replace('_', ' ')} {seats}: a table of {self.game} has 2 to {most}")
        if self.final_seats and self.final_seats < self.seats:
            raise BadSpec(f"the final table of {self.final_seats} is smaller than the others of {self.seats}")
        if bool(self.rebuys) != bool(self.rebuy_until):
            raise BadSpec(f"{self.rebuys} rebuys until level {self.rebuy_until}: both or neither")
        if self.add_on_stack and not self.rebuy_until:
            raise BadSpec("an add-on comes at the end of the rebuys: there are none")
        if self.shares:
            check_shares(self.shares)

    @property
    def rules(self) -> Game | Rotation:
        """The game that is played, or those that are, a level of each in turn."""
        return Rotation.named(self.game)

    def game_at(self, level: int) -> Game:
        """Return the game of a level, from 0."""
        rules = self.rules
        return rules.at(level, 1) if isinstance(rules, Rotation) else rules

    @property
    def final_size(self) -> int:
        """Seats of the final table."""
        return self.final_seats or self.seats

    @property
    def entry(self) -> int:
        """What a player pays to enter."""
        return self.buy_in + self.fee

    @property
    def rebuy_price(self) -> int:
        """What a rebuy costs."""
        return self.rebuy_cost or self.buy_in

    @property
    def rebuy_chips(self) -> int:
        """The chips of a rebuy."""
        return self.rebuy_stack or self.stack

    @property
    def last_level(self) -> int:
        """The level, from 1, with whose end nobody can come or buy chips any more; 0 without such a time."""
        return max(self.late_until, self.rebuy_until)

    def level(self, time: int) -> int:
        """Return the level, from 0, at a time of the tournament's clock."""
        return time // self.length

    def stakes(self, level: int) -> Stakes:
        """Return the stakes of a level, from 0, as its game has them; past the last one they double."""
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
        """Return what a hand of so many actions takes on the tournament's clock."""
        return 1 if self.by == "hands" else self.pace.hand + self.pace.action * actions

    def shares_of(self, entries: int) -> tuple[int, ...]:
        """Return the parts of the prize pool with so many entries; no more than there are players."""
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
        """Read what `to_dict` gave; raises `BadSpec`."""
        try:
            fields = dict(plain)
            fields["levels"] = tuple(Stakes(*level) for level in plain["levels"])
            fields["shares"] = tuple(plain["shares"])
            fields["pace"] = Pace(*plain["pace"])
            return cls(**fields)
        except (KeyError, TypeError) as error:
            raise BadSpec(f"a tournament's structure does not read: {error}") from None


_LEAST: Final = {
    "length": 1,
    "stack": 1,
    "seats": 2,
    "final_seats": 0,
    "late_until": 0,
    "buy_in": 0,
    "fee": 0,
    "rebuys": 0,
    "rebuy_until": 0,
    "rebuy_stack": 0,
    "rebuy_cost": 0,
    "add_on_stack": 0,
    "add_on_cost": 0,
    "prize_unit": 1,
}
"""The least of each amount."""


def sit_and_go(seats: int = 6, **changed: Any) -> Structure:
    """Return the preset of one table: 75 big blinds, levels of ten hands, no antes.

    `changed` are fields of `Structure` to set otherwise.
    """
    fields: dict[str, Any] = {
        "name": "sng",
        "levels": blinds(10, 16),
        "length": 10,
        "by": "hands",
        "stack": 1500,
        "seats": seats,
    }
    return Structure(**{**fields, **changed})


def multi_table(seats: int = 6, **changed: Any) -> Structure:
    """Return the preset of many tables: 100 big blinds, levels of ten minutes.

    Registration is open until the end of the fourth level; a big blind ante begins with the fifth. `changed` are fields of `Structure` to set otherwise.
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
    return Structure(**{**fields, **changed})
