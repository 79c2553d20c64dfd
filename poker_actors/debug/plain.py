"""Messages and states as JSON values for a viewpoint, without cards that it may not see."""

from __future__ import annotations

import enum
import json
import re
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from functools import cache
from operator import attrgetter
from typing import Any, Final

import attrs

from poker_actors.actors import HandState, messages, runtime
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.rules import (
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Game,
    Hand,
    Lay,
    PublicState,
    RaiseTo,
    View,
)
from poker_actors.store.fairness import FairnessRecord

_SEAT: Final = re.compile(r"(?:seat )?([0-9]{1,2})")


@attrs.frozen
class Viewpoint:
    """A viewpoint: it sees everything, one seat's `View`, or only what is public.

    `str` returns the text that `parse` reads: `god`, `spectator`, `seat 2`.
    """

    god: bool = False
    seat: int | None = None

    @classmethod
    def parse(cls, text: str) -> Viewpoint:
        """Read `god`, `spectator`, or a seat as `2` or `seat 2`; raise `BadSpec` for anything else."""
        word = text.strip().lower()
        if word in ("god", "spectator"):
            return GOD if word == "god" else SPECTATOR
        match = _SEAT.fullmatch(word)
        if match is None:
            raise BadSpec(f"viewpoint {text[:40]!r} must be god, spectator or a seat such as 2")
        return cls(seat=int(match[1]))

    def sees(self, seat: int) -> bool:
        """Tell whether the hole cards of `seat` may be seen."""
        return self.god or seat == self.seat

    def __str__(self) -> str:
        if self.god:
            return "god"
        return "spectator" if self.seat is None else f"seat {self.seat}"


GOD: Final = Viewpoint(god=True)
"""Everything, the deck included."""
SPECTATOR: Final = Viewpoint()
"""Public information only: what everyone at the table can see."""


class Kept:
    """A message known only in its plain form, as in a trace; its class is named after its type."""

    __slots__ = ("plain",)

    def __init__(self, plain: dict[str, Any]) -> None:
        self.plain = plain


def kept_message(plain: dict[str, Any]) -> Kept:
    """Return a message from its plain form."""
    return _kept_kind(str(plain["type"]))(plain)


@cache
def _kept_kind(name: str) -> type[Kept]:
    return type(name, (Kept,), {"__slots__": ()})


HIDDEN: Final = "hidden"
"""Stands in for anything the viewpoint may not see."""


def plain_message(message: object, viewpoint: Viewpoint = GOD, *, arrived: bool = True) -> dict[str, Any]:
    """Return a message as a dictionary: its `type`, then its fields.

    An action that has not `arrived` is shown only to its sender.
    """
    if isinstance(message, Kept):
        return message.plain if viewpoint.god else {"type": "Message"}
    if isinstance(message, runtime.stop_message().__class__):
        return {"type": "Stop"}
    if isinstance(message, HandState):
        return _plain_state(message, viewpoint)
    if isinstance(message, messages.Act) and not (arrived or viewpoint.sees(message.turn.seat)):
        return {"type": "Act", "turn": plain(message.turn, viewpoint), "action": HIDDEN}
    if isinstance(message, messages.PlayBy):
        return {"type": "PlayBy", "bot": None if message.bot is None else type(message.bot).__name__}
    if isinstance(message, messages.Play | messages.PutIn) and not (arrived or viewpoint.god):
        return {"type": type(message).__name__, "action": HIDDEN}
    shown = _plain_fields(message, viewpoint)
    if isinstance(message, messages.Act | messages.Play):
        seat = message.turn.seat if isinstance(message, messages.Act) else -1
        if not (viewpoint.god or viewpoint.sees(seat)):
            shown["action"] = _without_cards(message.action, shown["action"])
    if isinstance(message, messages.Deal) and message.game is None:
        del shown["game"]  # older traces have no `game` in a deal: with it they would not verify
    return shown


@cache
def fields_of(kind: type) -> dict[str, str]:
    """Return the names that a value of an attrs class is shown with, and the attribute of each."""
    of_actor = kind in (
        runtime.ActorDown,
        runtime.ActorBack,
    )  # of an actor that is gone or back, traces have the name
    names = [field.name for field in attrs.fields(kind) if not field.name.startswith("_")]
    return {"name" if of_actor and name == "address" else name: name for name in names}


