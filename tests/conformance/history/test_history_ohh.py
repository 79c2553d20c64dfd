"""Open Hand History against its published field list, and a hand as other programs write it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from poker_actors.errors import BadHistory, Unplayed
from poker_actors.history import parse, replay
from tests.conformance.history.seeds import recorded, texts

Number = (int, float)
REQUIRED: dict[str, type | tuple[type, ...]] = {
    "spec_version": str,
    "site_name": str,
    "network_name": str,
    "internal_version": str,
    "game_number": str,
    "start_date_utc": str,
    "table_name": str,
    "game_type": str,
    "bet_limit": dict,
    "table_size": int,
    "currency": str,
    "dealer_seat": int,
    "small_blind_amount": Number,
    "big_blind_amount": Number,
    "ante_amount": Number,
    "players": list,
    "rounds": list,
    "pots": list,
}
OPTIONAL = {
    "tournament",
    "tournament_info",
    "table_handle",
    "table_skin",
    "hero_player_id",
    "flags",
    "tournament_bounties",
}
ACTIONS = {
    *(
        "Dealt Cards",
        "Mucks Cards",
        "Shows Cards",
        "Post Ante",
        "Post SB",
        "Post BB",
        "Straddle",
        "Post Dead",
    ),
    *("Post Extra Blind", "Fold", "Check", "Bet", "Raise", "Call", "Added Chips", "Sits Down", "Stands Up"),
}


def check_fields(hand: dict[str, Any]) -> None:
    for key, kind in REQUIRED.items():
        assert isinstance(hand[key], kind), key
    ours = {key for key in hand if key not in REQUIRED and key not in OPTIONAL}
    assert all(key.startswith("_") for key in ours), ours
    assert hand["game_type"] in {"Holdem", "Omaha", "OmahaHiLo", "Stud", "StudHiLo", "Draw"}
    assert hand["bet_limit"]["bet_type"] in {"NL", "PL", "FL"}
    players = {player["id"] for player in hand["players"]}
    assert all(isinstance(player["starting_stack"], Number) and player["name"] for player in hand["players"])
    assert hand["dealer_seat"] in {player["seat"] for player in hand["players"]}
    for number, round_ in enumerate(hand["rounds"]):
        assert round_["id"] == number
        assert round_["street"] in {"Preflop", "Flop", "Turn", "River", "Showdown"}
        for place, action in enumerate(round_["actions"], start=1):
            assert action["action_number"] == place
            assert action["action"] in ACTIONS
            assert action["player_id"] in players
            assert (action["action"], number) != ("Bet", 0), "Bet is not an action before the flop"
    for pot in hand["pots"]:
        wins = sum(win["win_amount"] for win in pot["player_wins"])
        assert pot["amount"] == pytest.approx(wins + pot["rake"])
        assert {win["player_id"] for win in pot["player_wins"]} <= players


def test_what_we_write_holds_to_the_published_list() -> None:
    found = texts("ohh", 60)
    assert len(found) > 40
    for text in found:
        check_fields(json.loads(text)["ohh"])


def test_hands_are_parted_by_one_blank_line() -> None:
    joined = "".join(texts("ohh", 8))
    assert len(parse(joined, "ohh")) == len(joined.split("\n\n")) - 1 == 6


ELSEWHERE = """\
{
    "ohh": {
        "spec_version": "1.4.6", "internal_version": "1.4.6", "network_name": "iPoker Network",
        "site_name": "iPoker", "game_type": "Holdem", "table_name": "Brehuiesti", "table_size": 6,
        "game_number": "8599887794", "start_date_utc": "2020-04-07T14:32:50", "currency": "EUR",
        "ante_amount": 0.00, "small_blind_amount": 0.01, "big_blind_amount": 0.02,
        "bet_limit": { "bet_cap": 0.00, "bet_type": "NL" },
        "hero_player_id": 3, "dealer_seat": 8,
        "players": [
            { "name": "Player1", "id": 0, "starting_stack": 0.80, "seat": 1 },
            { "name": "Away", "id": 1, "starting_stack": 2.38, "seat": 3, "is_sitting_out": true },
            { "name": "Hero", "id": 3, "starting_stack": 2.00, "seat": 6 },
            { "name": "Player8", "id": 4, "starting_stack": 2.86, "seat": 8 }
        ],
        "rounds": [
            { "id": 0, "cards": "", "street": "Preflop", "actions": [
                { "action_number": 0, "player_id": 0, "action": "Post SB", "amount": 0.01, "is_allin": false },
                { "action_number": 1, "player_id": 3, "action": "Post BB", "amount": 0.02, "is_allin": false },
                { "action_number": 2, "player_id": 3, "action": "Dealt Cards", "cards": [ "Ah", "Kh" ] },
                { "action_number": 3, "player_id": 4, "action": "Raise", "amount": 0.06, "is_allin": false },
                { "action_number": 4, "player_id": 0, "action": "Fold" },
                { "action_number": 5, "player_id": 3, "action": "Call", "amount": 0.04 }
            ] },
            { "id": 1, "cards": [ "Ad", "7c", "2s" ], "street": "Flop", "actions": [
                { "action_number": 0, "player_id": 3, "action": "Check" },
                { "action_number": 1, "player_id": 4, "action": "Bet", "amount": 0.06 },
                { "action_number": 2, "player_id": 3, "action": "Raise", "amount": 0.18 },
                { "action_number": 3, "player_id": 4, "action": "Fold" }
            ] }
        ],
        "pots": [ { "number": 0, "amount": 0.25, "rake": 0.01,
            "player_wins": [ { "player_id": 3, "win_amount": 0.24, "contributed_rake": 0.01 } ] } ]
    }
}
"""


def test_a_hand_as_another_program_writes_it() -> None:
    [history] = parse(ELSEWHERE, "ohh")
    assert history.players == ("Player1", "Hero", "Player8")
    assert history.scale == 100
    assert history.fields["time_zone"] == "UTC"
    found = replay(history)
    assert found.rake == 1
    assert found.payoffs == (-1, 24 - 12, -12)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"dealer_seat": 8,', "", "there is no 'dealer_seat'"),
        ('"seat": 6 }', '"seat": 8 }', "seat 8 is taken twice"),
        ('"amount": 0.18', '"amount": -0.18', "the bet is -0.18: the minimum is 0"),
        ('"amount": 0.18', '"amount": "x"', "amount is 'x': it must be a number"),
        ('"amount": 0.18', '"amount": NaN', "too many digits|not JSON|number"),
        ('"player_id": 4, "action": "Fold"', '"player_id": 9, "action": "Fold"', "9 has no seat"),
        ('"action": "Fold"', '"action": "Sings"', "action 'Sings' cannot be replayed"),
        ('"Ad", "7c"', '"Ad", "7x"', "'7x' is not a card"),
    ],
)
def test_what_cannot_be_read_is_named(old: str, new: str, reason: str) -> None:
    assert old in ELSEWHERE
    with pytest.raises(BadHistory, match=reason):
        parse(ELSEWHERE.replace(old, new, 1), "ohh")


def test_games_not_played_here_are_named() -> None:
    with pytest.raises(Unplayed, match="'Stud'"):
        parse(ELSEWHERE.replace('"Holdem"', '"Stud"'), "ohh")


def test_short_deck_has_no_name_in_the_format() -> None:
    from poker_actors.history import FORMATS

    short = next(hand for hand in recorded(4) if hand.game.name == "short-deck")
    with pytest.raises(BadHistory, match="has no name for"):
        FORMATS["ohh"].text(short, 0)
