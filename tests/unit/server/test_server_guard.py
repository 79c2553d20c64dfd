"""The transport behind a guard: what is written to a connection that is closed is nobody's, and no error."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cli import serving
from poker_actors.guard import Guard as DoorGuard
from poker_actors.server import README, Notes, Passwords, Rules, Users
from poker_actors.server.http import HspeServer
from poker_actors.server.http.connections import Connections, Limits, read_proxies
from poker_actors.server.http.guard import Answers, Guard, Guards, _Inside

uvloop = pytest.importorskip("uvloop")


def test_what_is_written_after_the_end_of_a_connection_is_dropped() -> None:
    written: list[bytes] = []
    closing = iter([False, True])
    names = ("close", "abort", "pause_reading", "resume_reading", "get_extra_info")
    given: Any = SimpleNamespace(
        write=written.append, is_closing=lambda: next(closing), **dict.fromkeys(names)
    )
    inside = _Inside(cast("Any", None), cast("asyncio.Transport", given))
    inside.write(b"in time")
    inside.write(b"too late")
    assert written == [b"in time"]


def test_the_head_of_an_answer_goes_out_with_what_follows_it() -> None:
    written: list[bytes] = []
    names = ("abort", "pause_reading", "resume_reading", "get_extra_info")
    given: Any = SimpleNamespace(
        write=written.append,
        is_closing=lambda: False,
        close=lambda: written.append(b"closed"),
        **dict.fromkeys(names),
    )

    async def answer() -> None:
        inside = _Inside(cast("Any", None), cast("asyncio.Transport", given))
        inside.heading = True
        inside.write(b"head,")
        assert written == []
        inside.write(b"body")
        assert written == [b"head,body"], "a body at once makes one packet"
        inside.heading = True
        inside.write(b"stream")
        await asyncio.sleep(0)
        assert written[1:] == [b"stream"], "a stream begins before it has anything to say"
        inside.heading = True
        inside.write(b"last")
        inside.close()
        assert written[2:] == [b"last", b"closed"]

    asyncio.run(answer())


@pytest.mark.parametrize(
    ("path", "kind", "text"),
    [
        (
            b"/arena/entrants/kim",
            b"application/json",
            b'{"code": "too_large", "text": "The body is too long."}',
        ),
        (b"/games/", b"text/plain; charset=utf-8", b"The body is too long."),
    ],
)
def test_an_upload_without_end_is_refused_by_its_code(path: bytes, kind: bytes, text: bytes) -> None:
    written: list[bytes] = []

    async def send() -> None:
        limits = Limits(upload_bytes=9000)
        counts = Connections(limits, DoorGuard(limits))
        counts.takes_uploads = True
        guard = Guard(Guards(counts), asyncio.Protocol(), cast("Any", None))
        guard.connection_made(
            cast(
                "asyncio.Transport",
                SimpleNamespace(
                    write=written.append,
                    is_closing=lambda: bool(written),
                    close=lambda: None,
                    abort=None,
                    pause_reading=None,
                    resume_reading=None,
                    get_extra_info=lambda name: ("127.0.0.1", 1),
                ),
            )
        )
        guard.data_received(b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" % path)
        guard.data_received(bytes(9000 + 65537))

    asyncio.run(send())
    head, _, body = b"".join(written).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"content-type: " + kind in head.splitlines()
    assert b"content-length: %d" % len(body) in head.splitlines()
    assert body == text + b"\n"


POLL = b'GET /games/a/ HTTP/1.1\r\nHost: a\r\nIf-None-Match: "1"\r\n\r\n'
OTHER = b"GET /lobby HTTP/1.1\r\nHost: a\r\n\r\n"
SAME = b'HTTP/1.1 304 Not Modified\r\ndate: now\r\netag: "1"\r\n'


class Wire(asyncio.Protocol):
    """A guarded connection whose HTTP server notes what is passed on, with polls for one view, tagged 1."""

    def __init__(
        self,
        limits: Limits | None = None,
        proxies: tuple[str, ...] = (),
        *,
        peer: tuple[str, int] | None = ("127.0.0.1", 1),
        beside: Wire | None = None,
        ready: bool = True,
        first: bytes = OTHER,
    ) -> None:
        self.now = 100.0
        self.passed: list[bytes] = []
        self.written: list[bytes] = []
        self.noted: list[tuple[str, bytes]] = []
        self.told: list[str] = []
        """what the HTTP server is told besides data"""
        self.waiting = 0
        self.closed = False
        limits = limits or Limits()
        counts = Connections(limits, DoorGuard(limits, now=lambda: self.now), read_proxies(proxies))
        guards = Guards(counts, lambda: cast("Any", self if ready else None))
        self.guards: Guards = guards if beside is None else beside.guards
        self.guard = Guard(
            self.guards,
            self,
            cast("Any", SimpleNamespace(default_headers=[(b"date", b"now")])),
        )
        calls = ("pause_reading", "resume_reading")
        self.transport = SimpleNamespace(
            write=self.written.append,
            close=lambda: setattr(self, "closed", True),
            abort=lambda: self.told.append("abort"),
            is_closing=lambda: self.closed,
            get_extra_info=lambda _: peer,
            get_write_buffer_size=lambda: self.waiting,
            **dict.fromkeys(calls, lambda: None),
        )
        self.guard.connection_made(cast("asyncio.Transport", self.transport))
        if first and not self.closed:
            self.send(first)
            self.guard.answered += 1

    @property
    def counts(self) -> Connections:
        """All connections, with what was refused."""
        return self.guards.connections

    def send(self, data: bytes) -> None:
        """The client sends; what is written and passed on before is forgotten."""
        self.passed.clear()
        self.written.clear()
        self.guard.data_received(data)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.inside = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.passed.append(data)

    def eof_received(self) -> None:
        self.told.append("eof")

    def pause_writing(self) -> None:
        self.told.append("pause")

    def resume_writing(self) -> None:
        self.told.append("resume")

    def connection_lost(self, exc: Exception | None) -> None:
        self.told.append("lost")

    def tell_all(self) -> list[str]:
        """The transport calls once each of what is no data; return what the HTTP server is told of it."""
        self.told.clear()
        self.guard.pause_writing()
        self.guard.resume_writing()
        self.guard.eof_received()
        self.guard.connection_lost(None)
        return self.told

    def counted(self, poll: tuple[str, bytes], seconds: float) -> None:
        self.noted.append(poll)

    def unchanged(self, scope: dict[str, Any]) -> tuple[str, bytes] | None:
        assert scope["client"] == ("127.0.0.1", 1)
        wanted = scope["path"] == "/games/a/" and (b"if-none-match", b'"1"') in scope["headers"]
        return ("/games/{game_id}", b'"1"') if wanted and not scope["query_string"] else None


def on_the_wire(play: Callable[[], None]) -> None:
    async def run() -> None:
        play()

    asyncio.run(run())


@pytest.mark.parametrize("count", [1, 3])
def test_polls_of_what_has_not_changed_are_answered_without_the_http_server(count: int) -> None:
    def play() -> None:
        wire = Wire()
        for _ in range(3):
            wire.send(POLL * count)
            assert wire.passed == []
            assert b"".join(wire.written).count(SAME) == count
        assert len(wire.noted) == wire.guard.answered - 1 == 3 * count
        wire.send(OTHER)
        assert (wire.passed, wire.written) == ([OTHER], [])

    on_the_wire(play)


@pytest.mark.parametrize(
    "data",
    [
        OTHER,
        POLL + OTHER,
        OTHER + POLL,
        POLL + OTHER[:9],
        POLL[:-1],
        POLL.replace(b"GET", b"HEAD"),
        POLL.replace(b"/a/", b"/a/?wait=1"),
        POLL.replace(b"1.1", b"1.0"),
        POLL.replace(b"1.1", b"1.0").replace(b"Host: a", b"Connection: keep-alive"),
        POLL.replace(b"Host: a", b"Connection: close"),
        POLL.replace(b"Host: a", b"Connection: Upgrade\r\nUpgrade: websocket"),
    ],
)
def test_data_with_anything_else_is_passed_on_whole(data: bytes) -> None:
    def play() -> None:
        wire = Wire()
        wire.send(data)
        assert (wire.passed, wire.written, wire.noted) == ([data], [], [])
        assert wire.guard.answered == 1

    on_the_wire(play)


def test_a_poll_that_ends_what_came_before_is_passed_on() -> None:
    def play() -> None:
        wire = Wire()
        wire.send(POLL[:9])
        wire.send(POLL[9:])
        assert wire.passed == [POLL[9:]], "the HTTP server has its beginning"
        wire.send(POLL)
        assert wire.passed == [POLL], "its answer would come before that of the first"
        wire.guard.answered += 2
        wire.send(POLL)
        assert wire.passed == []

    on_the_wire(play)


def test_the_http_server_hears_of_a_connection_before_it_would_close_it() -> None:
    def play() -> None:
        wire = Wire(Limits(idle_seconds=80))
        for seconds, passed in ((9.9, False), (0.2, True), (9.9, False), (70.0, True)):
            wire.now += seconds
            wire.send(POLL)
            assert bool(wire.passed) is passed, seconds
            wire.guard.answered += passed

    on_the_wire(play)


def test_a_poll_waits_its_turn_like_any_message() -> None:
    def play() -> None:
        wire = Wire(Limits(messages_per_second=2))
        wire.send(POLL * 3)
        assert wire.passed, "more than are left: the server lets them wait, one by one"
        wire.guard.answered += 3
        wire.send(POLL * 2)
        assert not wire.passed
        wire.send(POLL)
        assert wire.passed
        wire.guard.answered += 1
        wire.now += 0.5
        wire.send(POLL)
        assert not wire.passed

    on_the_wire(play)


def test_who_does_not_read_or_sends_for_others_is_answered_by_the_http_server() -> None:
    def play() -> None:
        wire = Wire()
        wire.waiting = 1
        wire.send(POLL)
        assert wire.passed
        proxied = Wire(proxies=("127.0.0.1",))
        proxied.send(POLL)
        assert proxied.passed

    on_the_wire(play)


def test_a_connection_too_many_is_told_so_and_its_http_server_never_hears_of_it() -> None:
    def play() -> None:
        wire = Wire(Limits(connections=1))
        other = Wire(peer=("127.0.0.1", 2), beside=wire)
        assert other.written[0].startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 1" in other.written[0]
        assert (other.closed, wire.counts.refused[503], len(wire.counts)) == (True, 1, 1)
        other.send(OTHER)  # what the socket has read before it is closed
        assert (other.passed, other.written, other.tell_all()) == ([], [], [])
        assert len(wire.counts) == 1
        assert wire.tell_all() == ["pause", "resume", "eof", "lost"]
        assert (len(wire.counts), wire.counts.over) == (0, 1)
        wire.send(OTHER)
        assert wire.passed == [], "after the end"

    on_the_wire(play)


def test_what_comes_while_a_connection_is_closed_is_not_passed_on() -> None:
    def play() -> None:
        wire, socket = Wire(), Wire()
        socket.send(UPGRADE % b"websocket")
        for one in (wire, socket):
            one.closed = True
            one.send(OTHER)
            one.guard.refuse(408)
            assert (one.passed, one.written, one.told) == ([], [], [])

    on_the_wire(play)


def test_a_connection_without_an_address_and_a_server_that_is_not_ready_pass_all_on() -> None:
    def play() -> None:
        assert Wire(peer=None).passed == [OTHER]
        wire = Wire(ready=False)
        wire.send(POLL)
        assert wire.passed == [POLL]

    on_the_wire(play)


UPGRADE = b"GET /games/a/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n"


def test_what_follows_the_beginning_of_a_websocket_is_passed_on_unread() -> None:
    def play() -> None:
        wire = Wire()
        wire.send(UPGRADE % b"WebSocket")
        assert wire.passed == [UPGRADE % b"WebSocket"]
        for data in (bytes(70_000), POLL):
            wire.send(data)
            assert (wire.passed, wire.written, wire.closed) == ([data], [], False)

    on_the_wire(play)


@pytest.mark.parametrize(
    ("before", "data", "status"),
    [
        (b"", UPGRADE % b"h2c", 400),
        (b"", UPGRADE.replace(b"GET", b"POST") % b"websocket", 405),
        (OTHER, UPGRADE % b"websocket", 400),
        (b"", b"no HTTP\r\n\r\n", 400),
        (b"", OTHER.replace(b"Host", b"X" * 20_000), 431),
        (b"", OTHER.replace(b"Host", b"X" * 20_000) * 2, 431),
        (b"", OTHER.replace(b"Host: a", b"\r\n".join([b"a: b"] * 65)), 431),
    ],
)
def test_what_is_refused_is_not_passed_on_and_counted_once(before: bytes, data: bytes, status: int) -> None:
    def play() -> None:
        wire = Wire()
        if before:
            wire.send(before)
        wire.send(data)
        assert (wire.passed, wire.closed) == ([], True)
        assert wire.counts.refused == {status: 1}
        # an answer that is due comes first: ours would be taken for it
        assert [one[:12].decode() for one in wire.written] == [f"HTTP/1.1 {status}"] * (not before)

    on_the_wire(play)


def test_a_body_is_counted_without_its_head_and_a_wait_from_its_first_byte() -> None:
    def play() -> None:
        wire = Wire()
        wire.send(b"POST /games/ HTTP/1.1\r\nX: %s\r\nContent-Length: 65000\r\n\r\n" % bytes([65] * 9_000))
        wire.send(bytes(60_000))
        assert (wire.closed, wire.passed) == (False, [bytes(60_000)])
        waits = Wire()
        waits.send(b"\r\n")
        waits.now += 9.9
        waits.send(b"GET /")
        waits.counts.sweep()
        assert not waits.closed
        waits.now += 0.2
        waits.counts.sweep()
        assert waits.closed

    on_the_wire(play)


BODY = b"POST %s HTTP/1.1\r\nContent-Length: 9\r\n\r\n"
"""A request whose body never comes."""


@pytest.mark.parametrize(
    ("first", "answering", "said"),
    [
        (b"", False, []),  # it has said nothing, and is told nothing
        (BODY % b"/games/", False, ["408"]),
        (BODY % b"/games/", True, []),  # its answer is on the way out
        (BODY % b"/arena/entrants/kim", False, ["408"]),
        (UPGRADE % b"websocket", False, ["abort"]),
    ],
)
def test_who_is_too_slow_hears_of_it_only_where_it_would_not_be_taken_for_something_else(
    first: bytes, answering: bool, said: list[str]
) -> None:
    def play() -> None:
        wire = Wire(first=b"")
        wire.counts.takes_uploads = True
        if first:
            wire.send(first)
        if answering:
            wire.guard.begins()
        wire.guard.refuse(408)
        assert [one[9:12].decode() for one in wire.written] + wire.told == said

    on_the_wire(play)


HTTP = {"type": "http", "client": ("127.0.0.1", 1)}


def test_who_has_read_a_request_to_its_end_hears_next_that_the_client_has_gone() -> None:
    async def run() -> None:
        wire, heard = Wire(), list[str]()
        asked = iter(("a", "b", "of nobody"))

        async def receive() -> Any:
            body = next(asked)
            return {"type": body, "more_body": True} if body == "a" else {"type": body}

        async def app(scope: Any, received: Any, send: Any) -> None:
            heard.extend([(await received())["type"], (await received())["type"]])
            asyncio.get_running_loop().call_soon(wire.guard.connection_lost, None)
            heard.append((await received())["type"])

        await Answers(wire.guards, app)(HTTP, receive, cast("Any", None))
        assert heard == ["a", "b", "http.disconnect"]
        heard.clear()

        async def unguarded(scope: Any, received: Any, send: Any) -> None:
            heard.append((await received())["type"])

        for scope in ({"type": "lifespan"}, HTTP):  # the connection has ended meanwhile
            asked = iter("b")
            await Answers(wire.guards, unguarded)(scope, receive, cast("Any", None))
        assert heard == ["b", "b"]

    asyncio.run(run())


def test_an_answer_is_on_its_way_out_from_its_head_to_its_last_piece() -> None:
    async def run() -> None:
        wire = Wire()
        steps = list[tuple[bool, list[bytes]]]()

        async def send(message: Any) -> None:
            wire.inside.write(message.get("body", b"head"))

        async def app(scope: Any, receive: Any, sent: Any) -> None:
            for message in (
                {"type": "http.response.start"},
                {"type": "http.response.body", "body": b"a", "more_body": True},
                {"type": "http.response.body", "body": b"b", "more_body": True},
                {"type": "http.response.body", "body": b"c"},
            ):
                await sent(message)
                steps.append((wire.guard.answering, [*wire.written]))

        await Answers(wire.guards, app)(HTTP, cast("Any", None), send)
        assert steps == [
            (True, []),
            (True, [b"heada"]),
            (True, [b"heada", b"b"]),
            (False, [b"heada", b"b", b"c"]),
        ]
        assert wire.guard.answered == 2

    asyncio.run(run())


def test_a_connection_is_looked_at_while_it_is_counted_and_a_few_at_a_time() -> None:
    def play() -> None:
        first = Wire(first=b"")
        late = [first, *(Wire(peer=("127.0.0.1", one), beside=first, first=b"") for one in range(2, 7))]
        idle = Wire(peer=("127.0.0.1", 7), beside=first)
        first.now += 10.1
        assert first.counts.sweep(), "there are more"
        assert sum(one.closed for one in late) == 4
        assert not first.counts.sweep()
        assert (all(one.closed for one in late), idle.closed) == (True, False)
        idle.waiting = 1
        for seconds, told in ((0, []), (20, []), (0.1, ["abort"])):
            first.now += seconds
            first.counts.sweep()
            assert idle.told == told, "it reads nothing of what it is sent"
        assert first.counts.refused == {408: 6, 0: 1}
        entry = idle.guard._entry
        assert entry is not None
        idle.counts.came(entry, 1 << 20)
        assert first.counts.refused == {408: 6, 0: 1}, "none is under way"
        for _ in range(2):
            idle.counts.lost(entry)
        assert first.counts.over == 1
        assert [Connections.is_upload(one, b"/arena/entrants/kim") for one in (b"POST", b"GET")] == [
            True,
            False,
        ]

    on_the_wire(play)


def test_of_headers_without_end_not_all_are_kept() -> None:
    def play() -> None:
        wire = Wire()
        wire.send(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000)
        assert len(wire.guard._headers) == 1_000

    on_the_wire(play)


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No collection runs by itself."""
    gc.collect()
    gc.freeze()  # what is there stays, and is not looked through at every look for the guard
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /games/ HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /games/ HTTP/1.1\r\nX: ",
        b"POST /games/ HTTP/1.1\r\nContent-Length: 100000\r\n\r\n",
        b"GET /lobby/stream HTTP/1.1\r\nHost: a\r\n\r\n",
        b"no HTTP\r\n\r\n",
    ],
)
def test_a_connection_that_has_ended_leaves_nothing_to_the_garbage_collector(
    uncollected: None, sent: bytes
) -> None:
    uvloop.run(connect_and_leave(sent))


