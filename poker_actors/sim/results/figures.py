"""The figures of a run: of all players, and the digest of all hands."""

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
    """What `hands` hands came to; equal when the same hands were played, however fast."""

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
    """chips the house has taken: what went in came out, or was raked"""
    seconds: float = attrs.field(eq=False)
    players: tuple[PlayerResult, ...]
    hands_asked: int
    """more than `hands` when the run was interrupted"""
    blocks: tuple[int, ...] = attrs.field(repr=False)
    """how many hands each point of the curves has"""
    raw: Estimates | None = attrs.field(default=None, repr=False)
    """the chips won and how they varied together; None in files written before this was kept"""
    corrected: Estimates | None = attrs.field(default=None, repr=False)
    """the same without the luck of the cards; None unless asked for"""

    examples: Mapping[tuple[int, str], tuple[int, ...]] = attrs.field(factory=dict, eq=False, repr=False)
    """by bot and counter or position, the first hands that count there, where they were asked for"""
    decision: Sequential | None = None
    """what a run that stops when it is decided has found"""

    @property
    def best(self) -> Estimates | None:
        """The estimate that everything said of the run goes by."""
        return self.corrected or self.raw

    @cached_property
    def judgement(self) -> Judgement | None:
        """What may be said of all pairs and ranks at once; None where nothing tells."""
        if self.best is None:
            return None
        judged = judge(self.best, self.seed)
        return judged if judged is None or self.decision is None else judge_at_any_time(judged, self.decision)

    def plan(self, difference: float = DEFAULT_DIFFERENCE) -> Plan | None:
        """Say how many hands see `difference` bb/100 between every two bots with 80 % power."""
        if self.best is None or self.judgement is None:
            return None
        return plan(self.best, self.judgement.critical, difference)

    @property
    def stretches(self) -> tuple[int, ...]:
        """What `blocks` was called before."""
        return self.blocks

    @property
    def hands_per_second(self) -> float:
        """How fast they were played, statistics included."""
        return self.hands / self.seconds if self.seconds else 0.0

    @property
    def time_outs(self) -> int:
        """How often somebody let a deadline pass; each player's are `faults.late`."""
        return sum(player.faults.late for player in self.players)


def separations(result: RunFigures) -> list[Separation]:
    """Compare every two players of a result, all pairs taken together; none where nothing tells how they varied."""
    return list(result.judgement.pairs) if result.judgement is not None else []
