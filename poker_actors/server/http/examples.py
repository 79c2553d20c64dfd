"""Examples of the API: one user, one game and one hand, as every route shows them."""

from __future__ import annotations

from typing import Any, Final

GAME_ID: Final = "fbbbbb44-bc4f-c3f6-6519-d81bd1a66d8a"
PLAYER_ID: Final = "2fd318e4-0947-64b9-8b63-14f5a5824b8b"
_OTHER: Final = "0dd7d693-06f9-b5ba-694d-f8779579fa8a"
HAND_ID: Final = f"{GAME_ID}/hand-000000007"
_STAKES: Final = {"small_blind": 10, "big_blind": 20}
_SAID: Final = {
    "number": 3,
    "name": "bob",
    "player_id": _OTHER,
    "time": 1411586070.5,
    "text": "nice hand",
    "emote": None,
}


def _player(player_id: str, handle: str, wealth: int, bet: int, *, small: bool) -> dict[str, Any]:
    return {
        "playerID": player_id,
        "handle": handle,
        "state": "active",
        "wealth": wealth,
        "bet_so_far": bet,
        "small_blind": small,
        "small blind": small,
    }


_SPAN: Final = {
    "since": "2014-09-18",
    "of": 2,
    "players": [{"name": "ann", "hands": 1200, "bb_per_100": 12.5, "margin": 30.2}],
    "fewer": [{"name": "bob", "hands": 60}],
}
_PLAYERS: Final = [
    _player(PLAYER_ID, "ann", 9990, 10, small=True),
    _player(_OTHER, "bob", 9980, 20, small=False),
]
_GAME: Final = {
    "gameID": GAME_ID,
    "table": _PLAYERS,
    "turn": {
        "playerID": PLAYER_ID,
        "bet_so_far": 10,
        "bet_to_player": 20,
        "minimum_raise": 20,
        "expiry": "2014-09-24 15:14:53.021303 +0000 UTC",
    },
    "cards": {"hole": ["AC", "TD"], "flop": None, "turn": None, "river": None},
    "pots": [{"size": 30, "players": [PLAYER_ID, _OTHER]}],
    "invalid_bet": None,
}


def _seat(number: int, player_id: str, name: str, bet: int, cards: list[str] | None) -> dict[str, Any]:
    return {
        "seat": number,
        "player_id": player_id,
        "name": name,
        "house": False,
        "away": False,
        "bank": 30,
        "state": "active",
        "stack": 10_000 - bet,
        "bet": bet,
        "put_in": bet,
        "button": bet == 10,
        "cards": cards,
        "hidden": 2 if cards is None else 0,
        "up": [],
        "last_action": None,
        "won": 0,
    }


def _owner(player_id: str, name: str, bought: int, stack: int) -> dict[str, Any]:
    return {
        "player_id": player_id,
        "name": name,
        "house": False,
        "seated": True,
        "times": bought // 10_000,
        "bought": bought,
        "cashed": 0,
        "stack": stack,
        "net": stack - bought,
    }