@asynccontextmanager
async def serving_a_room() -> AsyncIterator[HspeServer]:
    async with AsyncRoom(Room(StepRuntime())) as room:
        notes = Notes(None)
        server = HspeServer(
            room, notes, Users(notes, Passwords()), host="127.0.0.1", port=0, profile=README, rules=Rules()
        )
        await server.start()
        yield server
        await server.close()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_answers_without_a_body_are_sent_in_their_turn(run: Callable[[Any], None]) -> None:
    async def ask() -> None:
        async with serving_a_room() as server:
            reader, writer = await asyncio.open_connection(*server.address)
            ends = b" HTTP/1.1\r\nHost: a\r\n\r\n"
            writer.write(b"".join(line + ends for line in (b"HEAD /lobby", b"PUT /lobby", b"HEAD /healthz")))
            async with asyncio.timeout(60):
                heads = [await reader.readuntil(b"\r\n\r\n") for _ in range(3)]
                assert [head.split()[1] for head in heads] == [b"200", b"405", b"200"]
                writer.write(b"HEAD /lobby HTTP/1.1\r\nConnection: close\r\n\r\n")
                assert (await reader.read()).startswith(b"HTTP/1.1 200 ")
            writer.close()

    run(ask())


async def connect_and_leave(sent: bytes) -> None:
    async with serving_a_room() as server:
        _, writer = await asyncio.open_connection(*server.address)
        writer.write(sent)
        gone = asyncio.Event()
        guard = weakref.ref(await the_guard(), lambda _: gone.set())
        writer.close()
        async with asyncio.timeout(60):
            await gone.wait()
        assert guard() is None
        assert server.connections.over == 1


async def the_guard() -> Guard:
    """The guard of the one connection there is, once it is there."""
    async with asyncio.timeout(60):
        while True:
            for found in gc.get_objects():
                if type(found) is Guard:
                    return found
            await asyncio.sleep(0.01)


def test_all_is_collected_when_a_thousand_connections_have_ended() -> None:
    whole: list[int] = []

    def heard(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            whole.append(ended.over)

    ended = SimpleNamespace(over=0)
    collect = serving.collecting_after_connections(cast("HspeServer", SimpleNamespace(connections=ended)))
    gc.freeze()
    gc.callbacks.append(heard)
    try:
        for over in (999, 1_000, 1_999, 2_500):
            ended.over = over
            collect()
    finally:
        gc.callbacks.remove(heard)
    assert whole == [1_000, 2_500]
