"""Convert a recording's JSON messages to actor messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from poker_actors.actors import hand, messages, runtime
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadHistory
from poker_actors.rules import Positions, Stakes, game_named, parse_action

__all__ = ["said_message"]


def said_message(plain: Mapping[str, Any], known: Iterable[runtime.Address]) -> object:
    """Convert a JSON message; the actors it names must be `known`. Raises `BadHistory`."""
    kind = getattr(messages, str(plain.get("type")), None)
    places = {one.name: one for one in known}
    try:
        if not isinstance(kind, type):
            raise TypeError("there is no such message")
        fields = {name: _value(value, places) for name, value in plain.items() if name != "type"}
        if kind in {messages.ActorDown, messages.ActorBack}:
            fields["address"] = places[fields.pop("name")]
        if kind is messages.ActorDown:
            fields["last_words"] = None
        if kind is messages.Deal and "deck" in fields:
            cards, key = fields["deck"]
            fields["deck"] = Deck(parse_cards(cards), entropy=-1, key=bytes.fromhex(key))
        elif kind is messages.Deal:
            fields["deck"] = None
        return kind(**fields)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise BadHistory(f"message {str(plain)[:80]} cannot be sent: {error}") from None


def _value(value: Any, places: Mapping[str, runtime.Address]) -> Any:
    if isinstance(value, list):
        return tuple(_value(one, places) for one in value)
    if not isinstance(value, dict):
        return value
    match value.get("type"):
        case "Address":
            return places[value["name"]]
        case "Turn":
            return _turn(value["hand_id"], value["seq"], value["seat"], places)
        case "Action":
            return parse_action(value["text"])
        case "Stakes":
            return Stakes(*value["numbers"])
        case "Game":
            return game_named(value["name"])
        case "Positions":
            return Positions(value["button"], value["small_seat"], value["big_blind"], tuple(value["dealt"]))
    return value


def _turn(hand_id: str, seq: int, seat: int, places: Mapping[str, runtime.Address]) -> messages.Turn:
    """Return the hand's current turn if it is the one named; else a new one, which counts as over."""
    # the hand compares turns by identity: an equal copy of the current one would be refused
    place = places.get(hand_id)
    actor = None if place is None else place.actor
    if isinstance(actor, hand.HandActor) and actor.turn is not None:
        turn = actor.turn
        if (turn.hand_id, turn.seq, turn.seat) == (hand_id, seq, seat):
            return turn
    return messages.Turn(hand_id, seq, seat)
