"""An agent's view of a table: the server's picture, reduced to what a decision needs."""

from __future__ import annotations

from typing import Any, Final

_ROWS: Final = ("top", "middle", "bottom")


def seen(picture: dict[str, Any]) -> dict[str, Any]:
    """Return a picture of `GET /games/ID/table` in an agent's form, without adding anything to it."""
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
        "text": picture["text"],
        "game": picture["plays"],
        "street": picture["street"],
        "board": picture["board"],
        "pot": sum(pot["size"] for pot in picture["pots"]),
        "your_seat": seat,
        "your_cards": None if you is None else you["cards"],
        "your_stack": None if own is None else own["stack"],
        "actions": _actions(you["legal"]) if mine else [],
        "players": [
            _player(one, picture["open_face"]) for one in picture["seats"] if one["name"] is not None
        ],
        "winners": picture["winners"],
        "notice": picture["notice"],
    }
    if len(picture["boards"]) > 1:
        view["boards"] = picture["boards"]
    if picture["open_face"] is not None:
        view["deals_scored"] = [_scored(deal) for deal in picture["open_face"]["deals"]]
    if picture["chat"]:
        view["chat"] = [{"name": one["name"], "says": one["text"] or one["emote"]} for one in picture["chat"]]
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
    scored = picture["over"] and picture["open_face"] is not None  # if all foul, nobody wins
    return "hand_over" if picture["winners"] or scored else "waiting_for_players"


def _actions(legal: dict[str, Any]) -> list[dict[str, Any]]:
    """Return each legal action with its arguments; amounts are totals in front of the player."""
    if legal["lay"] is not None:
        return [_lay(legal["lay"])]
    if legal["discards"]:
        most, must = legal["discards"], legal["must_discard"]
        needs = f"cards: {must or f'0 to {most}'} of your_cards"
        return [{"action": "discard", "min_cards": must, "max_cards": most, "needs": needs}]
    actions: list[dict[str, Any]] = []
    if legal["bring_in"]:
        actions.append({"action": "bring_in", "costs": legal["bring_in"]})
    elif legal["check"]:
        actions.append({"action": "check"})
    elif legal["fold"]:
        actions.append({"action": "fold"})
    if legal["call"] is not None:
        actions.append({"action": "call", "costs": legal["call"]})
    bounds = legal["raise_to"]
    if bounds is not None:
        actions.append({"action": "raise_to", "min_amount": bounds["min"], "max_amount": bounds["max"]})
    return actions


def _lay(lay: dict[str, Any]) -> dict[str, Any]:
    """Return the choice of rows to lay cards in."""
    room = dict(zip(_ROWS, lay["rows"], strict=True))
    needs = (
        f"rows: [top, middle, bottom], {lay['cards']} of your_cards in all, no more in a row than room has"
    )
    advice = "the bottom row has to end as the best hand and the top row as the worst, or all are lost"
    return {"action": "lay", "cards": lay["cards"], "room": room, "needs": needs, "aim": advice}


def _player(seat: dict[str, Any], open_face: dict[str, Any] | None) -> dict[str, Any]:
    shown = ("seat", "name", "state", "stack", "bet", "button", "cards", "last_action", "won")
    player = {name: seat[name] for name in shown}
    if seat["up"]:
        player["open_cards"] = seat["up"]
    if open_face is not None:
        player["rows"] = dict(zip(_ROWS, open_face["rows"][seat["seat"]], strict=True))
        player["in_fantasy_land"] = seat["seat"] in open_face["fantasy"]
    return player


def _scored(deal: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the score of a deal of open-face, for each seat that laid cards."""
    dealt = zip(deal["rows"], deal["points"], deal["chips"], strict=True)
    return [
        {"seat": seat, "rows": dict(zip(_ROWS, rows, strict=True)), "points": points, "chips": chips}
        for seat, (rows, points, chips) in enumerate(dealt)
        if any(rows)
    ]


def table_line(game: dict[str, Any]) -> dict[str, Any]:
    """Return a game of the lobby: stakes, players and free seats."""
    return {
        "table": game["game"],
        "name": game["name"],
        "game": game["plays"],
        "blinds": [game["stakes"]["small_blind"], game["stakes"]["big_blind"]],
        "buy_in": game["buy_in"],
        "players": game["players"],
        "free_seats": max(0, game["seats"] - len(game["players"]) - game["waiting"]),
    }
