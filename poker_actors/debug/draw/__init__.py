"""Drawings: the table as text and as SVG, and the messages of a hand as a sequence diagram."""

from poker_actors.debug.draw.seats import SeatPicture, TablePicture, picture_of
from poker_actors.debug.draw.sequence import Arrow, mermaid_text, sequence_picture
from poker_actors.debug.draw.table_svg import table_svg
from poker_actors.debug.draw.table_text import draw_text

__all__ = [
    "Arrow",
    "SeatPicture",
    "TablePicture",
    "draw_text",
    "mermaid_text",
    "picture_of",
    "sequence_picture",
    "table_svg",
]
