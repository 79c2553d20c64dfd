"""Routes beyond HSPE's against the real server: log-ins, lobby, pictures, actions, the house, counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.conformance.server.conftest import picture, refused

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Answer, Site

NOWHERE = "00000000-0000-0000-0000-000000000000"


def told(site: Site, method: str, path: str, headers: dict[str, str], body: object = None) -> Answer:
    return site.ask(method, path, body=body, headers=headers)


def cookie_of(site: Site, name: str) -> str:
    answer = told(site, "POST", "/session", {}, {"name": name, "password": "secret"})
    assert answer.status == 204
    return answer.headers["set-cookie"].partition(";")[0]


# -- log-ins -----------------------------------------------------------------------------------


def test_a_cookie_is_as_good_as_the_password_it_was_given_for(readme: Site) -> None:
    name, player = readme.user()
    answer = told(readme, "POST", "/session", {}, {"name": name, "password": "secret"})
    given = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(given.split("; "))
    cookie = {"Cookie": given.partition(";")[0]}
    assert told(readme, "GET", "/session", cookie).json == {"name": name, "player_id": player}
    assert told(readme, "POST", "/games/", cookie).json["table"][0]["playerID"] == player
    assert told(readme, "DELETE", "/session", cookie).status == 204
    refused(told(readme, "GET", "/session", cookie), 401, "no_credentials")
    assert told(readme, "POST", "/games/", cookie).status == 401


def test_basic_authentication_logs_in_and_a_wrong_password_does_not(readme: Site) -> None:
    name, _ = readme.user()
    assert readme.ask("POST", "/session", name).status == 204
    refused(told(readme, "POST", "/session", {}, {"name": name, "password": "wrong"}), 401, "bad_credentials")
    refused(
        told(readme, "POST", "/session", {}, {"name": "nobody at all", "password": "x"}),
        401,
        "bad_credentials",
    )
    refused(told(readme, "POST", "/session", {}), 401, "no_credentials")
    refused(told(readme, "POST", "/session", {}, {"name": 1, "password": "x"}), 400, "bad_spec")


def test_another_sites_page_changes_nothing_with_a_cookie(readme: Site) -> None:
    name, _ = readme.user()
    cookie = {"Cookie": cookie_of(readme, name)}
    own = cookie | {"Origin": readme.url}
    assert told(readme, "POST", "/games/", own).status == 201
    other = cookie | {"Origin": "http://elsewhere.example"}
    for method, path in (("POST", "/games/"), ("DELETE", "/session"), ("POST", f"/games/{NOWHERE}/players/")):
        assert told(readme, method, path, other).status == 403
    assert told(readme, "GET", "/session", other).status == 200, (
        "reading changes nothing, and no page may read it"
    )


def test_a_page_is_not_asked_for_a_password_by_its_browser(readme: Site) -> None:
    assert "www-authenticate" in told(readme, "GET", "/session", {}).headers
    for headers in ({"X-Requested-With": "page"}, {"Cookie": "session=gone"}):
        answer = told(readme, "GET", "/session", headers)
        refused(answer, 401, "no_credentials")
        assert "www-authenticate" not in answer.headers


# -- lobby and setting -------------------------------------------------------------------------


def test_the_lobby_lists_games_with_stakes_and_players(readme: Site) -> None:
    name, _ = readme.user()
    asked = {"small_blind": 1, "big_blind": 3, "buy_in": 300, "seats": 4, "name": "<b>ring", "pause": 0.5}
    game = readme.ask("POST", "/games/", name, asked).json["gameID"]
    shown = {one["game"]: one for one in readme.ask("GET", "/lobby").json["games"]}[game]
    assert shown == {
        "game": game, "name": "<b>ring", "plays": "No-limit hold'em", "stakes": {"small_blind": 1, "big_blind": 3}, "buy_in": 300, "seats": 4,
        "players": [name], "house": 0, "waiting": 0, "hands": 0,
    }  # fmt: skip
    assert "tight" in readme.ask("GET", "/lobby").json["bots"]


def test_a_game_is_played_at_its_own_stakes(readme: Site) -> None:
    (ann, _), (bob, _) = readme.user(), readme.user()
    asked = {"small_blind": 1, "big_blind": 3, "buy_in": 300, "seats": 2}
    game = readme.ask("POST", "/games/", ann, asked).json["gameID"]
    assert readme.ask("POST", f"/games/{game}/players/", bob).status == 201
    readme.until(lambda: readme.turn(game) != "")
    shown = picture(readme, game)
    assert sorted(seat["bet"] for seat in shown["seats"]) == [1, 3]
    assert {seat["stack"] + seat["bet"] for seat in shown["seats"]} == {300}
    assert readme.ask("POST", f"/games/{game}/players/", readme.user()[0]).status == 202, (
        "two seats, both taken"
    )


@pytest.mark.parametrize(
    "body", [b"[]", b"{", {"small_blind": 20, "big_blind": 10}, {"big_blind": 0}, {"seats": 11}, {"seats": 1},
             {"buy_in": 5}, {"buy_in": 10**12}, {"name": "x" * 33}, {"name": "\n"}, {"pause": -1}, {"pause": "1"},
             {"small_blind": True}, {"rake": 5}, {"game": "tarock"}, {"game": "stud", "seats": 9}, {"maker": "me"}, b'{"pause": NaN}'],
)  # fmt: skip
def test_a_setting_that_cannot_be_makes_no_game(readme: Site, body: object) -> None:
    name, _ = readme.user()
    before = len(readme.ask("GET", "/games/").json)
    assert readme.ask("POST", "/games/", name, body).status == 400
    assert len(readme.ask("GET", "/games/").json) == before


# -- pictures ----------------------------------------------------------------------------------


def test_a_picture_has_what_the_page_needs(readme: Site) -> None:
    game, players = readme.game()
    turn = readme.turn(game)
    shown = picture(readme, game, players[turn])
    assert shown["game"] == game
    assert shown["street"] == "preflop"
    assert not shown["over"]
    assert shown["stakes"] == {"small_blind": 10, "big_blind": 20}
    assert len(shown["seats"]) == 10
    assert shown["pots"][0]["size"] == 30
    taken = {seat["player_id"]: seat for seat in shown["seats"] if seat["state"] != "empty"}
    assert {seat["name"] for seat in taken.values()} == set(players.values())
    own = taken.pop(turn)
    (other,) = taken.values()
    assert own["seat"] == shown["turn"]["seat"] == shown["you"]["seat"]
    assert own["cards"] == shown["you"]["cards"]
    assert all(re.fullmatch("[2-9TJQKA][cdhs]", card) for card in own["cards"])
    assert (other["cards"], other["hidden"], own["hidden"]) == (None, 2, 0)
    assert own["button"]
    assert shown["you"]["legal"] == {
        "fold": True, "check": False, "call": 10, "raise_to": {"min": 40, "max": 10_000}, "to_call": 10, "pot": 30, "pot_odds": 0.25,
        "bring_in": 0, "discards": 0, "must_discard": 0, "lay": None,
    }  # fmt: skip
    assert 0 < shown["turn"]["expiry"] - shown["now"] <= shown["turn"]["seconds"] == 600


def test_a_picture_shows_cards_to_their_owner_alone(readme: Site) -> None:
    game, players = readme.game(3)
    cards = [picture(readme, game, name)["you"]["cards"] for name in players.values()]
    assert len({card for two in cards for card in two}) == 6
    stranger = readme.user()[0]
    for name in (None, stranger):
        shown = picture(readme, game, name)
        assert shown["you"] is None
        assert all(seat["cards"] is None for seat in shown["seats"])
    for name, own in zip(players.values(), cards, strict=True):
        answer = readme.ask("GET", f"/games/{game}/table", name).text
        for other in cards:
            assert (f'"{other[0]}"' in answer) is (other == own)


def test_a_picture_is_304_until_something_has_changed(readme: Site) -> None:
    game, players = readme.game()
    for path in (f"/games/{game}/table", f"/games/{game}", "/lobby", "/games/"):
        tag = told(readme, "GET", path, {}).headers["etag"]
        again = told(readme, "GET", path, {"If-None-Match": tag})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    tag = told(readme, "GET", f"/games/{game}", {}).headers["etag"]
    turn = readme.turn(game)
    own = readme.ask("GET", f"/games/{game}", players[turn]).headers["etag"]
    assert own != tag, "an ETag says whose view it is"
    readme.ask("POST", f"/games/{game}/players/{turn}/acts/", players[turn], {"action": 1, "betAmount": 10})
    assert told(readme, "GET", f"/games/{game}", {"If-None-Match": tag}).status == 200


def test_an_unknown_game_is_404_on_every_route(readme: Site) -> None:
    name, _ = readme.user()
    for method, path in (("GET", "table"), ("GET", "stream"), ("POST", "actions"), ("POST", "house"),
                         ("DELETE", "house"), ("GET", "hands"), ("GET", "hands/x")):  # fmt: skip
        body = {"act": "fold"} if path == "actions" else None
        refused(readme.ask(method, f"/games/{NOWHERE}/{path}", name, body), 404, "no_game")


# -- actions -----------------------------------------------------------------------------------


def test_actions_have_the_names_of_poker_and_answer_which_turn_they_took(readme: Site) -> None:
    game, players = readme.game()
    path = f"/games/{game}/actions"
    turn = players[readme.turn(game)]
    before = picture(readme, game)
    answer = readme.ask("POST", path, turn, {"act": "call"})
    assert answer.json == {"hand_id": before["hand_id"], "seq": before["seq"]}
    turn = players[readme.turn(game)]
    assert readme.ask("POST", path, turn, {"act": "raise_to", "amount": 60}).status == 200
    said = [seat["last_action"] for seat in picture(readme, game)["seats"] if seat["last_action"]]
    assert sorted(said) == ["call 10", "raise_to 60"]
    assert readme.ask("POST", path, players[readme.turn(game)], {"act": "call"}).status == 200
    shown = picture(readme, game)
    assert (shown["street"], len(shown["board"]), shown["pots"][0]["size"]) == ("flop", 3, 120)
    assert {seat["last_action"] for seat in shown["seats"]} == {None}
    for act in ("check", "bet"):
        turn = players[readme.turn(game)]
        assert readme.ask("POST", path, turn, {"act": act, "amount": 20}).status == 200
    assert readme.ask("POST", path, players[readme.turn(game)], {"act": "all_in"}).status == 200
    assert [s["last_action"] for s in picture(readme, game)["seats"] if s["state"] == "all_in"] == [
        "raise_to 9940 all-in"
    ]


def test_an_illegal_action_is_refused_and_changes_nothing(readme: Site) -> None:
    game, players = readme.game()
    path = f"/games/{game}/actions"
    turn = readme.turn(game)
    before = picture(readme, game)
    for body, status, code in (
        ({"act": "raise_to", "amount": 25}, 422, "illegal_action"),
        ({"act": "check"}, 422, "illegal_action"),
        ({"act": "bet", "amount": 50}, 422, "illegal_action"),
        ({"act": "raise_to"}, 400, "bad_spec"),
        ({"act": "raise_to", "amount": 60.5}, 400, "bad_spec"),
        ({"act": "peek"}, 400, "bad_spec"),
        ({"act": ["fold"]}, 400, "bad_spec"),
        ({"act": "fold", "hand_id": before["hand_id"]}, 400, "bad_spec"),
        ({"act": "fold", "hand_id": before["hand_id"], "seq": 7}, 409, "not_active"),
        ({"act": "fold", "hand_id": "another", "seq": 0}, 409, "stale_action"),
    ):
        refused(readme.ask("POST", path, players[turn], body), status, code)
    other = next(name for player, name in players.items() if player != turn)
    refused(readme.ask("POST", path, other, {"act": "fold"}), 409, "out_of_turn")
    refused(readme.ask("POST", path, readme.user()[0], {"act": "fold"}), 404, "not_joined")
    refused(readme.ask("POST", path, body={"act": "fold"}), 401, "no_credentials")
    after = picture(readme, game)
    assert after | {"now": 0} == before | {"now": 0}


def test_an_action_sent_twice_for_its_turn_is_taken_once(readme: Site) -> None:
    game, players = readme.game()
    turn = players[readme.turn(game)]
    shown = picture(readme, game)
    call = {"act": "call", "hand_id": shown["hand_id"], "seq": shown["seq"]}
    answers = [readme.ask("POST", f"/games/{game}/actions", turn, call) for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 200]
    assert picture(readme, game)["seq"] == shown["seq"] + 1
    other = call | {"act": "fold"}
    refused(readme.ask("POST", f"/games/{game}/actions", turn, other), 409, "stale_action")


def test_an_act_of_the_contract_may_say_which_turn_it_is_for(readme: Site) -> None:
    game, players = readme.game()
    turn = readme.turn(game)
    shown = picture(readme, game)
    bet = {"action": 1, "betAmount": 10, "hand_id": shown["hand_id"], "seq": shown["seq"]}
    path = f"/games/{game}/players/{turn}/acts/"
    for _ in range(2):
        assert readme.ask("POST", path, players[turn], bet).status == 201
    assert picture(readme, game)["seq"] == shown["seq"] + 1
    assert readme.ask("POST", path, players[turn], bet | {"betAmount": 20}).status == 403
    assert readme.ask("POST", path, players[turn], bet | {"seq": "x"}).status == 400


def test_a_key_asks_once(readme: Site) -> None:
    name, _ = readme.user()

    def make(key: str, seats: int, user: str = name) -> Answer:
        return readme.ask("POST", "/games/", user, {"seats": seats}, headers={"Idempotency-Key": key})

    first, second = make("k-1", 2), make("k-1", 2)
    assert (first.status, second.status) == (201, 201)
    assert first.body == second.body, "one game was made, and told of twice"
    assert make("k-1", 3).status == 422
    assert make("k-2", 2).body != first.body
    assert make("x" * 200, 2).status == 400
    assert make("k-1", 2, readme.user()[0]).body != first.body, "keys are each user's own"


# -- the house ---------------------------------------------------------------------------------


def test_the_house_fills_seats_plays_and_goes(readme: Site) -> None:
    name, player = readme.user()
    game = readme.ask("POST", "/games/", name, {"seats": 4, "think": 0}).json["gameID"]
    answer = readme.ask("POST", f"/games/{game}/house", name, {"bot": "tight", "count": 2})
    assert (answer.status, answer.json) == (201, {"seated": ["tight 1", "tight 2"]})
    answer = readme.ask("POST", f"/games/{game}/house", name, {"bot": "loose", "count": 5})
    assert answer.json == {"seated": ["loose 1"]}, "as many as there are seats"
    refused(readme.ask("POST", f"/games/{game}/house", name, {"bot": "loose"}), 409, "seat_unavailable")

    def three_hands() -> bool:
        if readme.turn(game) == player:
            readme.ask("POST", f"/games/{game}/actions", name, {"act": "fold"})
        lobby = {one["game"]: one for one in readme.ask("GET", "/lobby").json["games"]}
        return bool(lobby[game]["hands"] >= 3)

    readme.until(three_hands)
    shown = picture(readme, game, name)
    assert sorted(seat["name"] for seat in shown["seats"] if seat["house"]) == [
        "loose 1",
        "tight 1",
        "tight 2",
    ]
    assert readme.ask("DELETE", f"/games/{game}/house", name).status == 204

    def alone() -> bool:
        if readme.turn(game) == player:
            readme.ask("POST", f"/games/{game}/actions", name, {"act": "fold"})
        states = [seat["state"] for seat in picture(readme, game)["seats"]]
        return states.count("empty") == 3

    readme.until(alone)


def test_bots_of_several_kinds_asked_for_at_once_are_all_dealt_into_the_first_hand(readme: Site) -> None:
    name, player = readme.user()
    game = readme.ask("POST", "/games/", name, {"seats": 6, "think": 10}).json["gameID"]
    asked = {"bots": ["tight", "loose", "tight", "caller"]}
    answer = readme.ask("POST", f"/games/{game}/house", name, asked)
    assert (answer.status, answer.json) == (201, {"seated": ["tight 1", "loose 1", "tight 2", "caller 1"]})
    readme.until(lambda: picture(readme, game)["hand_id"] is not None)
    shown = picture(readme, game)
    assert shown["hand_id"].endswith("/hand-000000000")
    assert [seat["state"] for seat in shown["seats"]].count("active") == 5
    assert player in {seat["player_id"] for seat in shown["seats"]}


def test_a_game_has_its_own_window_for_a_turn(readme: Site) -> None:
    name, _ = readme.user()
    game = readme.ask("POST", "/games/", name, {"turn_seconds": 30}).json["gameID"]
    readme.ask("POST", f"/games/{game}/players/", readme.user()[0])
    readme.until(lambda: picture(readme, game)["turn"] is not None)
    shown = picture(readme, game)
    assert shown["turn"]["seconds"] == 30
    assert 20 < shown["turn"]["expiry"] - shown["now"] <= 30
    for refused_one in (9.9, 1_209_601, "30", True):
        answer = readme.ask("POST", "/games/", name, {"turn_seconds": refused_one})
        assert answer.status == 400
        assert "turn_seconds" in answer.text
    usual, _ = readme.game()
    readme.until(lambda: picture(readme, usual)["turn"] is not None)
    assert picture(readme, usual)["turn"]["seconds"] != 30


@pytest.mark.parametrize(
    ("body", "code"),
    [({"bot": "folder.py:f"}, "unknown_bot"), ({"bot": ["tight"]}, "unknown_bot"), ({"bot": "scripted"}, "unknown_bot"),
     ({"count": 0}, "bad_spec"), ({"count": True}, "bad_spec"), ({"seats": 2}, "bad_spec"), (b"[]", "bad_spec"),
     ({"bots": []}, "bad_spec"), ({"bots": "tight"}, "bad_spec"), ({"bots": ["tight"] * 10}, "bad_spec"),
     ({"bots": ["tight"], "count": 1}, "bad_spec"), ({"bots": ["tight", "scripted"]}, "unknown_bot"),
     ({"bots": [["tight"]]}, "unknown_bot")],
)  # fmt: skip
def test_only_bots_of_the_house_are_seated(readme: Site, body: object, code: str) -> None:
    name, _ = readme.user()
    game = readme.ask("POST", "/games/", name).json["gameID"]
    refused(readme.ask("POST", f"/games/{game}/house", name, body), 400, code)


def test_the_house_is_asked_by_who_plays(readme: Site) -> None:
    game, _ = readme.game()
    for method in ("POST", "DELETE"):
        refused(
            readme.ask(method, f"/games/{game}/house", readme.user()[0], {"bot": "tight"}), 403, "not_yours"
        )
        refused(readme.ask(method, f"/games/{game}/house", body={"bot": "tight"}), 401, "no_credentials")


def test_who_waits_is_given_a_seat_of_the_house(readme: Site) -> None:
    name, player = readme.user()
    game = readme.ask("POST", "/games/", name, {"seats": 2, "think": 0}).json["gameID"]
    readme.ask("POST", f"/games/{game}/house", name, {"bot": "caller"})
    late, waiting = readme.user()
    assert readme.ask("POST", f"/games/{game}/players/", late).status == 202
    assert picture(readme, game)["waiting"] == [late]

    def both_play() -> bool:
        if readme.turn(game) == player:
            readme.ask("POST", f"/games/{game}/actions", name, {"act": "fold"})
        return {seat["player_id"] for seat in picture(readme, game)["seats"]} == {player, waiting}

    readme.until(both_play)


# -- coming back -------------------------------------------------------------------------------


def test_a_killed_server_brings_setting_house_and_log_ins_back(sites: Callable[..., Site]) -> None:
    site = sites()
    name, player = site.user()
    asked = {"small_blind": 5, "big_blind": 10, "buy_in": 500, "seats": 3, "name": "ring", "think": 0}
    game = site.ask("POST", "/games/", name, asked).json["gameID"]
    site.ask("POST", f"/games/{game}/house", name, {"bot": "caller", "count": 2})
    cookie = {"Cookie": cookie_of(site, name)}
    for _ in range(2):
        site.until(lambda: site.turn(game) == player)
        assert site.ask("POST", f"/games/{game}/actions", name, {"act": "fold"}).status == 200
    site.until(lambda: site.turn(game) == player and len(site.ask("GET", f"/games/{game}/hands").json) == 2)
    before = picture(site, game, name)
    hands = site.ask("GET", f"/games/{game}/hands", name).json
    site.kill()
    site = sites(port=site.port)
    site.until(lambda: site.turn(game) == player)
    assert site.ask("GET", f"/games/{game}/hands", name).json == hands
    for hand in hands:
        assert site.ask("GET", f"/games/{game}/hands/{hand['hand_id']}", name).status == 200
    after = picture(site, game, name)
    same = ("name", "hand_id", "seq", "stakes", "seats", "board", "pots")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}
    call = {"act": "call", "hand_id": after["hand_id"], "seq": after["seq"]}
    assert told(site, "POST", f"/games/{game}/actions", cookie, call | {"act": "fold"}).status == 200
    site.until(lambda: picture(site, game)["hand_id"] != before["hand_id"])
    assert told(site, "POST", "/session", cookie, {"name": name, "password": "secret"}).status == 204


# -- the rest ----------------------------------------------------------------------------------


def test_counts_are_those_of_prometheus_without_names_ids_or_cards(readme: Site) -> None:
    game, players = readme.game()
    text = ""

    def counted() -> float:
        nonlocal text
        text = readme.ask("GET", "/metrics").text
        return float(re.search(r"^poker_games (\S+)$", text, re.MULTILINE)[1])  # type: ignore[index]

    def one_more() -> bool:
        """No list shows every game there is, and another may end between the two counts."""
        before = counted()
        readme.game()
        return counted() == before + 1

    readme.until(one_more)
    for line in text.splitlines():
        assert re.fullmatch(
            r'# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\n]*"(,\w+="[^"\n]*")*\})? [\d.e+-]+', line
        ), line
    assert 'route="/games/{game_id}/players",status="201"' in text
    assert not any(word in text for word in (game, *players, *players.values()))
    samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert samples['poker_request_seconds_bucket{le="+Inf"}'] == samples["poker_request_seconds_count"]


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [("PUT", "/session", {"GET", "HEAD", "POST", "DELETE"}), ("POST", "/lobby", {"GET", "HEAD"}),
     ("POST", "/games/x/table", {"GET", "HEAD"}), ("GET", "/games/x/actions", {"POST"}),
     ("GET", "/games/x/house", {"POST", "DELETE"}), ("DELETE", "/metrics", {"GET", "HEAD"})],
)  # fmt: skip
def test_another_method_says_which_there_are(readme: Site, method: str, path: str, allow: set[str]) -> None:
    answer = readme.ask(method, path)
    assert (answer.status, answer.body) == (405, b"")
    assert set(answer.headers["allow"].split(", ")) == allow
