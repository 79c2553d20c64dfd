"""Pictures pushed by the real server: over server-sent events and sockets, own cards for their owner alone."""

from __future__ import annotations

import base64
import http.client
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site

SECONDS = 30


class Events:
    """A stream of server-sent events, read one by one."""

    def __init__(self, site: Site, path: str, headers: dict[str, str]) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=SECONDS)
        self.connection.request("GET", path, headers=headers)
        self.response = self.connection.getresponse()
        self.last = ""

    def next(self) -> tuple[str, Any]:
        """Give name and data of the next event."""
        name, data = "", ""
        while True:
            line = self.response.readline().decode()
            assert line, "the stream has ended"
            field, _, value = line.rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "id":
                self.last = value
            elif field == "data":
                data = value
            elif not field and name:
                return name, json.loads(data)

    def until(self, holds: Callable[[Any], bool]) -> Any:
        """Read events until one is as wanted; gives its data."""
        while True:
            _, data = self.next()
            if holds(data):
                return data

    def close(self) -> None:
        self.response.close()
        self.connection.close()


def basic(user: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:secret".encode()).decode()


@contextmanager
def events(site: Site, path: str, user: str | None = None, **headers: str) -> Iterator[Events]:
    with closing(Events(site, path, headers | ({"Authorization": basic(user)} if user else {}))) as stream:
        yield stream


def socket_of(site: Site, game: str, user: str | None = None, **headers: str) -> ClientConnection:
    given = headers | ({"Authorization": basic(user)} if user else {})
    return connect(
        f"ws://127.0.0.1:{site.port}/games/{game}/socket",
        additional_headers=given,
        proxy=None,
        compression=None,
    )


def heard(connection: ClientConnection, kind: str) -> Any:
    """Give the next message of a kind."""
    while True:
        message = json.loads(connection.recv(timeout=SECONDS))
        if message["type"] == kind:
            return message


def fold(site: Site, game: str, players: dict[str, str]) -> str:
    turn = site.turn(game)
    assert site.ask("POST", f"/games/{game}/actions", players[turn], {"act": "fold"}).status == 200
    return turn


# -- server-sent events ------------------------------------------------------------------------


def test_a_stream_begins_with_the_picture_and_goes_on_with_each_change(readme: Site) -> None:
    game, players = readme.game()
    with events(readme, f"/games/{game}/stream") as stream:
        assert stream.response.getheader("content-type", "").startswith("text/event-stream")
        name, first = stream.next()
        assert name == "table"
        assert stream.last == str(first["version"])
        assert {key: value for key, value in first.items() if key != "now"} == {
            key: value
            for key, value in readme.ask("GET", f"/games/{game}/table").json.items()
            if key != "now"
        }
        fold(readme, game, players)
        stream.until(lambda data: data["hand_id"] != first["hand_id"])


def test_a_stream_shows_own_cards_to_who_has_a_password_or_a_cookie(readme: Site) -> None:
    game, players = readme.game()
    (one, name), (_, other) = players.items()
    cookie = readme.ask("POST", "/session", name).headers["set-cookie"].partition(";")[0]
    path = f"/games/{game}/stream"
    with (
        events(readme, path, name) as by_password,
        events(readme, path, Cookie=cookie) as by_cookie,
        events(readme, path, other) as others,
        events(readme, path) as spectators,
    ):
        shown = [stream.next()[1] for stream in (by_password, by_cookie, others, spectators)]
    cards = shown[0]["you"]["cards"]
    assert shown[1]["you"] == shown[0]["you"]
    assert shown[0]["you"]["player_id"] == one
    assert not set(cards) & set(shown[2]["you"]["cards"])
    assert shown[3]["you"] is None
    for data in shown[2:]:
        assert not any(f'"{card}"' in json.dumps(data) for card in cards)


def test_nobody_is_ever_pushed_a_card_of_another_seat_that_was_not_shown(readme: Site) -> None:
    """Hands of three players who only call; every picture of everybody is looked at."""
    game, players = readme.game(3)
    with ExitStack() as open_ones:
        sockets = {name: open_ones.enter_context(socket_of(readme, game, name)) for name in players.values()}
        watching = open_ones.enter_context(socket_of(readme, game))
        for _ in range(120):
            name = players.get(readme.turn(game), "")
            if name:
                act = {"act": "call"}
                if readme.ask("POST", f"/games/{game}/actions", name, act).status == 422:
                    readme.ask("POST", f"/games/{game}/actions", name, {"act": "check"})
        everybody: list[tuple[str | None, ClientConnection]] = [*sockets.items(), (None, watching)]
        for who, connection in everybody:
            for picture in pictures(connection):
                own = None if picture["you"] is None else picture["you"]["seat"]
                assert (own is None) == (who is None)
                for seat in picture["seats"]:
                    if seat["cards"] is not None and seat["seat"] != own:
                        assert picture["over"]
                        assert seat["state"] != "folded"


def pictures(connection: ClientConnection) -> Iterator[Any]:
    """All pictures up to the answer of a ping."""
    connection.send('{"type":"ping"}')
    count = 0
    while True:
        message = json.loads(connection.recv(timeout=SECONDS))
        if message["type"] == "pong":
            assert count
            return
        count += 1
        yield message


def test_the_lobby_is_pushed_too(readme: Site) -> None:
    with events(readme, "/lobby/stream") as stream:
        name, _ = stream.next()
        assert name == "lobby"
        game, _ = readme.game(1)
        stream.until(lambda data: game in [one["game"] for one in data["games"]])


def test_a_stream_of_a_session_that_is_over_says_bye(readme: Site) -> None:
    game, players = readme.game()
    name = next(iter(players.values()))
    cookie = readme.ask("POST", "/session", name).headers["set-cookie"].partition(";")[0]
    connection = http.client.HTTPConnection("127.0.0.1", readme.port, timeout=SECONDS)
    with (
        events(readme, f"/games/{game}/stream", Cookie=cookie) as stream,
        socket_of(readme, game, Cookie=cookie) as two,
    ):
        stream.next()
        heard(two, "table")
        connection.request("DELETE", "/session", headers={"Cookie": cookie})
        assert connection.getresponse().status == 204
        fold(readme, game, players)
        while stream.next()[0] != "bye":
            pass
        with pytest.raises(ConnectionClosed):
            heard(two, "nothing more")
        assert two.close_code == 4401
    connection.close()


def test_a_listener_who_reads_nothing_holds_up_nobody(readme: Site) -> None:
    game, players = readme.game()
    deaf = socket.create_connection(("127.0.0.1", readme.port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.sendall(f"GET /games/{game}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    with deaf, socket_of(readme, game) as good:
        before = heard(good, "table")["version"]
        for _ in range(50):
            fold(readme, game, players)
        newest = readme.ask("GET", f"/games/{game}/table").json["version"]
        assert newest > before
        while heard(good, "table")["version"] < newest:
            pass


# -- sockets -----------------------------------------------------------------------------------


def test_a_hand_is_played_over_sockets(readme: Site) -> None:
    game, players = readme.game()
    with ExitStack() as open_ones:
        sockets = {
            player: open_ones.enter_context(socket_of(readme, game, name)) for player, name in players.items()
        }
        first = heard(next(iter(sockets.values())), "table")
        shown = first
        while shown["hand_id"] == first["hand_id"]:
            turn = readme.turn(game)
            legal = readme.ask("GET", f"/games/{game}/table", players[turn]).json["you"]["legal"]
            shown = readme.ask("GET", f"/games/{game}/table").json
            act = {"type": "act", "act": "check" if legal["check"] else "call"}
            sockets[turn].send(json.dumps(act | {"hand_id": shown["hand_id"], "seq": shown["seq"]}))
            acted = heard(sockets[turn], "acted")
            assert (acted["hand_id"], acted["seq"]) == (shown["hand_id"], shown["seq"])
            shown = readme.ask("GET", f"/games/{game}/table").json


def test_what_a_socket_sends_wrong_is_refused_and_changes_nothing(readme: Site) -> None:
    game, players = readme.game()
    turn = readme.turn(game)
    other = next(name for player, name in players.items() if player != turn)
    with socket_of(readme, game, other) as connection, socket_of(readme, game) as watching:
        for text, code in (
            ("x", "bad_message"), ("[" * 2000, "bad_message"), ("{}", "bad_message"), ('{"type":"deal"}', "bad_message"),
            ('{"type":"act"}', "bad_spec"), ('{"type":"act","act":"fold"}', "out_of_turn"),
        ):  # fmt: skip
            connection.send(text)
            assert heard(connection, "refused")["code"] == code
        connection.send(b"\x00\xff")
        assert heard(connection, "refused")["code"] == "bad_message"
        watching.send('{"type":"act","act":"fold"}')
        assert heard(watching, "refused")["code"] == "no_credentials"
        watching.send('{"type":"ping"}')
        assert heard(watching, "pong") == {"type": "pong"}
    assert readme.turn(game) == turn


def test_a_socket_nobody_may_have_is_closed_with_the_reason(readme: Site) -> None:
    game, _ = readme.game()
    with socket_of(readme, "nowhere") as connection:
        with pytest.raises(ConnectionClosed):
            connection.recv(timeout=SECONDS)
        assert connection.close_code == 4404
    with socket_of(readme, game, "nobody at all") as connection:
        with pytest.raises(ConnectionClosed):
            connection.recv(timeout=SECONDS)
        assert connection.close_code == 4401
    name, _ = readme.user()
    cookie = readme.ask("POST", "/session", name).headers["set-cookie"].partition(";")[0]
    with socket_of(readme, game, Cookie=cookie, Origin="http://elsewhere.example") as connection:
        with pytest.raises(ConnectionClosed):
            connection.recv(timeout=SECONDS)
        assert connection.close_code == 4401


def test_everybody_who_listens_is_told_when_the_server_goes(sites: Callable[..., Site]) -> None:
    site = sites()
    game, _ = site.game()
    with events(site, f"/games/{game}/stream") as stream, socket_of(site, game) as connection:
        stream.next()
        heard(connection, "table")
        status, _, errors = site.stop()
        name, data = stream.next()
        assert name == "bye"
        assert data["text"]
        with pytest.raises(ConnectionClosed):
            heard(connection, "nothing more")
        assert connection.close_code == 1012
    assert status == 0
    assert "Traceback" not in errors
