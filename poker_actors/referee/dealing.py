"""The cards of a table: dealt, thrown away, and missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.referee.betting import Chips
from poker_actors.referee.facts import Sheet, Sitting
from poker_actors.referee.hands import first_of_doors, open_value

BRINGS_IN: Final = ("low card", "high card")
"""Kinds of first turns that are a bring-in."""


class TableCards:
    """Keeps the cards of one hand."""

    def __init__(self, sheet: Sheet, sitting: Sitting, chips: Chips) -> None:
        self.sheet, self.sitting, self.chips = sheet, sitting, chips
        seats = range(len(sitting.stacks))
        self.pack = {*(sheet.pack or STANDARD_DECK)}
        self.holes: list[list[Card]] = [[] for _ in seats]
        self.open: list[list[Card]] = [[] for _ in seats]
        self.thrown: list[list[Card]] = [[] for _ in seats]
        boards = max(sheet.boards, sitting.bomb_boards if sitting.bomb else 1)
        self.boards: list[list[Card]] = [[] for _ in range(boards)]
        self.runs: dict[int, list[Card]] = {}
        """the cards of boards that are run again, by number"""
        self.last_thrown: tuple[Card, ...] = ()
        self._out: set[Card] = set()
        """cards that cannot be dealt"""
        self._due = [0] * len(sitting.stacks)
        """cards each seat must hold by now"""
        self._board_due = 0

    def opens(self, number: int) -> None:
        """Note the cards due on a street; if a stud deck runs short, it is one on the board for all (TDA RP-10-H)."""
        street = self.sheet.streets[number]
        each = street.down + street.up
        left = self.sitting.cards - len(self._out)
        short = each * len(self.chips.live) > left
        for seat in self.chips.live:
            self._due[seat] += 0 if short else each
        self._board_due += 1 if short else street.board

    def missing(self) -> str | None:
        """Say which cards have not been dealt yet."""
        for seat in self.chips.live:
            if len(self.holes[seat]) != self._due[seat]:
                return f"seat {seat} is due {self._due[seat]} cards and holds {len(self.holes[seat])}"
        for number, board in enumerate(self.boards):
            if len(board) != self._board_due:
                return f"board {number + 1} is due {self._board_due} cards and has {len(board)}"
        return None

    def deal(self, seat: int, cards: Sequence[Card], *, up: bool) -> str | None:
        """Take cards dealt to a seat; return what is wrong with them."""
        self.holes[seat] += cards
        if up:
            self.open[seat] += cards
        if len(self.holes[seat]) > self._due[seat]:
            return f"seat {seat} is due {self._due[seat]} cards and holds {len(self.holes[seat])}"
        if {*cards} & {*self.thrown[seat]}:
            return f"seat {seat} is never dealt a card it threw away"
        return self._taken(cards)

    def lay(self, board: int, cards: Sequence[Card]) -> str | None:
        """Take cards dealt to a board; return what is wrong with them."""
        where = self.boards[board] if board < len(self.boards) else self.runs.setdefault(board, [])
        where += cards
        if len(where) > self._board_due:
            return f"board {board + 1} is due {self._board_due} cards and has {len(where)}"
        return self._taken(cards)

    def _taken(self, cards: Sequence[Card]) -> str | None:
        if self.sitting.mixed_unsaid and {*cards} & self._out:
            held = self._held()
            # the cards just dealt are already held
            self._out = {card for card in held if card not in cards or held.count(card) > 1}
        for card in cards:
            if card not in self.pack or card in self._out:
                return "it is not in the deck any more"
            self._out.add(card)
        return None

    def throws(self, seat: int, cards: Sequence[Card], *, draws: bool) -> None:
        """Take the cards a seat throws away; if it `draws`, it is owed as many new ones."""
        for card in cards:
            self.holes[seat].remove(card)
        self.thrown[seat] += cards
        self.last_thrown = tuple(cards)
        if not draws:
            self._due[seat] -= len(cards)

    def reshuffled(self) -> int:
        """Shuffle the remaining cards, folded hands and discards into a new stub; return its number of cards.

        The last discards of the seat in turn stay out.
        """
        self._out = {*self._held()}
        return len(self.pack) - len(self._out)

    def _held(self) -> list[Card]:
        """Return the cards that a reshuffle leaves out."""
        lying = [*[self.holes[seat] for seat in self.chips.live], *self.boards]
        return [*self.last_thrown, *[card for cards in lying for card in cards]]

    def opener(self, first: str) -> int:
        """Return the live seat whose open cards make it the first to act."""
        live = self.chips.live
        if first in BRINGS_IN:
            return first_of_doors({seat: self.open[seat][0] for seat in live}, highest=first == "high card")
        return max(live, key=lambda seat: open_value(self.open[seat], low=first == "low hand"))

    def all_boards(self) -> list[list[Card]]:
        """Return every board, including further runs, which start with the cards on the board when betting ended."""
        count = len(self.boards)
        again = [
            [*self.boards[number % count][: self._board_due - len(run)], *run]
            for number, run in self.runs.items()
        ]
        return [*self.boards, *again]

    def runs_due(self, lay: int | None) -> int:
        """Return how many times to run the boards, given that `lay` cards were on each when betting ended."""
        rest = 0 if lay is None else (self._board_due - lay) * len(self.boards)
        declined = {*self.sitting.declined} & {*self.chips.live}
        if not rest or declined:
            return 1
        dealt = len(self._out) - sum([len(run) for run in self.runs.values()])
        return 1 + min(self.sitting.runs - 1, (self.sitting.cards - dealt) // rest)

    def runs_flaws(self, lay: int | None) -> Iterator[tuple[str, str, str, str]]:
        """Yield a flaw if the boards were not run as the rules say."""
        runs = 1 + len(self.runs) // len(self.boards)
        asked = self.runs_due(lay)
        if runs != asked:
            rule = "as often as all agreed and the deck allows"
            yield "runs", f"the board is run {runs} times", f"{asked}", rule
        for run in self.runs.values():
            rest = len(self.boards[0]) - (lay or 0)
            if len(run) != rest:
                yield "runs", f"{len(run)} cards are run again", f"{rest}", "what lay stays"
