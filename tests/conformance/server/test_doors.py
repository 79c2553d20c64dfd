"""One guard at every door: strangers who guess and strangers who crowd, over REST, push, MCP, OPP and ACPC."""

from __future__ import annotations

import asyncio
import http.client
import json
import resource
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cli.serving import _SharedAccounts
from poker_actors.guard import Guard
from poker_actors.server import README, Notes, Passwords, Users
from poker_actors.server.http import HspeServer, Limits
from poker_actors.wire.acpc import DEFINITIONS, Dealer, DealerServer, MatchPlan
from poker_actors.wire.opp import Connection, Message, Op, OppServer, Side, Signal
from tests.conformance.server.conftest import basic

FREE, CONNECTIONS, A_SECOND = 3, 50, 50


class Site:
    """A process's doors, all of them, behind one guard whose clock stands still until it is turned."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.limits = Limits(guesses=FREE, connections_per_address=CONNECTIONS, messages_per_second=A_SECOND)
        self._started = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._serve(),))
        self._thread.start()
        self._started.wait()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self.guard = Guard(self.limits, now=lambda: self.time)
        async with AsyncRoom(Room(StepRuntime())) as room:
            users = Users(notes := Notes(), Passwords(argon2=False, scrypt_cost=2))
            rest = HspeServer(
                room, notes, users, profile=README, limits=self.limits, agents=True, guard=self.guard
            )
            opp = OppServer(room, accounts=_SharedAccounts(users), guard=self.guard)
            await rest.start()
            await opp.start()
            self.rest, self.opp, self.users = rest.address, opp.address, users
            self._started.set()
            await self._stop.wait()
            await opp.close()
            await rest.close()
            self.guard.close()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def ask(
        self, method: str, path: str, auth: str | None, source: str, body: object = None
    ) -> tuple[int, str]:
        with self.asked(method, path, auth, source, body) as response:
            return response.status, response.read().decode()

    @contextmanager
    def asked(
        self, method: str, path: str, auth: str | None, source: str, body: object = None
    ) -> Iterator[http.client.HTTPResponse]:
        connection = http.client.HTTPConnection(*self.rest, timeout=60, source_address=(source, 0))
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        headers |= {} if auth is None else {"Authorization": auth}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        try:
            yield connection.getresponse()
        finally:
            connection.close()

    def game(self, owner: str) -> str:
        status, text = self.ask("POST", "/games/", basic(owner), "127.0.0.1", {})
        assert status == 201, text
        return str(json.loads(text)["gameID"])


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


IN, WRONG, WAIT = "in", "wrong", "wait"
STATUSES = {200: IN, 204: IN, 401: WRONG, 429: WAIT}
Tried = Callable[[Site, str, str, str], str]


def rest(site: Site, name: str, password: str, source: str) -> str:
    return STATUSES[site.ask("GET", "/account", basic(name, password), source)[0]]


def session(site: Site, name: str, password: str, source: str) -> str:
    body = {"name": name, "password": password}
    return STATUSES[site.ask("POST", "/session", None, source, body)[0]]


def stream(site: Site, name: str, password: str, source: str) -> str:
    path = f"/games/{site.game('host')}/stream"
    with site.asked("GET", path, basic(name, password), source) as response:
        return STATUSES[response.status]


def push_socket(site: Site, name: str, password: str, source: str) -> str:
    url = f"ws://{site.rest[0]}:{site.rest[1]}/games/{site.game('host')}/socket"
    headers = {"Authorization": basic(name, password)}
    with connect(url, additional_headers=headers, source_address=(source, 0)) as wire:
        with suppress(ConnectionClosed):
            wire.recv()
            return IN
        assert wire.close_code == 4401
        return WAIT if "try again in" in (wire.close_reason or "") else WRONG


def mcp(site: Site, name: str, password: str, source: str) -> str:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "register", "arguments": {}},
    }
    status, text = site.ask("POST", "/mcp", basic(name, password), source, call)
    assert status == 200, text
    result = json.loads(text)["result"]
    if not result.get("isError"):
        return IN
    said = result["content"][0]["text"]
    return WAIT if "too_often: " in said else WRONG


def opp(site: Site, name: str, password: str, source: str) -> str:
    wire, side = socket.create_connection(site.opp, 60, (source, 0)), Connection(Side.CLIENT)
    with wire:
        wire.sendall(side.send(Op.JOIN_GAME, name, password, 1, "test"))
        while (event := side.next_event()) is Signal.NEED_DATA:
            side.receive_data(wire.recv(4096))
    if not isinstance(event, Message):
        return WAIT
    return {Op.GOODPASS: IN, Op.BADPASS: WRONG}[event.op]


DOORS = {door.__name__: door for door in (rest, session, stream, push_socket, mcp, opp)}


@pytest.mark.parametrize("door", DOORS)
def test_a_guesser_at_any_door_keeps_the_owner_out_at_none(site: Site, door: str) -> None:
    tried: Tried = DOORS[door]
    home, stranger, elsewhere = "127.0.0.1", "127.0.0.2", "127.0.0.3"
    for name in ("ann", "host"):
        assert site.ask("POST", "/users/", basic(name), home)[0] == 201
    assert tried(site, "ann", "secret", home) == IN
    guesses = [tried(site, "ann", f"guess {number}", stranger) for number in range(12)]
    assert guesses == [WRONG] * (FREE + 1) + [WAIT] * (11 - FREE)
    # the right password is not told from a wrong one, and a guess at one door counts at all
    for source in (stranger, elsewhere):
        heard = {name: other(site, "ann", "secret", source) for name, other in DOORS.items()}
        assert heard == dict.fromkeys(DOORS, WAIT)
    heard = {name: other(site, "ann", "secret", home) for name, other in DOORS.items()}
    assert heard == dict.fromkeys(DOORS, IN)
    site.time += 1
    assert tried(site, "ann", "secret", elsewhere) == IN


@pytest.mark.parametrize("door", ["rest", "opp"])
def test_two_thousand_connections_from_one_address_leave_the_doors_open_to_others(
    site: Site, door: str
) -> None:
    assert site.ask("POST", "/users/", basic("ann"), "127.0.0.1")[0] == 201
    with crowd(site.rest if door == "rest" else site.opp, 2_000) as left:
        assert left() == CONNECTIONS
        assert rest(site, "ann", "secret", "127.0.0.1") == IN
        assert opp(site, "ann", "secret", "127.0.0.1") == IN


@contextmanager
def crowd(place: tuple[str, int], size: int) -> Iterator[Callable[[], int]]:
    """Open so many connections from one address; gives what counts those that the server has kept."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8_192)) if hard > 0 else 8_192, hard))
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        wires = [
            stack.enter_context(socket.create_connection(place, 60, ("127.0.0.9", 0))) for _ in range(size)
        ]

        def left() -> int:
            kept = set(wires)
            while len(kept) > CONNECTIONS:
                poll = select.poll()
                for wire in kept:
                    poll.register(wire, select.POLLIN | select.POLLHUP)
                ended = {number for number, _ in poll.poll(60_000)}
                assert ended, f"{len(kept)} connections are kept"
                kept -= {wire for wire in kept if wire.fileno() in ended}
            return len(kept)

        yield left


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were slept; the clock by which a connection is counted stands still."""
    noted: list[float] = []
    sleep = asyncio.sleep

    async def noting(seconds: float) -> None:
        noted.append(seconds)
        await sleep(seconds)

    monkeypatch.setattr(asyncio, "sleep", noting)
    return noted


BEYOND = [one / A_SECOND for one in (1, 2, 3)]
"""The waits of the first three messages beyond a second's."""


