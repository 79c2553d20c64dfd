"""OPP: the codec, hands of our tables over loopback, and tables whose players never answer.

`python tests/benchmarks/opp.py` prints messages a second through the codec, then hands and messages a second of
the server's processor at 2, 6 and 10 seats; clients are a process of their own. `--silent SECONDS` plays with
clients that never act, at turns of 0.05 s, and prints turns, time-outs, bytes logged and tracebacks among them.
`--loop asyncio` or `uvloop` chooses the server's event loop. `pytest -m benchmark tests/benchmarks/opp.py` runs
a part of it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import logging
import multiprocessing
import time
from collections.abc import Callable
from ctypes import c_longlong
from typing import Any

from poker_actors.actors import Room, StepRuntime
from poker_actors.wire.opp import (
    Connection,
    MemoryAccounts,
    Message,
    Op,
    OppServer,
    Side,
    Signal,
    TableOptions,
    encode,
    message,
    running,
)

TABLES = 10
SIZES = (2, 6, 10)
SILENT_TURN_SECONDS = 0.05
ROWS = (("alice", 1000, 1), ("bob", 990, 1), ("carol", 1010, 2))
BOARDS = ("", "Jd Ks 3s", "Jd Ks 3s 3h", "Jd Ks 3s 3h 2c")


def hand() -> list[Message]:
    """Return the messages that one client receives in a hand of three with a showdown."""
    said = [message(Op.START_NEW_GAME, 10, 3, 0, 1, 77, ROWS)]
    for street, board in enumerate(BOARDS):
        said.append(message(Op.NEW_STAGE, street, board))
        if not street:
            said += [message(Op.BLIND, 1, 5), message(Op.BLIND, 2, 10), message(Op.HOLE_CARDS, 1, "Ah 5c")]
        for who in range(3):
            said += [message(Op.NEXT_TO_ACT, who, 10, 10, 10), message(Op.CALL, who, 10)]
    return [*said, message(Op.HOLE_CARDS, 0, "Kh Kd"), message(Op.WINNERS, 1, ((0, 90),))]


def per_second(count: int, run: Callable[[], None]) -> float:
    """Return the count per second of processor time, the best of five runs: other load can only slow a run down."""
    best = 0.0
    for _ in range(5):
        began = time.process_time()
        run()
        best = max(best, count / (time.process_time() - began))
    return best


def encoding() -> float:
    """Return messages encoded per second."""
    said = hand() * 1000

    def run() -> None:
        for each in said:
            encode(each)

    return per_second(len(said), run)


def decoding() -> float:
    """Return messages decoded per second, with order and contents checked."""
    data = b"".join(map(encode, hand())) * 20
    client = Connection(Side.CLIENT)
    client.send(Op.JOIN_GAME, "alice", "pw", 1)
    client.receive_data(encode(message(Op.GOODPASS)))
    client.next_event()

    def run() -> None:
        for _ in range(50):
            client.receive_data(data)
            while client.next_event() is not Signal.NEED_DATA:
                pass

    return per_second(len(hand()) * 1000, run)


class Caller(asyncio.Protocol):
    """A minimal client: it calls at every turn, or if `silent` only says that it is there."""

    def __init__(self, user: str, heard: Any, *, silent: bool) -> None:
        self._user = user
        self._heard = heard
        self._silent = silent
        self._connection = Connection(Side.CLIENT)
        self._position = -1
        self.joined: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._connection.send(Op.JOIN_GAME, self._user, "pw", 1))

    def data_received(self, data: bytes) -> None:
        self._connection.receive_data(data)
        while isinstance(event := self._connection.next_event(), Message):
            self._heard.value += 1
            if event.op is Op.GOODPASS:
                self.joined.set_result(True)
            elif event.op is Op.START_NEW_GAME:
                self._position = event.values[3]
            elif event.op is Op.NEXT_TO_ACT and event.values[0] == self._position and not self._silent:
                self._transport.write(self._connection.send(Op.ACTION, 1))
            elif event.op is Op.INFORMATION and "sit out" in event.values[0]:
                self._transport.write(self._connection.send(Op.GET_FACE, self._user))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.joined.done():
            self.joined.set_result(False)


async def _join(port: int, user: str, heard: Any, silent: bool) -> None:
    """Log in, again where the server was too busy to check the password."""
    joined = False
    while not joined:
        _, caller = await asyncio.get_running_loop().create_connection(
            lambda: Caller(user, heard, silent=silent), "127.0.0.1", port
        )
        joined = await caller.joined


async def _play(port: int, count: int, heard: Any, silent: bool) -> None:
    await asyncio.gather(*(_join(port, f"user{number}", heard, silent) for number in range(count)))
    await asyncio.Event().wait()


def _clients(port: int, count: int, heard: Any, silent: bool) -> None:
    asyncio.run(_play(port, count, heard, silent))


def tables(seats: int, seconds: float = 10.0, loop: str = "asyncio") -> tuple[float, float]:
    """Return hands, and messages received by clients, per second of the server's processor at ten tables of `seats`."""
    options = TableOptions(seats=seats, buy_in=10_000)
    method = multiprocessing.get_context("spawn")
    heard: Any = method.Value(c_longlong, lock=False)
    with Room(StepRuntime(), seed=1) as room:
        server = OppServer(room, tables=TABLES, options=options, accounts=MemoryAccounts(2))
        with running(server, **_on(loop)):
            arguments = (server.address[1], TABLES * seats, heard, False)
            clients = method.Process(target=_clients, args=arguments)
            clients.start()
            while server.call(lambda: sum(table.hands > 1 for table in server.tables)) < TABLES:
                time.sleep(0.05)
            hands, messages, began = _hands(server), heard.value, time.process_time()
            time.sleep(seconds)
            spent = time.process_time() - began
            hands, messages = _hands(server) - hands, heard.value - messages
            clients.terminate()
            clients.join()
        assert room.audit().conserved
    return hands / spent, messages / spent


