"""The table as lines of text: board and pot, then a line for each seat."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.debug.draw.seats import SeatPicture, TablePicture

__all__ = ["draw_text"]


def draw_text(picture: TablePicture) -> list[str]:
    """Return the table as lines of text, made for 78 columns."""
    head = f"{picture.street}  board {picture.board or '-'}  pot {picture.pot}"
    if picture.side_pots:
        head += f"  ({' + '.join(map(str, picture.side_pots))})"
    widest = max((len(seat.name) for seat in picture.seats), default=0)
    cards = max((len(_cards(seat)) for seat in picture.seats), default=0)
    return [head, *(_line(seat, min(widest, 20), cards) for seat in picture.seats)]


def _line(seat: SeatPicture, widest: int, cards: int) -> str:
    mark = ">" if seat.to_act else " "
    button = "D" if seat.button else " "
    bet = f"bet {seat.bet}" if seat.bet else ""
    said: Sequence[str] = [word for word in (bet, seat.last, seat.result) if word]
    name = f"{seat.name[:20]:<{widest}}"
    return f"{mark}{seat.seat:2} {button} {name}  {_cards(seat):<{cards}} {seat.stack:>7}  {', '.join(said)}".rstrip()


def _cards(seat: SeatPicture) -> str:
    """Return a seat's cards, after its rows if it has any."""
    return f"{seat.rows} | {seat.cards}".rstrip("| ") if seat.rows else seat.cards
