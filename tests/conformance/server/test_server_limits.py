"""What a server does to clients that are slow, many, large or wrong: the real process, and plain sockets."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from poker_actors.cli import main
from tests.conformance.server.conftest import Answer, Site, basic

if TYPE_CHECKING:
    from collections.abc import Callable

WAITS = ("header_seconds", "body_seconds", "unread_seconds", "idle_seconds")
PATIENT = tuple(f"{name}=600" for name in WAITS)
"""Where slowness is not the subject, however slow the machine is."""
SHORT = tuple(f"{name}=0.3" for name in WAITS)
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /games/ HTTP/1.1\r\nHost: x\r\n"


def limits(*texts: str) -> list[str]:
    return [option for text in texts for option in ("--limit", text)]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A server with much patience."""
    made = Site(*limits(*PATIENT))
    yield made
    assert made.stop()[0] == 0


@pytest.fixture(scope="module")
def hasty() -> Iterator[Site]:
    """A server with little patience, which has nothing to say about those it hangs up on."""
    made = Site(*limits(*SHORT))
    yield made
    assert made.stop()[::2] == (0, "")


@pytest.fixture(scope="module")
def mute() -> Iterator[Site]:
    """A server with much patience, which has nothing to say about anybody."""
    made = Site(*limits(*PATIENT))
    yield made
    assert made.stop()[2] == ""


class Wire:
    """One TCP connection, from an address of the loopback."""

    def __init__(self, site: Site, source: str = "127.0.0.1", **options: int) -> None:
        self._socket = socket.socket()
        for name, value in options.items():
            self._socket.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        self._socket.settimeout(120)
        self._socket.bind((source, 0))
        self._socket.connect(("127.0.0.1", site.port))

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def send_on(self, data: bytes) -> None:
        """Send until the server hangs up; it is another error when that takes two minutes."""
        while True:
            self.send(data)

    def rest(self) -> bytes:
        """Everything until the server hangs up."""
        read = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := self._socket.recv(65536):
                read += piece
        return read

    def answer(self) -> bytes:
        """The status line of the answer that comes next, read to its end."""
        read = b""
        while b"\r\n\r\n" not in read:
            piece = self._socket.recv(65536)
            if not piece:
                return b""
            read += piece
        head, _, body = read.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        while length is not None and len(body) < int(length[1]):
            body += self._socket.recv(65536)
        return head.split(b"\r\n")[0]

    def served(self) -> bool:
        """Whether this connection gets an answer; the last that is done with it."""
        with contextlib.suppress(ConnectionError):
            self.send(GET)
            return self.answer() == b"HTTP/1.1 200 OK"
        return False

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def wires() -> Iterator[Callable[..., Wire]]:
    opened: list[Wire] = []

    def connect(site: Site, source: str = "127.0.0.1", **options: int) -> Wire:
        opened.append(Wire(site, source, **options))
        return opened[-1]

    yield connect
    for wire in opened:
        wire.close()


# -- slow ones ---------------------------------------------------------------------------------


def told(hasty: Site, wires: Callable[..., Wire], sent: bytes) -> bytes:
    """What a hasty server says to something sent; who came too late even for that is told nothing, and comes again."""
    said = b""
    while not said:
        wire = wires(hasty)
        with contextlib.suppress(ConnectionError):
            wire.send(sent)
            said = wire.rest()
    return said


def test_who_says_nothing_is_hung_up_on_without_a_word(hasty: Site, wires: Callable[..., Wire]) -> None:
    assert wires(hasty).rest() == b""


def test_headers_that_take_too_long_are_408(hasty: Site, wires: Callable[..., Wire]) -> None:
    assert told(hasty, wires, GET[:20]).startswith(b"HTTP/1.1 408 Request Timeout\r\n")


def test_headers_that_trickle_in_are_408_too(hasty: Site, wires: Callable[..., Wire]) -> None:
    wire = wires(hasty)
    with contextlib.suppress(ConnectionError):
        for number in range(10**6):
            wire.send(b"GET / HTTP/1.1\r\n" if not number else b"X")
            wire._socket.settimeout(0.02)
            with contextlib.suppress(TimeoutError):
                assert wire.answer() in (b"HTTP/1.1 408 Request Timeout", b"")
                break


