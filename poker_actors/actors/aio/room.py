"""Room, bank, tables, hands and players as an asyncio program uses them: one await for one ask."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Concatenate, Final, ParamSpec, Self, TypeVar

from poker_actors.actors.aio.bridge import Bridge, NewsStream, bridge_to
from poker_actors.actors.bank.face import Bank
from poker_actors.actors.bank.messages import Balance, Deposit, Forfeit, Withdraw
from poker_actors.actors.command import Command, GetState
from poker_actors.actors.hand.face import LiveHand
from poker_actors.actors.hand.messages import HandResult
from poker_actors.actors.player.face import Player
from poker_actors.actors.player.messages import HandState, Play, PutIn, SitOut
from poker_actors.actors.room import Audit, Health, Room
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.face import Table
from poker_actors.actors.table.messages import (
    Abandon,
    BuyIn,
    CashOut,
    Deal,
    Leave,
    Shut,
    Sit,
    Unwatch,
    Wait,
    Watch,
)
from poker_actors.actors.table.state import TableState
from poker_actors.cards import Deck
from poker_actors.errors import IllegalAction, RoomClosed
from poker_actors.rules import Action, Call, Check, Fold, PublicState, RaiseTo

__all__ = ["AsyncBank", "AsyncHand", "AsyncPlayer", "AsyncRoom", "AsyncTable"]

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class _Asks:
    """Somebody who can be asked."""

    def __init__(self, address: Address, bridge: Bridge) -> None:
        self._address = address
        self._bridge = bridge

    async def ask(self, command: Command[R]) -> R:
        """Send a command and await its answer; `AskTimeout` if that takes longer than any handler."""
        answer: R = await self._bridge.ask(self._address, command)
        return answer


class AsyncHand(_Asks):
    """A hand under way; see `LiveHand`."""

    def __init__(self, live: LiveHand, bridge: Bridge) -> None:
        super().__init__(live.address, bridge)
        self.live: Final = live
        self._result: asyncio.Future[HandResult] = bridge.loop.create_future()
        live.promise.when_done(partial(bridge.post, self._settle))

    @property
    def hand_id(self) -> str:
        """The hand, unique in the room."""
        return self.live.hand_id

    def _settle(self) -> None:
        if self._result.done():
            return
        try:
            self._result.set_result(self.live.result(timeout=0))
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to who awaits the result
            self._result.set_exception(error)
            self._result.exception()  # nobody need await it

    async def result(self) -> HandResult:
        """Await the end; any number of tasks may, and each may give up alone."""
        return await asyncio.shield(self._result)

    async def state(self) -> PublicState:
        """Give what everybody can see; raises `RoomClosed` once the hand is over."""
        state = await self.ask(GetState())
        assert isinstance(state, PublicState)
        return state


class AsyncPlayer(_Asks):
    """A player; see `Player` for what each action raises."""

    def __init__(self, player: Player, bridge: Bridge) -> None:
        super().__init__(player.address, bridge)
        self.player: Final = player

    @property
    def name(self) -> str:
        """The player's name, unique in the room."""
        return self.player.name

    def news(self, limit: int = 1000) -> NewsStream:
        """Give everything the player hears: ``async with player.news() as news: async for one in news``."""
        return NewsStream(self._bridge, self.player, limit)

    async def state(self) -> HandState | None:
        """Give the last state heard where this player is to act, else the last one at all."""
        heard = await self.ask(GetState())
        assert isinstance(heard, dict)
        return max(heard.values(), key=lambda state: state.turn is not None, default=None)

    async def act(self, action: Action) -> None:
        """Take the open turn with `action`."""
        await self.ask(Play(action))

    async def bet(self, amount: int) -> None:
        """Put `amount` chips in now: a check, call, bet or raise."""
        await self.ask(PutIn(amount))

    async def check(self) -> None:
        """Pass, with nothing to call."""
        await self.act(Check())

    async def call(self) -> None:
        """Match the bet, or go all-in for less."""
        await self.act(Call())

    async def fold(self) -> None:
        """Give the hand up."""
        await self.act(Fold())

    async def raise_to(self, total: int) -> None:
        """Bet or raise to `total` chips in front."""
        await self.act(RaiseTo(total))

    async def all_in(self) -> None:
        """Put the whole stack in, by a call or a raise."""
        state = await self.state()
        action = None if state is None else state.legal.all_in
        if action is None:
            raise IllegalAction(f"{self.name} cannot go all-in here")
        await self.act(action)

    def __repr__(self) -> str:
        return f"<AsyncPlayer: {self.name}>"


