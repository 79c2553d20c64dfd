"""Messages and states as plain values: what JSON can hold, no card in them that the viewpoint does not show."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, Final

import attrs

from poker_actors.actors import HandState, messages, runtime
from poker_actors.cards import Card, Deck
from poker_actors.debug.viewpoint import GOD, Viewpoint
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

__all__ = ["HIDDEN", "card_text", "plain", "plain_hand", "plain_message"]

HIDDEN: Final = "hidden"
"""What stands for what the viewpoint does not show."""

_WORDS: Final = (Fold, Check, Call, Bet, RaiseTo, BringIn, Discard, Card)
"""Values that print as they are written."""


def plain_message(message: object, viewpoint: Viewpoint = GOD, *, arrived: bool = True) -> dict[str, Any]:
    """Return a message as a dictionary: its `type`, then its fields.

    An action that has not `arrived` is seen by who sends it only.
    """
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
        del shown["game"]  # as traces have it that were written before a hand could name its game
    return shown


def _without_cards(action: Action, shown: Any) -> Any:
    """What others may read of an action: how many cards it throws away, or lays, perhaps face down."""
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


def _plain_fields(value: object, viewpoint: Viewpoint) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": type(value).__name__}
    kind = type(value)
    if attrs.has(kind):
        for field in attrs.fields(kind):
            if not field.name.startswith("_"):
                shown[field.name] = plain(getattr(value, field.name), viewpoint)
    return shown


def plain(value: Any, viewpoint: Viewpoint = GOD) -> Any:
    """Return any value that travels in the room as plain data; what has no printable form gives its type."""
    if value is None or isinstance(value, str | bool | float) or type(value) is int:
        return value
    special = _special(value, viewpoint)
    if special is not None:
        return special
    if isinstance(value, Mapping):
        return {str(key): plain(value[key], viewpoint) for key in sorted(value, key=str)}
    if isinstance(value, set | frozenset):
        return [plain(item, viewpoint) for item in sorted(value)]
    if isinstance(value, tuple | list):
        if value and all(isinstance(item, Card) for item in value):
            return card_text(value)
        return [plain(item, viewpoint) for item in value]
    return _plain_fields(value, viewpoint)


def _special(value: Any, viewpoint: Viewpoint) -> Any:
    """Return values that have a form of their own; None for all others."""
    if isinstance(value, _WORDS):
        return str(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, runtime.Address | Game):
        return value.name
    if isinstance(value, messages.Turn):
        return f"{value.hand_id}#{value.seq} seat {value.seat}"
    if isinstance(value, PublicState):
        return _plain_public(value)
    if isinstance(value, View):
        return {"seat": value.seat, "hole": card_text(value.hole) if viewpoint.sees(value.seat) else HIDDEN}
    if isinstance(value, Hand):
        return plain_hand(value, viewpoint)
    if isinstance(value, Deck):
        return _deck(value) if viewpoint.god else HIDDEN
    return "a fairness record" if isinstance(value, FairnessRecord) else None


def _deck(deck: Deck) -> str:
    """The cards a deck will deal; a deck of the system's CSPRNG does not know them itself."""
    size = len(deck)
    cards = deck.copy().draw(size)
    return card_text(cards) if cards == deck.copy().draw(size) else "shuffled when drawn"


def _plain_public(public: PublicState) -> dict[str, Any]:
    return {
        "phase": public.phase,
        "seq": public.seq,
        "board": card_text(public.board),
        "pot": public.pot,
        "bet": public.bet,
        "min_raise_to": public.min_raise_to,
        "stacks": list(public.stacks),
        "bets": list(public.bets),
        "live": list(public.live),
        "to_act": list(public.to_act),
        "shown": {str(seat): card_text(cards) for seat, cards in public.shown},
    }


def plain_hand(hand: Hand, viewpoint: Viewpoint = GOD) -> dict[str, Any]:
    """Return a hand; hole cards that may be seen only, and the cards to come for god alone."""
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


def card_text(cards: Any) -> str:
    """Return cards as they are written: `As Kd`."""
    return " ".join(map(str, cards))
