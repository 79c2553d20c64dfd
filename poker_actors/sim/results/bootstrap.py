"""The bootstrap: intervals by resampling the blocks of a run, and whether Student's t agrees."""

from __future__ import annotations

from random import Random
from typing import Final

import attrs

from poker_actors.sim.intervals import FEWEST_BLOCKS, Estimate
from poker_actors.sim.results.figures import PlayerResult, RunFigures

RESAMPLES: Final = 999
"""With 999 resamples the 25th and the 975th of the sorted means are the ends of the interval (Davison and Hinkley)."""
_ENDS: Final = (24, 974)

_FEW: Final = 30
"""Blocks below which resampled intervals are too narrow, by a thirtieth and more."""
_AGREE: Final = 0.25
"""The share of the margin by which ends may differ: 240 blocks leave a tenth of uncertainty, drawing a twentieth."""


@attrs.frozen
class Bootstrap:
    """Each player's interval of bb/100, and the reason if Student's t disagrees."""

    intervals: tuple[tuple[float, float], ...]
    reasons: tuple[str | None, ...]
    """None where the two agree: both ends are within a quarter of the margin"""
    blocks: int
    """the number of blocks of hands drawn from"""


def bootstrap(result: RunFigures) -> Bootstrap | None:
    """Draw 95 % intervals of bb/100 for all players; return None for fewer than eight blocks.

    Each of 999 resamples draws as many blocks as there are, with replacement, the same ones for every
    player. Blocks are the points of the curve, up to 240, each of whole decks or sessions. The draws
    follow from the seed of the match, so the same result gives the same intervals.
    """
    count = len(result.blocks)
    if count < FEWEST_BLOCKS:
        return None
    rng = Random(f"bootstrap {result.seed}")  # a text is hashed the same way on every platform
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
        "dependent hands, or chance, as in a few runs of many"
    )


def bootstrap_words(result: RunFigures, *, doubts_only: bool = False) -> str:
    """Say in a line where resampled intervals and Student's t differ, and why; "" for no remark.

    With `doubts_only`, agreement and too few blocks get no remark.
    """
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
    return f"bootstrap over {drawn.blocks} blocks disagrees on {'; '.join(apart)}{others}"
