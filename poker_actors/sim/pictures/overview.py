"""Write pictures of a result or a tournament to files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from poker_actors.atomic import check_directory
from poker_actors.errors import BadSpec
from poker_actors.sim.exports import StartingHands
from poker_actors.sim.pictures.drawings import (
    draw_crosstable,
    draw_heat_map,
    draw_pairs,
    draw_positions,
    draw_winnings,
    figure,
    short_names,
)
from poker_actors.sim.ranking import Ranking
from poker_actors.sim.results import SimulationResult, method_sentence

if TYPE_CHECKING:
    from poker_actors.sim.tournaments import TournamentResult

__all__ = ["check_picture_path", "save_crosstable", "save_overview", "save_tournament"]

_FORMATS: Final = (".png", ".svg", ".pdf")
_PAGE: Final = 7.0
"""The width of two columns of a paper, in inches; each chart is as wide as one."""


def check_picture_path(path: Path) -> None:
    """Raise `BadSpec` unless a picture can be written to `path`."""
    if path.suffix.lower() not in _FORMATS:
        raise BadSpec(f"picture {path}: it can be {', '.join(_FORMATS)}")
    check_directory(path)


def save_overview(result: SimulationResult, hands: StartingHands, path: str | Path) -> None:
    """Write winnings, positions, differences and the winner's starting hands as one picture, two columns of a paper wide."""
    check_picture_path(Path(path))
    drawn = figure(_PAGE, 7.6)
    with _small():
        (winnings, positions), (pairs, cards) = drawn.subplots(2, 2)
        draw_winnings(winnings, result)
        draw_positions(positions, result)
        positions.legend(fontsize=6, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.12), frameon=False)
        draw_pairs(pairs, result)
        best = max(result.players, key=lambda player: player.net_chips)
        draw_heat_map(cards, hands.of[best.seat], "played", result.big_blind)
        cards.set_title(
            f"Starting hands played by {short_names([one.bot for one in result.players])[best.seat]}"
        )
        for axes in (winnings, positions, pairs, cards):
            axes.set_title(_lines(axes.get_title(), 44), fontsize=8)
        drawn.supxlabel(_lines(method_sentence(result), 130), fontsize=6.5, ha="left", x=0.01)
        drawn.savefig(path, dpi=300)


def save_crosstable(ranking: Ranking, path: Path) -> None:
    """Write the crosstable of winnings as a picture, two columns of a paper wide for up to a dozen bots."""
    check_picture_path(path)
    size = len(ranking.names)
    width = max(_PAGE, 0.5 * size + 1.5)
    drawn = figure(width, max(3.5, 0.42 * size + 1.6))
    with _small():
        axes = drawn.subplots()
        draw_crosstable(axes, ranking)
        axes.set_title(_lines(axes.get_title(), 100), fontsize=8)
        drawn.savefig(path, dpi=300)


@contextmanager
def _small() -> Iterator[None]:
    """Draw in the letters of a paper's figure: 7 points."""
    from matplotlib import rc_context

    with rc_context({"font.size": 7, "axes.linewidth": 0.6, "svg.fonttype": "none", "pdf.fonttype": 42}):
        yield


def _lines(text: str, most: int) -> str:
    """Break a text into lines of at most so many letters, and never between a number and its %."""
    return fill(text.replace(" %", "\u00a0%"), most)


_SHOWN: Final = 9
"""Players whose stacks are drawn: more curves cannot be told apart."""


def save_tournament(result: TournamentResult, path: Path) -> None:
    """Write the stacks of the best players and the size of the field as one picture."""
    check_picture_path(path)
    drawn = figure(9, 7)
    stacks, field = drawn.subplots(2, 1, sharex=False, height_ratios=(2, 1))
    _draw_stacks(stacks, result)
    _draw_field(field, result)
    drawn.suptitle(
        f"{result.structure.name}, {len(result.standings)} players, seed {result.seed}: {result.winner or 'unfinished'}"
    )
    drawn.savefig(path)


def _draw_stacks(axes: Any, result: TournamentResult) -> None:
    for placed in result.standings[:_SHOWN]:
        there = [
            (level + 1, row[placed.name]) for level, row in enumerate(result.curve) if placed.name in row
        ]
        axes.plot(
            *zip(*there, strict=True), label=f"{placed.place}. {placed.name} {placed.bot}", linewidth=1.6
        )
    axes.set(title="Stacks as each level began", xlabel="level", ylabel="chips")
    axes.legend(fontsize="small", loc="upper left")


def _draw_field(axes: Any, result: TournamentResult) -> None:
    left, times, counts = 0, [0], [0]
    for moment in result.moments:
        change = {"entered": 1, "out": -1}.get(moment.what, 0)
        if change:
            left += change
            times.append(moment.time)
            counts.append(left)
    unit = 60 if result.structure.by == "minutes" else 1
    axes.step([time / unit for time in times], counts, where="post", color="#0072b2")
    axes.set(xlabel="minutes" if unit == 60 else "hands", ylabel="players", ylim=(0, None))
