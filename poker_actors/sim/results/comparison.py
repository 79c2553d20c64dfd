"""Two results beside each other: how much better each bot did, and how sure that is."""

from __future__ import annotations

from html import escape
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.sim.intervals import Estimate, by_stretches, hands_needed
from poker_actors.sim.results.table import aligned, estimate_text

if TYPE_CHECKING:
    from poker_actors.sim.results.player import PlayerResult
    from poker_actors.sim.results.result import SimulationResult

__all__ = ["BotComparison", "Comparison", "compare"]

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


@attrs.frozen
class BotComparison:
    """One seat in two results; `difference` is this one's bb/100 less the other's."""

    seat: int
    bot: str
    before: str
    """the bot that sat there in the other result"""
    here: Estimate
    there: Estimate
    difference: Estimate
    hands_needed: int | None
    """hands after which a difference of this size stands out at 95 %, played in both; None when there is none"""

    @property
    def verdict(self) -> str:
        """`better`, `worse`, or `not told apart` at 95 %."""
        margin = self.difference.margin
        if margin is None or abs(self.difference.mean) <= margin:
            return "not told apart"
        return "better" if self.difference.mean > 0 else "worse"


@attrs.frozen
class Comparison:
    """How much better each bot did in one result than in another; prints as text and as HTML.

    `paired` when both played the same decks hand by hand: then the difference varies by what the
    bots do with the cards, and hardly by the cards.
    """

    bots: tuple[BotComparison, ...]
    paired: bool
    why: str
    """what the pairing goes by, or why there is none"""

    def to_dict(self) -> dict[str, Any]:
        """Give plain values for JSON."""
        return attrs.asdict(self) | {
            "bots": [{**attrs.asdict(each), "verdict": each.verdict} for each in self.bots],
        }

    @property
    def headline(self) -> str:
        """Whether the hands are paired, in one line."""
        return f"{'paired' if self.paired else 'not paired'}: {self.why}"

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
        return f"{self.headline}\n{aligned([_HEADINGS, *self._rows()], left=(1, 3, 6))}"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(heading)}</th>" for heading in _HEADINGS)
        rows = [
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._rows()
        ]
        return (
            f"<p>{escape(self.headline)}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>"
        )


def compare(here: SimulationResult, there: SimulationResult) -> Comparison:
    """Compare two results seat by seat; raises `BadSpec` when they have not as many players."""
    if len(here.players) != len(there.players):
        raise BadSpec(
            f"{len(here.players)} players cannot be compared with {len(there.players)}: seat by seat"
        )
    unlike = _unlike(here, there)
    bots = tuple(
        _compared(one, other, here, there, paired=unlike is None)
        for one, other in zip(here.players, there.players, strict=True)
    )
    why = f"the same {here.hands:,} decks of seed {here.seed}" if unlike is None else unlike
    return Comparison(bots, unlike is None, why)


def _unlike(here: SimulationResult, there: SimulationResult) -> str | None:
    """Why two results do not have the same decks, hand by hand; None when they have."""
    for name in ("seed", "game", "form", "hands"):
        mine, theirs = getattr(here, name), getattr(there, name)
        if mine != theirs:
            return f"{name} {mine} and {theirs}"
    return None if here.stretches == there.stretches else "their hands are cut into other stretches"


def _compared(
    one: PlayerResult, other: PlayerResult, here: SimulationResult, there: SimulationResult, *, paired: bool
) -> BotComparison:
    if paired:
        gains = [
            mine / here.big_blind - theirs / there.big_blind
            for mine, theirs in zip(one.gains, other.gains, strict=True)
        ]
        difference = by_stretches(gains, here.stretches).scaled(100)
    else:
        difference = _apart(one.judged, other.judged)
    needed = hands_needed(difference, min(here.hands, there.hands))
    return BotComparison(one.seat, one.bot, other.bot, one.judged, other.judged, difference, needed)


def _apart(one: Estimate, other: Estimate) -> Estimate:
    """The difference of two runs that have nothing to do with each other: their errors add up squared."""
    mean = one.mean - other.mean
    if one.margin is None or other.margin is None:
        return Estimate(mean, None)
    return Estimate(mean, sqrt(one.margin**2 + other.margin**2))