class AsyncTable(_Asks):
    """A table; see `Table` for what each command raises."""

    def __init__(self, table: Table, bridge: Bridge) -> None:
        super().__init__(table.address, bridge)
        self.table: Final = table

    @property
    def name(self) -> str:
        """The table's name, unique in the room."""
        return self.table.name

    async def sit(self, player: AsyncPlayer, seat: int | None = None) -> int:
        """Take a seat, any free one unless named; gives its number."""
        return await self.ask(Sit(player.name, player.player.address, seat))

    async def wait(self, player: AsyncPlayer, buy_in: int = 0) -> int:
        """Wait for a seat, to buy in for `buy_in` chips then; gives the place in line, 1 being next."""
        return await self.ask(Wait(player.name, player.player.address, buy_in))

    async def leave(self, player: AsyncPlayer) -> None:
        """Give up the seat, or the place in the waiting list."""
        await self.ask(Leave(player.name))

    async def buy_in(self, player: AsyncPlayer, amount: int) -> int:
        """Bring chips from the bank; gives the stack."""
        return await self.ask(BuyIn(player.name, amount))

    async def cash_out(self, player: AsyncPlayer) -> int:
        """Bring the whole stack to the bank; gives the chips moved."""
        return await self.ask(CashOut(player.name))

    async def forfeit(self, player: AsyncPlayer) -> int:
        """Give the whole stack up to the house; gives the chips."""
        return await self.ask(Abandon(player.name))

    async def sit_out(self, player: AsyncPlayer) -> None:
        """Keep the seat and get no more cards."""
        await self.ask(SitOut(player.name, out=True))

    async def sit_in(self, player: AsyncPlayer) -> None:
        """Get cards again."""
        await self.ask(SitOut(player.name, out=False))

    async def watch(self, player: AsyncPlayer) -> None:
        """Tell a player who need not sit here what a spectator may see."""
        await self.ask(Watch(player.player.address))

    async def unwatch(self, player: AsyncPlayer) -> None:
        """Tell it no more."""
        await self.ask(Unwatch(player.player.address))

    async def deal(self, deck: Deck | None = None) -> AsyncHand:
        """Start a hand, shuffled afresh unless given a deck."""
        return AsyncHand(LiveHand(await self.ask(Deal(deck))), self._bridge)

    async def state(self) -> TableState:
        """Give seats, stacks and button."""
        state = await self.ask(GetState())
        assert isinstance(state, TableState)
        return state

    def __repr__(self) -> str:
        return f"<AsyncTable: {self.name}>"


class AsyncBank(_Asks):
    """The bank; see `Bank`."""

    def __init__(self, bank: Bank, bridge: Bridge) -> None:
        super().__init__(bank.address, bridge)

    async def deposit(self, player: AsyncPlayer, amount: int) -> int:
        """Bring new chips to a player's account; gives the balance."""
        return await self.ask(Deposit(player.name, amount))

    async def withdraw(self, player: AsyncPlayer, amount: int) -> int:
        """Take chips out of the room; gives the balance."""
        return await self.ask(Withdraw(player.name, amount))

    async def forfeit(self, player: AsyncPlayer, amount: int) -> int:
        """Give chips of a player's account up to the house; gives the balance."""
        return await self.ask(Forfeit(player.name, amount))

    async def balance(self, player: AsyncPlayer) -> int:
        """Give a player's chips outside tables."""
        return await self.ask(Balance(player.name))


def _called(
    method: Callable[Concatenate[Room, P], S], wrap: Callable[[S, Bridge], R]
) -> Callable[Concatenate[AsyncRoom, P], Awaitable[R]]:
    """Give `method` of a room as a method to await, its answer wrapped."""

    async def called(self: AsyncRoom, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return wrap(await self.bridge.call(partial(method, self.room, *args, **kwargs)), self.bridge)

    called.__doc__ = method.__doc__
    return called


class AsyncRoom:
    """A `Room` inside a running event loop; entering its context binds it to the loop, leaving closes it.

    ``async with AsyncRoom(Room(seed=1)) as room``: give it the room you want, on threads or on a
    `StepRuntime`, which the loop then drains, with deadlines by the loop's clock. A stepper's bots
    run on the loop's thread; on threads each player has its own.
    """

    def __init__(self, room: Room | None = None) -> None:
        self.room: Final = Room() if room is None else room
        self._bridge: Bridge | None = None

    @property
    def bridge(self) -> Bridge:
        """The way into the loop; only inside ``async with``."""
        assert self._bridge is not None, "enter the room first: async with AsyncRoom(...) as room"
        return self._bridge

    @property
    def bank(self) -> AsyncBank:
        """The bank."""
        return AsyncBank(self.room.bank, self.bridge)

    open_table = _called(Room.open_table, AsyncTable)
    player = _called(Room.player, AsyncPlayer)

    async def audit(self) -> Audit:
        """Count all chips, by the bank's books."""
        return await self.bridge.call(self.room.audit)

    def health(self) -> Health:
        """Say how the room is."""
        return self.room.health()

    async def close(self, *, finish_seconds: float = 0.0) -> None:
        """Stop everything, as `Room.close`; whoever awaits an answer gets one, streams of news end."""
        if finish_seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(finish_seconds):
                    await self._finish()
        await self.bridge.close(self.room.close)

    def abandon(self) -> None:
        """Let go of the room where it is, as `Room.abandon`."""
        self.room.abandon()
        self.bridge.abandon()

    async def _finish(self) -> None:
        """Deal no more, and await the hands being played."""
        hands = []
        for table in self.room._tables.values():
            with suppress(RoomClosed):
                live = await self.bridge.ask(table.address, Shut(void=False))
                if live is not None:
                    hands.append(AsyncHand(LiveHand(live), self.bridge))
        for hand in hands:
            await hand.result()

    async def __aenter__(self) -> Self:
        self._bridge = bridge_to(self.room.runtime)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncRoom: {self.room!r}>"
