"""The dialect of the Go server: only what `Profile` lists is different, and all of it is on the wire."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.conformance.server.test_hspe_readme import FOLD, GUID, NOWHERE, WRONG, bet

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site


def test_a_new_name_sent_eight_times_at_once_is_welcome_eight_times(go: Site) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: go.ask("POST", "/users/", "burst"), range(8)))
    assert [answer.status for answer in answers] == [201] * 8
    assert len({answer.json["PlayerID"] for answer in answers}) == 1


def test_a_new_user_is_an_object_and_welcome_again_with_the_same_password(go: Site) -> None:
    first = go.ask("POST", "/users/", "gopher")
    assert first.status == 201
    assert first.headers["content-type"] == "text/plain; charset=utf-8"
    assert GUID.fullmatch(first.json["PlayerID"])
    again = go.ask("POST", "/users/", "gopher")
    assert (again.status, again.json) == (201, first.json)
    wrong = "Basic " + base64.b64encode(b"gopher:wrong").decode()
    assert go.ask("POST", "/users/", auth=wrong).status == 403


def test_no_credentials_are_400_and_wrong_ones_401(go: Site) -> None:
    assert go.ask("POST", "/games/").status == 400
    assert go.ask("POST", "/games/", auth="Bearer x").status == 400
    assert go.ask("POST", "/games/", auth=WRONG).status == 401


def test_making_and_joining_a_game_are_202_and_a_game(go: Site) -> None:
    name, player = go.user()
    made = go.ask("POST", "/games/", name)
    assert made.status == 202
    other, _ = go.user()
    joined = go.ask("POST", f"/games/{made.json['gameID']}/players/", other)
    assert joined.status == 202
    assert joined.json["gameID"] == made.json["gameID"]
    assert go.ask("POST", f"/games/{made.json['gameID']}/players/", other).status == 409
    assert player in [one["playerID"] for one in joined.json["table"]]


def test_a_game_has_the_fields_of_the_code(go: Site) -> None:
    game, players = go.game()
    shown = go.ask("GET", f"/games/{game}/").json
    assert set(shown) == {"gameID", "table", "turn", "cards", "pots", "last_winners"}
    assert shown["last_winners"] is None
    for player in shown["table"]:
        assert set(player) == {"playerID", "handle", "state", "wealth", "bet_so_far", "small_blind"}
        assert player["handle"] == ""
    assert go.ask("GET", f"/games/{game}/players/").json == [{}, {}]
    turn = go.turn(game)
    go.ask("POST", f"/games/{game}/players/{turn}/acts/", players[turn], FOLD)
    assert go.ask("GET", f"/games/{game}/").json["last_winners"] == [], "all others folded"


def test_the_winner_of_a_showdown_is_shown_with_five_cards(go: Site) -> None:
    game, players = go.game()
    while not (winners := go.ask("GET", f"/games/{game}/").json["last_winners"]):
        turn = go.ask("GET", f"/games/{game}/").json["turn"]
        act = bet(turn["bet_to_player"] - turn["bet_so_far"])
        go.ask("POST", f"/games/{game}/players/{turn['playerID']}/acts/", players[turn["playerID"]], act)
    for winner in winners:
        assert winner["PlayerID"] in players
        assert len(set(winner["Hand"])) == 5


def test_strangers_are_403_and_lists_hide_hole_cards(go: Site) -> None:
    game, players = go.game()
    name = next(iter(players.values()))
    assert go.ask("GET", f"/games/{game}/", go.user()[0]).status == 403
    assert len(go.ask("GET", f"/games/{game}/", name).json["cards"]["hole"]) == 2
    assert all(one["cards"]["hole"] is None for one in go.ask("GET", "/games/", name).json)


def test_acts_are_read_loosely_and_out_of_turn_is_409(go: Site) -> None:
    game, players = go.game()
    turn = go.turn(game)
    path = f"/games/{game}/players/{turn}/acts/"
    other = next(player for player in players if player != turn)
    assert go.ask("POST", f"/games/{game}/players/{other}/acts/", players[other], FOLD).status == 409
    assert go.ask("POST", path, players[turn], bet(-1)).status == 400
    assert go.ask("POST", path, players[turn], {"Action": 2, "BETAMOUNT": 10}).status == 201
    assert go.turn(game) == other
    assert go.ask("POST", f"/games/{NOWHERE}/players/{turn}/acts/", players[turn], FOLD).status == 404
