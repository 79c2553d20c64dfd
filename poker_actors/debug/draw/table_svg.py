"""The table as SVG: an oval with seats around it, cards, chips and the button."""

from __future__ import annotations

from html import escape
from math import cos, pi, sin
from typing import Final

from poker_actors.debug.draw.seats import SeatPicture, TablePicture

__all__ = ["table_svg"]

WIDTH: Final = 640
HEIGHT: Final = 400
_RED: Final = "dh"
_MARKS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "?": ""}


def table_svg(picture: TablePicture) -> str:
    """Return the table as SVG, 640 by 400. Whatever a colour shows, a text says too."""
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" font-family="sans-serif" font-size="13" role="img">'
        ),
        f"<title>{escape(_title(picture))}</title>",
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" fill="#f4f1ea"/>',
        '<ellipse cx="320" cy="200" rx="200" ry="105" fill="#2f6b4f" stroke="#5a3d28" stroke-width="10"/>',
        _text(320, 150, picture.street, "#ffffff"),
        *_cards(picture.board, 320, 180, 30),
        _text(320, 245, f"pot {picture.pot}", "#ffffff"),
    ]
    if picture.side_pots:
        parts.append(_text(320, 263, " + ".join(map(str, picture.side_pots)), "#ffffff"))
    for seat in picture.seats:
        parts += _seat(seat, len(picture.seats))
    return "".join([*parts, "</svg>"])


def _title(picture: TablePicture) -> str:
    return f"{picture.street}, board {picture.board or 'empty'}, pot {picture.pot}"


def _seat(seat: SeatPicture, size: int) -> list[str]:
    # y grows downwards: seat 0 is at the bottom, and the others follow clockwise
    angle = pi / 2 + 2 * pi * seat.seat / size
    x, y = 320 + 258 * cos(angle), 198 + 148 * sin(angle)
    fill = "#fff6c9" if seat.to_act else "#e3e0d9" if seat.folded else "#ffffff"
    line = 'stroke="#c98a00" stroke-width="3"' if seat.to_act else 'stroke="#777777"'
    parts = [
        f'<rect x="{x - 58:.0f}" y="{y - 22:.0f}" width="116" height="44" rx="8" fill="{fill}" {line}/>',
        _text(x, y - 5, f"{'D ' if seat.button else ''}{seat.seat} {seat.name[:13]}", "#222222"),
        _text(x, y + 13, f"{seat.stack}{f'  {seat.result}' if seat.result else ''}", "#222222"),
    ]
    if seat.on_table:
        parts += _cards(seat.on_table, x, y - 46 if y > 60 else y + 24, 20)
    bet = " ".join(word for word in (f"{seat.bet}:" if seat.bet else "", seat.last) if word)
    if bet:
        ink = "#ffffff"
        parts.append(_text(320 + 150 * cos(angle), 202 + 80 * sin(angle), bet, ink))
    return parts


def _cards(cards: str, x: float, y: float, width: int) -> list[str]:
    parts = []
    words = cards.split()
    left = x - len(words) * (width + 3) / 2
    for place, word in enumerate(words):
        at = left + place * (width + 3)
        hidden = word == "??"
        ink = "#b3261e" if word[-1:] in _RED else "#222222"
        fill = "#46588c" if hidden else "#ffffff"
        height = width * 1.3
        parts.append(
            f'<rect x="{at:.0f}" y="{y:.0f}" width="{width}" height="{height:.0f}" rx="3" fill="{fill}" '
            f'stroke="#444444"/>'
        )
        if not hidden:
            shown = f"{word[:-1]}{_MARKS.get(word[-1], word[-1])}"
            size = 'font-size="10"' if width < 25 else ""
            parts.append(_text(at + width / 2, y + height * 0.68, shown, ink, size))
    return parts


def _text(x: float, y: float, text: str, ink: str, more: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{ink}" text-anchor="middle" {more}>{escape(text)}</text>'
