"""An OPP server under floods: too many messages, too much chat, nobody who reads, a thousand connections."""

import asyncio
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import pytest

from poker_actors.wire.opp import (
    ConnectionLimits,
    Op,
    OppServer,
    TableOptions,
    encode,
    message,
)
from tests.unit.wire.opp.wires import ALONE, Loops, Wire, serving, table_of, until


@pytest.fixture(autouse=True)
def _on_each_loop(
    loop_factory: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Loops, "factory", staticmethod(loop_factory))


def test_a_flood_of_messages_does_not_stop_the_table() -> None:
    with serving(TableOptions(turn_seconds=0.05, house_alone=True)) as server, Wire(server) as flood:
        assert flood.join("flood") is Op.GOODPASS
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        flood.socket.setblocking(False)
        frame = encode(message(Op.PONG)) * 1000
        sent = 0
        while True:  # until the server reads no more, which is the point
            try:
                sent += flood.socket.send(frame)
            except BlockingIOError:
                break
            assert sent < 2**27
        before = server.call(lambda: server.tables[0].hands)
        flood.socket.setblocking(True)
        flood.close()
        until(server, lambda: server.tables[0].hands > before + 3)


def test_who_chats_too_fast_is_told_so() -> None:
    with serving(limits=ConnectionLimits(chats_per_second=2)) as server, table_of(server, "ann") as (ann,):
        for _ in range(4):
            ann.socket.sendall(encode(message(Op.CHAT, "x")))
        while "things a second" not in ann.until(Op.INFORMATION).values[0]:
            pass


def test_who_does_not_read_is_hung_up_on() -> None:
    with serving(limits=ConnectionLimits(unsent_bytes=1024)) as server, table_of(server, "ann") as (ann,):
        ann.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        table = server.tables[0]
        until(server, lambda: fill(server))
        until(server, lambda: not table.visitors)


def fill(server: OppServer) -> bool:
    for visitor in list(server.tables[0].visitors):
        for _ in range(100):
            visitor.inform("x" * 1000)
    return not server.tables[0].visitors


@pytest.fixture
def open_files() -> Iterator[None]:
    """Files for both ends of a thousand connections: a login often has 1,024 until it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= soft < 4096:  # negative is without limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("open_files")
def test_a_thousand_idle_connections_do_not_stop_a_table() -> None:
    with serving(ALONE) as server, ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(Wire(server))
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        until(server, lambda: server.tables[0].hands > 20)
        with Wire(server) as wire:
            assert wire.join("ann") is Op.GOODPASS
            assert wire.until(Op.START_NEW_GAME)["num_players"] in (2, 3)
