"""The bootstrap: intervals by drawing again from the blocks of a run, and whether Student's t agrees."""

from __future__ import annotations

from random import Random
from typing import Final

import attrs

from poker_actors.sim.intervals import FEWEST_BLOCKS, Estimate
from poker_actors.sim.results.figures import RunFigures
from poker_actors.sim.results.player import PlayerResult

__all__ = ["Bootstrap", "bootstrap", "bootstrap_words"]

RESAMPLES: Final = 999
"""With 999, the 25th and the 975th of the sorted means are the ends of the interval (Davison and Hinkley)."""
_ENDS: Final = (24, 974)

_FEW: Final = 30
"""Blocks below which drawn intervals come out too narrow, by a thirtieth and more."""
_AGREE: Final = 0.25
"""Of the margin: 240 blocks leave an interval a tenth of uncertainty, and drawing a twentieth."""


@attrs.frozen
class Bootstrap:
    """By player: the interval of its bb/100, and why Student's t says something else, if it does."""

    intervals: tuple[tuple[float, float], ...]
    reasons: tuple[str | None, ...]
    """None where the two agree: both ends within a quarter of the margin"""
    blocks: int
    """blocks of hands that were drawn from"""


def bootstrap(result: RunFigures) -> Bootstrap | None:
    """Draw 95 % intervals for all players; None when there are fewer than eight blocks to draw from.

    Whole blocks (the points of the curve, up to 240, each of whole decks or sessions) are drawn
    with replacement, 999 times as many as there are, the same ones for every player. The draw
    follows from the seed of the match, so the same result gives the same intervals.
    """
    count = len(result.blocks)
    if count < FEWEST_BLOCKS:
        return None
    rng = Random(f"bootstrap {result.seed}")  # seeded with text: the same on every platform
    rows = list(
        zip(
            *(player.corrected_gains or player.gains for player in result.players), result.blocks, strict=True
        )
    )
    scale = 100 / result.big_blind
    means: list[list[float]] = [[] for _ in result.players]
    for _ in range(RESAMPLES):
        *totals, hands = map(sum, zip(*rng.choices(rows, k=count), strict=True))
        for mean, total in zip(means, totals, strict=True):
            mean.append(scale * total / hands)
    intervals = tuple(_ends(sorted(mean)) for mean in means)
    reasons = tuple(map(_reason, result.players, intervals, [count] * len(intervals)))
    return Bootstrap(intervals, reasons, count)


def _ends(means: list[float]) -> tuple[float, float]:
    low, high = _ENDS
    return means[low], means[high]


def _reason(player: PlayerResult, interval: tuple[float, float], count: int) -> str | None:
    found: Estimate = player.judged
    if found.margin is None or found.interval is None:
        return None
    low, high = (drawn - by_t for drawn, by_t in zip(interval, found.interval, strict=True))
    if max(abs(low), abs(high)) <= _AGREE * found.margin:
        return None
    if count < _FEW:
        return f"there are only {count} blocks of hands to draw from"
    if low * high > 0:
        return "a few large results weigh on one side"
    wider = interval[1] - interval[0] > 2 * found.margin
    return (
        f"blocks of hands vary {'more' if wider else 'less'} than single hands would make them: "
        "hands that hang together, or the chance of one run in some"
    )


def bootstrap_words(result: RunFigures, *, doubts_only: bool = False) -> str:
    """Say in a line where drawn intervals and Student's t differ, and why; "" when there is nothing to say."""
    drawn = bootstrap(result)
    if drawn is None:
        return "" if doubts_only else "bootstrap: too few blocks of hands to draw from"
    apart = [
        f"{player.bot} {low:+.1f} to {high:+.1f} ({reason})"
        for player, (low, high), reason in zip(result.players, drawn.intervals, drawn.reasons, strict=True)
        if reason is not None
    ]
    if not apart:
        return "" if doubts_only else f"bootstrap over {drawn.blocks} blocks: agrees with Student's t"
    others = "; the others agree with Student's t" if len(apart) < len(result.players) else ""
    return f"bootstrap over {drawn.blocks} blocks says otherwise of {'; '.join(apart)}{others}"
