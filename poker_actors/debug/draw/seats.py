"""The contents of a table picture as seen from a viewpoint: the single source of all drawings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from poker_actors.debug.state import card_text
from poker_actors.debug.viewpoint import Viewpoint
from poker_actors.rules import Hand, PublicState

__all__ = ["SeatPicture", "TablePicture", "picture_of"]


_ONE_WORD: Final = {"bring in": "bring_in", "stand pat": "stand_pat"}
"""Two-word actions as one word: the browser's table script splits an action into verb, amount and `all-in`."""


@attrs.frozen
class SeatPicture:
    """One seat. `cards` reads `?? ??` if the viewpoint hides them, and is empty if the seat has none."""

    seat: int
    name: str
    stack: int
    bet: int
    cards: str
    button: bool
    to_act: bool
    folded: bool
    last: str
    """its last action on this street: `call`, `raise_to 20`; or `folded`"""
    result: str
    """`+12` or `-3` once the hand is over"""
    won: int = 0
    """chips taken from the pots, once the hand is over"""
    all_in: bool = False
    rows: str = ""
    """in open-face, the rows laid so far, visible to all: `Qs Qd / - / Ts`"""

    @property
    def on_table(self) -> str:
        """Its cards, with those laid in rows first."""
        return " ".join(word for word in f"{self.rows} {self.cards}".split() if word not in "/-")

    def to_dict(self, hand: str | None = None) -> dict[str, Any]:
        """Return the seat as the browser's table script takes it, with `hand` instead of `on_table` if given."""
        cards = (self.on_table if hand is None else hand).split()
        known = any(card != "??" for card in cards)
        did = _ONE_WORD.get(self.last, self.last)
        if self.folded:
            did = "fold"
        elif did and self.all_in:
            did += " all-in"
        return {
            "seat": self.seat,
            "name": self.name,
            "house": False,
            "state": self._state,
            "stack": self.stack,
            "bet": self.bet,
            "button": self.button,
            "cards": ["" if card == "??" else card for card in cards] if known else None,
            "hidden": len(cards),
            "last_action": did or None,
            "won": self.won,
        }

    @property
    def _state(self) -> str:
        if not (self.stack or self.cards) and self.name == f"seat {self.seat}":
            return "empty"  # sessions name an unoccupied seat `seat N`
        return "folded" if self.folded else "all_in" if self.all_in else "active"


@attrs.frozen
class TablePicture:
    """The table at one moment. Amounts are in chips."""

    street: str
    board: str
    pot: int
    side_pots: tuple[int, ...]
    """the main pot and the side pots; empty if there is only one pot"""
    seats: tuple[SeatPicture, ...]
    board_cards: int = 0
    """cards on a complete board"""
    over: bool = False
    mine: int | None = None
    """the seat of the viewpoint, if it is a player's"""
    pot_seats: tuple[tuple[int, ...], ...] = ()
    """the seats that can win each of `side_pots`"""
    boards: tuple[str, ...] = ()
    """all boards, if there are several"""
    open_face: dict[str, Any] | None = None
    """in open-face: each seat's rows, the seats in fantasy land, and the points of every deal"""

    def to_dict(self) -> dict[str, Any]:
        """Return the table as the browser's table script takes it."""
        pots = zip(self.side_pots, self.pot_seats, strict=True) if self.side_pots else [(self.pot, ())]
        turn = next((one.seat for one in self.seats if one.to_act), None)
        won = [one for one in self.seats if one.won]
        return {
            "street": self.street,
            "hand_id": None if self.street in ("no hand", "void") else "",
            "board": self.board.split(),
            "board_cards": self.board_cards,
            **({"boards": [board.split() for board in self.boards]} if self.boards else {}),
            "pots": [{"size": size, "seats": list(seats)} for size, seats in pots if size],
            "over": self.over,
            "turn": None if turn is None else {"seat": turn},
            "you": None if self.mine is None else {"seat": self.mine},
            "winners": [{"seat": one.seat, "name": one.name, "amount": one.won} for one in won],
            "seats": [seat.to_dict(self._in_hand(seat)) for seat in self.seats],
            **({} if self.open_face is None else {"open_face": self.open_face}),
        }

    def _in_hand(self, seat: SeatPicture) -> str | None:
        """Return the cards still to be laid, drawn beside the rows; None unless in open-face."""
        if self.open_face is None:
            return None
        return "" if self.over else seat.cards


def picture_of(
    hand: Hand | None, names: Sequence[str], stacks: Sequence[int], viewpoint: Viewpoint
) -> TablePicture:
    """Return the picture of a hand, or of a table with these stacks before the first deal."""
    if hand is None:
        seats = (
            SeatPicture(seat, name, stacks[seat], 0, "", False, False, False, "", "")
            for seat, name in enumerate(names)
        )
        return TablePicture("no hand", "", 0, (), tuple(seats), mine=viewpoint.seat)
    public = hand.public()
    pots = hand.pots if not public.over and len(hand.pots) > 1 else []
    return TablePicture(
        public.phase,
        card_text(public.board),
        public.pot,
        tuple(pot.amount for pot in pots),
        tuple(_seat(hand, seat, name, viewpoint) for seat, name in enumerate(names)),
        max(hand.game.board_cards, len(public.board)),
        public.over,
        viewpoint.seat,
        tuple(pot.seats for pot in pots),
        tuple(card_text(board) for board in public.boards) if len(public.boards) > 1 else (),
        _open_face(public),
    )


def _open_face(public: PublicState) -> dict[str, Any] | None:
    """Return the open-face part of the picture; once the deal is over, with the rows that were scored."""
    layout = public.layout
    if layout is None:
        return None
    rows = layout.scored[-1].rows if public.over and layout.scored else layout.rows
    return {
        "rows": [[list(map(str, row)) for row in of_seat] for of_seat in rows],
        "fantasy": list(layout.fantasy),
        "deals": [{"points": list(deal.points)} for deal in layout.scored],
        "hands": True,
    }


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
        public.won.get(seat, 0),
        bool(hole) and not folded and not public.over and not public.stacks[seat],
        _rows(public, seat),
    )


def _rows(public: PublicState, seat: int) -> str:
    """Return the rows of a seat in an open-face deal; none once it is over, as its hand then has those cards."""
    layout = public.layout
    if layout is None or public.over or not any(layout.rows[seat]):
        return ""
    return " / ".join(card_text(row) or "-" for row in layout.rows[seat])
