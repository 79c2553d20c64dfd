"""An OPP server under floods: too many messages, too much chat, nobody who reads, a thousand connections."""

import asyncio
import resource
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial

import pytest

from poker_actors.errors import StorageFailed
from poker_actors.guard import DoorLimits, Guard
from poker_actors.wire.opp import (
    Admission,
    ConnectionLimits,
    MemoryAccounts,
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
    wide = ConnectionLimits(connections_per_address=2000)
    with serving(ALONE, limits=wide) as server, ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(Wire(server))
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        until(server, lambda: server.tables[0].hands > 20)
        with Wire(server) as wire:
            assert wire.join("ann") is Op.GOODPASS
            assert wire.until(Op.START_NEW_GAME)["num_players"] in (2, 3)


def test_one_address_takes_its_share_of_the_connections_and_no_more() -> None:
    limits = ConnectionLimits(connections_per_address=3)
    with serving(limits=limits) as server, ExitStack() as stack:
        flood = [stack.enter_context(Wire(server, "127.0.0.2")) for _ in range(5)]
        assert [wire.rest() for wire in flood[3:]] == [[], []]
        with Wire(server, "127.0.0.3") as owner:
            assert owner.join("ann") is Op.GOODPASS
        flood[0].close()
        until(server, lambda: len(server._guard.crowd) < 4)
        with Wire(server, "127.0.0.2") as again:
            assert again.join("bob") is Op.GOODPASS


# -- strangers who guess -------------------------------------------------------------------------


class Watch:
    """A clock that is turned by hand."""

    time = 1000.0

    def __call__(self) -> float:
        return self.time


def tried(server: OppServer, password: str, source: str, user: str = "ann") -> Op | None:
    with Wire(server, source) as wire:
        return wire.verdict(user, password)


def test_a_guesser_keeps_no_owner_out_and_hears_nothing_in_a_wait() -> None:
    watch = Watch()
    guard = Guard(DoorLimits(guesses=3), now=watch)
    with closing(guard), serving(guard=guard) as server:
        home, stranger = "127.0.0.1", "127.0.0.2"
        assert tried(server, "secret", home) is Op.GOODPASS
        heard = [tried(server, str(number), stranger) for number in range(30)]
        assert heard == [Op.BADPASS] * 4 + [None] * 26
        assert tried(server, "secret", stranger) is None, "the right password is not told from a wrong one"
        assert tried(server, "secret", "127.0.0.3") is None, "nor at a new place"
        assert tried(server, "secret", home) is Op.GOODPASS
        watch.time += 1
        assert tried(server, "secret", stranger) is Op.GOODPASS


def test_a_guesser_of_many_names_waits_by_address() -> None:
    guard = Guard(DoorLimits(guesses_per_address=2), now=Watch())
    with closing(guard), serving(guard=guard) as server:
        for user in ("ann", "bob", "cat", "dan"):
            assert tried(server, "secret", "127.0.0.1", user) is Op.GOODPASS
        for user in ("ann", "bob", "cat"):
            assert tried(server, "guess", "127.0.0.2", user) is Op.BADPASS
        assert tried(server, "guess", "127.0.0.2", "dan") is None
        assert tried(server, "new", "127.0.0.2", "eve") is None, "whether a name is free is no way around it"


def test_an_address_registers_so_many_users_an_hour_and_owners_come_in_beside() -> None:
    guard = Guard(DoorLimits(users_per_hour=2), now=Watch())
    with closing(guard), serving(guard=guard) as server:
        heard = [tried(server, "pw", "127.0.0.1", user) for user in ("ann", "bob", "cat", "ann")]
        assert heard == [Op.GOODPASS, Op.GOODPASS, None, Op.GOODPASS]
        assert tried(server, "pw", "127.0.0.2", "cat") is Op.GOODPASS


def test_a_wrong_guess_counts_though_its_sender_hangs_up() -> None:
    guard = Guard(DoorLimits(guesses=1), now=Watch())
    with closing(guard), serving(guard=guard) as server:
        assert tried(server, "secret", "127.0.0.1") is Op.GOODPASS
        for number in range(2):
            with Wire(server, "127.0.0.2") as wire:
                wire.say(Op.JOIN_GAME, "ann", str(number), 1, "test")
            until(server, lambda number=number: guard.waits._names["ann"].wrong > number)  # type: ignore[misc]  # mypy types no lambda with defaults
        assert tried(server, "secret", "127.0.0.2") is None


class Unwritten(MemoryAccounts):
    """Accounts whose disk is full."""

    def admit(self, user: str, password: str) -> Admission:
        raise StorageFailed("the disk is full")


def test_a_password_that_could_not_be_checked_is_neither_right_nor_wrong() -> None:
    guard = Guard(DoorLimits(guesses=1), now=Watch())
    with closing(guard), serving(guard=guard, accounts=Unwritten(2)) as server:
        assert [tried(server, "secret", "127.0.0.1") for _ in range(3)] == [None] * 3
        assert guard.waits._names["ann"].wrong == 0


def test_more_log_ins_than_wait_for_a_digest_are_closed_without_a_verdict() -> None:
    held = threading.Event()

    class Slow(MemoryAccounts):
        def admit(self, user: str, password: str) -> Admission:
            held.wait()
            return super().admit(user, password)

    with serving(accounts=Slow(2)) as server, ExitStack() as stack:
        stack.callback(held.set)
        wires = [stack.enter_context(Wire(server)) for _ in range(65)]
        for number, wire in enumerate(wires):
            wire.say(Op.JOIN_GAME, f"user{number}", "pw", 1, "test")
        refused = select.select([wire.socket for wire in wires], [], [], 60)[0]
        assert len(refused) == 1
        assert refused[0].recv(1) == b""