FIELDS: Final[dict[type, dict[str, str]]] = {
    kind: fields_of(kind)
    for kind in (*vars(messages).values(), runtime.ActorDown, runtime.ActorBack)
    if isinstance(kind, type) and attrs.has(kind) and kind not in (HandState, messages.PlayBy)
} | {
    HandState: {"hand_id": "change.hand_id", "public": "change.public"}
    | {name: name for name in ("seat", "turn", "hole")}
}
"""Fields of messages that are shown by one attribute -> that attribute."""


Path = tuple[str, ...]
"""The names on the way to a part of a message: `("public", "pot")`."""


class PublicParts(Mapping[str, Any]):
    """The plain form of a public state, each part made when it is read: all of them would take long."""

    __slots__ = ("_public",)

    def __init__(self, public: PublicState) -> None:
        self._public = public

    def __getitem__(self, name: str) -> Any:
        show = _PUBLIC[name]
        value = getattr(self._public, name)
        return value if show is None else show(value)

    def __iter__(self) -> Iterator[str]:
        return iter(_PUBLIC)

    def __len__(self) -> int:
        return len(_PUBLIC)


@cache
def attribute_at(kind: type, path: Path) -> str | None:
    """Return the attribute of a message of `FIELDS` that decides what a path leads to, dotted; None if it leads nowhere."""
    name = FIELDS[kind].get(path[0])
    inside = kind is HandState and path[0] == "public" and path[1:2] and path[1] in _PUBLIC
    return f"{name}.{path[1]}" if inside else name


@cache
def _reader(kind: type, name: str) -> Callable[[object], Any] | None:
    attribute = FIELDS[kind].get(name)
    return None if attribute is None else attrgetter(attribute)


def plain_parts(message: object, names: Collection[str]) -> dict[str, Any]:
    """Return these fields of a message of `FIELDS` as `plain_message` shows them to god."""
    kind: type = type(message)
    shown: dict[str, Any] = {"type": kind.__name__}
    for name in names:
        read = _reader(kind, name)
        value = None if read is None else read(message)
        if type(value) is PublicState:
            shown[name] = PublicParts(value)
        elif kind is HandState and name == "hole":
            shown[name] = card_text(value)
        elif read is not None and (value is not None or kind is not messages.Deal or name != "game"):
            shown[name] = plain(value)
    return shown


def _without_cards(action: Action, shown: Any) -> Any:
    """Return an action as others may see it: how many cards are discarded, and no cards laid face down."""
    if isinstance(action, Discard):
        return str(Discard(count=action.count))
    return str(action.hidden()) if isinstance(action, Lay) else shown


def _plain_state(state: HandState, viewpoint: Viewpoint) -> dict[str, Any]:
    hole = card_text(state.hole) if viewpoint.sees(state.seat) else HIDDEN
    return {
        "type": "HandState",
        "hand_id": state.hand_id,
        "seat": state.seat,
        "hole": hole if state.hole else "",
        "turn": plain(state.turn, viewpoint),
        "public": plain(state.public, viewpoint),
    }


def _plain_fields(value: object, viewpoint: Viewpoint, depth: int = 0) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": type(value).__name__}
    kind = type(value)
    if attrs.has(kind):
        fields = fields_of(kind).items()
        shown |= {name: plain(getattr(value, attribute), viewpoint, depth) for name, attribute in fields}
    elif viewpoint.god and depth < _DEEPEST and _is_ones_own(kind):
        kept = getattr(value, "__dict__", {})
        shown |= {name: plain(kept[name], viewpoint, depth + 1) for name in kept}
    return shown


_DEEPEST: Final = 4
"""How deep custom objects are shown: they can refer to each other in a circle."""


def _is_ones_own(kind: type) -> bool:
    """Tell whether a type is neither of this package, whose services hold whole rooms, nor of Python or pykka."""
    home = kind.__module__.partition(".")[0]
    return home not in sys.stdlib_module_names and home not in ("poker_actors", "pykka")


_PLAIN: Final = frozenset([type(None), str, bool, float, int])