_PICTURE: Final = {
    "now": 1411586078.021,
    "game": GAME_ID,
    "name": "Friday",
    "version": 12,
    "hand_id": HAND_ID,
    "seq": 0,
    "plays": "holdem",
    "board_cards": 5,
    "street": "preflop",
    "over": False,
    "stakes": _STAKES,
    "terms": "10/20",
    "buy_in": 10_000,
    "turn_seconds": 30,
    "time_bank": 30,
    "watch_delay": 0,
    "chat_for": "seated",
    "ledger": True,
    "chat": [_SAID],
    "seats": [_seat(0, PLAYER_ID, "ann", 10, ["Ac", "Td"]), _seat(1, _OTHER, "bob", 20, None)],
    "board": [],
    "boards": [[]],
    "open_face": None,
    "choice": None,
    "pots": [{"size": 30, "seats": [0, 1]}],
    "turn": {"seat": 0, "expiry": 1411586093.021, "seconds": 15.0, "bank": False},
    "you": {
        "seat": 0,
        "player_id": PLAYER_ID,
        "waiting": False,
        "away": False,
        "leaves": False,
        "top_up": 0,
        "may_show": False,
        "owes": None,
        "hand": "Ace-Ten offsuit",
        "cards": ["Ac", "Td"],
        "legal": {
            "fold": True,
            "check": False,
            "call": 10,
            "raise_to": {"min": 40, "max": 10_000},
            "to_call": 10,
            "pot": 30,
            "pot_odds": 0.25,
            "bring_in": 0,
            "discards": 0,
            "must_discard": 0,
            "lay": None,
        },
    },
    "winners": [],
    "text": "You hold Ac Td. Preflop, pot 30; you to call 10 of 9990",
    "notice": None,
    "waiting": [],
}
_BEGAN: Final = {
    "hand_id": HAND_ID, "type": "start", "hand": 0, "game": "holdem", "stakes": [10, 20, 0], "seat": 0, "button": 0,
    "names": ["ann", "bob"], "starting_stacks": [10_000, 10_000], "hole": ["Ac", "Td"],
}  # fmt: skip
_ENDED: Final = {
    "type": "end", "boards": [[]], "shown": {}, "actions": [["preflop", 1, "fold", 0]], "payoffs": [20, -20],
    "stacks": [10_020, 9980],
}  # fmt: skip
_WINNERS: Final = [
    {"seat": 0, "name": "ann", "amount": 40, "hand": "Two Pair, Aces and Sevens", "shares": []}
]
_LOBBY_GAME: Final = {
    "game": GAME_ID,
    "name": "Friday",
    "plays": "holdem",
    "stakes": _STAKES,
    "buy_in": 10_000,
    "seats": 6,
    "players": ["ann", "tight 1"],
    "house": 1,
    "waiting": 0,
    "hands": 7,
}
_TOLD: Final = {
    "hand_id": HAND_ID,
    "hands": 8,
    "time": "2014-09-24T15:14:53+00:00",
    "pot": 40,
    "board": ["As", "7d", "7c", "2h", "3s"],
    "boards": [["As", "7d", "7c", "2h", "3s"]],
    "winners": _WINNERS,
    "players": ["bob", "ann"],
    "yours": True,
}
_HISTORY: Final = {
    "poker_actors": 1,
    "game": "holdem",
    "stacks": [10_000, 10_000],
    "blinds": [20, 10],
    "min_bet": 20,
    "players": ["bob", "ann"],
    "seats": [1, 0],
    "events": [
        {"hole_dealt": 0, "cards": "????"},
        {"hole_dealt": 1, "cards": "AcTd"},
        {"acted": 1, "move": "fold"},
    ],
    "finishing": [10_010, 9_990],
    "fields": {"hand": HAND_ID, "table": "Friday", "seat_count": 6},
}

_ANNOUNCED: Final = {
    "name": "Sunday",
    "players": 6,
    "seats": 6,
    "minutes": 5,
    "turn_seconds": 30,
    "late_levels": 2,
    "rebuys": 1,
    "game": "holdem",
}

