"""A history to look at: drawn as lines of text, or as the page that replays hands in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, assert_never

import attrs

from poker_actors.browser import Book, replay_page
from poker_actors.cards import Card
from poker_actors.history.chips import amount_text
from poker_actors.history.hand_history import HandHistory, Showed
from poker_actors.history.replay import Replay, replay
from poker_actors.history.story import common_ante
from poker_actors.history.unknown import is_known
from poker_actors.rules import Fold
from poker_actors.rules import event as events

__all__ = ["Said", "drawing", "page"]

Said = Mapping[int, Sequence[str]]
"""What stands before an action of a hand, such as what a language model answered, by the number of the action from 0."""
_NOTHING: Final[Said] = {}


def drawing(history: HandHistory, said: Said | None = None) -> list[str]:
    """Draw a hand, from the seats to the result; raise `Discrepancy` if the rules disagree.

    `said` is what was said before an action, by the action's number from 0.
    """
    _, frames = frames_of(history, said or {})
    lines = [_title(history)]
    widest = max(len(history.name(player)) for player in range(history.size))
    for player, hole in enumerate(history.holes):
        stack = amount_text(history.stacks[player], history.scale)
        role = _role(history, player)
        cards = " ".join(map(str, hole))
        lines.append(f"  {history.name(player):<{widest}}  {cards}  {stack:>10}{role}")
    street = ""
    before: Frame | None = None
    for frame in frames:
        if frame.street != street:
            street = frame.street
            pot = f"  pot {before.pot}" if before and before.pot != "0" else ""
            board = f"  {frame.board}" if frame.board else ""
            lines.append(f"{street}{board}{pot}")
        if not frame.words.startswith(f"the {street}:"):
            result = frame.words.startswith("result: ")
            lines.append(frame.words if result else f"  {frame.words}")
        before = frame
    return lines


def _title(history: HandHistory) -> str:
    blinds = [amount_text(abs(blind), history.scale) for blind in history.blinds if blind]
    if history.size == 2:
        blinds.reverse()
    parts = [f"hand {history.hand_id}" if history.hand_id else "a hand", history.game.title, "/".join(blinds)]
    if any(history.antes):
        parts.append(f"ante {amount_text(common_ante(history), history.scale)}")
    event = history.fields.get("event")
    if isinstance(event, str):
        parts.append(event)
    return ", ".join(part for part in parts if part)


def _role(history: HandHistory, player: int) -> str:
    """Mark the button, which heads-up is the small blind, too."""
    return "  button" if player == history.size - 1 else ""


def page(
    histories: Iterable[HandHistory],
    *,
    back: tuple[str, str] | None = None,
    said: Callable[[HandHistory], Said] = lambda history: {},
) -> str:
    """Return one HTML page for these hands; raise `Discrepancy` at the first that the rules disagree with.

    `#3` at the end of its address opens it at the third hand. `back` is the address and name of a page to link to;
    `said` gives what was said before the actions of a hand, by their numbers from 0.
    """
    books = [_book(number, history, said(history)) for number, history in enumerate(histories, start=1)]
    return replay_page("Hand replayer", books, back=back)


def _book(number: int, history: HandHistory, said: Said) -> Book:
    _, frames = frames_of(history, said)
    book = Book(name=history.hand_id or str(number), title=_title(history))
    for frame in frames:
        book.add(frame.picture, [[f"{frame.street}: {frame.words}"]])
    return book


# -- frames -----------------------------------------------------------------------------------


@attrs.frozen
class Frame:
    """An event in words, and the table after it."""

    street: str
    words: str
    board: str
    pot: str
    picture: dict[str, Any]
    """the table as the browser's script takes it"""


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
        self.holes = history.holes
        self.frames: list[Frame] = []
        self.street = history.game.streets[0].name
        self.board: list[Card] = []
        self.runs: dict[int, list[Card]] = {}
        """the cards of further runs of the board"""
        self.stacks = list(history.stacks)
        self.bets = [0] * history.size
        self.pot = 0
        self.folded: set[int] = set()
        self.did: dict[int, str] = {}
        """what each player has done on this street"""
        self.won: dict[int, int] = {}

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
                self.did = {}
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
                self.did[player] = event.words(self.money)
                return f"{self.history.name(player)} {self.did[player]}"
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
        self.won[player] = self.won.get(player, 0) + amount
        self.bets = [0] * self.history.size
        which = f"side pot {pot}" if pot else "the pot"
        return f"{self.history.name(player)} wins {self.money(amount)} from {which}"

    def _take(self, words: str) -> None:
        boards = [self.board]
        for cards in self.runs.values():
            shared = len(self.board) - len(self.history.run_again[0])
            boards.append([*self.board[:shared], *cards])
        text = " / ".join(map(_cards, boards))
        self.frames.append(Frame(self.street, words, text, self.money(self.pot), self._picture(boards)))

    def _picture(self, boards: list[list[Card]]) -> dict[str, Any]:
        """Return the table as the browser's script takes it, amounts in the units of the record."""
        names = [self.history.name(player) for player in range(self.history.size)]
        won = [
            {"seat": seat, "name": names[seat], "amount": self._units(won)} for seat, won in self.won.items()
        ]
        return {
            "street": self.street,
            "hand_id": "",
            "board": list(map(str, boards[0])),
            **({"boards": [list(map(str, board)) for board in boards]} if len(boards) > 1 else {}),
            "board_cards": max(self.history.game.board_cards, len(self.board)),
            "pots": [{"size": self._units(self.pot), "seats": []}] if self.pot else [],
            "over": bool(won),
            "turn": None,
            "you": None,
            "winners": won,
            "seats": [self._seat(seat, names[seat]) for seat in range(len(names))],
        }

    def _seat(self, seat: int, name: str) -> dict[str, Any]:
        cards = self.holes[seat]
        folded, stack = seat in self.folded, self.stacks[seat]
        return {
            "seat": seat,
            "name": name,
            "house": False,
            "state": "folded" if folded else "active" if stack or self.won else "all_in",
            "stack": self._units(stack),
            "bet": self._units(self.bets[seat]),
            "button": seat == self.history.size - 1,
            "cards": [str(card) if is_known([card]) else "" for card in cards]
            if any(map(_known, cards))
            else None,
            "hidden": len(cards),
            "last_action": "fold" if folded else self.did.get(seat),
            "won": self._units(self.won.get(seat, 0)),
        }

    def _units(self, chips: int) -> int | float:
        scale = self.history.scale
        return chips if scale == 1 else round(chips / scale, 6)


def _known(card: Card) -> bool:
    return is_known([card])


def _cards(cards: tuple[Card, ...] | list[Card]) -> str:
    return " ".join(map(str, cards))
