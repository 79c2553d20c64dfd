"""The result of an equity calculation, player by player."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from attrs import frozen

__all__ = ["EquityResult", "PlayerEquity", "summed_up"]


@frozen
class PlayerEquity:
    """One player's chances, each from 0 to 1.

    `win` is the chance to win alone, `tie` that to share the best hand, `share` the expected part of the pot (a tie of
    two counts half); `stderr` is the standard error of `share`, 0 if exact.
    """

    hand: str
    win: float
    tie: float
    share: float
    stderr: float


@frozen
class EquityResult:
    """Equities of all players, in the order asked.

    `boards` is the number of deals counted: all of them, for all pairings of the ranges, if `exact`, else the trials.
    `interrupted` tells that a run was stopped early.
    """

    players: tuple[PlayerEquity, ...]
    boards: int
    exact: bool
    interrupted: bool = False


def summed_up(
    hands: Sequence[str],
    counts: Sequence[Sequence[float]],
    *,
    boards: int,
    exact: bool,
    interrupted: bool = False,
) -> EquityResult:
    """Return the result for counts: ``counts[player][winners]`` is how often a player was one of so many winners."""
    total = sum(count / winners for row in counts for winners, count in enumerate(row) if winners)
    players = []
    for hand, row in zip(hands, counts, strict=True):
        share = sum(count / winners for winners, count in enumerate(row) if winners) / total
        squares = sum(count / winners**2 for winners, count in enumerate(row) if winners) / total
        stderr = 0.0 if exact else sqrt(max(squares - share * share, 0.0) / boards)
        players.append(PlayerEquity(hand, row[1] / total, sum(row[2:]) / total, share, stderr))
    return EquityResult(tuple(players), boards, exact, interrupted)
