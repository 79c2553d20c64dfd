"""The figures of a run: those of all players, and the digest of all hands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from poker_actors.sim.judging import (
    DEFAULT_DIFFERENCE,
    Estimates,
    Judgement,
    Plan,
    Separation,
    Sequential,
    judge,
    judge_at_any_time,
    plan,
)
from poker_actors.sim.results.player import PlayerResult

__all__ = ["RunFigures", "separations"]


@attrs.frozen
class RunFigures:
    """The figures of a run; equal if the same hands were played, however fast."""

    hands: int
    seed: int
    game: str
    driver: str = attrs.field(eq=False)
    form: str
    stakes: str
    stacks: tuple[int, ...]
    big_blind: int
    digest: str
    """32 hexadecimal digits: the sum of the hashes of every hand's record"""
    chips_in: int
    chips_out: int
    rake: int
    """chips taken by the house; `chips_in` is `chips_out` plus these"""
    seconds: float = attrs.field(eq=False)
    engine: str = attrs.field(default="", eq=False, kw_only=True)
    """what played the hands, and why; empty in files of earlier versions"""
    players: tuple[PlayerResult, ...]
    hands_asked: int
    """more than `hands` if the run was interrupted"""
    blocks: tuple[int, ...] = attrs.field(repr=False)
    """the number of hands in each point of the curves"""
    raw: Estimates | None = attrs.field(default=None, repr=False)
    """the chips won and their covariances; None in files of versions that did not keep them"""
    corrected: Estimates | None = attrs.field(default=None, repr=False)
    """the same without the luck of the cards; None unless asked for"""

    examples: Mapping[tuple[int, str], tuple[int, ...]] = attrs.field(factory=dict, eq=False, repr=False)
    """by bot and counter or position, the first hands counted there, if asked for"""
    decision: Sequential | None = None
    """the tests of a run that stops when it is decided"""

    @property
    def best(self) -> Estimates | None:
        """The estimates by which the run is judged: without luck, if known."""
        return self.corrected or self.raw

    @cached_property
    def judgement(self) -> Judgement | None:
        """What holds of all pairs and ranks together at 95 %; None if the variances are unknown."""
        if self.best is None:
            return None
        judged = judge(self.best, self.seed)
        return judged if judged is None or self.decision is None else judge_at_any_time(judged, self.decision)

    def plan(self, difference: float = DEFAULT_DIFFERENCE) -> Plan | None:
        """Return how many hands detect `difference` bb/100 between each pair of bots with 80 % power."""
        if self.best is None or self.judgement is None:
            return None
        return plan(self.best, self.judgement.critical, difference)

    @property
    def stretches(self) -> tuple[int, ...]:
        """The former name of `blocks`."""
        return self.blocks

    @property
    def hands_per_second(self) -> float:
        """Hands per second, statistics included."""
        return self.hands / self.seconds if self.seconds else 0.0

    @property
    def time_outs(self) -> int:
        """Missed deadlines of all players; each player's are `faults.late`."""
        return sum(player.faults.late for player in self.players)


def separations(result: RunFigures) -> list[Separation]:
    """Compare every pair of players, at 95 % for all pairs together; empty if the variances are unknown."""
    return list(result.judgement.pairs) if result.judgement is not None else []
