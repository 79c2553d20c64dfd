"""The messages of a session as a sequence diagram, in Mermaid or SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import attrs

__all__ = ["Arrow", "mermaid_text", "sequence_picture"]

COLUMN: Final = 190
ROW: Final = 22
_TOP: Final = 50


@attrs.frozen
class Arrow:
    """One message: sender, receiver and text. `inside`: it was handled within the handler of another."""

    number: int
    sender: str
    receiver: str
    words: str
    asked: bool
    inside: bool
    others: int = 0
    """how many other actors were sent the same message"""
    wrong: bool = False
    """whether this is no message, but an error of the actor it points to"""

    @property
    def shown(self) -> str:
        """The text, with the number of other receivers."""
        return f"{self.words}, and to {self.others} more" if self.others else self.words


def _actors(arrows: Sequence[Arrow]) -> list[str]:
    """Return the actors in order of appearance."""
    seen: dict[str, None] = {}
    for arrow in arrows:
        seen.setdefault(arrow.sender)
        seen.setdefault(arrow.receiver)
    return list(seen)


def mermaid_text(arrows: Sequence[Arrow], title: str) -> str:
    """Return a Mermaid `sequenceDiagram`: filled arrowheads are asks, open ones tells."""
    # Short names: Mermaid would take the spaces and signs of an actor's name as syntax
    names = {name: f"a{place}" for place, name in enumerate(_actors(arrows))}
    lines = ["---", f"title: {_mermaid(title)}", "---", "sequenceDiagram"]
    lines += [f"    participant {short} as {_mermaid(name)}" for name, short in names.items()]
    for arrow in arrows:
        if arrow.wrong:
            lines.append(f"    Note over {names[arrow.receiver]}: {_mermaid(arrow.words)}")
            continue
        kind = "-)" if not arrow.asked else "->>"
        number = "" if arrow.inside else f"{arrow.number} "
        lines.append(
            f"    {names[arrow.sender]}{kind}{names[arrow.receiver]}: {number}{_mermaid(arrow.shown)}"
        )
    return "\n".join([*lines, ""])


def _mermaid(text: str) -> str:
    """Escape the characters that have a meaning in Mermaid as `#code;`."""
    return "".join(f"#{ord(mark)};" if mark in '#;:<>{}"%' else mark for mark in text)


def sequence_picture(arrows: Sequence[Arrow], title: str) -> str:
    """Return the diagram as SVG: a column for each actor, a row for each message; asks solid, tells dashed."""
    actors = _actors(arrows)
    x_of = {name: 60 + COLUMN // 2 + place * COLUMN for place, name in enumerate(actors)}
    width, height = 60 + COLUMN * max(1, len(actors)), _TOP + ROW * (len(arrows) + 2)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" font-size="11">'
        ),
        f"<title>{escape(title)}</title>",
        (
            '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#333333"/></marker></defs>'
        ),
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for name, x in x_of.items():
        parts.append(f'<line x1="{x}" y1="{_TOP}" x2="{x}" y2="{height - 10}" stroke="#bbbbbb"/>')
        parts.append(
            f'<rect x="{x - 85}" y="18" width="170" height="24" rx="5" fill="#e8eef7" stroke="#667"/>'
        )
        parts.append(f'<text x="{x}" y="34" text-anchor="middle">{escape(name)}</text>')
    for place, arrow in enumerate(arrows):
        parts += _row(arrow, x_of, _TOP + ROW * (place + 1))
    return "".join([*parts, "</svg>\n"])


def _row(arrow: Arrow, x_of: dict[str, int], y: int) -> list[str]:
    start, end = x_of[arrow.sender], x_of[arrow.receiver]
    if arrow.wrong:
        return [
            f'<circle cx="{end}" cy="{y}" r="5" fill="#a3160b"/>',
            (
                f'<text x="{end + 10}" y="{y + 4}" fill="#a3160b" font-weight="bold" stroke="#ffffff" '
                f'stroke-width="3" paint-order="stroke">{escape(arrow.words)}</text>'
            ),
        ]
    dashes = "" if arrow.asked else ' stroke-dasharray="5 3"'
    way = f"M{start} {y} h30 v8 h-28" if start == end else f"M{start} {y} H{end}"
    number = "" if arrow.inside else f'<text x="8" y="{y}" fill="#777777">{arrow.number}</text>'
    middle = (start + end) / 2 if start != end else start + 34
    anchor = "middle" if start != end else "start"
    return [
        number,
        f'<path d="{way}" fill="none" stroke="#333333"{dashes} marker-end="url(#end)"/>',
        (
            f'<text x="{middle:.0f}" y="{y - 4}" text-anchor="{anchor}" stroke="#ffffff" stroke-width="3" '
            f'paint-order="stroke">{escape(arrow.shown)}</text>'
        ),
    ]
