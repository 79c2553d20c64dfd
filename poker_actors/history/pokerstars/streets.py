"""Write stud, draw and early-board games in PokerStars' text: named streets, cards as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from poker_actors.cards import Card
from poker_actors.history.hand_history import (
    RESHUFFLED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    HandHistory,
)
from poker_actors.history.unknown import UNKNOWN
from poker_actors.rules import event as events

__all__ = ["street_lines"]

_STUD: Final = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
_DRAWS: Final = ("DEALING HANDS", "FIRST DRAW", "SECOND DRAW", "THIRD DRAW")
_BOARD: Final = ("PRE-FLOP", "FLOP", "TURN", "RIVER")

TurnText = Callable[[ActionStep, events.Acted, int], str]
"""A turn, its event, and the bet before it in chips -> its line."""


def street_lines(
    history: HandHistory, acted: Iterator[events.Acted], names: list[str], turn_text: TurnText
) -> Iterator[str]:
    """Yield the lines from the first cards dealt to the last turn."""
    streets = _Streets(history, names)
    bet = history.bring_in or max((abs(blind) for blind in history.blinds), default=0)
    last = max((place for place, step in enumerate(history.steps) if type(step) is ActionStep), default=-1)
    for place, step in enumerate(history.steps):
        before = streets.number
        streets.run = "FIRST " if history.run_again and place > last else ""
        yield from streets.lines(step)
        bet = bet if streets.number == max(before, 0) else 0
        if type(step) is ActionStep:
            yield turn_text(step, next(acted), bet)
            bet = step.total if step.move is ActionKind.RAISE else bet
        elif type(step) is Discarded:
            next(acted)


class _Streets:
    """The progress of a hand: the street, the players dealt in on it, the holdings of all."""

    def __init__(self, history: HandHistory, names: list[str]) -> None:
        game = history.game
        self.history = history
        self.names = names
        self.titles = _STUD if game.brings_in else _DRAWS if game.draws else _BOARD
        self.number = -1
        self.run = ""
        """the word before a street that is run more than once"""
        self.over = True
        """whether the street has had turns, so that the next cards open another"""
        self.drawing = False
        self.dealt: set[int] = set()
        self.held: list[tuple[Card, ...]] = [()] * history.size
        self.board: tuple[Card, ...] = ()

    def lines(self, step: object) -> Iterator[str]:
        """Yield the lines of a step that deals or changes cards, after the name of a street it opens."""
        if type(step) is Dealt:
            yield from self._deal(step)
        elif type(step) is BoardDealt:
            yield from self._turn_board(step)
        elif type(step) is Discarded:
            yield from self._discard(step)
        elif type(step) is Comment and step.comment == RESHUFFLED:
            yield RESHUFFLED
        elif type(step) is ActionStep:
            self.over, self.drawing = True, False

    def _open(self, cards: str = "") -> Iterator[str]:
        self.number += 1
        self.over = False
        self.dealt = set()
        # PokerStars names no street for the draw of a single-draw game
        if self.number == 0 or not self.history.game.draws or len(self.history.game.streets) > 2:
            yield f"*** {self.run}{self.titles[self.number]} ***{cards}"

    def _deal(self, step: Dealt) -> Iterator[str]:
        player = step.player
        if self.number < 0:
            yield from self._open(self._first_board())
        elif not self.drawing and (self.over or player in self.dealt):
            yield from self._open()
        self.dealt.add(player)
        before = [card for card in self.held[player] if card is not UNKNOWN]
        new = [card for card in step.cards if card is not UNKNOWN]
        self.held[player] += step.cards
        if new:
            kept = f" [{_blanked(before)}]" if before else ""
            yield f"Dealt to {self.names[player]}{kept} [{_blanked(new)}]"

    def _first_board(self) -> str:
        """Return the board dealt before the first bet, which the first street's line names."""
        for step in self.history.steps:
            if type(step) is BoardDealt:
                return f" [{_blanked(step.cards)}]"
            if type(step) is ActionStep:
                break
        return ""

    def _turn_board(self, step: BoardDealt) -> Iterator[str]:
        if self.board or self.over:
            before = f" [{_blanked(self.board)}]" if self.board else ""
            yield from self._open(f"{before} [{_blanked(step.cards)}]")
        self.board += step.cards

    def _discard(self, step: Discarded) -> Iterator[str]:
        if not self.drawing:
            self.drawing = True
            yield from self._open()
        name, player, count = self.names[step.player], step.player, len(step.cards)
        if not count:
            yield f"{name}: stands pat"
            return
        self.held[player] = tuple([card for card in self.held[player] if card not in step.cards])
        named = [card for card in step.cards if card is not UNKNOWN]
        which = f" [{_blanked(named)}]" if named else ""
        yield f"{name}: discards {count} card{'' if count == 1 else 's'}{which}"


def _blanked(cards: tuple[Card, ...] | list[Card]) -> str:
    return " ".join(map(str, cards))
