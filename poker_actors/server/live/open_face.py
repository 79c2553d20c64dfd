"""Show open-face Chinese poker: the rows of each seat, and the points of every deal."""

from __future__ import annotations

from poker_actors.cards import Card
from poker_actors.rules import PublicState
from poker_actors.server.contract import tables


def open_face(public: PublicState) -> tables.OpenFace | None:
    """Return the public rows and points, by seat; None in other games."""
    layout = public.layout
    if layout is None:
        return None
    return {
        "rows": [_texts(rows) for rows in layout.rows],
        "fantasy": list(layout.fantasy),
        "deals": [
            {
                "rows": [_texts(rows) for rows in deal.rows],
                "points": list(deal.points),
                "chips": list(deal.chips),
            }
            for deal in layout.scored
        ],
    }


def dealt_to_lay(public: PublicState) -> int:
    """Return how many cards the seat to act holds face down."""
    layout, seat, streets = public.layout, public.active, public.setup.game.streets
    if layout is None or seat is None:
        return 0
    if seat in layout.fantasy:
        return public.setup.game.hole_cards + streets[1].throw
    return streets[1 if any(layout.rows[seat]) else 0].hole


def _texts(rows: tuple[tuple[Card, ...], ...]) -> list[list[str]]:
    return [[str(card) for card in row] for row in rows]
