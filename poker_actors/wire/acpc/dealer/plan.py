"""What a match is: game, players, hands, seed, and how long and how often a player may fail."""

from __future__ import annotations

import re
import secrets
from fractions import Fraction
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.wire.acpc.protocol import GameDefinition

__all__ = ["MatchLimits", "MatchPlan", "Outcome", "SeatRecord", "drawn_seed"]

MOST_SECONDS: Final = 10_000_000.0
"""Of any limit: four months."""

_NAME: Final = re.compile(r"[!-9;-{}~][ -9;-{}~]{0,99}")


def drawn_seed() -> int:
    """Draw a seed that is short enough to type."""
    return secrets.randbelow(10**9)


@attrs.frozen
class MatchLimits:
    """How long, in seconds, and how often a player may fail. The defaults are the competition's.

    With `strikes` 0 the match ends at the first failure, as the competition's does. With more, a
    player that fails checks if it can and folds if it cannot; one that has failed `strikes`
    times, or has gone, is not waited for again. Raises `BadSpec` for limits that cannot be.
    """

    response: float = 600.0
    """for one answer"""
    hand: float = 600.0
    """for all answers of a hand"""
    per_hand: float = 7.0
    """for all answers of a hand, on average over the match"""
    start: float | None = None
    """for all players to connect and say their version; None: they are waited for"""
    invalid: int | None = None
    """answers that are no legal action, in a match: one more is a failure; None: any number"""
    strikes: int = 0
    ignored: int = 1_000
    """lines a turn that answer nothing, comments included; one more is a failure"""

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
    """Everything that decides a match but the answers. Raises `BadSpec` if it cannot be played."""

    definition: GameDefinition
    hands: int
    seed: int
    title: str = "match"
    fixed_seats: bool = False
    """whether player 0 is the same in every hand; else players move on by one"""
    limits: MatchLimits = attrs.field(factory=MatchLimits)
    names: tuple[str, ...] = attrs.field(validator=_checked)

    @names.default
    def _number_names(self) -> tuple[str, ...]:
        return tuple(f"p{seat + 1}" for seat in range(self.definition.players))

    def __attrs_post_init__(self) -> None:
        if type(self.hands) is not int or not 1 <= self.hands < 2**32:
            raise BadSpec(f"hands is {self.hands!r:.40}: 1 to {2**32 - 1}")

    def player(self, seat: int, number: int) -> int:
        """Return the place of a seat in a hand, from the left of the button."""
        return (seat - (0 if self.fixed_seats else number)) % self.definition.players

    def seat(self, player: int, number: int) -> int:
        """Return the seat that has this place in a hand."""
        return (player + (0 if self.fixed_seats else number)) % self.definition.players


@attrs.define
class SeatRecord:
    """How one player did, and how it behaved."""

    name: str
    value: Fraction = Fraction(0)
    """chips won or lost"""
    seconds: float = 0.0
    """spent on answers"""
    invalid: int = 0
    """answers that were no legal action: they became calls"""
    moved: int = 0
    """raises whose size had to be changed"""
    ignored: int = 0
    """lines that answered nothing"""
    failures: int = 0
    """answers that did not come in time or at all"""
    gone: bool = False
    """whether the dealer no longer waits for it"""
    first: str = ""
    """what went wrong first, in words; empty when nothing did"""

    def note(self, text: str) -> None:
        """Keep `text` if it is the first thing that went wrong."""
        self.first = self.first or text


@attrs.frozen
class Outcome:
    """How a match went."""

    hands: int
    """played to their end"""
    seats: tuple[SeatRecord, ...]
    broken: str = ""
    """why the match ended before its last hand; empty when it did not"""
    digest: str = ""
    """of the lines of the log that say a hand: the same match has the same"""
