"""Every route of the README with every outcome it lists, against the real server process."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site

GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NOWHERE = "00000000-0000-0000-0000-000000000000"
WRONG = "Basic " + base64.b64encode(b"nobody:wrong").decode()
FOLD = {"action": 0, "betAmount": 0}
SLASH = pytest.mark.parametrize("slash", ["/", ""], ids=["slash", "bare"])


def bet(amount: int) -> dict[str, int]:
    return {"action": 1, "betAmount": amount}


# -- make a new user ---------------------------------------------------------------------------


@SLASH
def test_a_new_user_is_201_and_a_guid(readme: Site, slash: str) -> None:
    answer = readme.ask("POST", f"/users{slash}", f"new{slash}user")
    assert answer.status == 201
    assert GUID.fullmatch(answer.json)
    assert answer.headers["content-type"] == "application/json"


def test_a_known_name_is_403_with_any_password(readme: Site) -> None:
    name, _ = readme.user()
    for auth in (name + ":secret", name + ":other"):
        answer = readme.ask("POST", "/users/", auth="Basic " + base64.b64encode(auth.encode()).decode())
        assert answer.status == 403
        assert answer.text == "Username already exists; choose another username.\n"


@pytest.mark.parametrize(
    "auth", [None, "Basic", "Bearer x", "Basic ???", "Basic " + base64.b64encode(b"no colon").decode(),
             "Basic " + base64.b64encode(b":no name").decode(), "Basic " + base64.b64encode(b"x" * 33 + b":p").decode()],
)  # fmt: skip
def test_what_cannot_be_read_as_a_user_is_400_and_makes_none(readme: Site, auth: str | None) -> None:
    answer = readme.ask("POST", "/users/", auth=auth)
    assert answer.status == 400
    assert answer.headers["content-type"].startswith("text/plain")
    if auth is not None:
        assert readme.ask("POST", "/games/", auth=auth).status == 401


# -- games -------------------------------------------------------------------------------------


@SLASH
def test_all_games_are_200_and_an_array(readme: Site, slash: str) -> None:
    game, _ = readme.game()
    answer = readme.ask("GET", f"/games{slash}")
    assert answer.status == 200
    assert game in [one["gameID"] for one in answer.json]
    assert all(one["cards"]["hole"] is None for one in answer.json)


def test_all_games_show_a_player_its_own_hole_cards_and_no_others(readme: Site) -> None:
    game, players = readme.game()
    for name in players.values():
        games = {one["gameID"]: one for one in readme.ask("GET", "/games/", name).json}
        assert len(games.pop(game)["cards"]["hole"]) == 2
        assert all(one["cards"]["hole"] is None for one in games.values())
    assert readme.ask("GET", "/games/", auth=WRONG).status == 200, "no error is listed here"


@SLASH
def test_making_a_game_is_201_and_seats_its_maker(readme: Site, slash: str) -> None:
    name, player = readme.user()
    answer = readme.ask("POST", f"/games{slash}", name)
    assert answer.status == 201
    assert [one["playerID"] for one in answer.json["table"]] == [player]
    assert answer.json["table"][0]["wealth"] == 10_000
    for auth in (None, WRONG):
        assert readme.ask("POST", "/games/", auth=auth).status == 401


@SLASH
def test_a_game_is_200_with_the_fields_of_the_readme(readme: Site, slash: str) -> None:
    game, players = readme.game()
    answer = readme.ask("GET", f"/games/{game}{slash}")
    assert answer.status == 200
    shown = answer.json
    assert {"gameID", "table", "turn", "cards", "pots"} <= set(shown)
    for player in shown["table"]:
        assert {"playerID", "handle", "state", "wealth", "bet_so_far", "small_blind", "small blind"} == set(
            player
        )
        assert player["handle"] == players[player["playerID"]]
        assert player["state"] in ("active", "folded", "called")
    assert set(shown["turn"]) == {"playerID", "bet_so_far", "bet_to_player", "minimum_raise", "expiry"}
    assert shown["cards"] == {"hole": None, "flop": None, "turn": None, "river": None}
    assert shown["pots"] == [{"size": 30, "players": [player["playerID"] for player in shown["table"]]}]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000 UTC", shown["turn"]["expiry"])


def test_a_game_shows_hole_cards_to_their_owner_alone(readme: Site) -> None:
    game, players = readme.game()
    holes = [readme.ask("GET", f"/games/{game}/", name).json["cards"]["hole"] for name in players.values()]
    assert len({*holes[0], *holes[1]}) == 4
    assert all(re.fullmatch("[2-9TJQKA][CDHS]", card) for hole in holes for card in hole)
    stranger = readme.ask("GET", f"/games/{game}/", readme.user()[0])
    assert stranger.status == 200
    assert stranger.json["cards"]["hole"] is None


def test_an_unknown_game_is_404_and_wrong_credentials_are_401(readme: Site) -> None:
    game, _ = readme.game()
    answer = readme.ask("GET", f"/games/{NOWHERE}/")
    assert (answer.status, answer.text) == (404, "Game not found.\n")
    answer = readme.ask("GET", f"/games/{game}/", auth=WRONG)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Basic ")


# -- joining -----------------------------------------------------------------------------------


@SLASH
def test_joining_is_201_and_a_guid_and_202_when_the_table_is_full(readme: Site, slash: str) -> None:
    game, _ = readme.game(1)
    for number in range(2, 13):
        name, player = readme.user()
        answer = readme.ask("POST", f"/games/{game}/players{slash}", name)
        assert answer.status == (201 if number <= 10 else 202)
        assert answer.json == player
    assert len(readme.ask("GET", f"/games/{game}/").json["table"]) == 10


def test_joining_an_unknown_game_is_404_without_credentials_401_and_twice_409(readme: Site) -> None:
    game, players = readme.game()
    name = next(iter(players.values()))
    assert readme.ask("POST", f"/games/{NOWHERE}/players/", name).status == 404
    assert readme.ask("POST", f"/games/{game}/players/").status == 401
    assert readme.ask("POST", f"/games/{game}/players/", auth=WRONG).status == 401
    assert readme.ask("POST", f"/games/{game}/players/", name).status == 409


@SLASH
def test_the_players_of_a_game_are_listed(readme: Site, slash: str) -> None:
    game, players = readme.game()
    answer = readme.ask("GET", f"/games/{game}/players{slash}")
    assert {player["playerID"] for player in answer.json} == set(players)
    assert readme.ask("GET", f"/games/{NOWHERE}/players/").status == 404


# -- acting ------------------------------------------------------------------------------------


@SLASH
def test_an_act_is_201_without_a_body_and_passes_the_turn(readme: Site, slash: str) -> None:
    game, players = readme.game()
    first = readme.turn(game)
    answer = readme.ask("POST", f"/games/{game}/players/{first}/acts{slash}", players[first], bet(10))
    assert (answer.status, answer.body) == (201, b"")
    assert readme.turn(game) != first, "an answer comes after what it has done can be read"


def test_an_act_out_of_turn_is_403_and_ignored(readme: Site) -> None:
    game, players = readme.game()
    before = readme.ask("GET", f"/games/{game}/").json
    other = next(player for player in players if player != readme.turn(game))
    answer = readme.ask("POST", f"/games/{game}/players/{other}/acts/", players[other], FOLD)
    assert answer.status == 403
    assert readme.ask("GET", f"/games/{game}/").json == before


def test_an_act_for_somebody_else_is_403(readme: Site) -> None:
    game, players = readme.game()
    turn = readme.turn(game)
    other = next(name for player, name in players.items() if player != turn)
    for name in (other, readme.user()[0]):
        assert readme.ask("POST", f"/games/{game}/players/{turn}/acts/", name, FOLD).status == 403
    assert readme.turn(game) == turn


def test_an_act_in_an_unknown_game_or_for_an_unknown_player_is_404_and_unproven_401(readme: Site) -> None:
    game, players = readme.game()
    turn = readme.turn(game)
    name = players[turn]
    assert readme.ask("POST", f"/games/{NOWHERE}/players/{turn}/acts/", name, FOLD).status == 404
    assert readme.ask("POST", f"/games/{game}/players/{NOWHERE}/acts/", name, FOLD).status == 404
    for auth in (None, WRONG):
        assert readme.ask("POST", f"/games/{game}/players/{turn}/acts/", body=FOLD, auth=auth).status == 401
    assert readme.turn(game) == turn


@pytest.mark.parametrize(
    "body", [b"", b"x", {}, {"action": 2, "betAmount": 1}, {"action": 1}, {"action": 1, "betAmount": 1.5},
             {"action": 1, "betAmount": "20"}, {"action": None, "betAmount": 1}, b"\xff\xfe", b"[" * 4000],
)  # fmt: skip
def test_what_is_no_act_is_400_and_changes_nothing(readme: Site, body: object) -> None:
    game, players = readme.game()
    turn = readme.turn(game)
    assert readme.ask("POST", f"/games/{game}/players/{turn}/acts/", players[turn], body).status == 400
    assert readme.turn(game) == turn


@pytest.mark.parametrize(
    "amount", [-1, 10_000, 9, 25], ids=["negative", "above the wealth", "below the call", "below the raise"]
)
def test_the_four_invalid_bets_are_201_and_fold(readme: Site, amount: int) -> None:
    game, players = readme.game(3)
    turn = readme.turn(game)
    shown = readme.ask("GET", f"/games/{game}/").json
    wealth = next(player["wealth"] for player in shown["table"] if player["playerID"] == turn)
    amount = wealth + 1 if amount == 10_000 else amount
    answer = readme.ask("POST", f"/games/{game}/players/{turn}/acts/", players[turn], bet(amount))
    assert (answer.status, answer.body) == (201, b"")
    shown = readme.ask("GET", f"/games/{game}/").json
    assert next(player["state"] for player in shown["table"] if player["playerID"] == turn) == "folded"
    assert shown["invalid_bet"] == {
        "playerID": turn,
        "betAmount": amount,
        "reason": shown["invalid_bet"]["reason"],
    }


def test_all_of_a_short_wealth_is_a_call(readme: Site) -> None:
    game, players = readme.game(2)
    for amount in (4_990, 4_980, 3_000, 5_000, 2_000):
        turn = readme.turn(game)
        readme.ask("POST", f"/games/{game}/players/{turn}/acts/", players[turn], bet(amount))
        assert readme.ask("GET", f"/games/{game}/").json["invalid_bet"] is None


def test_a_body_above_4_kib_is_413_wherever_it_is_sent(readme: Site) -> None:
    game, players = readme.game()
    turn = readme.turn(game)
    for path in ("/users/", "/games/", f"/games/{game}/players/{turn}/acts/"):
        assert readme.ask("POST", path, players[turn], b" " * 4097).status == 413
    fold = b'{"action":0}'.ljust(4096)
    assert readme.ask("POST", f"/games/{game}/players/{turn}/acts/", players[turn], fold).status == 201


# -- leaving -----------------------------------------------------------------------------------


@SLASH
def test_leaving_is_200_without_a_body_folds_and_forfeits(readme: Site, slash: str) -> None:
    game, players = readme.game(3)
    turn = readme.turn(game)
    answer = readme.ask("DELETE", f"/games/{game}/players/{turn}{slash}", players[turn])
    assert (answer.status, answer.body) == (200, b"")
    assert turn not in [player["playerID"] for player in readme.ask("GET", f"/games/{game}/").json["table"]]
    assert readme.turn(game) != turn
    assert readme.ask("DELETE", f"/games/{game}/players/{turn}/", players[turn]).status == 404


def test_leaving_a_queue_is_200(readme: Site) -> None:
    game, _ = readme.game(10)
    name, player = readme.user()
    assert readme.ask("POST", f"/games/{game}/players/", name).status == 202
    assert readme.ask("POST", f"/games/{game}/players/{player}/acts/", name, FOLD).status == 403
    assert readme.ask("DELETE", f"/games/{game}/players/{player}/", name).status == 200
    assert readme.ask("DELETE", f"/games/{game}/players/{player}/", name).status == 404


def test_leaving_for_somebody_else_is_403_an_unknown_game_or_player_404_and_unproven_401(
    readme: Site,
) -> None:
    game, players = readme.game()
    (first, name), (second, _) = players.items()
    assert readme.ask("DELETE", f"/games/{game}/players/{second}/", name).status == 403
    assert readme.ask("DELETE", f"/games/{NOWHERE}/players/{first}/", name).status == 404
    assert readme.ask("DELETE", f"/games/{game}/players/{NOWHERE}/", name).status == 404
    for auth in (None, WRONG):
        assert readme.ask("DELETE", f"/games/{game}/players/{first}/", auth=auth).status == 401
    assert len(readme.ask("GET", f"/games/{game}/").json["table"]) == 2


# -- the rest ----------------------------------------------------------------------------------


def test_a_hand_goes_from_the_blinds_to_the_river_with_a_pot_for_each_round(readme: Site) -> None:
    game, players = readme.game()
    shown = readme.ask("GET", f"/games/{game}/").json
    for street in ("flop", "turn", "river"):
        for _ in players:
            shown = readme.ask("GET", f"/games/{game}/").json
            turn = shown["turn"]
            assert shown["cards"][street] is None
            owed = bet(turn["bet_to_player"] - turn["bet_so_far"])
            path = f"/games/{game}/players/{turn['playerID']}/acts/"
            assert readme.ask("POST", path, players[turn["playerID"]], owed).status == 201
        shown = readme.ask("GET", f"/games/{game}/").json
        assert len(shown["cards"][street]) == (3 if street == "flop" else 1)
        assert shown["cards"][street] == sorted(shown["cards"][street])
    assert [pot["size"] for pot in shown["pots"]] == [40, 0, 0, 0]
    assert all(set(pot["players"]) == set(players) for pot in shown["pots"])
    assert sum(player["wealth"] for player in shown["table"]) == 19_960


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/users/", {"POST"}),
        ("PUT", "/games/", {"GET", "HEAD", "POST"}),
        ("POST", "/games/x/", {"GET", "HEAD"}),
        ("DELETE", "/games/x/players/", {"GET", "HEAD", "POST"}),
        ("GET", "/games/x/players/y/", {"DELETE"}),
        ("GET", "/games/x/players/y/acts/", {"POST"}),
    ],
)
def test_another_method_is_405_and_says_which_there_are(
    readme: Site, method: str, path: str, allow: set[str]
) -> None:
    answer = readme.ask(method, path)
    assert (answer.status, answer.body) == (405, b"")
    assert set(answer.headers["allow"].split(", ")) == allow


def test_another_path_is_404(readme: Site) -> None:
    answer = readme.ask("GET", "/elsewhere/")
    assert (answer.status, answer.text) == (404, "404 page not found\n")


def test_the_health_of_the_room_is_a_word(readme: Site) -> None:
    answer = readme.ask("GET", "/healthz")
    assert (answer.status, answer.text) == (200, "ok\n")