@pytest.mark.parametrize("head", [b"Content-Length: 20\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_body_that_takes_too_long_is_408(hasty: Site, wires: Callable[..., Wire], head: bytes) -> None:
    said = told(hasty, wires, POST + head + b"\r\n")
    assert said.startswith(b"HTTP/1.1 408 Request Timeout\r\n")


def test_an_idle_connection_is_closed_after_its_answer(hasty: Site, wires: Callable[..., Wire]) -> None:
    assert told(hasty, wires, GET).count(b"HTTP/1.1 200 OK") == 1


def test_a_connection_is_kept_from_request_to_request(site: Site, wires: Callable[..., Wire]) -> None:
    wire = wires(site)
    assert [wire.served() for _ in range(20)] == [True] * 20


def test_who_does_not_read_the_answers_is_cut(hasty: Site, wires: Callable[..., Wire]) -> None:
    wire = wires(hasty, SO_RCVBUF=4096)
    with pytest.raises(ConnectionError):
        wire.send_on(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
    hasty.until(lambda: wires(hasty).served())


# -- large ones --------------------------------------------------------------------------------


def test_long_headers_are_431_whether_they_come_at_once_or_never_end(
    site: Site, wires: Callable[..., Wire]
) -> None:
    at_once = wires(site)
    at_once.send(GET[:-2] + b"X: " + b"x" * 20_000 + b"\r\n\r\n")
    assert at_once.answer() == b"HTTP/1.1 431 Request Header Fields Too Large"
    endless = wires(site)
    with contextlib.suppress(ConnectionError):
        for _ in range(100):
            endless.send(b"x" * 4096 if _ else GET[:-2] + b"X: ")
    assert endless.answer() == b"HTTP/1.1 431 Request Header Fields Too Large"


def test_many_headers_are_431(site: Site, wires: Callable[..., Wire]) -> None:
    for count, status in ((62, b"200"), (65, b"431")):
        wire = wires(site)
        wire.send(GET[:-2] + b"".join(b"X-%d: y\r\n" % number for number in range(count)) + b"\r\n")
        assert wire.answer().split()[1] == status


def test_what_is_no_http_is_400(site: Site, wires: Callable[..., Wire]) -> None:
    for data in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"G\x00T / HTTP/1.1\r\n\r\n"):
        wire = wires(site)
        wire.send(data)
        assert wire.rest().startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_a_body_that_never_ends_is_413_and_then_cut(site: Site, wires: Callable[..., Wire]) -> None:
    wire = wires(site)
    wire.send(POST + b"Content-Length: 1000000000\r\n\r\n" + b" " * 4097)
    assert wire.answer().split()[1] == b"413"
    with pytest.raises(ConnectionError):
        wire.send_on(b" " * 65536)


def test_an_upgrade_that_is_not_to_a_websocket_is_400(site: Site, wires: Callable[..., Wire]) -> None:
    wire = wires(site)
    wire.send(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n")
    assert wire.answer() == b"HTTP/1.1 400 Bad Request"


def test_pipelined_requests_are_answered_and_too_many_cut(site: Site, wires: Callable[..., Wire]) -> None:
    wire = wires(site)
    wire.send(GET * 63 + GET[:-2] + b"Connection: close\r\n\r\n")
    assert wire.rest().count(b"HTTP/1.1 200 OK") == 64
    greedy = wires(site)
    greedy.send(GET * 1000)
    assert greedy.rest().count(b"HTTP/1.1 200 OK") < 64


def test_a_long_message_ends_a_socket_with_1009(site: Site) -> None:
    game, _ = site.game(1)
    with connect(f"ws://127.0.0.1:{site.port}/games/{game}/socket") as ws:
        ws.recv(timeout=30)
        ws.send("x" * 4097)
        with pytest.raises(ConnectionClosedError) as closed:
            ws.recv(timeout=30)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


# -- many --------------------------------------------------------------------------------------


def test_an_address_has_so_many_connections_and_others_theirs(wires: Callable[..., Wire]) -> None:
    site = Site(*limits("connections_per_address=5", "connections=8", *PATIENT))
    try:
        for _ in range(5):
            wires(site)
        one_more = wires(site)
        assert one_more.rest().startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
        wire, *_ = [wires(site, "127.0.0.2") for _ in range(3)]
        wire.send(GET)
        assert wire.answer() == b"HTTP/1.1 200 OK"
        assert wires(site, "127.0.0.3").rest().startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        wire.close()
        site.until(lambda: wires(site, "127.0.0.3").served())
    finally:
        assert site.stop()[::2] == (0, "")


def test_a_websocket_counts_as_the_connection_it_was(wires: Callable[..., Wire]) -> None:
    site = Site(*limits("connections_per_address=2", *PATIENT))
    try:
        game, _ = site.game(1)
        place = f"ws://127.0.0.1:{site.port}/games/{game}/socket"
        with connect(place), connect(place):
            assert wires(site).rest().startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
        site.until(lambda: wires(site).served())
    finally:
        assert site.stop()[0] == 0


def test_wrong_passwords_are_429_in_the_end_and_do_not_keep_the_owner_out() -> None:
    site = Site(*limits("guesses=3", *PATIENT), "--proxy", "127.0.0.1")
    stranger = {"X-Forwarded-For": "203.0.113.9"}
    try:
        name, _ = site.user()

        def guess() -> Answer:
            return site.ask("POST", "/games/", auth=basic(name, "wrong"), headers=stranger)

        assert [guess().status for _ in range(4)] == [401] * 4
        site.until(lambda: (answer := guess()).status == 429 and int(answer.headers["retry-after"]) > 0)
        assert site.ask("POST", "/games/", name).status == 201, "the owner's place is another"
    finally:
        site.stop()


def test_users_by_the_thousand_are_429_and_a_proxy_is_believed_only_where_it_is_named() -> None:
    for options, statuses in (((), [201, 429, 429]), (("--proxy", "127.0.0.1"), [201, 201, 429])):
        site = Site(*limits("users_per_hour=1", *PATIENT), *options)
        try:
            seen = [
                register(site, f"user {number}", address)
                for number, address in enumerate(("203.0.113.5", "203.0.113.6", "203.0.113.6"))
            ]
            assert seen == statuses
        finally:
            site.stop()


def register(site: Site, name: str, forwarded: str) -> int:
    wire = Wire(site)
    head = f"POST /users/ HTTP/1.1\r\nHost: x\r\nAuthorization: {basic(name)}\r\nX-Forwarded-For: {forwarded}\r\n"
    wire.send(head.encode() + b"Connection: close\r\n\r\n")
    status = int(wire.rest().split()[1])
    wire.close()
    return status


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n", b"405 Method Not Allowed"),
        (b"CONNECT a:1 HTTP/1.1\r\n", b"405 Method Not Allowed"),
        (b"CONNECT /games/ HTTP/1.1\r\nUpgrade: websocket\r\n", b"405 Method Not Allowed"),
        (b"GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n", b"400 Bad Request"),
        (
            b"POST /games/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
            b"405 Method Not Allowed",
        ),
        (
            b"POST /games/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n",
            b"405 Method Not Allowed",
        ),
        (b"GET /x HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n", b"4"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n", b"400 Bad Request"),
    ],
)
def test_whatever_would_leave_http_is_answered_hung_up_on_and_not_in_the_log(
    mute: Site, head: bytes, status: bytes
) -> None:
    wire = Wire(mute)
    wire.send(head + b"\r\n")
    assert wire.rest().startswith(b"HTTP/1.1 " + status)
    wire.close()
    behind = Wire(mute)
    behind.send(GET + head + b"\r\n")
    assert behind.answer() in (b"HTTP/1.1 200 OK", b""), "the answer to the request before it, or nothing"
    behind.close()
    after = Wire(mute)
    assert after.served()
    after.close()


# -- the end -----------------------------------------------------------------------------------


def test_a_server_ends_though_clients_are_slow(wires: Callable[..., Wire]) -> None:
    site = Site(*limits("close_seconds=0.3", *PATIENT))
    for data in (b"", GET[:20], POST + b"Content-Length: 20\r\n\r\n"):
        wires(site).send(data)
    reader = wires(site, SO_RCVBUF=4096)
    reader.send(GET * 1000)
    status, output, errors = site.stop()
    assert (status, errors) == (0, "")
    assert re.search(r"0 hands in 0 games", output)


def test_limits_and_proxies_that_cannot_be_are_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--limit", "users=0"], ["--limit", "x=1"], ["--proxy", "nobody"]):
        assert main(["serve", "--http", "127.0.0.1:0", *options]) == 2
    assert main(["serve", "--opp", "127.0.0.1:0", "--limit", "users=1"]) == 2
    assert capsys.readouterr().err.count("\n") == 4
