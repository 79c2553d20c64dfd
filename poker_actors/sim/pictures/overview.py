"""Pictures of a result as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from poker_actors.errors import BadSpec
from poker_actors.sim.exports import StartingHand, StartingHands
from poker_actors.sim.pictures.canvas import figure, png
from poker_actors.sim.pictures.drawings import (
    SHARES,
    draw_heat_map,
    draw_pairs,
    draw_positions,
    draw_winnings,
)
from poker_actors.sim.results import SimulationResult

__all__ = [
    "check_picture_path",
    "heat_maps_png",
    "pairs_png",
    "positions_png",
    "save_overview",
    "winnings_png",
]

_FORMATS = (".png", ".svg", ".pdf")


def check_picture_path(path: Path) -> None:
    """Raise `BadSpec` unless a picture can be written to `path`."""
    if path.suffix.lower() not in _FORMATS:
        raise BadSpec(f"picture {path}: it can be {', '.join(_FORMATS)}")
    if not path.absolute().parent.is_dir():
        raise BadSpec(f"there is no directory {path.parent} to write {path.name} in")


def save_overview(result: SimulationResult, hands: StartingHands, path: Path) -> None:
    """Write winnings, positions, differences and the winner's starting hands as one picture."""
    check_picture_path(path)
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


def winnings_png(result: SimulationResult) -> bytes:
    """Draw the winnings."""
    drawn = figure(11, 5)
    draw_winnings(drawn.subplots(), result)
    return png(drawn)


def positions_png(result: SimulationResult) -> bytes:
    """Draw the positions."""
    drawn = figure(11, 3.5)
    axes = drawn.subplots()
    draw_positions(axes, result)
    axes.legend(fontsize="small", ncols=5)
    return png(drawn)


def pairs_png(result: SimulationResult) -> bytes:
    """Draw who is ahead of whom."""
    drawn = figure(7, 5.5)
    draw_pairs(drawn.subplots(), result)
    return png(drawn)


def heat_maps_png(hands: Mapping[str, StartingHand], big_blind: int) -> bytes:
    """Draw a player's starting hands: played, raised, won."""
    drawn = figure(13, 4.6)
    for axes, show in zip(drawn.subplots(1, 3), SHARES, strict=True):
        draw_heat_map(axes, hands, show, big_blind)
    return png(drawn)
