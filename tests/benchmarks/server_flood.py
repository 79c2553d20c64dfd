"""A flood against the server, and the latency that remains for well-behaved clients.

200 slow sockets (a third each send headers slowly, send a body slowly, and never read answers; each reconnects
when it is cut off), 100 wrong passwords and 20 bodies of a mebibyte a second come from other addresses of the
loopback, while ten clients poll their game every 50 ms. Run `python tests/benchmarks/server_flood.py`, or
`pytest -m benchmark tests/benchmarks/server_flood.py`. The flood uses processor time of this machine, which the
measuring clients share.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import socket
import statistics
import time
from collections.abc import Awaitable, Callable

import attrs

from tests.benchmarks.server import Table
from tests.benchmarks.server_load import Line, Server, basic, quantile, request

SLOW = 200
GUESSES = 100
"""wrong passwords a second"""
BODIES = 20
"""bodies of a mebibyte a second"""
CLIENTS = 10
EVERY = 0.05
OTHERS = 300
"""games besides the polled one, which make the list of all games some 150 KiB long"""
PATIENCE = ("header_seconds=3", "body_seconds=3", "unread_seconds=3", "games_per_hour=1000")


# -- the flood ---------------------------------------------------------------------------------


async def trickle(port: int, source: str, head: bytes) -> None:
    """Send a head, then a byte per second, until cut off."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        writer.write(head)
        while not reader.at_eof():
            writer.write(b"x")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    if not await reader.read(4096):
                        return
    finally:
        writer.close()


async def read_nothing(port: int, source: str) -> None:
    """Request much and read nothing, until cut off."""
    loop = asyncio.get_running_loop()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        client.bind((source, 0))
        await loop.sock_connect(client, ("127.0.0.1", port))
        await loop.sock_sendall(client, request("GET", "/games/") * 40)
        while True:
            await asyncio.sleep(1.0)
            await loop.sock_sendall(client, b"\r\n")


async def guess(port: int, source: str) -> None:
    """Send one wrong password after the other."""
    line = await Line.to(port, source)
    number = 0
    while True:
        number += 1
        user = basic(f"user 0 {number % 6}").replace(b"=", b"A")
        await line.get(request("POST", "/games/", user))
        await asyncio.sleep(1 / (GUESSES / 4))


async def send_much(port: int, source: str) -> None:
    """Send a body of a mebibyte."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        writer.write(request("POST", "/games/", b"", b" " * 2**20))
        await writer.drain()
        await reader.read()
    finally:
        writer.close()
        await asyncio.sleep(1 / (BODIES / 4))


async def again(attack: Callable[[], Awaitable[None]]) -> None:
    """Repeat an attack whenever it is cut off."""
    while True:
        with contextlib.suppress(OSError):
            await attack()
        await asyncio.sleep(0.05)


async def flood(port: int) -> None:
    """Run all attacks at once."""
    slow = (
        lambda: trickle(port, "127.0.0.2", b"GET /games/ HTTP/1.1\r\nX: "),
        lambda: trickle(port, "127.0.0.3", b"POST /games/ HTTP/1.1\r\nContent-Length: 4000\r\n\r\n"),
        lambda: read_nothing(port, "127.0.0.4"),
    )
    attacks = [again(slow[number % 3]) for number in range(SLOW)]
    for number in range(4):
        attacks.append(again(lambda number=number: guess(port, f"127.0.1.{number}")))  # type: ignore[misc]
        attacks.append(again(lambda: send_much(port, "127.0.0.5")))
    await asyncio.gather(*attacks)


def flooding(port: int) -> None:
    """Flood until killed, at low priority: a real flood would run on other machines."""
    os.nice(10)
    asyncio.run(flood(port))


# -- well-behaved clients ----------------------------------------------------------------------


@attrs.frozen
class Latency:
    """Latencies of polls of a game, in milliseconds."""

    median: float
    p99: float


async def look(line: Line, data: bytes, seconds: float, late: list[float]) -> None:
    """Poll every 50 ms for so many seconds, adding latencies to `late`."""
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        began = time.perf_counter()
        status, _ = await line.get(data)
        assert status == 200
        late.append((time.perf_counter() - began) * 1e3)
        await asyncio.sleep(EVERY)


async def measure(port: int, data: list[bytes], seconds: float) -> Latency:
    """Let all clients poll for so many seconds and return their latency."""
    late: list[float] = []
    lines = [await Line.to(port) for _ in data]
    await asyncio.gather(*(look(line, one, seconds, late) for line, one in zip(lines, data, strict=True)))
    for line in lines:
        line.close()
    return Latency(quantile(late, 0.5), quantile(late, 0.99))


async def seat(port: int) -> list[bytes]:
    """Make a game of six, and many others to make the list of games long; return the requests of its players."""
    table = Table(port, 0, 6)
    await table.sit()
    line = await Line.to(port)
    for _ in range(OTHERS):
        await line.json("POST", "/games/", basic(table.names[0]))
    return [request("GET", f"/games/{table.game}", basic(table.names[n % 6])) for n in range(CLIENTS)]


@attrs.frozen
class Found:
    """Latency without a flood, with one against another server on this machine, and with one against this server."""

    quiet: Latency
    elsewhere: Latency
    here: Latency


def rounds(count: int = 5, seconds: float = 8.0) -> Found:
    """Measure the three in alternating rounds, so that other load affects all; return the medians."""
    found: dict[str, list[Latency]] = {"quiet": [], "elsewhere": [], "here": []}
    with Server(limits=PATIENCE) as server, Server(limits=PATIENCE) as other:
        asyncio.run(seat(other.port))
        data = asyncio.run(seat(server.port))
        asyncio.run(measure(server.port, data, 1.0))
        for _ in range(count):
            found["quiet"].append(asyncio.run(measure(server.port, data, seconds)))
            found["elsewhere"].append(flooded(other.port, server.port, data, seconds))
            found["here"].append(flooded(server.port, server.port, data, seconds))
            for name, all_found in found.items():
                print(f"{name} p99 {all_found[-1].p99:.2f} ms", end="; ", flush=True)
            print(f"{server.memory():.0f} MiB", flush=True)
    return Found(*(middle(all_found) for all_found in found.values()))


def flooded(target: int, port: int, data: list[bytes], seconds: float) -> Latency:
    """Measure the server at `port` while the one at `target` is flooded."""
    crowd = multiprocessing.get_context("spawn").Process(target=flooding, args=(target,))
    crowd.start()
    try:
        asyncio.run(measure(port, data, 3.0))  # discarded: the flood needs time to start
        return asyncio.run(measure(port, data, seconds))
    finally:
        crowd.kill()
        crowd.join()


def middle(found: list[Latency]) -> Latency:
    """Return the medians of several measurements."""
    return Latency(
        statistics.median(one.median for one in found), statistics.median(one.p99 for one in found)
    )


def test_a_flood_does_not_double_what_a_client_that_behaves_waits_at_worst() -> None:
    found = rounds()
    assert found.here.p99 < 2 * max(found.quiet.p99, found.elsewhere.p99), found


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=8.0)
    given = options.parse_args()
    result = rounds(given.rounds, given.seconds)
    for name, latency in attrs.asdict(result, recurse=False).items():
        print(f"{name}: median {latency.median:.2f} ms, p99 {latency.p99:.2f} ms")
    print(f"p99 flooded is {result.here.p99 / result.quiet.p99:.2f} times the quiet one")
