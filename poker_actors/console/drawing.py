"""Draw cards, seats and the whole table as coloured text, 80 columns wide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs
from rich.text import Text

from poker_actors.cards import RANKS, SUITS, Card
from poker_actors.console.setup import Setup
from poker_actors.console.sitting import SeatPicture, TablePicture
from poker_actors.console.telling import boards_text, cards_text

_SUIT_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_BACK: Final = "blue"
_COLUMN: Final = 39
_HAND_AT: Final = 46
"""Column where the person's cards begin, beside a board of five."""
_CARD: Final = 8
_WIDTH: Final = 80
_SIDE_BY_SIDE: Final = 4
"""How many of the person's cards fit beside a board; more overlap."""
_OVERLAP: Final = 6
_SHORT: Final = re.compile(" cards?$")
"""The end of `discard 2 cards`, which is left out where there is no room."""
THROWN: Final = "away"
"""The mark under a card chosen for the discard."""


def draw_cards(
    cards: Sequence[Card], hidden: int = 0, *, suits_count: bool = True, width: int = _CARD
) -> list[Text]:
    """Draw cards side by side, each five rows high and seven columns wide, then `hidden` cards face down.

    They are `width` columns apart; if that is less than a card's width, they overlap.
    """
    rows = [Text() for _ in range(5)]
    drawn = [_face(card, suits_count) for card in cards] + [_card(*[("░░░░░", _BACK)] * 3)] * hidden
    for place, card in enumerate(drawn, 1):
        for row, part in zip(rows, card, strict=True):
            if place < len(drawn):
                part = part[:width]
                part.pad_right(width - part.cell_len)
            row.append_text(part)
    return rows


def _card(*rows: tuple[str, str]) -> list[Text]:
    """Draw a card with three rows inside, each a text and its style."""
    inside = [Text("│").append(row, style).append("│") for row, style in rows]
    return [Text("╭─────╮"), *inside, Text("╰─────╯")]


def _face(card: Card, suits_count: bool) -> list[Text]:
    rank, suit = RANKS[card.rank].replace("T", "10"), SUITS[card.suit]
    style = "bold red" if suits_count and suit in "dh" else "bold"
    sign = f"  {_SUIT_SIGNS[suit]}  ", style if suits_count else "dim"
    return _card((f"{rank:<5}", style), sign, (f"{rank:>5}", style))


def draw_five_card(setup: Setup, table: TablePicture) -> Text:
    """Draw the two-player game: the CPU at the top, the pot, the person at the bottom."""
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
    """Draw a table of two to ten: seats in two columns, the board, and the person's cards beside it."""
    rows, person = -(-len(table.seats) // 2), table.seats[setup.seat]
    lines = [_ring_seat(seat) for seat in table.seats[:rows]]
    for line, seat in zip(lines, table.seats[rows:], strict=False):
        line.append("  ").append_text(_ring_seat(seat))
    width = _OVERLAP if len(person.cards) > _SIDE_BY_SIDE else _CARD
    at = min(_HAND_AT, _WIDTH - width * (len(person.cards) - 1) - _CARD + 1) if person.cards else _HAND_AT
    board, mine = draw_cards(table.board), draw_cards(person.cards, person.hidden, width=width)
    for left, right in zip(board, mine, strict=True):
        left.pad_right(at - left.cell_len)
        lines.append(left.append_text(right))
    lines += [line for board in table.boards[1:] for line in draw_cards(board)]
    last = _pot_line(table)
    last.pad_right(at - last.cell_len)
    under = _marks(table.marks, width) if any(table.marks) else Text(person.words, "italic")
    lines.append(last.append_text(under))
    return Text("\n").join(lines)


def draw_rows(setup: Setup, table: TablePicture) -> Text:
    """Draw a table without a board: a line for each seat with its visible cards, and the person's cards below."""
    person = table.seats[setup.seat]
    lines = [_row_seat(seat) for seat in table.seats]
    mine = attrs.evolve(person, cards=person.cards + table.board) if person.cards else person
    lines += draw_cards(mine.cards, mine.hidden)
    lines.append(_marks(table.marks + ("for all",) * len(table.board), _CARD))
    lines.append(_pot_line(table).append("   ").append(person.words, "italic"))
    return Text("\n").join(lines)


def draw_words(setup: Setup, table: TablePicture) -> Text:
    """Write a table in words, the person's cards first: for a terminal too small for a drawing."""
    person = table.seats[setup.seat]
    known = " ".join([cards_text(setup, person.cards), *["░░"] * person.hidden]).strip()
    own = Text("Your cards: ").append(known or "none", "bold").append(f"  {person.words}", "italic")
    if any(table.marks):
        own.append(f"  ({' '.join(mark or '-' for mark in table.marks)})")
    pot = _pot_line(table)
    if table.board:
        pot.append("  board ").append(boards_text(setup, table.boards), "bold")
    others = []
    for seat in table.seats:
        shown = cards_text(setup, seat.cards) if seat is not person else ""
        words = " ".join(part for part in (seat.name, str(seat.stack), _doing(seat), shown) if part)
        others.append(Text(words, "bold" if seat.to_act else ""))
    return Text("\n").join([own, pot, Text(", ").join(others)])


def _row_seat(seat: SeatPicture) -> Text:
    line = _who(seat).append("░░ " * seat.hidden, _BACK).append(" ".join(map(str, seat.cards)), "bold")
    line.pad_right(_HAND_AT - line.cell_len)
    line.append(f" {_acted(seat)}  ", "cyan").append(seat.words if seat.name != "You" else "", "italic")
    line.truncate(_WIDTH, overflow="ellipsis")
    return line


def _marks(marks: Sequence[str], width: int) -> Text:
    """Write a mark under each card: its number, `open`, or that it is thrown away."""
    line = Text()
    for mark in marks:
        style = "bold reverse" if mark == THROWN else "dim" if mark == "open" else "bold"
        line.append(f"{mark:^{width - 1}}", style).append(" ")
    return line


def _pot_line(table: TablePicture) -> Text:
    return Text().append(f"Pot {table.pot}", "bold yellow").append(f"  {table.street}", "dim")


def _ring_seat(seat: SeatPicture) -> Text:
    line = _who(seat)
    if seat.cards and seat.name != "You":
        line.append(f"{' '.join(map(str, seat.cards)):<6} ", "bold").append(seat.said, "cyan")
    else:
        line.append(f"{'░░' if seat.hidden else '  '} ", _BACK).append(_SHORT.sub("", _acted(seat)), "cyan")
    line.truncate(_COLUMN, pad=True)
    return line


def _who(seat: SeatPicture) -> Text:
    """Return the button, the name and the stack."""
    style = "bold reverse" if seat.to_act else ("dim" if seat.folded or not (seat.stack or seat.bet) else "")
    line = Text().append("D " if seat.button else "  ", "bold yellow")
    return line.append(f"{seat.name[:13]:<13}", style).append(f"{seat.stack:>7} ")


def _acted(seat: SeatPicture) -> str:
    return seat.said or (f"in {seat.bet}" if seat.bet else "")
