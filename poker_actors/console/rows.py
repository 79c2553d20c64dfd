"""Open-face Chinese poker in lines: everybody's rows at the person's turn, and the result of each deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from poker_actors.actors import HandState
from poker_actors.cards import Card
from poker_actors.console.setup import Setup
from poker_actors.rules import PublicState

__all__ = ["deals_told", "turn_told"]


def turn_told(setup: Setup, state: HandState) -> Iterator[str]:
    """Yield everybody's rows and the cards the person has to lay; nothing if it is not the person's turn."""
    layout = state.public.layout
    if layout is None or state.public.active != state.seat:
        return
    for seat in state.public.live:
        name = setup.names[seat]
        if seat in layout.fantasy:
            yield f"{name}: in fantasy land, face down."
        elif any(layout.rows[seat]):
            yield f"{name}: {_rows(layout.rows[seat])}."
    yield f"Dealt to you: {_cards(state.hole)}."


def deals_told(setup: Setup, public: PublicState, told: int) -> Iterator[str]:
    """Yield the results of the finished deals after the first `told`."""
    layout = public.layout
    assert layout is not None
    for deal in layout.scored[told:]:
        for seat in public.live:
            won = f"{deal.points[seat]:+} points, {deal.chips[seat]:+} {setup.money}"
            yield f"{setup.names[seat]}: {_rows(deal.rows[seat])}: {won}."
    if layout.fantasy and not public.over and len(layout.scored) > told:
        yield f"In fantasy land: {', '.join(setup.names[seat] for seat in layout.fantasy)}."


def _rows(rows: Sequence[Sequence[Card]]) -> str:
    return " / ".join(_cards(row) or "-" for row in rows)


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))
