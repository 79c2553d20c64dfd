"""What a picture of the table shows, for a viewpoint: the one source of all drawings."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from poker_actors.debug.state import card_text
from poker_actors.debug.viewpoint import Viewpoint
from poker_actors.rules import Hand

__all__ = ["SeatPicture", "TablePicture", "picture_of"]


@attrs.frozen
class SeatPicture:
    """One seat; `cards` are `?? ??` where the viewpoint does not show them, and empty when it has none."""

    seat: int
    name: str
    stack: int
    bet: int
    cards: str
    button: bool
    to_act: bool
    folded: bool
    last: str
    """what it did last on this street: `call`, `raise_to 20`, `folded`"""
    result: str
    """`+12` or `-3` once the hand is over"""


@attrs.frozen
class TablePicture:
    """The table at one moment; amounts in chips."""

    street: str
    board: str
    pot: int
    side_pots: tuple[int, ...]
    """the main pot and the side pots, where there are several"""
    seats: tuple[SeatPicture, ...]


def picture_of(
    hand: Hand | None, names: Sequence[str], stacks: Sequence[int], viewpoint: Viewpoint
) -> TablePicture:
    """Give the picture of a hand, or of a table with these stacks before the first deal."""
    if hand is None:
        seats = (
            SeatPicture(seat, name, stacks[seat], 0, "", False, False, False, "", "")
            for seat, name in enumerate(names)
        )
        return TablePicture("no hand", "", 0, (), tuple(seats))
    public = hand.public()
    pots = [pot.amount for pot in hand.pots] if not public.over else []
    return TablePicture(
        public.phase,
        card_text(public.board),
        public.pot,
        tuple(pots) if len(pots) > 1 else (),
        tuple(_seat(hand, seat, name, viewpoint) for seat, name in enumerate(names)),
    )


def _seat(hand: Hand, seat: int, name: str, viewpoint: Viewpoint) -> SeatPicture:
    public = hand.public()
    hole = hand.holes[seat]
    shown = viewpoint.sees(seat) or seat in dict(public.shown)
    folded = bool(hole) and seat not in public.live
    cards = card_text(hole) if shown else " ".join("??" for _ in hole)
    done = [taken.action for taken in public.actions if taken.seat == seat and taken.street == public.phase]
    won = hand.payoffs[seat]
    return SeatPicture(
        seat,
        name,
        public.stacks[seat],
        public.bets[seat] if not public.over else 0,
        "" if folded and not shown else cards,
        seat == hand.button,
        seat == public.active,
        folded,
        "folded" if folded else str(done[-1]) if done else "",
        f"{won:+}" if public.over and won else "",
    )
