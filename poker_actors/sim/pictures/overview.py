"""Write pictures of a result to files."""

from __future__ import annotations

from pathlib import Path

from poker_actors.errors import BadSpec
from poker_actors.sim.exports import StartingHands
from poker_actors.sim.pictures.canvas import figure
from poker_actors.sim.pictures.drawings import (
    draw_crosstable,
    draw_heat_map,
    draw_pairs,
    draw_positions,
    draw_winnings,
)
from poker_actors.sim.ranking import Ranking
from poker_actors.sim.results import SimulationResult

__all__ = ["check_picture_path", "save_crosstable", "save_overview"]

_FORMATS = (".png", ".svg", ".pdf")


def check_picture_path(path: Path) -> None:
    """Raise `BadSpec` unless a picture can be written to `path`."""
    if path.suffix.lower() not in _FORMATS:
        raise BadSpec(f"picture {path}: it can be {', '.join(_FORMATS)}")
    if not path.absolute().parent.is_dir():
        raise BadSpec(f"there is no directory {path.parent} to write {path.name} in")


def save_overview(result: SimulationResult, hands: StartingHands, path: str | Path) -> None:
    """Write winnings, positions, differences and the winner's starting hands as one picture."""
    check_picture_path(Path(path))
    drawn = figure(14, 10)
    (winnings, positions), (pairs, cards) = drawn.subplots(2, 2)
    draw_winnings(winnings, result)
    draw_positions(positions, result)
    draw_pairs(pairs, result)
    best = max(result.players, key=lambda player: player.net_chips)
    draw_heat_map(cards, hands.of[best.seat], "played", result.big_blind)
    cards.set_title(f"Starting hands played by {best.bot}")
    drawn.suptitle(result.headline)
    drawn.savefig(path, dpi=110)


def save_crosstable(ranking: Ranking, path: Path) -> None:
    """Write the crosstable of winnings as a picture."""
    check_picture_path(path)
    size = len(ranking.names)
    drawn = figure(max(6.0, 1.5 * size + 2), max(4.5, 0.8 * size + 2))
    draw_crosstable(drawn.subplots(), ranking)
    drawn.savefig(path, dpi=110)
