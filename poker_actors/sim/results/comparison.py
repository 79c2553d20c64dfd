"""Compare two results: how much better each bot did, and how certain that is."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any, Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.sim.intervals import Estimate, by_blocks, t_quantile
from poker_actors.sim.judging import LEVEL, POWER_Z, critical_value, holm, p_value
from poker_actors.sim.results.figures import PlayerResult, RunFigures
from poker_actors.sim.results.table import aligned, estimate_text, html_table

_HEADINGS: Final = (
    "seat",
    "bot",
    "bb/100",
    "bot before",
    "bb/100 before",
    "difference ± 95 %",
    "verdict",
    "hands needed",
)


_MANY: Final = 10**6
"""Degrees of freedom for margins that already allow for few units."""


@attrs.frozen
class BotComparison:
    """One seat in two results; `difference` is this one's bb/100 less the other's."""

    seat: int
    bot: str
    before: str
    """the bot in that seat in the other result"""
    here: Estimate
    there: Estimate
    difference: Estimate
    p: float
    """p-value, corrected for the number of seats (Holm)"""
    hands_needed: int | None
    """hands of each run that detect a true difference of this size in four cases of five; None without a difference"""

    @property
    def verdict(self) -> str:
        """`better`, `worse`, or `not told apart`, at 95 % for all seats together."""
        if self.p > LEVEL or not self.difference.mean:
            return "not told apart"
        return "better" if self.difference.mean > 0 else "worse"


@attrs.frozen
class Comparison:
    """How much better each bot did in one result than in another; prints as text and as HTML.

    The results are `paired` if both played the same decks: each block of hands (up to 240 of a run) is
    then compared with the same block of the other, and the luck of the deal cancels.
    """

    bots: tuple[BotComparison, ...]
    paired: bool
    why: str
    """the decks in common, or why the results are not paired"""
    estimator: str = "as the chips fell"
    """which results are compared"""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return attrs.asdict(self) | {
            "bots": [{**attrs.asdict(each), "verdict": each.verdict} for each in self.bots],
        }

    @property
    def headline(self) -> str:
        """One line: whether the hands are paired, and which results are compared."""
        return f"{'paired' if self.paired else 'not paired'}: {self.why}; {self.estimator}"

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                str(each.seat),
                each.bot,
                f"{each.here.mean:+.1f}",
                each.before,
                f"{each.there.mean:+.1f}",
                estimate_text(each.difference),
                each.verdict,
                "-" if each.hands_needed is None else f"{each.hands_needed:,}",
            )
            for each in self.bots
        ]

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = None) -> str:
        """Return the comparison as lines, at most `width` wide if possible."""
        return f"{self.headline}\n{aligned([_HEADINGS, *self._rows()], left=(1, 3, 6), width=width)}"

    def _repr_html_(self) -> str:
        return html_table(self.headline, _HEADINGS, self._rows())


def compare(here: RunFigures, there: RunFigures) -> Comparison:
    """Compare two results seat by seat; raise `BadSpec` if their numbers of players differ."""
    if len(here.players) != len(there.players):
        raise BadSpec(
            f"{len(here.players)} players cannot be compared with {len(there.players)}: seat by seat"
        )
    unlike = _unlike(here, there)
    corrected, which = _estimator(here, there, paired=unlike is None)
    found = [
        _difference(one, other, here, there, paired=unlike is None, corrected=corrected)
        for one, other in zip(here.players, there.players, strict=True)
    ]
    seats = len(found)
    values = holm([_p(each) for each in found])
    bots = tuple(
        BotComparison(
            one.seat,
            one.bot,
            other.bot,
            *_shown(one, other, corrected=corrected),
            difference=each.difference,
            p=p,
            hands_needed=each.hands_needed(seats, min(here.hands, there.hands)),
        )
        for one, other, each, p in zip(here.players, there.players, found, values, strict=True)
    )
    why = f"the same {here.hands:,} decks of seed {here.seed}"
    by_blocks_of = f", by {len(here.blocks)} blocks of hands" if unlike is None else ""
    return Comparison(bots, unlike is None, why if unlike is None else unlike, which + by_blocks_of)


def _unlike(here: RunFigures, there: RunFigures) -> str | None:
    """Return why two results do not share their decks hand by hand; None if they do."""
    for name in ("seed", "game", "form", "hands"):
        mine, theirs = getattr(here, name), getattr(there, name)
        if mine != theirs:
            return f"{name} {mine} and {theirs}"
    return None if here.blocks == there.blocks else "their hands are divided into different blocks"


def _estimator(here: RunFigures, there: RunFigures, *, paired: bool) -> tuple[bool, str]:
    """Return whether both are compared without the luck of the cards, and the words for it."""
    known = [
        [
            each.bb_per_100_adjusted is not None and (not paired or each.corrected_curve is not None)
            for each in run.players
        ]
        for run in (here, there)
    ]
    if all(map(all, known)):
        return True, "without the luck of the cards"
    if any(map(any, known)):
        return False, "as the chips fell: only one has kept results without luck"
    return False, "as the chips fell"


@attrs.frozen
class _Difference:
    """A difference in bb/100 with its standard error and degrees of freedom."""

    difference: Estimate
    error: float | None
    freedom: int

    def hands_needed(self, seats: int, hands: int) -> int | None:
        """Return the hands that detect such a difference with 80 % power, corrected for the number of seats."""
        if not self.difference.mean or not self.error:
            return None
        wide = critical_value(LEVEL / seats, self.freedom) + POWER_Z
        return max(1, ceil(hands * (wide * self.error / self.difference.mean) ** 2))


def _p(found: _Difference) -> float:
    if found.error is None:
        return 1.0
    if not found.error:
        return 0.0 if found.difference.mean else 1.0
    return p_value(found.difference.mean / found.error, found.freedom)


def _shown(one: PlayerResult, other: PlayerResult, *, corrected: bool) -> tuple[Estimate, Estimate]:
    if corrected:
        return one.judged, other.judged
    return one.bb_per_100, other.bb_per_100


def _difference(
    one: PlayerResult,
    other: PlayerResult,
    here: RunFigures,
    there: RunFigures,
    *,
    paired: bool,
    corrected: bool,
) -> _Difference:
    if not paired:
        return _apart(*_shown(one, other, corrected=corrected))
    mine, theirs = (each.corrected_gains if corrected else each.gains for each in (one, other))
    gains = [
        ours / here.big_blind - before / there.big_blind
        for ours, before in zip(mine or (), theirs or (), strict=True)
    ]
    found = by_blocks(gains, here.blocks).scaled(100)
    freedom = max(1, len(gains) - 1)
    return _Difference(found, found.margin and found.margin / t_quantile(freedom), freedom)


def _apart(one: Estimate, other: Estimate) -> _Difference:
    """Return the difference of two independent runs: their squared errors add up."""
    mean = one.mean - other.mean
    if one.margin is None or other.margin is None:
        return _Difference(Estimate(mean, None), None, _MANY)
    margin = sqrt(one.margin**2 + other.margin**2)
    return _Difference(Estimate(mean, margin), margin / t_quantile(_MANY), _MANY)
