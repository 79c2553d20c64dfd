"""The room for asyncio programs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from poker_actors.actors.aio.bridge import Bridge, bridge_to
from poker_actors.actors.aio.faces import AsyncBank, AsyncHand, AsyncPlayer, AsyncTable
from poker_actors.actors.books import Books
from poker_actors.actors.figures import Health
from poker_actors.actors.hand.face import LiveHand
from poker_actors.actors.recovery import Recovery
from poker_actors.actors.room import Room
from poker_actors.actors.table.messages import Shut
from poker_actors.actors.table.recent import Recents
from poker_actors.closing import AsyncClosing
from poker_actors.errors import RoomError

__all__ = ["AsyncRoom"]

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


def _called(
    method: Callable[Concatenate[Room, P], S], wrap: Callable[[S, Bridge], R]
) -> Callable[Concatenate[AsyncRoom, P], Awaitable[R]]:
    """Return a method of `Room` as a method to await, its answer wrapped."""

    async def called(self: AsyncRoom, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return wrap(await self.bridge.call(partial(method, self.room, *args, **kwargs)), self.bridge)

    called.__doc__ = method.__doc__
    return called


def _same(value: S, bridge: Bridge) -> S:
    return value


class AsyncRoom(AsyncClosing):
    """A `Room` inside a running event loop; entering its context binds it to the loop, leaving it closes the room.

    ``async with AsyncRoom(Room(seed=1)) as room``: pass it a room on any runtime. The event loop drains
    a stepper, with deadlines by its own clock, and that room's bots run on the event loop's thread; the others
    have threads of their own.
    """

    def __init__(self, room: Room | None = None) -> None:
        self.room: Final = Room() if room is None else room
        self._bridge: Bridge | None = None

    @property
    def bridge(self) -> Bridge:
        """The connection to the loop; only inside ``async with``."""
        assert self._bridge is not None, "enter the room first: async with AsyncRoom(...) as room"
        return self._bridge

    @property
    def bank(self) -> AsyncBank:
        """The bank."""
        return AsyncBank(self.room.bank, self.bridge)

    @property
    def seed(self) -> int:
        """The seed of the bots' luck."""
        return self.room.seed

    @property
    def recovery(self) -> Recovery | None:
        """What opening the room found in its journal; None for a room without one."""
        return self.room.recovery

    @property
    def books(self) -> Books:
        """Bookings and notes of a program around the room; its calls block, as a `Room`'s do."""
        return self.room.books

    @property
    def tables(self) -> Mapping[str, AsyncTable]:
        """The tables by name, restored ones included."""
        return {name: AsyncTable(table, self.bridge) for name, table in self.room.tables.items()}

    @property
    def players(self) -> Mapping[str, AsyncPlayer]:
        """The players by name, restored ones included."""
        return {name: AsyncPlayer(player, self.bridge) for name, player in self.room.players.items()}

    @property
    def live_hands(self) -> Mapping[str, AsyncHand]:
        """The hands being played, by table, without asking anybody; see `Room.live_hands`."""
        return {name: AsyncHand(live, self.bridge) for name, live in self.room.live_hands.items()}

    open_table = _called(Room.open_table, AsyncTable)
    close_table = _called(Room.close_table, _same)
    player = _called(Room.player, AsyncPlayer)
    dismiss = _called(Room.dismiss, _same)
    audit = _called(Room.audit, _same)

    def health(self) -> Health:
        """Return the health of the room."""
        return self.room.health()

    @property
    def recents(self) -> Recents:
        """What the tables have handled recently."""
        return self.room.recents

    def recording(self, table: str) -> dict[str, Any]:
        """Return what a table has handled recently, for the debugger; see `Room.recording`."""
        return self.room.recording(table)

    async def debug(self, table: str) -> Any:
        """Open the debugger at the end of what a table has handled recently, off the loop; see `Room.debug`."""
        return await asyncio.to_thread(self.room.debug, table)

    async def close(self, *, finish_seconds: float = 0.0) -> None:
        """Stop everything, as `Room.close`; every awaited answer arrives, and streams of news end."""
        if finish_seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(finish_seconds):
                    await self._finish()
        await self.bridge.close(self.room.close)

    def abandon(self) -> None:
        """Abandon the room as it is; see `Books.abandon`."""
        self.room.books.abandon()
        self.bridge.abandon()

    async def _finish(self) -> None:
        """Deal no more, and await the hands being played."""
        hands = []
        for table in self.tables.values():
            with suppress(RoomError):
                live = await table.ask(Shut(void=False))
                if live is not None:
                    hands.append(AsyncHand(LiveHand(live), self.bridge))
        for hand in hands:
            with suppress(RoomError):
                await hand.result()

    async def __aenter__(self) -> Self:
        self._bridge = bridge_to(self.room.runtime)
        return self

    def __repr__(self) -> str:
        return f"<AsyncRoom: {self.room!r}>"
