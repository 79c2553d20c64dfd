"""The contents of a table picture as seen from a viewpoint: the single source of all drawings."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import cos, pi, sin
from typing import Any, Final

import attrs

from poker_actors.debug.plain import Viewpoint, card_text
from poker_actors.rules import Hand, PublicState

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
        """The seat's cards, with those laid in rows first."""
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
    """Return a seat's rows in an open-face deal; none once it is over, when the hand has those cards."""
    layout = public.layout
    if layout is None or public.over or not any(layout.rows[seat]):
        return ""
    return " / ".join(card_text(row) or "-" for row in layout.rows[seat])


WIDTH: Final = 640
HEIGHT: Final = 400
_RED: Final = "dh"
_MARKS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "?": ""}


def table_svg(picture: TablePicture) -> str:
    """Return the table as SVG, 640 by 400. Text repeats whatever colour shows."""
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" font-family="sans-serif" font-size="13" role="img">'
        ),
        f"<title>{escape(_title(picture))}</title>",
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" fill="#f4f1ea"/>',
        '<ellipse cx="320" cy="200" rx="200" ry="105" fill="#2f6b4f" stroke="#5a3d28" stroke-width="10"/>',
        _text(320, 150, picture.street, "#ffffff"),
        *_boards(picture.boards or (picture.board,)),
        _text(320, 245, f"pot {picture.pot}", "#ffffff"),
    ]
    if picture.side_pots:
        parts.append(_text(320, 263, " + ".join(map(str, picture.side_pots)), "#ffffff"))
    for seat in picture.seats:
        parts += _seat_svg(seat, len(picture.seats))
    return "".join([*parts, "</svg>"])


def _title(picture: TablePicture) -> str:
    return f"{picture.street}, board {_board_text(picture) or 'empty'}, pot {picture.pot}"


def _board_text(picture: TablePicture) -> str:
    return " / ".join(picture.boards) or picture.board


def _boards(boards: tuple[str, ...]) -> list[str]:
    """Draw the boards one below another, in the space of a single one."""
    row = 76 / len(boards)
    width, top = min(30, int((row - 3) / 1.3)), 180 if len(boards) == 1 else 158
    return [part for at, board in enumerate(boards) for part in _cards(board, 320, top + at * row, width)]


def _seat_svg(seat: SeatPicture, size: int) -> list[str]:
    # y grows downwards: seat 0 is at the bottom, and the others follow clockwise
    angle = pi / 2 + 2 * pi * seat.seat / size
    x, y = 320 + 258 * cos(angle), 198 + 148 * sin(angle)
    fill = "#fff6c9" if seat.to_act else "#e3e0d9" if seat.folded else "#ffffff"
    line = 'stroke="#c98a00" stroke-width="3"' if seat.to_act else 'stroke="#777777"'
    parts = [
        f'<rect x="{x - 58:.0f}" y="{y - 22:.0f}" width="116" height="44" rx="8" fill="{fill}" {line}/>',
        _text(x, y - 5, f"{'D ' if seat.button else ''}{seat.seat} {_fit(seat.name, 13)}", "#222222"),
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


_MOST_BESIDE: Final = 3
"""Boards on one line of text."""


def draw_text(picture: TablePicture) -> list[str]:
    """Return the table as lines of text, made for 78 columns."""
    # four boards are too wide for one line
    below = picture.boards[1:] if len(picture.boards) > _MOST_BESIDE else ()
    board = picture.board if below else _board_text(picture)
    head = f"{picture.street}  board {board or '-'}  pot {picture.pot}"
    if picture.side_pots:
        head += f"  ({' + '.join(map(str, picture.side_pots))})"
    widest = max((len(seat.name) for seat in picture.seats), default=0)
    cards = max((len(_spaced(seat)) for seat in picture.seats), default=0)
    indent = " " * len(f"{picture.street}  board ")
    return [
        head,
        *(f"{indent}{board}" for board in below),
        *(_line(seat, min(widest, 20), cards) for seat in picture.seats),
    ]


def _line(seat: SeatPicture, widest: int, cards: int) -> str:
    mark = ">" if seat.to_act else " "
    button = "D" if seat.button else " "
    bet = f"bet {seat.bet}" if seat.bet else ""
    said: Sequence[str] = [word for word in (bet, seat.last, seat.result) if word]
    name = f"{_fit(seat.name, 20):<{widest}}"
    return f"{mark}{seat.seat:2} {button} {name}  {_spaced(seat):<{cards}} {seat.stack:>7}  {', '.join(said)}".rstrip()


def _fit(name: str, most: int) -> str:
    """Return a name of at most `most` letters, cut in its middle: a bot and its copy differ at their ends."""
    front = most // 2
    return name if len(name) <= most else f"{name[:front]}..{name[front + 2 - most :]}"


def _spaced(seat: SeatPicture) -> str:
    """Return a seat's cards, after its rows if it has any."""
    return f"{seat.rows} | {seat.cards}".rstrip("| ") if seat.rows else seat.cards


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
    """whether this is not a message, but an error of the actor it points to"""

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
