"""The longest callback of the server's event loop, in CPU time, while many tables play and snapshots are made.

    python tests/benchmarks/server_callbacks.py --tables 1000 --seconds 30

plays all tables of two in the loop of the room, on SQLite written behind, with garbage collection as in
`poker-actors serve`. It prints a line of JSON: the longest callback, how many took more than 10 ms, and the names of
the longest with their time in garbage collection.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cli.serving import collecting_in_pieces
from poker_actors.errors import PokerError
from poker_actors.server import README, Lobby, Notes, Passwords, Users
from poker_actors.server.hspe import Game, Order
from poker_actors.server.http import HspeServer
from poker_actors.store import Journal, open_journal


class Callbacks:
    """CPU milliseconds of every callback of the loop, from `begin` to `end`, and the names of the long ones."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self.long: list[tuple[float, float, str]] = []
        """those above a millisecond: time, time in garbage collection, name"""
        self._run: Any = asyncio.Handle._run
        self._collecting = self._collected = 0.0

    def begin(self) -> None:
        run = self._run

        def timed(handle: asyncio.Handle) -> None:
            self._collected, began = 0.0, time.thread_time()
            run(handle)
            took = (time.thread_time() - began) * 1e3
            self.taken.append(took)
            if took > 1.0:
                self.long.append((round(took, 1), round(self._collected * 1e3, 1), _named(handle)))

        asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
        gc.callbacks.append(self._collects)

    def _collects(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._collecting = time.thread_time()
        else:
            self._collected += time.thread_time() - self._collecting

    def end(self) -> None:
        asyncio.Handle._run = self._run  # type: ignore[method-assign]
        gc.callbacks.remove(self._collects)


def _named(handle: asyncio.Handle) -> str:
    """Return the name of what a handle calls: for a task its coroutine, for the room's clock its callback."""
    called: Any = getattr(handle, "_callback", None)
    task = getattr(called, "__self__", None)
    if isinstance(task, asyncio.Task):
        return str(getattr(task.get_coro(), "__qualname__", task))
    args = [getattr(one, "func", one) for one in getattr(handle, "_args", None) or ()]
    names = [getattr(one, "__qualname__", type(one).__name__) for one in (called, *args)]
    return " of ".join(names)


async def play(server: HspeServer, game: Game, until: float) -> int:
    """Call, and fold at every ninth act; return the number of acts."""
    acts = 0
    while time.monotonic() < until:
        turn = game.turn
        if turn is not None:
            owed = turn.state.public.to_call(turn.state.seat)
            order = Order(None if acts % 9 == 0 else owed)
            try:
                server.settle(lambda user=turn.user, order=order: game.act(user, order))  # type: ignore[misc]
                acts += 1
            except PokerError:
                pass
        await asyncio.sleep(0.02)
    return acts


async def measured(tables: int, seconds: float, place: Path) -> dict[str, object]:
    """Seat all users, play, and return the figures of the loop."""
    journal = open_journal(place, behind=True)
    async with AsyncRoom(Room(StepRuntime(), store=journal)) as room:
        with collecting_in_pieces(room):
            return await played(room, journal, tables, seconds)


async def played(room: AsyncRoom, journal: Journal, tables: int, seconds: float) -> dict[str, object]:
    """Play at all tables of a room and return the figures of the loop."""
    notes = Notes(journal)
    users = Users(notes, Passwords(argon2=False, scrypt_cost=2))
    server = HspeServer(room, notes, users, profile=README)
    await server.start()
    lobby: Lobby = server.lobby
    for number in range(tables):
        ann, bob = (users.add(f"{name} {number}", "secret") for name in ("ann", "bob"))
        game, _ = server.settle(lambda user=ann: Lobby.make(lobby, user))  # type: ignore[misc]
        server.settle(lambda user=bob, one=game: lobby.join(user, one.id))  # type: ignore[misc]
        if number % 20 == 0:
            await asyncio.sleep(0)
    callbacks, before = Callbacks(), journal.appended
    callbacks.begin()
    until = time.monotonic() + seconds
    acts = sum(await asyncio.gather(*(play(server, game, until) for game in lobby.games.values())))
    callbacks.end()
    records = journal.appended - before
    await server.close()
    times = sorted(callbacks.taken)
    return {
        "tables": tables,
        "acts": acts,
        "records": records,
        "callbacks": len(times),
        "longest_ms": round(times[-1], 1),
        "p9999_ms": round(times[int(0.9999 * len(times))], 1),
        "above_10_ms": sum(one > 10 for one in times),
        "longest": sorted(callbacks.long, reverse=True)[:12],
    }


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--tables", type=int, default=1_000)
    options.add_argument("--seconds", type=float, default=30.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measured(given.tables, given.seconds, Path(folder) / "room.db"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
