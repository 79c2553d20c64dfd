"""Show a history: as lines of text, or as the page that replays hands in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, assert_never

import attrs

from poker_actors.browser import Book, replay_page
from poker_actors.cards import Card
from poker_actors.history.draft import amount_text
from poker_actors.history.hand_history import Discarded, HandHistory, Showed
from poker_actors.history.replay import Replay, replay
from poker_actors.history.story import common_ante
from poker_actors.history.unknown import is_known
from poker_actors.rules import Discard, Fold, Lay
from poker_actors.rules import event as events

Said = Mapping[int, Sequence[str]]
"""Remarks before the actions of a hand, such as a language model's answers, by the number of the action from 0."""
_NOTHING: Final[Said] = {}


def drawing(history: HandHistory, said: Said | None = None) -> list[str]:
    """Draw a hand, from the seats to the result; raise `Discrepancy` if the rules disagree.

    `said` are remarks before an action, by the action's number from 0.
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


@attrs.frozen(kw_only=True)
class Scene:
    """A hand that no history expresses (two boards, open-face), as the page replays it: its events and players.

    Players are in the order of a history, and the seats of the events are their places in it.
    """

    title: str
    players: Sequence[str]
    stacks: Sequence[int]
    """before any post"""
    finishing: Sequence[int]
    """stacks at the end"""
    events: Iterable[events.Event]
    street: str
    """the name of the first street"""
    board_cards: int
    open_face: bool = False


def page(
    hands: Iterable[HandHistory | Scene],
    *,
    back: tuple[str, str] | None = None,
    said: Callable[[HandHistory], Said] = lambda history: {},
    mine: int | None = None,
) -> str:
    """Return one HTML page for these hands; raise `Discrepancy` at the first that the rules disagree with.

    `#3` at the end of its address opens it at the third hand. `back` is the address and name of a page to link to;
    `said` gives the remarks before the actions of a hand, by their numbers from 0. The player `mine` sits in front.
    """
    books = [_book(number, one, said, mine) for number, one in enumerate(hands, start=1)]
    return replay_page("Hand replayer", books, back=back)


def _book(
    number: int, hand: HandHistory | Scene, said: Callable[[HandHistory], Said], mine: int | None
) -> Book:
    if isinstance(hand, HandHistory):
        _, frames = frames_of(hand, said(hand))
        book = Book(name=hand.hand_id or str(number), title=_title(hand))
    else:
        book, camera = Book(name=str(number), title=hand.title), _Camera.at(hand)
        for event in hand.events:
            camera.see(event)
        camera.settle(hand)
        frames = camera.frames
    for frame in frames:
        you = None if mine is None else {"seat": mine}
        book.add({**frame.picture, "you": you}, [[f"{frame.street}: {frame.words}"]])
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
    camera = _Camera.of(history, said)
    found = replay(history, listener=camera.see)
    camera.end(history, found)
    return found, camera.frames


@attrs.define(kw_only=True)
class _Camera:
    """Follows the table by its events and takes the frames."""

    names: Sequence[str]
    stacks: list[int]
    street: str
    board_cards: int
    shared: int = 0
    """the cards that further boards have in common with the first"""
    scale: int = 1
    said: Said = _NOTHING
    mucked: Sequence[int] = ()
    """who mucked what the rules would show"""
    thrown: Iterator[Sequence[Card]] = attrs.field(factory=lambda: iter(()))
    """the cards of each discard: events do not tell them"""
    rows: list[list[list[Card]]] | None = None
    """in open-face, the rows of each seat"""
    frames: list[Frame] = attrs.field(factory=list, init=False)
    actions: int = attrs.field(default=0, init=False)
    holes: list[list[Card]] = attrs.field(init=False)
    boards: dict[int, list[Card]] = attrs.field(init=False)
    """the cards of the first board, and those that each further one has for itself"""
    bets: list[int] = attrs.field(init=False)
    pot: int = attrs.field(default=0, init=False)
    folded: set[int] = attrs.field(factory=set, init=False)
    did: dict[int, str] = attrs.field(factory=dict, init=False)
    """what each player has done on this street"""
    won: dict[int, int] = attrs.field(factory=dict, init=False)
    points: list[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.holes = [[] for _ in self.names]
        self.boards = {0: []}
        self.bets, self.points = [0] * len(self.names), [0] * len(self.names)

    @classmethod
    def of(cls, history: HandHistory, said: Said) -> _Camera:
        """Return the camera at a history."""
        named = history.told_cards().named
        return cls(
            names=[history.name(player) for player in range(history.size)],
            stacks=list(history.stacks),
            street=history.game.streets[0].name,
            board_cards=history.game.board_cards,
            shared=history.game.board_cards - len(history.run_again[0]) if history.run_again else 0,
            scale=history.scale,
            said=said,
            mucked=[step.player for step in history.steps if type(step) is Showed and not step.cards],
            thrown=iter([named[at] for at, step in enumerate(history.steps) if type(step) is Discarded]),
        )

    @classmethod
    def at(cls, scene: Scene) -> _Camera:
        """Return the camera at a scene."""
        rows: list[list[list[Card]]] = [[[], [], []] for _ in scene.players]
        return cls(
            names=scene.players,
            stacks=list(scene.stacks),
            street=scene.street,
            board_cards=scene.board_cards,
            rows=rows if scene.open_face else None,
        )

    def money(self, chips: int) -> str:
        return amount_text(chips, self.scale)

    def see(self, event: events.Event) -> None:
        """Update the table, and take a frame if the event has words."""
        if isinstance(event, events.Acted):
            for line in self.said.get(self.actions, ()):
                self._take(f"{self.names[event.seat]} was asked: {line}")
            self.actions += 1
        words = self._words(event)
        if words:
            self._take(words)

    def end(self, history: HandHistory, found: Replay) -> None:
        """Take the last frames: the remarks, and each player's result."""
        for show in (step for step in history.steps if step.comment):
            self._take(f"remark: {show.comment}")
        payoffs = found.payoffs
        if payoffs is None:
            self._take("unknown cards decide who wins")
        elif not found.hand.over:
            self._take("the record ends here")
        else:
            rake = f", rake {self.money(found.rake)}" if found.rake else ""
            self._take(f"{self._result(payoffs)}{rake}")

    def settle(self, scene: Scene) -> None:
        """Take the last frame of a scene, whose events do not tell each chip on its way to the stacks at the end."""
        paid = [stack - self.won.get(seat, 0) for seat, stack in enumerate(self.stacks)]
        won = [end - stack for end, stack in zip(scene.finishing, paid, strict=True)]
        self.won = {seat: chips for seat, chips in enumerate(won) if chips > 0}
        self.stacks, self.pot = list(scene.finishing), 0
        self._take(
            self._result([end - stack for end, stack in zip(scene.finishing, scene.stacks, strict=True)])
        )

    def _result(self, payoffs: Sequence[int]) -> str:
        parts = [f"{name} {self._signed(won)}" for name, won in zip(self.names, payoffs, strict=True) if won]
        return f"result: {', '.join(parts) or 'nobody wins or loses'}"

    def _signed(self, chips: int) -> str:
        return f"+{self.money(chips)}" if chips > 0 else self.money(chips)

    def _words(self, event: events.Event) -> str:
        match event:
            case events.HandStarted() | events.HandEnded():
                return ""
            case events.Raked(_, amount):
                self.pot -= amount
                return f"the house takes {self.money(amount)}"
            case events.Posted(player, kind, amount):
                self._pay(player, amount)
                return f"{self.names[player]} posts {kind.value} {self.money(amount)}"
            case events.Acted():
                return self._act(event)
            case events.UncalledReturned(player, amount):
                self._pay(player, -amount)
                return f"{self.money(amount)} go back to {self.names[player]}, uncalled"
            case events.Awarded():
                return self._award(event)
            case events.Scored(player, points, chips, _, fouled):
                self.points[player] += points
                scored = (
                    f"{self._signed(points)} point{'' if abs(points) == 1 else 's'}, {self._signed(chips)}"
                )
                return f"{self.names[player]}{' fouls:' if fouled else ''} {scored}"
            case _:
                return self._cards_in_words(event)

    def _cards_in_words(self, event: _OfCards) -> str:
        match event:
            case events.HoleDealt(player, cards):
                if self.rows is not None:
                    self.holes[player] = []  # cards that were not laid are thrown away
                self.holes[player] += cards
                return ""
            case events.OpenDealt(player, cards):
                self.holes[player] += cards
                return f"{self.names[player]} is dealt {_cards(cards)} face up"
            case events.Reshuffled(cards):
                if self.rows is None:
                    return f"the deck is reshuffled: {cards} cards"
                self.rows = [[[], [], []] for _ in self.names]
                return "fantasy land: the pack is mixed again"
            case events.StreetDealt(street, cards):
                self.street, self.did = street, {}
                self.boards[0] += cards
                self.bets = [0] * len(self.names)
                return f"the {street}: {_cards(cards)}" if cards or self.rows is None else ""
            case events.RunDealt(number, street, cards):
                self.boards.setdefault(number, []).extend(cards)
                which = f"run {number + 1} of the board" if self.shared else f"board {number + 1}"
                return f"{which}, the {street}: {_cards(cards)}"
            case events.Shown() | events.Mucked():
                return self._show(event)
            case _:
                assert_never(event)

    def _act(self, event: events.Acted) -> str:
        player, action = event.seat, event.action
        self._pay(player, event.paid)
        if isinstance(action, Fold):
            self.folded.add(player)
        elif isinstance(action, Discard):
            for card in next(self.thrown, ()):
                self.holes[player].remove(card)
        elif isinstance(action, Lay) and self.rows is not None:
            self.holes[player] = []
            for row, cards in zip(self.rows[player], action.rows, strict=True):
                row += cards
        self.did[player] = event.words(self.money)
        return f"{self.names[player]} {self.did[player]}"

    def _pay(self, player: int, chips: int) -> None:
        self.stacks[player] -= chips
        self.bets[player] += chips
        self.pot += chips

    def _show(self, event: events.Shown | events.Mucked) -> str:
        name = self.names[event.seat]
        if isinstance(event, events.Mucked) or event.seat in self.mucked:
            return f"{name} mucks"
        if self.rows is not None:
            rows = self.rows[event.seat]
            if not any(rows):  # laid face down
                rows[:] = [list(event.cards[:3]), list(event.cards[3:8]), list(event.cards[8:])]
            return f"{name} shows the rows"
        if is_known(event.cards):
            self.holes[event.seat] = list(event.cards)
        return f"{name} shows {_cards(event.cards)}" if is_known(event.cards) else ""

    def _award(self, award: events.Awarded) -> str:
        player, amount = award.seat, award.amount
        self.stacks[player] += amount
        self.pot -= amount
        self.won[player] = self.won.get(player, 0) + amount
        self.bets = [0] * len(self.names)
        which = f"side pot {award.pot}" if award.pot else "the pot"
        if len(self.boards) > 1 and not self.shared:
            which = f"board {award.board + 1}"
        return f"{self.names[player]} wins {self.money(amount)} from {which}"

    def _take(self, words: str) -> None:
        first, *others = self.boards.values()
        boards = [first, *([*first[: self.shared], *cards] for cards in others)]
        text = " / ".join(map(_cards, boards))
        self.frames.append(Frame(self.street, words, text, self.money(self.pot), self._picture(boards)))

    def _picture(self, boards: list[list[Card]]) -> dict[str, Any]:
        """Return the table as the browser's script takes it, amounts in the units of the record."""
        won = [
            {"seat": seat, "name": self.names[seat], "amount": self._units(won)}
            for seat, won in self.won.items()
        ]
        return {
            "street": self.street,
            "hand_id": "",
            "board": list(map(str, boards[0])),
            **({"boards": [list(map(str, board)) for board in boards]} if len(boards) > 1 else {}),
            "board_cards": max(self.board_cards, len(boards[0])),
            "pots": [{"size": self._units(self.pot), "seats": []}] if self.pot else [],
            "over": bool(won),
            "turn": None,
            "you": None,
            "winners": won,
            "seats": [self._seat(seat, name) for seat, name in enumerate(self.names)],
            **({} if self.rows is None else {"open_face": self._open_face(self.rows)}),
        }

    def _open_face(self, rows: list[list[list[Card]]]) -> dict[str, Any]:
        return {
            "rows": [[list(map(str, row)) for row in of_seat] for of_seat in rows],
            "fantasy": [],
            "deals": [{"points": list(self.points)}] if any(self.points) else [],
            "hands": True,
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
            "button": seat == len(self.names) - 1,
            "cards": [str(card) if is_known([card]) else "" for card in cards]
            if any(is_known([card]) for card in cards)
            else None,
            "hidden": len(cards),
            "last_action": "fold" if folded else self.did.get(seat),
            "won": self._units(self.won.get(seat, 0)),
        }

    def _units(self, chips: int) -> int | float:
        return chips if self.scale == 1 else round(chips / self.scale, 6)


_OfCards = (
    events.HoleDealt
    | events.OpenDealt
    | events.Reshuffled
    | events.StreetDealt
    | events.RunDealt
    | events.Shown
    | events.Mucked
)


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))
