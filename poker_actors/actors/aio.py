"""The room for asyncio programs: replies to await, news to iterate over.

The same actors run on their own threads, or on a stepper that the loop drains. Nothing here blocks the loop.
The awaitable bank, tables and players have the calls of the typed faces.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar, overload

from poker_actors.actors.bank import Bank
from poker_actors.actors.bridge import Bridge, NewsStream, bridge_to
from poker_actors.actors.command import Command, Named
from poker_actors.actors.hand import HandResult
from poker_actors.actors.player.face import Player
from poker_actors.actors.recovery import Books, Health, Recovery
from poker_actors.actors.room import Room
from poker_actors.actors.runtime import ASK_SECONDS, Address, Word
from poker_actors.actors.table.face import LiveHand, Table
from poker_actors.actors.table.messages import Shut
from poker_actors.actors.table.recent import Recents
from poker_actors.bots import Faults
from poker_actors.closing import AsyncClosing
from poker_actors.errors import RoomError

__all__ = ["AsyncBank", "AsyncHand", "AsyncPlayer", "AsyncRoom", "AsyncTable", "NewsStream"]

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")

Method = Callable[Concatenate[Any, P], R]
Awaited = Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]


@overload
def awaited(call: Method[P, R]) -> Awaited[P, R]: ...
@overload
def awaited(call: Method[P, R], made: Callable[[R, Bridge], S]) -> Awaited[P, S]: ...
def awaited(call: Method[P, Any], made: Callable[[Any, Bridge], Any] | None = None) -> Awaited[P, Any]:
    """Turn a call of a typed face into an awaitable one; `made` converts its answer.

    The function stays the same: here `self` is an awaitable face, whose `ask` returns a coroutine.
    """

    @wraps(call)
    async def called(self: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        answer = await call(self, *args, **kwargs)
        return answer if made is None else made(answer, self._bridge)

    return called


def same(call: Method[P, R]) -> Method[P, R]:
    """Reuse a call of a typed face that waits for no answer and so needs no await."""
    return call


class AsyncFace:
    """The base of the awaitable faces: awaitable versions of what the calls of a `Face` use."""

    def __init__(self, address: Address, bridge: Bridge) -> None:
        self.address = address
        self._bridge = bridge

    async def ask(self, command: Command[R], timeout: float = ASK_SECONDS) -> R:  # noqa: ASYNC109  as `Face.ask`
        """Send a command and await its answer; see `Address.ask` for what it raises. On a stepper there is no time limit."""
        answer: R = await self._bridge.ask(self.address, command, timeout)
        return answer

    async def _answered(self, command: Command[R], made: Callable[[R], S], timeout: float = ASK_SECONDS) -> S:  # noqa: ASYNC109  as `Face._answered`
        """Send a command and return what `made` makes of its answer."""
        return made(await self.ask(command, timeout))

    async def kept(self, promise: Word) -> Any:
        """Await a promise, then return its value or raise its error."""
        kept = asyncio.Event()
        promise.when_done(partial(self._bridge.post, kept.set))
        await kept.wait()
        return promise.get(0, self.address.name)

    async def _done(self, answer: Any) -> Any:
        """Await the result of another call of this face."""
        return await answer

    def _finish(self, steps: Coroutine[Any, Any, R]) -> Coroutine[Any, Any, R]:
        """Return steps that use `_done` and `kept`, to be awaited."""
        return steps


class AsyncBank(AsyncFace):
    """An awaitable bank; see `Bank` for what each command raises."""

    def __init__(self, bank: Bank, bridge: Bridge) -> None:
        super().__init__(bank.address, bridge)

    deposit = awaited(Bank.deposit)
    withdraw = awaited(Bank.withdraw)
    forfeit = awaited(Bank.forfeit)
    lend = awaited(Bank.lend)
    pay_back = awaited(Bank.pay_back)
    debt = awaited(Bank.debt)
    balance = awaited(Bank.balance)
    accounts = awaited(Bank.accounts)


class AsyncHand(AsyncFace):
    """An awaitable hand being played; see `LiveHand`."""

    def __init__(self, live: LiveHand, bridge: Bridge) -> None:
        super().__init__(live.address, bridge)
        self.live: Final = live
        self._result: asyncio.Future[HandResult] = bridge.loop.create_future()
        live.promise.when_done(partial(bridge.post, self._settle))

    @property
    def hand_id(self) -> str:
        """The hand, unique in the room."""
        return self.live.hand_id

    @property
    def commitment(self) -> str:
        """The commitment to its deck, published before the deal, in hexadecimal; empty when the deck was given."""
        return self.live.commitment

    def _settle(self) -> None:
        try:
            self._result.set_result(self.live.result(timeout=0))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised to those who await the result
            self._result.set_exception(error)
            self._result.exception()  # marks it as seen: asyncio warns of an error that nobody awaits

    async def result(self) -> HandResult:
        """Await the end of the hand; any number of tasks may, and cancelling one does not affect the others."""
        return await asyncio.shield(self._result)

    state = awaited(LiveHand.state)


def _hand_if_any(live: LiveHand | None, bridge: Bridge) -> AsyncHand | None:
    return None if live is None else AsyncHand(live, bridge)


class AsyncTable(AsyncFace):
    """An awaitable table; see `Table` for what each command raises."""

    def __init__(self, table: Table, bridge: Bridge) -> None:
        super().__init__(table.address, bridge)
        self.table: Final = table
        self.config = table.config

    @property
    def name(self) -> str:
        """The table's name, unique in the room."""
        return self.config.name

    sit = awaited(Table.sit)
    wait = awaited(Table.wait)
    leave = awaited(Table.leave)
    leave_after_hand = awaited(Table.leave_after_hand)
    buy_in = awaited(Table.buy_in)
    cash_out = awaited(Table.cash_out)
    forfeit = awaited(Table.forfeit)
    top_up = awaited(Table.top_up)
    send = awaited(Table.send)
    run_it_once = awaited(Table.run_it_once)
    show_cards = awaited(Table.show_cards)
    time_bank = awaited(Table.time_bank)
    sit_out = awaited(Table.sit_out)
    sit_in = awaited(Table.sit_in)
    watch = awaited(Table.watch)
    unwatch = awaited(Table.unwatch)
    live = awaited(Table.live, _hand_if_any)
    deal = awaited(Table.deal, AsyncHand)
    run = awaited(Table.run)
    stop_run = awaited(Table.stop_run)
    play = awaited(Table.play)
    state = awaited(Table.state)

    def __repr__(self) -> str:
        return f"<AsyncTable: {self.name}, {self.config.game} {self.config.stakes}>"


