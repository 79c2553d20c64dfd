"""Turn a history into frames: each event in words, and the table after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

import attrs

from poker_actors.cards import Card
from poker_actors.history.chips import amount_text
from poker_actors.history.hand_history import HandHistory, Showed
from poker_actors.history.replay import Replay, replay
from poker_actors.history.unknown import is_known
from poker_actors.rules import Fold
from poker_actors.rules import event as events

__all__ = ["Frame", "Said", "Seat", "frames_of"]

Said = Mapping[int, Sequence[str]]
"""What stands before an action of a hand, such as what a language model answered, by the number of the action from 0."""
_NOTHING: Final[Said] = {}


@attrs.define
class Seat:
    """A player at one moment; amounts as text, in the units of the record."""

    name: str
    cards: str
    stack: str
    bet: str = ""
    folded: bool = False
    button: bool = False


@attrs.frozen
class Frame:
    """An event in words, and the table after it."""

    street: str
    words: str
    board: str
    pot: str
    seats: tuple[Seat, ...]


def frames_of(history: HandHistory, said: Said = _NOTHING) -> tuple[Replay, list[Frame]]:
    """Replay a history and return the replay and its frames; raise `Discrepancy` if the rules disagree."""
    camera = _Camera(history, said)
    found = replay(history, listener=camera.see)
    camera.end(found)
    return found, camera.frames


class _Camera:
    """Follows the table by its events and takes the frames."""

    def __init__(self, history: HandHistory, said: Said) -> None:
        self.history = history
        self.said = said
        self.actions = 0
        self.frames: list[Frame] = []
        self.street = history.game.streets[0].name
        self.board: list[Card] = []
        self.runs: dict[int, list[Card]] = {}
        """the cards of further runs of the board"""
        self.stacks = list(history.stacks)
        self.bets = [0] * history.size
        self.pot = 0
        self.folded: set[int] = set()

    def money(self, chips: int) -> str:
        return amount_text(chips, self.history.scale)

    def see(self, event: events.Event) -> None:
        """Update the table, and take a frame if the event has words."""
        if isinstance(event, events.Acted):
            for line in self.said.get(self.actions, ()):
                self._take(f"{self.history.name(event.seat)} was asked: {line}")
            self.actions += 1
        words = self._words(event)
        if words:
            self._take(words)

    def end(self, found: Replay) -> None:
        """Take the last frames: the remarks, and each player's result."""
        history = self.history
        for show in (step for step in history.steps if step.comment):
            self._take(f"remark: {show.comment}")
        payoffs = found.payoffs
        if payoffs is None:
            self._take("unknown cards decide who wins")
        elif not found.hand.over:
            self._take("the record stops here")
        else:
            parts = [
                f"{history.name(player)} {self._signed(won)}" for player, won in enumerate(payoffs) if won
            ]
            rake = f", rake {self.money(found.rake)}" if found.rake else ""
            self._take(f"result: {', '.join(parts) or 'nobody wins or loses'}{rake}")

    def _signed(self, chips: int) -> str:
        return f"+{self.money(chips)}" if chips > 0 else self.money(chips)

    def _words(self, event: events.Event) -> str:  # noqa: PLR0911  # a case for each event
        match event:
            case events.HandStarted() | events.HoleDealt() | events.HandEnded() | events.Scored():
                return ""
            case events.OpenDealt(player, cards):
                return f"{self.history.name(player)} is dealt {_cards(cards)} face up"
            case events.Reshuffled(cards):
                return f"the deck is reshuffled: {cards} cards"
            case events.Raked(_, amount):
                self.pot -= amount
                return f"the house takes {self.money(amount)}"
            case events.Posted(player, kind, amount):
                self._pay(player, amount)
                return f"{self.history.name(player)} posts {kind.value} {self.money(amount)}"
            case events.StreetDealt(street, cards):
                self.street = street
                self.board += cards
                self.bets = [0] * self.history.size
                return f"the {street}: {_cards(cards)}"
            case events.RunDealt(number, street, cards):
                self.runs.setdefault(number, []).extend(cards)
                return f"run {number + 1} of the board, the {street}: {_cards(cards)}"
            case events.Acted(player, action, paid):
                self._pay(player, paid)
                if isinstance(action, Fold):
                    self.folded.add(player)
                return f"{self.history.name(player)} {event.words(self.money)}"
            case events.UncalledReturned(player, amount):
                self._pay(player, -amount)
                return f"{self.money(amount)} go back to {self.history.name(player)}, uncalled"
            case events.Shown() | events.Mucked():
                return self._show(event)
            case events.Awarded(pot, player, amount):
                return self._award(pot, player, amount)
            case _:
                assert_never(event)

    def _pay(self, player: int, chips: int) -> None:
        self.stacks[player] -= chips
        self.bets[player] += chips
        self.pot += chips

    def _show(self, event: events.Shown | events.Mucked) -> str:
        name = self.history.name(event.seat)
        mucks = any(type(step) is Showed and step == Showed(event.seat, ()) for step in self.history.steps)
        if isinstance(event, events.Mucked) or mucks:
            return f"{name} mucks"
        return f"{name} shows {_cards(event.cards)}" if is_known(event.cards) else ""

    def _award(self, pot: int, player: int, amount: int) -> str:
        self.stacks[player] += amount
        self.pot -= amount
        self.bets = [0] * self.history.size
        which = f"side pot {pot}" if pot else "the pot"
        return f"{self.history.name(player)} wins {self.money(amount)} from {which}"

    def _take(self, words: str) -> None:
        history = self.history
        seats = tuple(
            Seat(
                history.name(player),
                _cards(hole),
                self.money(self.stacks[player]),
                self.money(self.bets[player]) if self.bets[player] else "",
                player in self.folded,
                player == history.size - 1,
            )
            for player, hole in enumerate(history.holes)
        )
        board, boards = self.board, [self.board]
        for cards in self.runs.values():
            shared = len(board) - len(history.run_again[0])
            boards.append([*board[:shared], *cards])
        text = " / ".join(map(_cards, boards))
        self.frames.append(Frame(self.street, words, text, self.money(self.pot), seats))


def _cards(cards: tuple[Card, ...] | list[Card]) -> str:
    return " ".join(map(str, cards))
