"""Cards, seats and the whole table as text with colours, 80 columns wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from poker_actors.cards import RANKS, SUITS, Card
from poker_actors.console.pictured import SeatPicture, TablePicture
from poker_actors.console.setup import Setup

__all__ = ["draw_cards", "draw_five_card", "draw_ring"]

_SUIT_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_RED: Final = "bold red"
_BLACK: Final = "bold"
_DIM: Final = "dim"
_BACK: Final = "blue"
_COLUMN: Final = 39
_HAND_AT: Final = 46
"""Column of one's own cards beside a board of five."""
_CARD_ROWS: Final = 5


def draw_cards(cards: Sequence[Card], hidden: int = 0, *, suits_count: bool = True) -> list[Text]:
    """Draw cards side by side, five rows high and eight columns each; `hidden` ones face down."""
    rows = [Text() for _ in range(_CARD_ROWS)]
    drawn = [_face(card, suits_count) for card in cards] + [_back() for _ in range(hidden)]
    for card in drawn:
        for row, part in zip(rows, card, strict=True):
            row.append_text(part)
            row.append(" ")
    return rows


def _face(card: Card, suits_count: bool) -> list[Text]:
    rank = RANKS[card.rank].replace("T", "10")
    suit = SUITS[card.suit]
    style = _RED if suits_count and suit in "dh" else _BLACK
    middle = Text("│").append(f"  {_SUIT_SIGNS[suit]}  ", style if suits_count else _DIM).append("│")
    return [
        Text("╭─────╮"),
        Text("│").append(f"{rank:<5}", style).append("│"),
        middle,
        Text("│").append(f"{rank:>5}", style).append("│"),
        Text("╰─────╯"),
    ]


def _back() -> list[Text]:
    middle = Text("│").append("░░░░░", _BACK).append("│")
    return [Text("╭─────╮"), middle, middle, middle, Text("╰─────╯")]


def draw_five_card(setup: Setup, table: TablePicture) -> Text:
    """Draw the two-player game: the CPU above, the pot, the person below."""
    mine = setup.seat
    cpu, person = table.seats[1 - mine], table.seats[mine]
    lines = [
        _five_card_seat(setup, cpu),
        *draw_cards(cpu.cards, cpu.hidden, suits_count=False),
        Text().append(f"Pot {table.pot}", "bold yellow"),
        *draw_cards(person.cards, person.hidden, suits_count=False),
        _five_card_seat(setup, person),
    ]
    return Text("\n").join(lines)


def _five_card_seat(setup: Setup, seat: SeatPicture) -> Text:
    line = Text().append(f"{seat.name:<5}", "bold reverse" if seat.to_act else "bold")
    line.append(f" {seat.stack:>4} {setup.money}  ")
    line.append(f"{_doing(seat):<18}", "cyan")
    return line.append(seat.words, "italic")


def _doing(seat: SeatPicture) -> str:
    return f"bet {seat.bet}" if seat.bet else seat.said


def draw_ring(setup: Setup, table: TablePicture) -> Text:
    """Draw a table of two to ten: seats in two columns, the board, and one's own cards beside it."""
    rows = -(-len(table.seats) // 2)
    columns = table.seats[:rows], table.seats[rows:]
    lines = []
    for place in range(rows):
        line = _ring_seat(columns[0][place])
        if place < len(columns[1]):
            line.append("  ").append_text(_ring_seat(columns[1][place]))
        lines.append(line)
    person = table.seats[setup.seat]
    board, mine = draw_cards(table.board), draw_cards(person.cards, person.hidden)
    for left, right in zip(board, mine, strict=True):
        left.pad_right(_HAND_AT - left.cell_len)
        lines.append(left.append_text(right))
    last = Text().append(f"Pot {table.pot}", "bold yellow").append(f"  {table.street}", "dim")
    last.pad_right(_HAND_AT - last.cell_len)
    lines.append(last.append(person.words, "italic"))
    return Text("\n").join(lines)


def _ring_seat(seat: SeatPicture) -> Text:
    style = "bold reverse" if seat.to_act else ("dim" if seat.folded or not (seat.stack or seat.bet) else "")
    line = Text().append("D " if seat.button else "  ", "bold yellow")
    line.append(f"{seat.name[:13]:<13}", style).append(f"{seat.stack:>7} ")
    if seat.cards and seat.name != "You":
        line.append(f"{' '.join(map(str, seat.cards)):<6} ", "bold")
        line.append(seat.said, "cyan")
    else:
        line.append(f"{'░░' if seat.hidden else '  '} ", _BACK).append(f"{_acted(seat)}", "cyan")
    line.truncate(_COLUMN, pad=True)
    return line


def _acted(seat: SeatPicture) -> str:
    return seat.said if seat.said else (f"in {seat.bet}" if seat.bet else "")