class AsyncPlayer(AsyncFace):
    """An awaitable player; see `Player` for what each command raises."""

    def __init__(self, player: Player, bridge: Bridge) -> None:
        super().__init__(player.address, bridge)
        self.player: Final = player
        self._memory = player._memory
        self._table = player._table

    @property
    def name(self) -> str:
        """The player's name, unique in the room."""
        return self.player.name

    @property
    def faults(self) -> Faults:
        """Faults of the player's bot, by kind; for a player without a bot, missed turns."""
        return self.player.faults

    @property
    def hears(self) -> bool:
        """Whether the player's bot is told when hands begin and end."""
        return self.player.hears

    def at(self, table: str | Named) -> AsyncPlayer:
        """Return this player at one table: its actions and its `state` are for that table only."""
        return AsyncPlayer(self.player.at(table), self._bridge)

    def news(self, limit: int = 1000) -> NewsStream:
        """Return a stream of everything the player hears: ``async with player.news() as news: async for one in news``."""
        return NewsStream(self._bridge, self.player, limit)

    act = awaited(Player.act)
    play_by = awaited(Player.play_by)
    bet = awaited(Player.bet)
    check = awaited(Player.check)
    call = awaited(Player.call)
    fold = awaited(Player.fold)
    raise_to = awaited(Player.raise_to)
    all_in = awaited(Player.all_in)
    state = awaited(Player.state)
    counted_in = same(Player.counted_in)
    record = same(Player.record)
    listen = same(Player.listen)
    unlisten = same(Player.unlisten)

    def __repr__(self) -> str:
        return f"<AsyncPlayer: {self.name}>"


def _called(
    method: Callable[Concatenate[Room, P], S], wrap: Callable[[S, Bridge], R]
) -> Callable[Concatenate[AsyncRoom, P], Awaitable[R]]:
    """Turn a method of `Room` into an awaitable one that wraps its answer."""

    async def called(self: AsyncRoom, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return wrap(await self.bridge.call(partial(method, self.room, *args, **kwargs)), self.bridge)

    called.__doc__ = method.__doc__
    return called


def _same(value: S, bridge: Bridge) -> S:
    return value


class AsyncRoom(AsyncClosing):
    """A `Room` inside a running event loop; entering its context binds it to the loop, leaving it closes the room.

    ``async with AsyncRoom(Room(seed=1)) as room``: pass it a room on any runtime. On a stepper, the event loop
    delivers the messages, keeps the deadlines by its own clock and runs the bots on its thread; other runtimes
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
        """Bookings and notes for a program around the room; its calls block, as those of a `Room` do."""
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
        """The hands being played, by table, without asking the tables; see `Room.live_hands`."""
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
        """The messages that the tables have handled recently."""
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
        """Stop dealing, and await the hands in play."""
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
