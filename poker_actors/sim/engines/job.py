"""The job of a worker: what to play and to count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.bots import Bot, Faults, fallback
from poker_actors.sim.match import Match
from poker_actors.sim.statistics import Correcting, LuckIn, Tally, plain_luck

POINTS: Final = 240
"""Most points of the curve of winnings: enough for a picture, few enough to send between processes."""


@attrs.frozen
class Job:
    """All that a worker needs to play hands: the match, its driver, and what to count."""

    match: Match
    driver: str = "direct"
    keep: bool = False
    """whether to return the hands, too, as rows"""
    adjust: bool = False
    """whether to count the hands without the luck of the cards, too"""
    luck: LuckIn = plain_luck
    """how the luck of a hand is found"""
    keep_units: bool = False
    """whether to return the results of each unit, too"""
    examples: bool = False
    """whether to collect example hands for each figure"""
    starting_hands: bool = False
    """whether to count the bots' starting hands"""
    block: int = 0
    """hands for each point of the curve; 0 for a length that makes at most 240 points of the match"""
    compiled: bool = False
    """whether compiled code plays"""
    meanwhile: int = 0
    """hands played in Python while that code was being compiled"""
    in_python: str = ""
    """why compiled code does not play, in a few words; empty if not requested"""
    before: tuple[Faults, ...] = ()
    """each bot's faults in earlier hands; empty for none"""

    def new_faults(self) -> list[Faults]:
        """Return counters of faults that continue from those `before`, one per bot."""
        if not self.before:
            return [Faults() for _ in self.match.bots]
        return [Faults.after(before) for before in self.before]

    @property
    def block_hands(self) -> int:
        """Hands for each point of the curve: whole units."""
        unit = self.match.unit
        block = self.block or max(1, -(-self.match.hands // POINTS))
        return -(-block // unit) * unit

    def new_tally(self) -> Tally:
        """Make an empty tally for hands of this match."""
        match = self.match
        bots, unit = len(match.bots), match.unit
        correcting = Correcting(match.tree, bots, unit, self.luck) if self.adjust else None
        return Tally(
            bots, self.block_hands, unit, correcting, keep_units=self.keep_units, examples=self.examples
        )


def new_bots(match: Match, faults: Sequence[Faults]) -> list[Bot]:
    """Make the bots of a match; `fallback` stands in for an ejected one."""
    made = zip(match.bots, faults, strict=True)
    return [spec.make() if account.ejected is None else fallback for spec, account in made]
