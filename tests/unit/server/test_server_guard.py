"""The transport behind a guard: what is written to a connection that is closed is nobody's, and no error."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cli import serving
from poker_actors.guard import Guard as DoorGuard
from poker_actors.server import README, Notes, Passwords, Rules, Users
from poker_actors.server.http import HspeServer
from poker_actors.server.http.connections import Connections
from poker_actors.server.http.guard import Guard, Guards, _Inside
from poker_actors.server.http.limits import Limits

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
        guard = Guard(Guards(counts), asyncio.Protocol())
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


async def connect_and_leave(sent: bytes) -> None:
    async with AsyncRoom(Room(StepRuntime())) as room:
        notes = Notes(None)
        server = HspeServer(
            room, notes, Users(notes, Passwords()), host="127.0.0.1", port=0, profile=README, rules=Rules()
        )
        await server.start()
        _, writer = await asyncio.open_connection(*server.address)
        writer.write(sent)
        gone = asyncio.Event()
        guard = weakref.ref(await the_guard(), lambda _: gone.set())
        writer.close()
        async with asyncio.timeout(60):
            await gone.wait()
        assert guard() is None
        assert server.connections.over == 1
        await server.close()


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