_SUMMARY: Final = {
    "id": GAME_ID,
    **_ANNOUNCED,
    "state": "open",
    "entrants": ["ann"],
    "can_enter": True,
}
_UPLOAD: Final = {
    "stage": "checking",
    "version": "0f1e2d3c4b5a69788796a5b4",
    "code": "",
    "text": "",
    "seconds": None,
    "output": "",
}
_ENTRANT: Final = {
    "name": "kim",
    "upload": _UPLOAD | {"stage": "taken", "seconds": 0.004},
    "standing": {
        "version": "0f1e2d3c4b5a69788796a5b4",
        "best_place": 1,
        "worst_place": 2,
        "remark": "",
        "bb_per_100": 4.5,
    },
    "refused": None,
    "matches": [{"match": "f859fb8c09539d0215213e34", "players": ["ann", "kim"], "hands": 1_000}],
}
EXAMPLES: Final[dict[str, Any]] = {
    "Registered": {"PlayerID": PLAYER_ID},
    "Game": _GAME,
    "Player": _PLAYERS[0],
    "Act": {"action": 1, "betAmount": 10},
    "Setting": {
        "small_blind": 5,
        "big_blind": 10,
        "buy_in": 1000,
        "seats": 6,
        "name": "Friday",
        "turn_seconds": 30,
        "time_bank": 60,
        "time_bank_refill": 2,
    },
    "Place": {"seat": 3},
    "Sitting": {"do": "sit_out"},
    "Sat": {"away": True},
    "Saying": {"text": "nice hand"},
    "Said": _SAID,
    "Planning": {"plan": "check_fold", "hand_id": HAND_ID},
    "Planned": {"plan": "check_fold"},
    "Choice": {"game": "razz"},
    "Chosen": {"game": "razz"},
    "Proof": {"password": "secret"},
    "NewPassword": {"old": "secret", "new": "a longer one"},
    "Account": {
        "name": "ann",
        "player_id": PLAYER_ID,
        "games": [GAME_ID],
        "sessions": [{"id": "0123456789abcdef", "until": 1413000000, "here": True}],
    },
    "Hook": {"offered": True, "webhook": "https://ann.example/my-turn?key=0123456789"},
    "HookWanted": {"webhook": "https://ann.example/my-turn?key=0123456789"},
    "TurnCall": {
        "game": GAME_ID,
        "name": "Friday",
        "link": f"https://poker.example/#/table/{GAME_ID}",
        "hand_id": HAND_ID,
        "deadline": 1411586093.021,
    },
    "Ended": {"ended": 2},
    "OwnHands": {
        "hands": [_TOLD | {"game": GAME_ID, "table": "Friday", "net": 20, "shared": None}],
        "net": 20,
    },
    "Results": {"hands": 7, "net": 20, "days": [{"day": "2014-09-24", "hands": 7, "net": 20}]},
    "OnBoard": {"listed": True},
    "RoomBoard": {
        "as_of": "2014-09-24",
        "least_hands": 100,
        "week": _SPAN,
        "month": _SPAN | {"since": "2014-08-26"},
        "all": _SPAN | {"since": None},
    },
    "Which": {"game": GAME_ID, "hand_id": HAND_ID},
    "Link": {"token": "Zm9yIHNoYXJlZCBoYW5kcw", "link": "/#/shared/Zm9yIHNoYXJlZCBoYW5kcw"},
    "Login": {"name": "ann", "password": "secret"},
    "Who": {"name": "ann", "player_id": PLAYER_ID},
    "Lobby": {
        "games": [_LOBBY_GAME],
        "bots": ["loose", "tight"],
        "served": [
            {"name": "holdem", "title": "No-limit hold'em", "seats": 10, "several": False, "blinds": True}
        ],
    },
    "Picture": _PICTURE,
    "Action": {"act": "raise_to", "amount": 60, "hand_id": HAND_ID, "seq": 0},
    "Acted": {"hand_id": HAND_ID, "seq": 0},
    "Alike": {"bot": "tight", "count": 2},
    "Seated": {"seated": ["tight 1", "tight 2"]},
    "Hand": _TOLD,
    "Ledger": {
        "game": GAME_ID,
        "name": "Friday",
        "players": [
            _owner(PLAYER_ID, "ann", bought=10_000, stack=12_500),
            _owner(_OTHER, "bob", bought=20_000, stack=17_500),
        ],
        "house": 0,
        "payments": [{"payer": _OTHER, "payee": PLAYER_ID, "chips": 2_500}],
    },
    "Heard": {"start": _BEGAN, "end": _BEGAN | _ENDED},
    "History": _HISTORY,
    "Announcement": _ANNOUNCED,
    "Announced": {"id": GAME_ID},
    "Tournaments": {"tournaments": [_SUMMARY]},
    "Tournament": _SUMMARY
    | dict.fromkeys(("level", "plays", "stakes", "terms", "next_terms", "level_ends", "table"))
    | {"standings": [], "prizes": [], "now": 1_764_000_000.5, "in": True},
    "Arena": {
        "title": "2 entrants, 1 matches of 1,000 hands, No-limit hold'em",
        "game": "holdem",
        "running": False,
        "done": 3,
        "of": 3,
        "problem": "",
        "entrants": [{"name": "kim", "places": [1, 2], "bb_per_100": 4.5, "house": False}],
        "upload": {"bytes": 8_388_608, "megabytes": 64, "entrants": 3},
    },
    "Board": {},
    "Entrant": _ENTRANT,
    "Entrants": {"entrants": [_ENTRANT]},
    "HandedIn": {"name": "kim"} | _UPLOAD,
    "SatDown": {"game": GAME_ID, "seated": ["arena/kim 1"]},
    "Refusal": {"code": "out_of_turn", "text": "it is not your turn"},
}
"""Schema name -> example."""
