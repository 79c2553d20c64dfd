"""What an agent is shown of a table: the server's picture of it, in as many words as a decision needs."""

from __future__ import annotations

from typing import Any

__all__ = ["seen", "table_line"]


def seen(picture: dict[str, Any]) -> dict[str, Any]:
    """Give a picture of `GET /games/ID/table` as an agent reads it; nothing is in it that is not in the picture."""
    you, turn = picture["you"], picture["turn"]
    mine = you is not None and you["legal"] is not None
    seat = None if you is None else you["seat"]
    own = None if seat is None else picture["seats"][seat]
    view: dict[str, Any] = {
        "table": picture["game"],
        "version": picture["version"],
        "hand_id": picture["hand_id"],
        "seq": picture["seq"],
        "status": _status(picture, mine),
        "street": picture["street"],
        "board": picture["board"],
        "pot": sum(pot["size"] for pot in picture["pots"]),
        "your_seat": seat,
        "your_cards": None if you is None else you["cards"],
        "your_stack": None if own is None else own["stack"],
        "actions": _actions(you["legal"]) if mine else [],
        "players": [_player(one) for one in picture["seats"] if one["name"] is not None],
        "winners": picture["winners"],
        "notice": picture["notice"],
    }
    if turn is not None:
        view |= {"to_act": turn["seat"], "seconds_left": round(max(0.0, turn["expiry"] - picture["now"]), 1)}
    return view


def _status(picture: dict[str, Any], mine: bool) -> str:
    if mine:
        return "your_turn"
    you = picture["you"]
    if you is None:
        return "you_do_not_play_here"
    if you["away"]:
        return "you_sit_out"
    if picture["turn"] is not None:
        return "others_act" if you["cards"] is not None else "you_are_dealt_in_next_hand"
    return "hand_over" if picture["winners"] else "waiting_for_players"


def _actions(legal: dict[str, Any]) -> list[dict[str, Any]]:
    """Give each legal action with the amounts it takes; amounts are totals in front of you."""
    actions: list[dict[str, Any]] = [{"action": "check"}] if legal["check"] else [{"action": "fold"}]
    if legal["call"] is not None:
        actions.append({"action": "call", "costs": legal["call"]})
    bounds = legal["raise_to"]
    if bounds is not None:
        actions.append({"action": "raise_to", "min_amount": bounds["min"], "max_amount": bounds["max"]})
    return actions


def _player(seat: dict[str, Any]) -> dict[str, Any]:
    shown = ("seat", "name", "state", "stack", "bet", "button", "cards", "last_action", "won")
    return {name: seat[name] for name in shown}


def table_line(game: dict[str, Any]) -> dict[str, Any]:
    """Give one game of the lobby: what it is played for, who plays, and whether there is a seat."""
    return {
        "table": game["game"],
        "name": game["name"],
        "blinds": [game["stakes"]["small_blind"], game["stakes"]["big_blind"]],
        "buy_in": game["buy_in"],
        "players": game["players"],
        "free_seats": max(0, game["seats"] - len(game["players"]) - game["waiting"]),
    }
