"""What is asked of a server, its answers and pushed pictures, without a socket; then over one."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import aclosing, suppress
from functools import partial
from typing import Any, Self

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.wire.framing import at_once
from poker_actors.wire.hspe import AsyncClient, Client, ServerRefusal
from poker_actors.wire.hspe import client as client_module
from poker_actors.wire.hspe.routes import MOST_BYTES, Call, Routes


def test_an_answer_is_refused_by_its_status_its_length_or_its_content() -> None:
    call: Call[list[object]] = Call("GET", "/", list)
    assert call.answered(200, b"[1]") == [1]
    for status, body, said in (
        (404, b"[1]", "404"),
        (200, b" " * (MOST_BYTES + 1), "longer than 16777216 bytes"),
        (200, b"3", "does not fit the request"),
    ):
        with pytest.raises(ServerRefusal, match=said) as caught:
            call.answered(status, body)
        assert caught.value.status == status


@pytest.mark.parametrize(
    ("url", "user"),
    [
        ("ftp://x", "ann"),
        ("http://", "ann"),
        ("http://x:99999", "ann"),
        ("http://x:0", "ann"),
        ("http://[::1", "ann"),
        ("x", "ann"),
        ("http://x", "a:b"),
    ],
)
def test_what_is_no_url_or_no_name_is_refused(url: str, user: str) -> None:
    with pytest.raises(BadSpec):
        Client(url, user, "secret")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://[::1", " is not a URL: Invalid IPv6 URL"),
        ("ftp://a.example", " is not an http or https URL, such as http://127.0.0.1:8080"),
        ("http://a.example:99999", ": the port must be 1 to 65535"),
    ],
)
@pytest.mark.parametrize("command", ["join URL --user ann --bot tight", "mcp URL"])
def test_what_is_no_url_is_said_in_one_line(
    command: str, url: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POKER_ACTORS_PASSWORD", "secret")
    assert main(command.replace("URL", url).split()) == 2
    assert capsys.readouterr().err == f"poker-actors: {url!r}{why}\n"


# -- what is asked -------------------------------------------------------------------------------------


class Asking(Routes):
    """A client without a socket: it keeps what it would send, and is given these answers."""

    def __init__(self, *answers: Any) -> None:
        super().__init__("http://x/below/", "ann", "secret", timeout=5.0)
        self.answers = iter(answers)
        self.asked: list[tuple[str, str, Any]] = []
        self.seconds: list[float] = []

    def _run(self, work: Any) -> Any:
        return at_once(work)

    async def _ask(self, call: Call[Any]) -> Any:
        self.asked.append((call.method, call.path, None if call.body is None else json.loads(call.body)))
        self.seconds.append(call.seconds)
        return call.answered(200, json.dumps(next(self.answers)).encode())


GAME = {"gameID": "g", "table": [{"playerID": "7", "handle": "bob"}, {"playerID": "8", "handle": "ann"}]}


def test_an_id_is_learnt_once_by_ones_name() -> None:
    client = Asking(GAME, GAME | {"table": [{"playerID": "9", "handle": "ann"}]}, GAME)
    client.game("g")
    assert client.player_id == "8"
    client.game("g")
    assert client.player_id == "8"
    client.player_id, client.user = "", "cat"  # type: ignore[misc]
    client.game("g")
    assert client.player_id == ""


def test_a_game_is_made_with_a_setting_or_without_and_joined_with_an_id_or_without() -> None:
    client = Asking(GAME, GAME, "8", {})
    client.make()
    client.make(seats=3)
    assert client.asked == [("POST", "/below/games/", None), ("POST", "/below/games/", {"seats": 3})]
    client.player_id = ""
    assert client.join("g") == client.player_id == "8"
    assert client.join("g") is None
    assert client.player_id == "8"


def test_games_without_an_id_are_no_answer() -> None:
    client = Asking([{"gameID": "g", "table": []}], [{"table": []}], {"table": []}, 3)
    assert client.games() == [{"gameID": "g", "table": []}]
    for ask in (client.games, client.make, client.games):
        with pytest.raises(ServerRefusal, match="does not fit the request"):
            ask()


def test_an_act_says_only_what_it_was_given() -> None:
    client = Asking(*[{"hand_id": "h", "seq": 4}] * 5)
    assert client.act("g", "call") == ("h", 4)
    client.act("g", "raise_to", 0)
    client.act("g", "discard", cards=())
    client.act("g", "lay", rows=(("As",), (), ()))
    client.act("g", "fold", key=("h", 3))
    assert [body for _, _, body in client.asked] == [
        {"act": "call"},
        {"act": "raise_to", "amount": 0},
        {"act": "discard", "cards": []},
        {"act": "lay", "rows": [["As"], [], []]},
        {"act": "fold", "hand_id": "h", "seq": 3},
    ]


def test_what_takes_a_server_longer_is_waited_for_so_much_longer() -> None:
    client = Asking({}, {}, {})
    client.lobby()
    client.entrant("a/b", wait=20)
    client.hand_in("a", b"{}")
    assert client.seconds == [5, 25, 125]
    assert client.asked[1][1] == "/below/arena/entrants/a%2Fb?wait=20"


# -- over a socket -------------------------------------------------------------------------------------


class Site:
    """A server that answers each request with the next of these bytes, and counts its connections."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)
        self.connections = 0
        self.heard: list[str] = []
        """the lines of all requests"""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.answers.clear()
        self._socket.shutdown(socket.SHUT_RDWR)  # ends an `accept`
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while self.answers:
            try:
                opened, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            opened.settimeout(5)
            with opened, suppress(OSError), opened.makefile("rb") as lines:
                while self.answers and (line := lines.readline()):
                    self.heard.append(line.decode())
                    if line == b"\r\n":
                        opened.sendall(self.answers.pop(0))


