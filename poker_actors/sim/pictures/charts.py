"""Draw charts for the report: inline SVG in the colours of the page's theme."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from html import escape
from textwrap import fill
from typing import Any, Final

from poker_actors.sim.exports import StartingHand
from poker_actors.sim.pictures.drawings import (
    COLOURS,
    SHARES,
    draw_positions,
    draw_winnings,
    figure,
    hand_name,
    share,
)
from poker_actors.sim.results import COUNTED, SimulationResult, position_names
from poker_actors.sim.story import tell_transcript, transcripts_of

_INK: Final = "#010203"
"""Stands for the page's text colour while a chart is drawn; no other colour may equal it."""

_LOOK: Final[dict[Any, str]] = {
    "svg.fonttype": "none",
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), _INK),
}


def winnings_chart(result: SimulationResult) -> str:
    """Draw the winnings as `svg` elements, one for wide screens and one for phones."""
    words = "Winnings over the hands, with 95 % bands"
    return _charts(lambda axes, _: draw_winnings(axes, result, _INK), 4.2, words)


def positions_chart(result: SimulationResult) -> str:
    """Draw the winnings by position as `svg` elements."""

    def draw(axes: Any, columns: int) -> None:
        draw_positions(axes, result, _INK)
        # below the axes: inside it would cover bars
        axes.figure.legend(loc="outside lower center", fontsize="small", ncols=columns, framealpha=0)

    return _charts(draw, 3.2, "bb/100 by position")


def _charts(draw: Callable[[Any, int], None], height: float, words: str) -> str:
    # a scaled-down chart would have unreadable text, so phones get a drawing of their own
    return _chart(draw, 9, height, 6, words, "wide") + _chart(draw, 4, height + 0.6, 3, words, "narrow")


def _chart(
    draw: Callable[[Any, int], None], width: float, height: float, columns: int, words: str, kind: str
) -> str:
    figure(1, 1)  # raises `MissingExtra`, which the import below would not
    from matplotlib import rc_context

    # the salt makes ids that are unique among the charts of the page, and the same each time
    with rc_context({**_LOOK, "svg.hashsalt": words + kind}):
        drawn = figure(width, height)
        axes = drawn.subplots()
        draw(axes, columns)
        axes.set_title(fill(axes.get_title(), int(9 * width)))  # a long one would be cut on a phone
        text = io.StringIO()
        drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return _inline(text.getvalue(), words).replace('class="chart"', f'class="chart {kind}"', 1)


def _inline(text: str, words: str) -> str:
    """Turn matplotlib's SVG file into an element: no ids or styles that affect the page, colours as CSS variables."""
    box = re.search(r'viewBox="[^"]*"', text)
    assert box is not None
    body = text[text.index("</metadata>") + len("</metadata>") :]
    body = re.sub(r"<style.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r'<g id="[^"]*"', "<g", body)
    body = re.sub(r" font-family: [^;\"]*;", "", body)
    body = re.sub(r"(\d\.\d)\d+", r"\1", body)
    body = re.sub(r"\s*\n\s*", " ", body)
    for number, colour in enumerate(COLOURS):
        body = body.replace(colour, f"var(--c{number})")
    body = body.replace(_INK, "currentColor").replace("xlink:href", "href")
    return f'<svg class="chart" {box[0]} role="img" aria-label="{escape(words)}">{body.strip()}'


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


_UNKNOWN: Final = ("--ante", "--straddle", "--rake", "--run-it-twice", "--bomb-pot")
"""Options that the debugger does not know."""


def hand_links(result: SimulationResult, bot: int) -> dict[str, str]:
    """Return the anchor on the page of the hands of each counter of a bot."""
    return {name: _anchor(bot, name) for name in COUNTED.values() if (bot, name) in result.examples}


def position_links(result: SimulationResult) -> dict[tuple[int, str], str]:
    """Return the anchors of the hands by bot and position."""
    return {
        (bot, _position(name)): _anchor(bot, name) for bot, name in result.examples if name[:8] == "position"
    }


def hands_section(result: SimulationResult, command: str) -> str:
    """List the hands of each figure, and below them the commands that open each hand."""
    if not result.examples:
        return ""
    words = {counter: name.replace("_", " ") for name, counter in COUNTED.items()}
    parts = []
    for player in result.players:
        figures = {name: hands for (bot, name), hands in result.examples.items() if bot == player.seat}
        rows = "".join(
            f"<li id='{_anchor(player.seat, name)}'>{escape(words.get(name) or _position(name))}: {_hands(hands)}</li>"
            for name, hands in figures.items()
            if name in words or name[:8] == "position"
        )
        parts.append(f"<h3>{escape(player.bot)}</h3><ul class='hands'>{rows}</ul>")
    named = sorted({hand for hands in result.examples.values() for hand in hands})
    bots = [player.bot for player in result.players]
    said = transcripts_of(bots)
    opened = "".join(
        f"<li id='hand-{hand}'>hand {hand}: <code>{escape(_opens(result, command, hand))}</code>"
        f"{_said(tell_transcript(said, hand, bots))}</li>"
        for hand in named
    )
    return (
        "<p>The first hands that count in each figure.</p>"
        f"{''.join(parts)}<details><summary>Commands that open them in the debugger</summary><ul>{opened}</ul></details>"
    )


def _said(lines: list[str]) -> str:
    """Show what language models said in a hand, folded away; empty if they said nothing."""
    words = "\n".join(map(escape, lines))
    return f"<details><summary>What was said</summary><pre>{words}</pre></details>" if lines else ""


def _hands(hands: tuple[int, ...]) -> str:
    return ", ".join(f"<a href='#hand-{hand}'>{hand}</a>" for hand in hands)


def _anchor(bot: int, name: str) -> str:
    return f"of-{bot}-{name.replace(' ', '-')}"


def _position(name: str) -> str:
    """Return the name of a position: `position 6 0` is the button of six."""
    _, *numbers = name.split()
    if len(numbers) != 2:
        return name
    seats, place = map(int, numbers)
    return position_names(seats)[place]


def _opens(result: SimulationResult, command: str, hand: int) -> str:
    """Return the debugger's command for a hand, or `simulate --hand` for a form that the debugger lacks."""
    alone = (
        re.sub(r" --hands \d+", f" --hand {hand}", command, count=1)
        .removesuffix(" aivat")
        .removesuffix(" --adjust")
    )
    asked = any(f" {option}" in command for option in _UNKNOWN)
    known = result.form == "cash" and not asked and "ante" not in result.stakes
    return alone.replace(" simulate ", " debug ", 1) if known else alone
