"""Servers that are odd, silent or gone for a while: both clients put up with them, on each event loop."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import attrs
import pytest

from poker_actors.errors import PokerError, RemoteProtocolError
from poker_actors.wire.opp import (
    ActionCode,
    Connection,
    Message,
    Op,
    OppClient,
    Side,
    Signal,
    encode,
    message,
)
from poker_actors.wire.opp.aio import OppClient as AsyncOppClient

ROWS = (("ann", 500, 0), ("bob", 500, 0))
HAND = (
    (Op.START_NEW_GAME, 10, 2, 0, 0, 7, ROWS), (Op.BLIND, 0, 5), (Op.BLIND, 1, 10),
    (Op.HOLE_CARDS, 0, "Ah Ad"), (Op.NEXT_TO_ACT, 0, 5, 10, 10),
)  # fmt: skip
Talk = Callable[["Guest"], None]


class Guest:
    """One connection at a server made by hand."""

    def __init__(self, opened: socket.socket) -> None:
        self.socket = opened
        self.connection = Connection(Side.SERVER)
        self.heard: list[Op] = []

    def say(self, *messages: tuple[Any, ...]) -> None:
        self.send(b"".join(encode(message(*each)) for each in messages))
        for each in messages:
            self.connection.pass_on((each[0],), b"")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def hear(self) -> Message | None:
        while True:
            event = self.connection.next_event()
            if isinstance(event, Message):
                self.heard.append(event.op)
                return event
            if event is Signal.CLOSED:
                return None
            try:
                self.connection.receive_data(self.socket.recv(4096))
            except ConnectionError:
                return None

    def until(self, op: Op) -> None:
        while (heard := self.hear()) is not None and heard.op is not op:
            pass


class Server:
    """Talks to one connection after the other, by `talks`."""

    def __init__(self, *talks: Talk) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.guests: list[Guest] = []
        self.thread = threading.Thread(target=self.run, args=(talks,))
        self.thread.start()

    def run(self, talks: tuple[Talk, ...]) -> None:
        for talk in talks:
            with suppress(OSError, PokerError):
                opened, _ = self.listener.accept()
                with opened:
                    opened.settimeout(60)
                    self.guests.append(Guest(opened))
                    talk(self.guests[-1])
        self.listener.close()


@contextmanager
def serving(*talks: Talk) -> Iterator[Server]:
    server = Server(*talks)
    try:
        yield server
    finally:
        while server.thread.is_alive():  # it waits for a connection more
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", server.port), 5).close()
            server.thread.join(1)


@attrs.frozen
class Played:
    """How a session went."""

    joined: bool
    error: BaseException | None
    oddities: dict[str, int]
    returns: int
    shown: list[Op]


Play = Callable[..., Played]


def play_plainly(port: int, **options: Any) -> Played:
    joined, error, shown = False, None, []
    with OppClient("127.0.0.1", port, "ann", "pw", **options) as client:
        try:
            joined = client.joingame()
            client.playgame(lambda *_: ActionCode.CALL, lambda _, told: shown.append(told.op))
        except (OSError, RemoteProtocolError) as caught:
            error = caught
        return Played(joined, error, client.oddities, client.returns, shown)


async def play_async(port: int, **options: Any) -> Played:
    joined, error, shown = False, None, []

    async def decide(*_: Any) -> ActionCode:
        await asyncio.sleep(0)
        return ActionCode.CALL

    async with AsyncOppClient("127.0.0.1", port, "ann", "pw", **options) as client:
        try:
            joined = await client.joingame()
            await client.playgame(decide, lambda _, told: shown.append(told.op))
        except (OSError, RemoteProtocolError) as caught:
            error = caught
        return Played(joined, error, client.oddities, client.returns, shown)


@pytest.fixture(params=["plain", "asyncio", "uvloop"])
def play(request: pytest.FixtureRequest) -> Play:
    """Play a session with the plain client, or with the one to await on each of the loops."""
    if request.param == "plain":
        return play_plainly
    factory = asyncio.new_event_loop
    if request.param == "uvloop":
        factory = pytest.importorskip("uvloop").new_event_loop

    def run(port: int, **options: Any) -> Played:
        with asyncio.Runner(loop_factory=factory) as runner:
            return runner.run(play_async(port, **options))

    return run


def let_in(guest: Guest) -> None:
    guest.hear()
    guest.say((Op.GOODPASS,))


def close(guest: Guest) -> None:
    guest.socket.shutdown(socket.SHUT_WR)
    while guest.hear() is not None:
        pass


def a_hand(guest: Guest) -> None:
    let_in(guest)
    guest.say(*HAND)
    guest.until(Op.ACTION)


def test_what_no_table_knows_is_passed_over_and_counted(play: Play) -> None:
    def talk(guest: Guest) -> None:
        guest.hear()
        guest.send(encode(message(Op.PING)))
        guest.send(b"\0\0\0\x63\0\0\0\x05junk!")
        guest.send(encode(message(Op.INFORMATION, "welcome")))
        guest.say((Op.GOODPASS,))
        guest.send(b"\xff\xff\xff\xff\0\0\0\0")
        guest.send(b"\0\0\0\x15\0\0\0\0")  # GOODPASS once more
        guest.say(*HAND[:3])
        guest.send(b"\0\0\0\x34\0\0\0\x06\0\0\0\x09\0\0")  # a stage there is not
        guest.send(b"\0\0\0\x33\0\0\0\x0c\0\0\0\0Ah Ad\0xx")  # hole cards and two bytes more
        guest.say(HAND[-1])
        guest.until(Op.ACTION)
        close(guest)

    with serving(talk) as server:
        played = play(server.port)
    assert (played.joined, played.error) == (True, None)
    assert played.oddities == {
        "id 99": 1, "id -1": 1, "GOODPASS when the session is joined": 1,
        "NEW_STAGE that makes no sense": 1, "bytes behind HOLE_CARDS": 1,
    }  # fmt: skip
    assert server.guests[0].heard[:3] == [Op.JOIN_GAME, Op.PONG, Op.ACTION]
    assert Op.HOLE_CARDS in played.shown


def test_a_server_that_never_answers_a_log_in_does_not_answer(play: Play) -> None:
    hold = threading.Event()

    def talk(guest: Guest) -> None:
        guest.hear()
        hold.wait(60)

    with serving(talk) as server:
        played = play(server.port, timeout=0.2)
        hold.set()
    assert isinstance(played.error, TimeoutError)
    assert str(played.error) == f"[Errno 110] does not answer: '127.0.0.1:{server.port}'"


def test_a_server_that_falls_silent_is_asked_something_and_then_does_not_answer(play: Play) -> None:
    def talk(guest: Guest) -> None:
        let_in(guest)
        while guest.hear() is not None:
            pass

    with serving(talk) as server:
        played = play(server.port, silence=0.4)
    assert played.joined
    assert isinstance(played.error, TimeoutError)
    assert server.guests[0].heard == [Op.JOIN_GAME, Op.GET_FACE]


def test_a_lost_connection_is_made_again_and_the_seat_taken(play: Play) -> None:
    def breaks_off(guest: Guest) -> None:
        a_hand(guest)
        guest.send(b"\0\0\0\x02\0\0")

    def says_goodbye(guest: Guest) -> None:
        a_hand(guest)
        guest.say((Op.GOODBYE,))
        guest.hear()

    with serving(breaks_off, a_hand, says_goodbye) as server:
        played = play(server.port, reconnect=20.0)
    assert (played.returns, played.error) == (2, None)
    assert played.shown.count(Op.START_NEW_GAME) == 3


def test_a_seat_that_somebody_else_takes_again_and_again_is_given_up(play: Play) -> None:
    with serving(*[let_in] * 10) as server:
        played = play(server.port, reconnect=20.0)
    assert (played.returns, played.error) == (3, None)


def test_a_length_no_message_has_ends_a_connection(play: Play) -> None:
    def talk(guest: Guest) -> None:
        let_in(guest)
        guest.send(b"\0\0\0\x02\x7f\xff\xff\xff")
        close(guest)

    with serving(talk) as server:
        played = play(server.port)
    assert isinstance(played.error, RemoteProtocolError)
    assert "byte 12: id 2 of 2147483647 bytes" in str(played.error)


def leave_plainly(port: int, answered: threading.Event) -> None:
    with OppClient("127.0.0.1", port, "ann", "pw") as client:
        client.joingame()
        client.chat("farewell")
        answered.wait()
        client.quit()


async def leave_async(port: int, answered: threading.Event) -> None:
    async with AsyncOppClient("127.0.0.1", port, "ann", "pw") as client:
        await client.joingame()
        client.chat("farewell")
        await asyncio.to_thread(answered.wait)
        client.quit()


@pytest.mark.parametrize("loop", ["plain", "asyncio", "uvloop"])
def test_a_client_that_quits_with_an_answer_unread_is_heard_to_the_end(loop: str) -> None:
    answered = threading.Event()
    said: list[bytes] = []

    def talk(guest: Guest) -> None:
        let_in(guest)
        guest.until(Op.CHAT)
        guest.say((Op.CHATTER, "ann: farewell"))
        answered.set()
        guest.socket.recv(1, socket.MSG_PEEK)
        for _ in range(3):  # to one who has gone, the first brings a reset and the next is an error
            guest.say((Op.CHATTER, "bob: bye"))
        while data := guest.socket.recv(4096):
            said.append(data)
        said.append(b"")

    with serving(talk) as server:
        if loop == "plain":
            leave_plainly(server.port, answered)
        else:
            factory = (
                pytest.importorskip("uvloop").new_event_loop if loop == "uvloop" else asyncio.new_event_loop
            )
            with asyncio.Runner(loop_factory=factory) as runner:
                runner.run(leave_async(server.port, answered))
        server.thread.join()
    assert b"".join(said) == encode(message(Op.QUIT_GAME))
    assert said[-1] == b""
