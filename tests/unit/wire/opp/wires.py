"""OPP servers for tests, and passive clients on plain sockets."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from poker_actors.actors import Room, StepRuntime
from poker_actors.closing import Closing
from poker_actors.wire.opp import (
    Connection,
    MemoryAccounts,
    Message,
    Op,
    OppServer,
    Side,
    Signal,
    TableOptions,
    running,
)

PATIENT = TableOptions(turn_seconds=60.0, patience=60.0, grace=60.0)
ALONE = TableOptions(turn_seconds=60.0, house_alone=True)


class Wire(Closing):
    """A client that does nothing by itself."""

    def __init__(self, server: OppServer, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(server.address, 30, (source, 0))
        self.connection = Connection(Side.CLIENT)

    def say(self, op: Op, *values: Any) -> None:
        self.socket.sendall(self.connection.send(op, *values))

    def join(self, user: str, password: str = "pw", program: str = "test") -> Op:
        self.say(Op.JOIN_GAME, user, password, 1, program)
        return self.hear().op

    def verdict(self, user: str, password: str) -> Op | None:
        """Log in; None if the server hangs up without an answer."""
        self.say(Op.JOIN_GAME, user, password, 1, "test")
        heard = self.hear_or_end()
        return None if heard is None else heard.op

    def hear(self) -> Message:
        heard = self.hear_or_end()
        assert heard is not None, "the server has hung up"
        return heard

    def hear_or_end(self) -> Message | None:
        while True:
            event = self.connection.next_event()
            if isinstance(event, Message):
                return event
            if event is Signal.CLOSED:
                return None
            try:
                self.connection.receive_data(self.socket.recv(65536))
            except ConnectionError:
                return None

    def until(self, *ops: Op) -> Message:
        while True:
            heard = self.hear()
            if heard.op in ops:
                return heard

    def rest(self) -> list[Message]:
        heard = []
        while (each := self.hear_or_end()) is not None:
            heard.append(each)
        return heard

    def close(self) -> None:
        self.socket.close()


class Loops:
    """The event loop of the tests' servers."""

    factory: Callable[[], asyncio.AbstractEventLoop] | None = None


@contextmanager
def serving(options: TableOptions = PATIENT, **more: Any) -> Iterator[OppServer]:
    more.setdefault("accounts", MemoryAccounts(2))
    with Room(StepRuntime(), seed=1) as room:
        with running(OppServer(room, options=options, **more), loop_factory=Loops.factory) as server:
            yield server
        assert room.audit().conserved


def until(server: OppServer, condition: Callable[[], bool]) -> None:
    give_up_at = time.monotonic() + 60
    while not server.call(condition):
        assert time.monotonic() < give_up_at
        time.sleep(0.005)  # for those who play


@contextmanager
def table_of(server: OppServer, *users: str) -> Iterator[list[Wire]]:
    """Log users in one by one, each seated before the next logs in."""
    with ExitStack() as stack:
        wires = []
        for user in users:
            wires.append(stack.enter_context(Wire(server)))
            assert wires[-1].join(user) is Op.GOODPASS
            assert "you sit in seat" in wires[-1].hear().values[0]
        yield wires