def plain(value: Any, viewpoint: Viewpoint = GOD, depth: int = 0) -> Any:
    """Return any value found in the room as plain data; for an unknown one, its type and fields.

    `depth` counts the custom objects around it.
    """
    kind: type = type(value)
    if kind in _PLAIN or isinstance(value, (str, float)):
        return value
    special = _special_of(kind)
    if special is not None:
        return special(value, viewpoint)
    if isinstance(value, Mapping):
        return {str(key): plain(value[key], viewpoint, depth) for key in sorted(value, key=str)}
    if isinstance(value, set | frozenset):
        return [plain(item, viewpoint, depth) for item in _in_order(value)]
    if isinstance(value, tuple | list | deque):
        if value and all(isinstance(item, Card) for item in value):
            return card_text(value)
        return [plain(item, viewpoint, depth) for item in value]
    return _plain_fields(value, viewpoint, depth)


def _in_order(items: Set[Any]) -> list[Any]:
    """Sort a set, so that equal ones look equal; values without an order are sorted by their text."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda item: json.dumps(plain(item), sort_keys=True))


def _deck(deck: Deck) -> str:
    """Return the cards a deck will deal, if they are fixed yet."""
    size = len(deck)
    # a deck of the system's CSPRNG draws at random only when dealt: two copies then differ
    cards = deck.copy().draw(size)
    return card_text(cards) if cards == deck.copy().draw(size) else "shuffled when drawn"


def _plain_shown(shown: tuple[tuple[int, tuple[Card, ...]], ...]) -> dict[str, str]:
    return {str(seat): card_text(cards) for seat, cards in shown}


def card_text(cards: Any) -> str:
    """Return cards as text: `As Kd`."""
    return " ".join(map(str, cards))


_PUBLIC: Final[dict[str, Callable[[Any], Any] | None]] = {
    "phase": None, "seq": None, "board": card_text, "pot": None, "bet": None, "min_raise_to": None,
    "stacks": list, "bets": list, "live": list, "to_act": list, "shown": _plain_shown,
}  # fmt: skip
"""Attributes of a public state -> the function that makes one plain; None for those already plain."""


def _plain_public(public: PublicState) -> dict[str, Any]:
    return {
        name: getattr(public, name) if show is None else show(getattr(public, name))
        for name, show in _PUBLIC.items()
    }


def plain_hand(hand: Hand, viewpoint: Viewpoint = GOD) -> dict[str, Any]:
    """Return a hand with the hole cards the viewpoint may see; only god also sees the cards to come."""
    public = hand.public()
    shown = dict(public.shown)
    holes = {
        str(seat): card_text(hole) if viewpoint.sees(seat) or seat in shown else HIDDEN
        for seat, hole in enumerate(hand.holes)
        if hole
    }
    plain_one = {
        "public": _plain_public(public),
        "actions": [f"{taken.street}: seat {taken.seat} {taken.action}" for taken in public.actions],
        "pots": [{"amount": pot.amount, "seats": list(pot.seats)} for pot in hand.pots],
        "payoffs": list(hand.payoffs),
        "holes": holes,
    }
    if viewpoint.god:
        dealt = sum(map(len, hand.holes)) + len(hand.board)
        plain_one["to_come"] = card_text(hand.cards[dealt:])
    return plain_one


def _plain_view(view: View, viewpoint: Viewpoint) -> dict[str, Any]:
    return {"seat": view.seat, "hole": card_text(view.hole) if viewpoint.sees(view.seat) else HIDDEN}


_SPECIAL: Final[tuple[tuple[type | tuple[type, ...], Callable[[Any, Viewpoint], Any]], ...]] = (
    ((Fold, Check, Call, Bet, RaiseTo, BringIn, Discard, Card), lambda value, viewpoint: str(value)),
    (enum.Enum, lambda value, viewpoint: value.value),
    ((runtime.Address, Game), lambda value, viewpoint: value.name),
    (messages.Turn, lambda turn, viewpoint: f"{turn.hand_id}#{turn.seq} seat {turn.seat}"),
    (PublicState, lambda public, viewpoint: _plain_public(public)),
    (View, _plain_view),
    (Hand, plain_hand),
    (Deck, lambda deck, viewpoint: _deck(deck) if viewpoint.god else HIDDEN),
    (FairnessRecord, lambda record, viewpoint: "a fairness record"),
)
"""Types with a plain form of their own, and what makes it."""


@cache
def _special_of(kind: type) -> Callable[[Any, Viewpoint], Any] | None:
    return next((show for kinds, show in _SPECIAL if issubclass(kind, kinds)), None)
