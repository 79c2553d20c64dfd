"""Draw charts for the report: inline SVG in the colours of the page's theme."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import escape
from textwrap import fill
from typing import Any, Final

from poker_actors.sim.pictures.canvas import COLOURS, figure
from poker_actors.sim.pictures.drawings import draw_positions, draw_winnings
from poker_actors.sim.results import SimulationResult

__all__ = ["positions_chart", "winnings_chart"]

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