def test_requests_beyond_a_seconds_of_a_connection_wait(slept: list[float], site: Site) -> None:
    connection = http.client.HTTPConnection(*site.rest, timeout=60)
    for _ in range(A_SECOND + 3):
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok\n"
    connection.close()
    assert [seconds for seconds in slept if seconds in BEYOND] == BEYOND


def test_messages_beyond_a_seconds_of_a_socket_wait(slept: list[float], site: Site) -> None:
    assert site.ask("POST", "/users/", basic("host"), "127.0.0.1")[0] == 201
    with connect(f"ws://{site.rest[0]}:{site.rest[1]}/games/{site.game('host')}/socket") as wire:
        wire.recv()
        for _ in range(A_SECOND + 4):  # the pause after the third is noted before the answer to the fourth
            wire.send('{"type": "ping"}')
            assert json.loads(wire.recv()) == {"type": "pong"}
    assert [seconds for seconds in slept if seconds in BEYOND] == BEYOND


def test_a_dealers_door_takes_one_for_each_seat_and_nobody_after() -> None:
    dealer = Dealer(MatchPlan(DEFINITIONS["holdem.limit.2p"], hands=3, seed=1))
    with DealerServer(dealer) as server, ExitStack() as stack:
        places = server.addresses
        playing = threading.Thread(target=server.play)
        seats = [stack.enter_context(socket.create_connection(place, 60)) for place in places]
        playing.start()
        for wire in seats:
            wire.sendall(b"VERSION:2.0.0\r\n")
        assert seats[0].recv(11) == b"MATCHSTATE:"
        for place in places:
            for _ in range(200):
                with pytest.raises(ConnectionRefusedError), socket.create_connection(place, 60):
                    pass
        for wire in seats:
            wire.close()
        playing.join()
