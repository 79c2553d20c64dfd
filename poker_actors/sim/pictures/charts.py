"""Charts for the report: SVG inside the page, in the colours of its theme."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import escape
from typing import Any, Final

from poker_actors.sim.pictures.canvas import COLOURS, figure
from poker_actors.sim.pictures.drawings import draw_positions, draw_winnings
from poker_actors.sim.results import SimulationResult

__all__ = ["positions_chart", "winnings_chart"]

_INK: Final = "#010203"
"""What stands for the colour of the page's text while a chart is drawn; no other colour is like it."""

_LOOK: Final[dict[Any, str]] = {
    "svg.fonttype": "none",
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), _INK),
}


def winnings_chart(result: SimulationResult) -> str:
    """Draw the winnings as an `svg` element."""
    return _chart(
        lambda axes: draw_winnings(axes, result, _INK), 4.2, "Winnings over the hands, with 95 % bands"
    )


def positions_chart(result: SimulationResult) -> str:
    """Draw what was won by position as an `svg` element."""

    def draw(axes: Any) -> None:
        draw_positions(axes, result, _INK)
        # below: inside it would lie on the bars
        axes.figure.legend(loc="outside lower center", fontsize="small", ncols=6, framealpha=0)

    return _chart(draw, 3.2, "bb/100 by position")


def _chart(draw: Callable[[Any], None], height: float, words: str) -> str:
    figure(1, 1)  # says which extra is missing
    from matplotlib import rc_context

    # the salt makes ids that differ from those of the page's other chart, and are the same each time
    with rc_context({**_LOOK, "svg.hashsalt": words}):
        drawn = figure(9, height)
        draw(drawn.subplots())
        text = io.StringIO()
        drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return _inline(text.getvalue(), words)


def _inline(text: str, words: str) -> str:
    """Make a file of matplotlib's an element: no names and rules that would reach out, colours by name."""
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