def silent(seconds: float, loop: str = "asyncio", seats: int = 3) -> dict[str, int]:
    """Play for so many seconds from the first turn with clients that never act; return counts of events and of logged output."""
    log = io.StringIO()
    logged = logging.StreamHandler(log)
    logging.getLogger().addHandler(logged)
    options = TableOptions(seats=seats, buy_in=10_000, turn_seconds=SILENT_TURN_SECONDS)
    method = multiprocessing.get_context("spawn")
    heard: Any = method.Value(c_longlong, lock=False)
    try:
        with Room(StepRuntime(), seed=1) as room:
            server = OppServer(room, tables=TABLES, options=options, accounts=MemoryAccounts(2))
            with running(server, **_on(loop)):
                arguments = (server.address[1], TABLES * seats, heard, True)
                clients = method.Process(target=_clients, args=arguments)
                clients.start()
                while not server.turns:
                    time.sleep(0.05)
                time.sleep(seconds)
                turns, late = server.turns, server.late_turns
                hands = _hands(server)
                clients.terminate()
                clients.join()
            assert room.audit().conserved
    finally:
        logging.getLogger().removeHandler(logged)
    text = log.getvalue()
    return {
        "hands": hands,
        "turns": turns,
        "time-outs": late,
        "log bytes": len(text.encode()),
        "tracebacks": text.count("Traceback"),
    }


def _on(loop: str) -> dict[str, Any]:
    if loop == "asyncio":
        return {}
    import uvloop

    return {"loop_factory": uvloop.new_event_loop}


def _hands(server: OppServer) -> int:
    return server.call(lambda: sum(table.hands for table in server.tables))


def test_the_codec_and_ten_tables_are_as_fast_as_promised() -> None:
    assert encoding() > 300_000
    assert decoding() > 300_000
    assert tables(3)[0] > 200


def main() -> None:
    """Run the measurements that the arguments choose."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loop", choices=("asyncio", "uvloop"), default="asyncio")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--silent", type=float, metavar="SECONDS", help="play with clients that never act")
    chosen = parser.parse_args()
    if chosen.silent is not None:
        for name, count in silent(chosen.silent, chosen.loop).items():
            print(f"{name} {count:,}")
        return
    print(f"encode {encoding():,.0f} messages/s of the processor")
    print(f"decode {decoding():,.0f} messages/s of the processor")
    for seats in SIZES:
        hands, messages = tables(seats, chosen.seconds, chosen.loop)
        print(
            f"{seats} seats {hands:,.0f} hands, {messages:,.0f} messages a second of the server's processor"
        )


if __name__ == "__main__":
    main()
