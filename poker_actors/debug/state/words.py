"""Messages as one-line text, for lists, diagrams and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from poker_actors.actors import Delivery, HandState, messages
from poker_actors.debug.state.plain import HIDDEN, card_text, plain_message
from poker_actors.debug.viewpoint import GOD, Viewpoint

__all__ = ["delivery_words", "fingerprint", "message_words", "payload_text", "told_apart"]


def delivery_words(delivery: Delivery, viewpoint: Viewpoint = GOD, *, arrived: bool = True) -> str:
    """Describe a delivery in one line: `player ann -> main/hand-000000000: Act call`."""
    sender = delivery.sender or "outside"
    verb = "asks" if delivery.asked else "->"
    words = message_words(plain_message(delivery.message, viewpoint, arrived=arrived))
    return f"{sender} {verb} {delivery.receiver}: {words}"


def payload_text(message: object, viewpoint: Viewpoint = GOD) -> str:
    """Return everything a message holds as text, to search in; of a hand's state only what its line lacks."""
    if isinstance(message, HandState):  # the most frequent message, and its line says nearly all
        return card_text(message.public.board)
    return str(plain_message(message, viewpoint))


def fingerprint(delivery: Delivery) -> object:
    """Return a value that is equal for the same delivery in two runs, and only compared."""
    message = delivery.message
    what: object
    if isinstance(message, HandState):  # the most frequent message, and the slowest to write out in full
        what = (message.hand_id, message.seq, message.seat, message.hole, message.turn is None)
    elif isinstance(message, messages.Act):
        what = (message.turn.hand_id, message.turn.seq, message.turn.seat, message.action)
    elif isinstance(message, messages.TableNews):
        what = (message.what, message.player, message.hand_id, message.payoffs)
    else:
        what = plain_message(message)
    return delivery.sender, delivery.receiver, what


def message_words(message: dict[str, Any]) -> str:
    """Describe a message, in the form of `plain_message`, in one line."""
    kind: str = message["type"]
    if kind == "HandState":
        return _state_words(message)
    if kind == "Act":
        return f"Act {message['action']}"
    if kind == "TableNews":
        told = [str(message[key]) for key in ("what", "player") if message[key]]
        return f"TableNews {' '.join(told)}"
    if kind == "Escrow":
        return f"Escrow {sum(message['stacks'].values())} chips"
    if kind == "Settle":
        return f"Settle {sum(message['stacks'].values())} chips"
    if kind == "HandEndedNews":
        return "HandEndedNews"
    return " ".join([kind, *_short(message)])


def _short(message: dict[str, Any]) -> Iterator[str]:
    """Yield the short fields: a true flag as its name, a false one not at all."""
    for key, value in message.items():
        if isinstance(value, bool):
            if value:
                yield key.replace("_", " ")
        elif key != "type" and isinstance(value, str | int) and len(str(value)) <= 40:
            yield str(value)


def _state_words(message: dict[str, Any]) -> str:
    public = message["public"]
    hole = message["hole"] or "no cards"
    words = f"HandState #{public['seq']} {public['phase']}, pot {public['pot']}"
    if hole != HIDDEN:
        words += f", {hole}"
    return f"{words}, to act" if message["turn"] else words


def told_apart(state: dict[str, Any]) -> dict[str, Any]:
    """Return a room's state with the mailbox as message counts, so that places in the queue do not differ."""
    mailbox = Counter(
        f"{one['from']} -> {one['to']}: {message_words(one['message'])}" for one in state["mailbox"]
    )
    return {**state["actors"], "on the way": dict(mailbox)}
