"""Write a hand that hand histories cannot express (two boards, open-face) as a line of JSON for the page.

It resembles a line of `poker_actors.history`, which cannot read it: its events are those of the rules, and are read back
for the page that replays hands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from poker_actors.cards import Card
from poker_actors.history import UNKNOWN, Scene
from poker_actors.jsontext import parse_json
from poker_actors.rules import Bet, Call, Check, Event, Fold, Hand, Lay, RaiseTo, game_named
from poker_actors.rules import event as events

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


def scene_of(line: str) -> Scene:
    """Return the hand of a line for the page that replays hands."""
    plain: dict[str, Any] = parse_json(line)
    game = game_named(plain["game"])
    return Scene(
        title=game.title,
        players=plain["players"],
        stacks=plain["stacks"],
        finishing=plain["finishing"],
        events=_events(plain),
        street=game.streets[0].name,
        board_cards=game.board_cards,
        open_face=game.open_face,
    )


def _events(plain: dict[str, Any]) -> Iterator[Event]:
    """Yield the events of a line; what an action cost follows from the bets before it."""
    stacks = list(plain["stacks"])
    bets = [0] * len(stacks)
    for one in plain["events"]:
        match one:
            case {"posted": player, "kind": kind, "amount": amount}:
                stacks[player] -= amount
                post = events.Post(kind)
                bets[player] += amount if post.is_bet else 0
                yield events.Posted(player, post, amount)
            case {"acted": player, "move": move}:
                most = max(bets)
                total = one.get("to", bets[player] if move == "fold" else most)
                paid = min(total - bets[player], stacks[player])
                stacks[player], bets[player] = stacks[player] - paid, bets[player] + paid
                yield events.Acted(player, _action(move, total, paid, most), paid, stacks[player] == 0 < paid)
            case {"street_dealt": cards, "street": street}:
                bets = bets if one.get("board") else [0] * len(stacks)
                board = one.get("board", 0)
                new = _cards(cards)
                yield events.RunDealt(board, street, new) if board else events.StreetDealt(street, new)
            case _:
                yield _other_event(one)


def _action(move: str, total: int, paid: int, most: int) -> Fold | Check | Call | Bet | RaiseTo:
    if move == "raise":
        return RaiseTo(total) if most else Bet(total)
    return Fold() if move == "fold" else Call() if paid else Check()


def _other_event(one: dict[str, Any]) -> Event:
    match one:
        case {"hole_dealt": player, "cards": cards}:
            return events.HoleDealt(player, _cards(cards))
        case {"shown": player, "cards": cards}:
            return events.Shown(player, _cards(cards))
        case {"mucked": player}:
            return events.Mucked(player)
        case {"awarded": player, "amount": amount, "board": board, "share": share}:
            return events.Awarded(0, player, amount, board, share)
        case {"laid": player, "rows": rows, "counts": counts}:
            top, middle, bottom = map(_cards, rows)
            return events.Acted(player, Lay(top, middle, bottom, tuple(counts)), 0, False)
        case {"scored": player, "points": points, "chips": chips, "fouled": fouled}:
            return events.Scored(player, points, chips, 0, fouled)
        case _:
            return events.Reshuffled(0)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple([UNKNOWN if name == "??" else Card(name) for name in re.findall("..", text)])
