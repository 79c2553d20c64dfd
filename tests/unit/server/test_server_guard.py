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
from poker_actors.server.http.guard import Guard, Guards, _Inside

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

    def __init__(self, limits: Limits | None = None, proxies: tuple[str, ...] = ()) -> None:
        self.now = 100.0
        self.passed: list[bytes] = []
        self.written: list[bytes] = []
        self.noted: list[tuple[str, bytes]] = []
        self.waiting = 0
        limits = limits or Limits()
        counts = Connections(limits, DoorGuard(limits, now=lambda: self.now), read_proxies(proxies))
        self.guard = Guard(
            Guards(counts, lambda: cast("Any", self)),
            self,
            cast("Any", SimpleNamespace(default_headers=[(b"date", b"now")])),
        )
        calls = ("close", "abort", "pause_reading", "resume_reading")
        self.transport = SimpleNamespace(
            write=self.written.append,
            is_closing=lambda: False,
            get_extra_info=lambda _: ("127.0.0.1", 1),
            get_write_buffer_size=lambda: self.waiting,
            **dict.fromkeys(calls, lambda: None),
        )
        self.guard.connection_made(cast("asyncio.Transport", self.transport))
        self.send(OTHER)
        self.guard.answered += 1

    def send(self, data: bytes) -> None:
        """The client sends; what is written and passed on before is forgotten."""
        self.passed.clear()
        self.written.clear()
        self.guard.data_received(data)

    def data_received(self, data: bytes) -> None:
        self.passed.append(data)

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
