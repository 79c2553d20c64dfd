"""Pictures of the arena's site: small SVG elements in the colours of the page, without a library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10
from typing import Final

import attrs

_WIDTH: Final = 640
_HEIGHT: Final = 260
_LETTER: Final = 12
"""The most characters of a tick's label: on a phone the picture is small, so letters are large in it."""
_RIGHT: Final = 12
_TOP: Final = 12
_BOTTOM: Final = 34
_TICKS: Final = 5
COLOURS: Final = 8
"""The most lines that people can tell apart; the style sheet has a colour for each."""


@attrs.frozen
class Line:
    """A line of a chart: its name, and points as x and y."""

    name: str
    points: Sequence[tuple[float, float]]


def interval_bar(mean: float, margin: float, low: float, high: float) -> str:
    """Draw a mean and its interval on a scale from `low` to `high`, with a mark at 0."""
    span = high - low or 1.0

    def at(value: float) -> float:
        return 200 * (min(max(value, low), high) - low) / span

    return (
        "<svg class='interval' viewBox='0 0 200 14' preserveAspectRatio='none' aria-hidden='true'>"
        f"<line class='zero' x1='{at(0):.1f}' x2='{at(0):.1f}' y1='0' y2='14'/>"
        f"<line class='range' x1='{at(mean - margin):.1f}' x2='{at(mean + margin):.1f}' y1='7' y2='7'/>"
        f"<line class='mean' x1='{at(mean):.1f}' x2='{at(mean):.1f}' y1='2' y2='12'/></svg>"
    )


def lines_chart(lines: Sequence[Line], words: str, across: str, up: str) -> str:
    """Draw lines over a common scale; `words` describe the picture, `across` and `up` name the axes."""
    points = [point for line in lines for point in line.points]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    ticks = _ticks(min(0.0, *(y for _, y in points)), max(0.0, *(y for _, y in points)))
    marks = [f"{tick:+g}" if tick else "0" for tick in ticks]
    edge = 10 + _LETTER * max(map(len, marks))

    def place(x: float, y: float) -> tuple[float, float]:
        wide = (x - left) / (right - left or 1.0)
        high = (y - ticks[0]) / (ticks[-1] - ticks[0])
        return edge + wide * (_WIDTH - edge - _RIGHT), _HEIGHT - _BOTTOM - high * (_HEIGHT - _TOP - _BOTTOM)

    parts = [f"<svg class='lines' viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{escape(words)}'>"]
    for tick, mark in zip(ticks, marks, strict=True):
        y = place(left, tick)[1]
        kind = "zero" if tick == 0 else "grid"
        parts.append(f"<line class='{kind}' x1='{edge}' x2='{_WIDTH - _RIGHT}' y1='{y:.1f}' y2='{y:.1f}'/>")
        parts.append(f"<text x='{edge - 6}' y='{y + 4:.1f}' class='end'>{mark}</text>")
    for number, line in enumerate(lines):
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in line.points))
        parts.append(
            f"<polyline class='c{number % COLOURS}' points='{drawn}'><title>{escape(line.name)}</title></polyline>"
        )
        if len(line.points) == 1:
            x, y = place(*line.points[0])
            parts.append(f"<circle class='c{number % COLOURS}' cx='{x:.1f}' cy='{y:.1f}' r='3'/>")
    parts.append(f"<text x='{edge}' y='{_HEIGHT - 8}'>{left:,g}</text>")
    parts.append(
        f"<text x='{_WIDTH - _RIGHT}' y='{_HEIGHT - 8}' class='end'>{right:,g} {escape(across)}</text>"
    )
    key = "".join(
        f"<li><i class='c{number % COLOURS}'></i>{escape(line.name)}</li>"
        for number, line in enumerate(lines)
    )
    return f"<figure>{''.join(parts)}</svg><figcaption>{escape(up)}</figcaption><ul class='key'>{key}</ul></figure>"


def _ticks(low: float, high: float) -> list[float]:
    """Return round values from below `low` to above `high`."""
    rough = (high - low or 1.0) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first, last = floor(low / step), -floor(-high / step)
    return [round(step * number, 10) for number in range(first, max(last, first + 1) + 1)]
