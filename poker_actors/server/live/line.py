"""Write a hand that hand histories cannot express (two boards, open-face) as a line of JSON for the page.

It resembles a line of `poker_actors.history`, which cannot read it: its events are those of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from poker_actors.cards import Card
from poker_actors.jsontext import parse_json
from poker_actors.rules import Bet, Call, Check, Event, Fold, Hand, Lay, RaiseTo
from poker_actors.rules import event as events

__all__ = ["line_of", "line_seen_by", "line_with_shown"]

_MOVES = {Fold: "fold", Check: "call", Call: "call", Bet: "raise", RaiseTo: "raise"}


def line_of(hand: Hand, players: Sequence[str], hand_id: str, table: str, time: datetime) -> str:
    """Return a hand with all its cards; `players` are names by seat. Never show it: see `line_seen_by`."""
    size = len(hand.starting)
    around = [(hand.button + 1 + place) % size for place in range(size)]
    order = [seat for seat in around if hand.starting[seat]]
    places = {seat: place for place, seat in enumerate(order)}
    told = [_event(event, places) for event in hand.events()]
    return json.dumps(
        {
            "game": hand.game.name,
            "stacks": [hand.starting[seat] for seat in order],
            "min_bet": hand.stakes.min_bet,
            "players": [players[seat] for seat in order],
            "seats": order,
            "events": [event for event in told if event],
            "finishing": [hand.stacks[seat] for seat in order],
            "fields": {"hand": hand_id, "table": table, "time": time.isoformat()},
        },
        separators=(",", ":"),
    )


def line_seen_by(line: str, player: int) -> str:
    """Return a line as a player saw it: hole cards of others are `??`; cards they showed stay visible."""
    plain: dict[str, Any] = parse_json(line)
    for event in plain["events"]:
        if event.get("hole_dealt", player) != player:
            event["cards"] = "??" * (len(event["cards"]) // 2)
    return json.dumps(plain, separators=(",", ":"))


def line_with_shown(line: str, player: int, cards: tuple[Card, ...]) -> str:
    """Return a line with cards that a player has turned up after the hand; they take the place of a muck."""
    plain: dict[str, Any] = parse_json(line)
    shown = {"shown": player, "cards": _text(cards)}
    if shown not in plain["events"]:
        plain["events"] = [event for event in plain["events"] if event.get("mucked") != player] + [shown]
    return json.dumps(plain, separators=(",", ":"))


def _event(event: Event, player: dict[int, int]) -> dict[str, object]:
    """Return an event as JSON, seats replaced by players; empty for an event without information."""
    match event:
        case events.Posted(seat, kind, amount):
            return {"posted": player[seat], "kind": kind.value, "amount": amount}
        case events.Acted(seat, action) if not isinstance(action, Lay):
            total = action.amount if isinstance(action, Bet) else getattr(action, "total", 0)
            return {"acted": player[seat], "move": _MOVES[type(action)]} | ({"to": total} if total else {})
        case events.Awarded(_, seat, amount, board, share):
            return {"awarded": player[seat], "amount": amount, "board": board, "share": share}
        case events.Reshuffled():
            return {"reshuffled": True}
        case _:
            return _cards_event(event, player) or _rows_event(event, player)


def _cards_event(event: Event, player: dict[int, int]) -> dict[str, object]:
    match event:
        case events.HoleDealt(seat, cards):
            return {"hole_dealt": player[seat], "cards": _text(cards)}
        case events.StreetDealt(street, cards):
            return {"street_dealt": _text(cards), "street": street}
        case events.RunDealt(board, street, cards):
            return {"street_dealt": _text(cards), "street": street, "board": board}
        case events.Shown(seat, cards):
            return {"shown": player[seat], "cards": _text(cards)}
        case events.Mucked(seat):
            return {"mucked": player[seat]}
        case _:
            return {}


def _rows_event(event: Event, player: dict[int, int]) -> dict[str, object]:
    match event:
        case events.Acted(seat, Lay() as action):
            return {
                "laid": player[seat],
                "rows": [_text(row) for row in action.rows],
                "counts": action.counts,
            }
        case events.Scored(seat, points, chips, _, fouled):
            return {"scored": player[seat], "points": points, "chips": chips, "fouled": fouled}
        case _:
            return {}


def _text(cards: tuple[Card, ...]) -> str:
    return "".join(map(str, cards))