def listed(client: Client) -> Any:
    return client.hands("g")


def answer(body: bytes, status: int = 200, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


LONG = answer(b" " * (MOST_BYTES + 1))
"""An answer of which more comes than is read."""


def test_a_blocking_client_keeps_its_connection_and_opens_another_after_an_answer_too_long() -> None:
    long = answer(b"x" * (MOST_BYTES + 2), 404)
    with Site(answer(b"[]"), answer(b"[1]"), long, answer(b"[2]"), b"nonsense\r\n", answer(b"[3]")) as site:
        client = Client(site.url, "ann", "secret")
        client.close()  # there is nothing to close yet
        assert [listed(client), listed(client)] == [[], [1]]
        assert site.connections == 1
        with pytest.raises(ServerRefusal, match="404"):
            listed(client)
        assert listed(client) == [2]
        with pytest.raises(ConnectionError, match="no answer: BadStatusLine"):
            listed(client)
        assert listed(client) == [3]
        client.close()
        assert site.connections == 3


@pytest.mark.parametrize("left", [0, 1])
def test_an_answer_whose_end_is_missing_is_no_answer(left: int) -> None:
    """As of a server that is killed between a head and its body: it may be asked again once it is back."""
    whole = answer(b"[1]")
    with Site(whole[: len(whole) - 3 + left]) as site:
        client = Client(site.url, "ann", "secret")
        with pytest.raises(ConnectionError, match="no answer: IncompleteRead"):
            listed(client)
        client.close()


def test_a_path_with_letters_of_any_language_is_quoted_and_no_wrong_host() -> None:
    with Site(answer(b"[]")) as site:
        client = Client(f"{site.url}/pré/a%20b", "ann", "secret")
        assert listed(client) == []
        client.close()
        assert site.heard[0].startswith("GET /pr%C3%A9/a%20b/games/g/hands ")


def test_an_awaited_client_keeps_its_connection_and_refuses_an_answer_too_long() -> None:
    async def ask(url: str) -> None:
        async with AsyncClient(url, "ann", "secret") as client:
            hands: Any = partial(client.hands, "g")
            assert [await hands(), await hands()] == [[], [1]]
            with pytest.raises(ConnectionError, match="the answer is longer than 16777216 bytes"):
                await hands()
            assert await hands() == [2]
        await client.close()  # once more does nothing

    with Site(answer(b"[]"), answer(b"[1]"), LONG, answer(b"[2]")) as site:
        asyncio.run(ask(site.url))
        assert site.connections == 2


def stream(*events: str, status: int = 200) -> bytes:
    return answer("".join(events).encode(), status, "Content-Type: text/event-stream")


async def pictures(url: str, lost_seconds: float, most: int = 9) -> list[Any]:
    """Return that many pictures of a game, and the error that ended them."""
    found: list[Any] = []
    async with (
        AsyncClient(url, "ann", "secret") as client,
        aclosing(client.pictures("g", lost_seconds=lost_seconds)) as pushed,
    ):
        try:
            while len(found) < most:
                found.append(await anext(pushed))
        except (OSError, ServerRefusal) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


TABLE = 'event: table\ndata: {"a": 1}\n\n'


def test_pictures_come_of_a_stream_and_a_refusal_of_any_other_answer() -> None:
    with Site(stream(TABLE), answer(b"no such game", 404)) as site:
        assert asyncio.run(pictures(site.url, 60, 1)) == [{"a": 1}]
        assert asyncio.run(pictures(site.url, 60)) == ["ServerRefusal: 404: no such game"]


def test_other_events_are_passed_over_and_what_is_no_object_is_empty() -> None:
    others = (
        'event: ping\ndata: {"b": 2}\n\n',
        ": a comment\n\n",
        "event: table\ndata: x\n\n",
        "event: table\ndata: [1]\n\n",
    )
    with Site(stream(TABLE.replace("\n\n", '\nid: {"c": 3}\n\n'), *others)) as site:
        assert asyncio.run(pictures(site.url, 60, 3)) == [{"a": 1}, {}, {}]


def test_a_stream_is_opened_again_until_the_server_has_been_away_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client_module, "_AGAIN_SECONDS", 0.01)
    half = stream(TABLE, "event: table\ndata: {")
    with Site(half, answer(b"restarting", 503), stream(TABLE), answer(b"no such game", 404)) as site:
        assert asyncio.run(pictures(site.url, 60)) == [{"a": 1}, {"a": 1}, "ServerRefusal: 404: no such game"]
        assert site.connections == 4
    for lost, said in (
        (half, "the stream has ended"),
        (
            stream(TABLE, f"data: {'x' * 2**20}"),
            "no answer: Server-sent event exceeded the 1048576 byte limit.",
        ),
        (stream(TABLE).replace(b"event-stream", b"plain"), "no answer: Expected response with content type"),
    ):
        with Site(lost) as site:
            *_, last = asyncio.run(pictures(site.url, 0))
            assert last.startswith(
                f"ConnectionError: {{}} has lost its game: {said}".format(
                    f"<AsyncClient: ann at {site.url.removeprefix('http://')}>"
                )
            )
