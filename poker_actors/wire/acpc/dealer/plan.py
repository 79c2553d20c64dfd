"""The plan of a match: game, players, hands, seed, time limits and tolerated failures."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.wire.acpc.protocol import GameDefinition

__all__ = ["MatchLimits", "MatchPlan", "Outcome", "SeatRecord"]

MOST_SECONDS: Final = 10_000_000.0
"""Highest limit: about four months."""

_NAME: Final = re.compile(r"[!-9;-{}~][ -9;-{}~]{0,99}")


@attrs.frozen
class MatchLimits:
    """Time limits in seconds, and tolerated failures. The defaults are the competition's.

    With `strikes` 0 the match ends at the first failure, as in the competition. With more, a
    player that fails checks if it can, else folds; after `strikes` failures, or when it has gone,
    it is not waited for again. Raises `BadSpec` for impossible limits.
    """

    response: float = 600.0
    """for one answer"""
    hand: float = 600.0
    """for all answers of a hand"""
    per_hand: float = 7.0
    """for all answers of a hand, on average over the match"""
    start: float | None = None
    """for all players to connect and send their version; None: no limit"""
    invalid: int | None = None
    """illegal actions tolerated in a match, each more is a failure; None: any number"""
    strikes: int = 0
    ignored: int = 1_000
    """lines per turn that answer nothing, comments included; one more is a failure"""

    def __attrs_post_init__(self) -> None:
        for name in ("response", "hand", "per_hand", "start"):
            seconds = getattr(self, name)
            if seconds is not None and not 0 < seconds <= MOST_SECONDS:
                raise BadSpec(f"{name} of {seconds} seconds: more than 0, at most {MOST_SECONDS:.0f}")
        for name in ("invalid", "strikes", "ignored"):
            count = getattr(self, name)
            if count is not None and count < 0:
                raise BadSpec(f"{name} {count} is below the minimum of 0")


def _checked(plan: MatchPlan, attribute: object, names: tuple[str, ...]) -> None:
    if len(names) != plan.definition.players:
        raise BadSpec(f"{len(names)} names: {plan.definition.name} is for {plan.definition.players} players")
    for name in (*names, plan.title):
        if _NAME.fullmatch(name) is None:
            raise BadSpec(
                f"{name[:40]!r} cannot be a name: 1 to 100 printable ASCII characters without : and |"
            )
    if len(set(names)) < len(names):
        raise BadSpec(f"two players are called {max(names, key=names.count)!r}")


@attrs.frozen
class MatchPlan:
    """Everything that determines a match, apart from the answers. Raises `BadSpec` if it cannot be played."""

    definition: GameDefinition
    hands: int
    seed: int
    title: str = "match"
    fixed_seats: bool = False
    """whether player 0 is the same seat in every hand; else players move on by one seat"""
    limits: MatchLimits = attrs.field(factory=MatchLimits)
    names: tuple[str, ...] = attrs.field(validator=_checked)

    @names.default
    def _number_names(self) -> tuple[str, ...]:
        return tuple(f"p{seat + 1}" for seat in range(self.definition.players))

    def __attrs_post_init__(self) -> None:
        if type(self.hands) is not int or not 1 <= self.hands < 2**32:
            raise BadSpec(f"hands is {self.hands!r:.40}: 1 to {2**32 - 1}")

    def player(self, seat: int, number: int) -> int:
        """Return the player number of a seat in a hand, counted from the left of the button."""
        return (seat - (0 if self.fixed_seats else number)) % self.definition.players

    def seat(self, player: int, number: int) -> int:
        """Return the seat of a player number in a hand."""
        return (player + (0 if self.fixed_seats else number)) % self.definition.players


@attrs.define
class SeatRecord:
    """One player's result, and its failures."""

    name: str
    value: Fraction = Fraction(0)
    """chips won or lost"""
    seconds: float = 0.0
    """spent on answers"""
    invalid: int = 0
    """illegal actions, which became calls"""
    moved: int = 0
    """raises whose size had to be changed"""
    ignored: int = 0
    """lines that answered nothing"""
    failures: int = 0
    """failures, such as an answer that was late or never came; see `MatchLimits`"""
    gone: bool = False
    """whether the dealer no longer waits for it"""
    first: str = ""
    """the first failure in words; empty without one"""

    def note(self, text: str) -> None:
        """Keep `text` if it is the first thing that went wrong."""
        self.first = self.first or text


@attrs.frozen
class Outcome:
    """The result of a match."""

    hands: int
    """hands finished"""
    seats: tuple[SeatRecord, ...]
    broken: str = ""
    """why the match ended before its last hand; empty when it did not"""
    digest: str = ""
    """hash of the log's lines of hands: equal matches have equal digests"""
