"""Draw the 169 starting hands as grids for the report: SVG with the figures of each cell as tooltips."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from poker_actors.sim.exports import StartingHand
from poker_actors.sim.pictures.drawings import SHARES, hand_name, share

__all__ = ["starting_hand_grids"]

_CELL: Final = 30
_TITLES: Final = {"played": "played", "raised": "raised", "won": "won, in big blinds a hand"}


def starting_hand_grids(hands: Mapping[str, StartingHand], big_blind: int, bot: str) -> str:
    """Draw the three grids of a player: played, raised, won; suited hands lie above the diagonal."""
    return f"<div class='grids'>{''.join(_grid(hands, show, big_blind, bot) for show in SHARES)}</div>"


def _grid(hands: Mapping[str, StartingHand], show: str, big_blind: int, bot: str) -> str:
    names = [hand_name(row, column) for row in range(13) for column in range(13)]
    values = {name: share(hands[name], show, big_blind) for name in names if name in hands}
    most = max(map(abs, values.values()), default=1.0) if show == "won" else 1.0
    cells = "".join(
        _cell(place, name, show, values.get(name), most or 1.0) for place, name in enumerate(names)
    )
    size = 13 * _CELL
    words = f"Starting hands of {bot}: {_TITLES[show]}"
    return (
        f"<figure><figcaption>{_TITLES[show]}</figcaption><svg class='grid' viewBox='0 0 {size} {size}' "
        f"role='img' aria-label='{escape(words)}'>{cells}<rect class='b' width='{size}' height='{size}'/></svg></figure>"
    )


def _cell(place: int, name: str, show: str, value: float | None, most: float) -> str:
    """Draw one hand; its value is shown by the opacity of its colour and in its title."""
    x, y = place % 13 * _CELL, place // 13 * _CELL
    text = f"<text x='{x + _CELL // 2}' y='{y + 19}'>{name}</text>"
    if value is None:
        return f"<g><title>{name}: never dealt</title>{text}</g>"
    said = f"{value:+.2f} bb" if show == "won" else f"{100 * value:.0f} %"
    strength = abs(value) / most
    mark = " class='d'" if value < 0 else ""
    colour = (
        f"<rect{mark} x='{x}' y='{y}' width='{_CELL}' height='{_CELL}' fill-opacity='{strength:.2f}'/>"
        if strength >= 0.005
        else ""
    )
    return f"<g><title>{name}: {said}</title>{colour}{text}</g>"
